// A step as the unit `append` takes it: lists by their names, as they stand at the head of append.lua.
import { hasStream, type ConversationId } from '#shared/chat/conversation.ts'
import { toLetterArgs } from '#queues/letters/letter-args.ts'
import { toRecordArgs } from '#queues/records/record-args.ts'
import { questionsOn, toStoredQuestion } from '#queues/questions/stored-question.ts'
import type { Append, Cancel } from '#shared/run/step.ts'

/** The step's key, then each list that is not empty: its name, how long it is, and what is in it. */
export function toAppendArgs(conversation: ConversationId, step: Append): readonly (string | number)[] {
  const stream = hasStream(conversation)
  const quiet = (step.questions ?? []).flatMap(({ id, deadlineMs }) => (deadlineMs === undefined ? [id] : []))
  const rows = (step.rows ?? []).flatMap(({ id, body, expiresInMs }) => [
    id,
    JSON.stringify(stream ? { ...body, row: id } : body),
    expiresInMs,
    questionsOn(body)
      .filter((question) => !quiet.includes(question))
      .join(','),
  ])
  const questions = (step.questions ?? []).flatMap((question) => [question.id, ...toStoredQuestion(question)])
  const timers = (step.timers ?? []).flatMap(({ name, event, inMs }) => [name, JSON.stringify(event), inMs])
  const lists = {
    after: step.afterSeq === undefined ? [] : [step.afterSeq],
    entries: step.entries.map((entry) => JSON.stringify(entry)),
    unlessStopped: step.unlessStopped ? [step.unlessStopped.principal, step.unlessStopped.firstSeq] : [],
    consume: step.consume ?? [],
    setAside: step.setAside ?? [],
    snapshot: step.snapshot ? [step.snapshot] : [],
    rest: step.rest === undefined ? [] : [step.rest],
    reply: step.reply ? [step.reply.slice(-2000)] : [],
    file: step.file ? [step.file] : [],
    parts: Object.entries(step.parts ?? {}).flat(),
    rows,
    questions,
    closes: step.closes ?? [],
    known: (step.known ?? []).flatMap(({ seq, id }) => [seq, id]),
    timers,
    disarms: step.disarms ?? [],
    cancels: (step.cancels ?? []).map(toCancelled),
    letters: (step.letters ?? []).flatMap(toLetterArgs),
    records: (step.records ?? []).flatMap(toRecordArgs),
  }
  const { folds = false, progress = false, release = false } = step
  const flags = Object.entries({ folds, progress, release, stream })
  return [
    step.key,
    ...flags.flatMap(([name, isSet]) => (isSet ? [name, 0] : [])),
    ...Object.entries(lists).flatMap(([name, list]) => (list.length > 0 ? [name, list.length, ...list] : [])),
  ]
}

const toCancelled = (which: Cancel): string =>
  'all' in which ? '*' : 'topic' in which ? `#${which.topic}` : which.asker
