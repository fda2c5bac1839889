// A step as the unit `append` takes it: lists by their names, as they stand at the head of append.lua.
import { homeOf, type Address } from '#shared/chat/address.ts'
import { hasStream } from '#shared/chat/conversation.ts'
import { toArtifactArgs } from '#queues/artifacts/artifact-args.ts'
import { toLetterArgs } from '#queues/letters/letter-args.ts'
import { toRecordArgs } from '#queues/records/record-args.ts'
import { toSignalArgs } from '#queues/tasks/signal-args.ts'
import { toCancelled, toldOf, toStoredQuestion } from '#queues/questions/stored-question.ts'
import type { Append } from '#shared/run/step.ts'

type Args = readonly (string | number)[]
const flags = ['folds', 'progress', 'release', 'endsSession'] as const

/** The step's key, then each flag that is set, and each list that is not empty: its name, how long it is, and what is in it. */
export function toAppendArgs(address: Address, step: Append): Args {
  const stream = hasStream(homeOf(address))
  const args: (string | number)[] = [step.key]
  const add = <T>(name: string, list: readonly T[] = [], toArgs: (item: T) => Args): void => {
    if (list.length === 0) return
    const count = args.push(name, 0)
    for (const item of list) args.push(...toArgs(item))
    args[count - 1] = args.length - count
  }
  const addOne = (name: string, item: string | number | undefined): void => {
    // Only these say something where they are empty.
    if (item !== undefined && (item !== '' || name === 'rest' || name === 'reply')) args.push(name, 1, item)
  }

  for (const flag of flags) if (step[flag]) args.push(flag, 0)
  if (stream) args.push('stream', 0)
  addOne('after', step.afterSeq)
  addOne('snapshot', step.snapshot)
  addOne('rest', step.rest)
  addOne('reply', step.reply?.slice(-2000))
  addOne('file', step.file)
  const { unlessStopped } = step
  if (unlessStopped) args.push('unlessStopped', 2, unlessStopped.principal, unlessStopped.firstSeq)
  // What the folded state stands for is only counted.
  if (step.folds) addOne('entered', step.entries.length)
  else add('entries', step.entries, (entry) => [JSON.stringify(entry)])
  add('consume', step.consume, (seq) => [seq])
  add('setAside', step.setAside, (seq) => [seq])
  add('parts', step.parts && Object.entries(step.parts), (part) => part)
  add('rows', step.rows, ({ id, body, expiresInMs }) => [
    id,
    JSON.stringify(stream ? { ...body, row: id } : body),
    expiresInMs,
    toldOf(body, step.questions).join(','),
  ])
  add('questions', step.questions, (question) => [question.id, ...toStoredQuestion(question)])
  add('closes', step.closes, (id) => [id])
  add('known', step.known, ({ seq, id }) => [seq, id])
  add('timers', step.timers, ({ name, event, inMs }) => [name, JSON.stringify(event), inMs])
  add('disarms', step.disarms, (name) => [name])
  add('cancels', step.cancels, (which) => [toCancelled(which)])
  add('letters', step.letters, toLetterArgs)
  add('tasks', step.signals, toSignalArgs)
  add('drops', step.drops, (number) => [number])
  add('records', step.records, toRecordArgs)
  add('artifacts', step.artifacts, toArtifactArgs)
  add('dropsArtifacts', step.dropsArtifacts, (name) => [name])
  return args
}
