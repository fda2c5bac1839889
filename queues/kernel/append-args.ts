// A step as the unit `append` takes it, in the order that is written at the head of append.lua.
import { hasStream, type ConversationId } from '#shared/chat/conversation.ts'
import { toLetterArgs } from '#queues/letters/letter-args.ts'
import { toRecordArgs } from '#queues/records/record-args.ts'
import { questionsOn, toStoredQuestion } from '#queues/questions/stored-question.ts'
import type { Append, Cancel } from '#shared/run/step.ts'

/** All but the conversation and its epoch. */
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
  const parts = Object.entries(step.parts ?? {}).flat()
  return [
    step.key,
    step.afterSeq ?? '',
    step.entries.length,
    ...step.entries.map((entry) => JSON.stringify(entry)),
    step.unlessStopped?.principal ?? '',
    step.unlessStopped?.firstSeq ?? 0,
    (step.consume ?? []).join(','),
    (step.setAside ?? []).join(','),
    step.folds ? '1' : '0',
    step.snapshot ?? '',
    step.rest ?? '-',
    (step.reply ?? '').slice(-2000),
    step.progress ? '1' : '0',
    step.release ? '1' : '0',
    stream ? '1' : '0',
    step.file ?? '',
    parts.length,
    ...parts,
    rows.length,
    ...rows,
    questions.length,
    ...questions,
    step.closes?.length ?? 0,
    ...(step.closes ?? []),
    (step.known?.length ?? 0) * 2,
    ...(step.known ?? []).flatMap(({ seq, id }) => [seq, id]),
    timers.length,
    ...timers,
    step.disarms?.length ?? 0,
    ...(step.disarms ?? []),
    step.cancels?.length ?? 0,
    ...(step.cancels ?? []).map(toCancelled),
    (step.letters?.length ?? 0) * 3,
    ...(step.letters ?? []).flatMap(toLetterArgs),
    (step.records?.length ?? 0) * 4,
    ...(step.records ?? []).flatMap(toRecordArgs),
  ]
}

const toCancelled = (which: Cancel): string =>
  'all' in which ? '*' : 'topic' in which ? `#${which.topic}` : which.asker
