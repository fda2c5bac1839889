// A task that begins by itself: where the answer to a request that goes deep begins with a plan of three steps or more, and tools or several parts to write
// stand behind it. Then that plan is the task's, and the model is not asked for another one.
import type { PlanTaker } from '#shared/feature/plan-taker.ts'
import { readOrder } from '#services/tasks/graph/read-order.ts'
import { pick } from '#services/tasks/words.ts'
import { readFound } from '#services/tasks/run/found-plan.ts'
import { beginTask, startTool } from './order.ts'
import type { Home, HomeChange } from './slice.ts'

const fewestSteps = 3
const fewestParts = 2
/** A longer order stays with the turn: with its plan it would be too much for one letter. */
const mostOrderChars = 8000

export const createPlanTaker = (clock: { now(): number }): PlanTaker<Home, HomeChange> => ({
  tool: startTool,
  take(found) {
    const { asked, steps, calls, language } = found
    const isWork = steps.length >= fewestSteps && (calls || asksForParts(asked))
    if (!isWork || asked.length > mostOrderChars || !readFound(steps)) return undefined
    const begun = beginTask({ ...found, nowMs: clock.now(), order: asked, plan: steps })
    if (begun.kind === 'refused') return undefined
    const { number, effects } = begun
    const says = pick(language, {
      zh: `已开始，是任务 #${number}。计划见它的卡片；\`/task ${number}\` 看进度，\`/task ${number} cancel\` 取消。`,
      en: `Started as task #${number}. Its card shows the plan; \`/task ${number}\` says how far it is, \`/task ${number} cancel\` cancels it.`,
    })
    return { says, effects }
  },
})

/** The order names several parts to write. Without that, and without tools, the plan may be all that was asked for. */
const asksForParts = (asked: string): boolean =>
  readOrder(asked).counts.some(
    ({ what, min }) => ['parts', 'chapters', 'sections'].includes(what) && (min ?? 0) >= fewestParts,
  )
