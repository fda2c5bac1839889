// A plan as people see it: its steps, and below them one line that says how far it is (seed 003, progress).
import type { Language, Localised } from '#shared/chat/message.ts'
import type { Plan } from './read-plan.ts'
import { shorten } from './read-plan.ts'

/** `unfinished`: the turn ended before the plan did. */
export type PlanState = 'going-on' | 'done' | 'unfinished' | 'stopped' | 'suspended'

const cells = 10
const mostLabelChars = 24

const headWords: Localised = { zh: '计划：', en: 'Plan:' }
const endWords: Readonly<Record<Exclude<PlanState, 'going-on'>, Localised>> = {
  done: { zh: '完成 ✓', en: 'done ✓' },
  unfinished: { zh: '没有全部完成', en: 'not all of it done' },
  stopped: { zh: '已停止', en: 'stopped' },
  suspended: { zh: '等待回答', en: 'waiting for an answer' },
}

/** Markdown; its last line alone says how far the plan is. */
export function showPlan(
  { plan, step }: { readonly plan: Plan; readonly step: number },
  language: Language,
  state: PlanState,
): string {
  const { steps, total } = plan
  const at = state === 'done' ? total : step
  const label = shorten(steps[at - 1] ?? '', mostLabelChars)
  const name = [`${at}/${total}`, ...(label === '' ? [] : [label])].join(' ')
  const list = steps.map((each, i) => `${i + 1}. ${each}`)
  const more = total > steps.length ? ['', '…'] : []
  const line =
    state === 'going-on'
      ? `[${name}${name.endsWith('…') ? '' : '…'}]  ${toBar(at, total)}`
      : `[${name}]  ${endWords[state][language]}`
  return [headWords[language], ...list, ...more, '', line].join('\n')
}

/** Never full while something is left to do; 4 and 8 cells of 10 at the first and the second step of three, as the seed draws it. */
function toBar(step: number, total: number): string {
  const filled = Math.min(cells - 1, Math.ceil((cells * step) / total + 0.5))
  return '█'.repeat(filled) + '░'.repeat(cells - filled)
}
