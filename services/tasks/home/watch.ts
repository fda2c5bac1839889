// Whether tasks go on: one of which nothing was heard for long is looked at, and told of where nobody can go on with it. And who stops a turn is told that
// tasks go on.
import type { CommandContext, EndedTurn, TimerContext } from '#shared/feature/feature.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import { peek } from '#shared/feature/kept.ts'
import { BotError } from '#shared/errors.ts'
import type { Listed } from '#services/tasks/view/listed.ts'
import type { TaskReader } from '#services/tasks/view/task-reader.ts'
import { pick, toName } from '#services/tasks/words.ts'
import { findTask, isOver, type Home, type HomeChange } from './slice.ts'

type Effects = readonly StepEffect<HomeChange>[]

/** A step that takes longer is looked at. */
export const watchMs = 600_000

type WatchDeps = { readonly tasks: Pick<TaskReader, 'find'>; readonly clock: { now(): number } }

/** One that cannot be read, or at which nobody has been for as long, is lost; one that works is looked at again. */
export async function watch({ tasks, clock }: WatchDeps, context: TimerContext<Home>): Promise<Effects> {
  const { event, slice, language, conversation: home, principal } = context
  const number = Number(event.payload)
  const found = findTask(slice, number)
  if (!found || isOver(found)) return []
  const again = { kind: 'timer', timer: 'watch', key: event.payload, inMs: watchMs, payload: event.payload } as const
  const stored = await tasks.find({ home, number, principal }).catch((error: unknown) => {
    if (error instanceof BotError && error.code === 'store-unavailable') throw error
    return undefined
  })
  const isWaiting = stored !== undefined && (stored.own.waits !== 'nothing' || stored.own.outcome === 'waits')
  const atMs = stored?.running === undefined ? undefined : peek([stored.running], ([running]) => running?.at)
  if (isWaiting || (atMs !== undefined && clock.now() - atMs < watchMs)) return [again]
  const text = pick(language, {
    zh: `${toName(number, language)} 丢了：10 分钟没有人能接着做它。\`/task ${number} resume\` 再试一次，\`/task ${number} cancel\` 放弃它；要重来就再用 \`/task\` 说一遍。`,
    en: `${toName(number, language)} is lost: for ten minutes nobody could go on with it. \`/task ${number} resume\` tries again, \`/task ${number} cancel\` gives it up, and \`/task\` with the same order begins anew.`,
  })
  return [{ kind: 'send', text }]
}

/** A stop ends what its person had asked in the conversation; their tasks are named, since they go on. */
export const tellGoing = ({ slice, ending, principal, language }: EndedTurn<Home>): Effects =>
  ending === 'stopped' ? toGoing(slice.tasks, { principal, language }) : []

/** The same where nothing else was going on. */
export const tellTasks =
  ({ tasks }: { readonly tasks: Pick<TaskReader, 'list'> }) =>
  async ({ conversation, principal, language }: CommandContext): Promise<Effects> =>
    toGoing(await tasks.list(conversation), { principal, language })

function toGoing(
  tasks: readonly Listed[],
  { principal, language }: Pick<CommandContext, 'principal' | 'language'>,
): Effects {
  const going = tasks.filter((one) => one.asker === principal && !isOver(one) && one.state !== 'PAUSED')
  if (going.length === 0) return []
  const names = going.map(({ number }) => toName(number, language)).join(language === 'zh' ? '、' : ', ')
  const [first] = going
  const text = pick(language, {
    zh: `${names} 没有停下。\`/task ${first?.number} pause\` 可以暂停。`,
    en: `${names} ${going.length === 1 ? 'is' : 'are'} not stopped. \`/task ${first?.number} pause\` pauses ${going.length === 1 ? 'it' : 'the first'}.`,
  })
  return [{ kind: 'send', text }]
}
