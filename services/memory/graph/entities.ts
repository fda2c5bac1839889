// Finds people and things in what was said, once a turn has ended: rules say whether there is anything to look at, and a model is asked about three
// messages of a person at once, or about fewer when they have been silent for two minutes. What it finds is kept unconfirmed, and ends by itself.
import { createHash } from 'node:crypto'
import type { Projection, ReaderJob } from '#shared/feature/projection.ts'
import type { People, Ports, RecordedTurn } from '#shared/feature/ports.ts'
import type { MemoryGraph } from '#shared/memory/graph.ts'
import { orLater, type Ask } from '#shared/model/ask.ts'
import type { RecordLine } from '#shared/run/record.ts'
import { isPaused } from '#services/memory/pause.ts'
import { toPlace } from '#services/memory/place.ts'
import { choose } from './choose.ts'
import { toOwnWords } from './own-words.ts'
import { answerSchema, toQuestion } from './question.ts'

export type EntityDeps = {
  readonly graph: MemoryGraph
  readonly ask: Ask
  readonly records: Pick<Ports['records'], 'findTurns'>
  readonly people: Pick<People, 'findChoice'>
}

type TurnLine = Extract<RecordLine, { kind: 'turn' }>

const silentMs = 120_000
const mostMessages = 3
const maxOutputTokens = 1200
const sweepEveryMs = 86_400_000

export const createEntities = (deps: EntityDeps): Projection => ({
  name: 'entities',
  async take(line) {
    if (line.kind !== 'turn' || toOwnWords(line.record) === undefined) return []
    const { principal } = line.record
    if (await isPaused(deps.people, { principal, conversation: line.conversation })) return []
    const isTime = await deps.graph.note({ conversation: line.conversation, principal }, line.name)
    return [isTime ? { kind: 'job' } : { kind: 'job', inMs: silentMs }]
  },
  async work(job, signal) {
    await look(deps, job, signal)
    return []
  },
  tick: {
    everyMs: sweepEveryMs,
    async run(_, signal) {
      await deps.graph.sweep(signal)
      return []
    },
  },
})

async function look(deps: EntityDeps, { line, conversation }: ReaderJob, signal: AbortSignal): Promise<void> {
  if (line?.kind !== 'turn') return
  const { graph, ask, people } = deps
  const { principal, name, group = false, begunAt } = line.record
  const whose = await graph.claim({ conversation, principal }, line.name)
  if (whose === 'late') await graph.count('late')
  if (whose !== 'now' || (await isPaused(people, { principal, conversation }))) return
  const said = await findSaid(deps, line)
  const texts = said.map(({ text }) => text)
  if (texts.length === 0) return
  const id = `graph-${createHash('sha256').update(`${conversation} ${line.id}`).digest('hex').slice(0, 24)}`
  const question = { id, messages: toQuestion(texts), maxOutputTokens, temperature: 0, schema: answerSchema }
  const answer = orLater(await ask({ conversation, principal, budget: 'reflection' }, question, signal))
  await graph.count('asked')
  if (answer.kind === 'refused') return await graph.count(answer.why === 'misshaped' ? 'misshaped' : 'failed')
  const { items, counts } = choose(answer.value, { texts, speaker: principal, name, saidAt: begunAt, group })
  for (const [what, times] of counts) await graph.count(what, times)
  if (items.length === 0) return
  const messages = [...new Set(said.flatMap(({ about }) => about))]
  const { own } = toPlace({ conversation, principal, group })
  const written = await graph.write(own, { id, from: [{ conversation, messages }], items })
  if (written.kind === 'written') await graph.count('full', items.length - written.count)
}

type Words = { readonly text: string; readonly about: readonly string[] }

/** What this person said last in this session up to the line, the oldest first. */
async function findSaid({ records }: EntityDeps, line: TurnLine): Promise<readonly Words[]> {
  const { session, principal, turn } = line.record
  const all = await records.findTurns(line.conversation, session)
  const upTo = all.findIndex(({ record }) => record.turn === turn)
  const turns: readonly RecordedTurn[] =
    upTo < 0 ? [{ record: line.record, about: line.messages }] : all.slice(0, upTo + 1)
  const said = turns.flatMap(({ record, about }): Words[] => {
    const text = record.principal === principal ? toOwnWords(record) : undefined
    return text === undefined ? [] : [{ text, about: record.own ?? about }]
  })
  return said.slice(-mostMessages)
}
