// Has the fast model read ended turns for what the rules miss: what only a person can tell. It reads three turns at once, or fewer when nothing more was
// said for a while; none in which no sentence of the bot's rests on something unknown; and none where nobody may be asked.
import { createHash } from 'node:crypto'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { RecordedTurn } from '#shared/feature/ports.ts'
import type { Projection, ReaderJob } from '#shared/feature/projection.ts'
import { orLater, type Ask } from '#shared/model/ask.ts'
import type { TurnRecord } from '#shared/run/record.ts'
import { waitsForPerson } from './asked-otherwise.ts'
import type { CollectDeps } from './collect.ts'
import { addQuestions } from './keep-questions.ts'
import { isUsable, lookAt, type Looked } from './looked.ts'
import { toRefused } from './to-refused.ts'
import { lookThrough } from '#services/curiosity/gaps/find-gaps.ts'
import { readingSchema } from '#services/curiosity/reading/answer-schema.ts'
import { findBatch, hasAsked, silentMs } from '#services/curiosity/reading/batch.ts'
import { checkReading } from '#services/curiosity/reading/check.ts'
import type { ReadingCount, ReadingCounts } from '#services/curiosity/reading/counts.ts'
import { toReadingQuestion } from '#services/curiosity/reading/question.ts'
import { hasUnknown } from '#services/curiosity/reading/by-records.ts'

export type ReadDeps = CollectDeps & { readonly ask: Ask; readonly counts: ReadingCounts }

const maxOutputTokens = 1500

export const createReadTurns = (deps: ReadDeps): Projection => ({
  name: 'read-turns',
  worker: 'curiosity',
  async take(line) {
    if (line.kind !== 'turn' || !isReadable(line.record)) return []
    const turns = await findReadable(deps, line.conversation, line.record)
    const isFull = findBatch(turns, line.record.turn)?.isFull === true
    return [isFull ? { kind: 'job' } : { kind: 'job', inMs: silentMs }]
  },
  async work(job, signal) {
    await read(deps, job, signal)
    return []
  },
})

const isReadable = (record: TurnRecord): boolean => isUsable(record) && hasAsked(record)

async function findReadable(
  { findTurns }: ReadDeps,
  conversation: string,
  { session }: TurnRecord,
): Promise<readonly TurnRecord[]> {
  const all = await findTurns(conversation, session)
  return all.flatMap(({ record }: RecordedTurn) => (isReadable(record) ? [record] : []))
}

async function read(deps: ReadDeps, { conversation, line }: ReaderJob, signal: AbortSignal): Promise<void> {
  if (line?.kind !== 'turn' || !isReadable(line.record)) return
  if (await isAsked(deps, conversation, line.record)) return
  const batch = findBatch(await findReadable(deps, conversation, line.record), line.record.turn)
  if (!batch) return
  const looked = await lookAt(deps, conversation, line.record)
  const first = looked?.turns.findIndex(({ record }) => batch.turns.some(({ turn }) => turn === record.turn)) ?? -1
  if (!looked || first < 0) return
  const curious = await findCurious(deps, looked)
  const [payer] = curious.has(line.record.principal) ? [line.record.principal] : curious.keys()
  if (payer === undefined) return
  const counts = await readAll(deps, { looked, curious, payer, from: looked.begins[first] ?? 0, id: line.id }, signal)
  await deps.counts.count(counts)
}

/** The model asks a person there itself: nobody knows whether it would be the same. */
async function isAsked({ findTurns }: ReadDeps, conversation: string, { session }: TurnRecord): Promise<boolean> {
  const last = (await findTurns(conversation, session)).at(-1)?.record
  return last !== undefined && waitsForPerson(last)
}

/** Those of the session who may be asked. */
async function findCurious(
  { settings, isPaused }: ReadDeps,
  { people, conversation }: Looked,
): Promise<ReadonlyMap<PrincipalId, string>> {
  const chosen = await Promise.all(
    [...people].map(async ([one, name]) => ({
      one,
      name,
      isOff: (await settings.asks.find(one)) === 'off' || (await isPaused({ principal: one, conversation })),
    })),
  )
  return new Map(chosen.flatMap(({ one, name, isOff }) => (isOff ? [] : [[one, name]])))
}

type Reading = {
  readonly looked: Looked
  readonly curious: ReadonlyMap<PrincipalId, string>
  readonly payer: PrincipalId
  /** From this turn of the dialogue on. */
  readonly from: number
  readonly id: string
}

type Counts = ReadonlyMap<ReadingCount, number>

async function readAll(deps: ReadDeps, reading: Reading, signal: AbortSignal): Promise<Counts> {
  const { looked, curious, payer, from, id } = reading
  const { conversation, turns, dialogue } = looked
  if (!hasUnknown(dialogue, from)) return new Map([['calm', 1]])
  const request = {
    id: `reading-${createHash('sha256').update(`${conversation} ${id}`).digest('hex').slice(0, 24)}`,
    messages: toReadingQuestion(
      { ...dialogue, people: [...curious.values()] },
      { earlier: dialogue.turns.slice(0, from), now: dialogue.turns.slice(from) },
    ),
    maxOutputTokens,
    temperature: 0,
    schema: readingSchema,
  }
  const answer = orLater(await deps.ask({ conversation, principal: payer, budget: 'curiosity' }, request, signal))
  const asked = ['asked', 1] as const
  if (answer.kind === 'refused') return new Map([asked, [answer.why === 'misshaped' ? 'misshaped' : 'failed', 1]])
  const rules = { isRefused: toRefused(deps.refuse) }
  const { questions, dropped } = checkReading(rules, answer.value, {
    dialogue,
    from,
    ruled: lookThrough(rules, dialogue),
  })
  let kept = 0
  for (const [principal, name] of curious) {
    const own = questions.filter(({ to }) => to === name)
    if (own.length > 0) kept += await addQuestions(deps, { principal, own, conversation, turns, ofModel: true })
  }
  const { promptTokens, completionTokens } = answer.usage
  return new Map<ReadingCount, number>([
    ...dropped,
    asked,
    ['promptTokens', promptTokens],
    ['completionTokens', completionTokens],
    ['given', answer.value.ask.length],
    ['kept', kept],
    ['again', questions.length - kept],
  ])
}
