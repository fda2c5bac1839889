// `memory.restKb` and `memory.bytesPerMessage`: what Redis keeps of a Telegram conversation in which one question was answered, and of
// each further message, delivered and at rest. The state is the executor's; its writes are made here, so that many conversations take seconds.
import { connectKernel } from '#queues/connection.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { createUnits } from '#queues/units.ts'
import { indexFeatures } from '#services/executor/state/features.ts'
import { type ConversationState } from '#services/executor/state/state.ts'
import { remember } from '#services/executor/state/remember.ts'
import { parseState, toStored } from '#services/executor/state/stored.ts'
import { toWorkId } from '#services/executor/run/work-id.ts'
import type { MessageEvent } from '#shared/chat/event.ts'
import { estimateTokens } from '#shared/model/token-estimate.ts'
import type { JournalEntry } from '#shared/run/journal.ts'
import { toEndRow } from '#shared/run/out-row.ts'
import { toBody } from '#test/rig/journal-entries.ts'
import { message } from '#test/rig/events.ts'
import { round } from './figures.ts'
import type { Place } from './place.ts'

const conversations = 1000
const noFeatures = indexFeatures([])
/** So that a history keeps its length from message to message, and only what is kept of a message counts. */
const fit = { historyTokens: 200, maxTokens: 200, estimate: (text: string): number => estimateTokens(text).upperBound }
const settled = 6
const further = 12
const question = 'what is the capital of France?'
const answer = 'Paris is the capital of France. '.repeat(10)
const classOf = { type: 'query', depth: 'standard', complex: false, rule: 'default', confidence: 'low' } as const

export async function measureRest(place: Place): Promise<{ restKb: number; bytesPerMessage: number }> {
  await place.clear()
  const redis = connectKernel(place.url)
  const kernel = createRedisKernel(redis, createUnits(redis, { patienceMs: 5000 }))
  const names = Array.from({ length: conversations }, (_, i) => `telegram:${100_000_000 + i}`)
  const others = Array.from({ length: 200 }, (_, i) => `telegram:${200_000_000 + i}`)
  const states = new Map<string, ConversationState>()
  const talk = async (from: number, to: number): Promise<void> => {
    for (let n = from; n <= to; n++) await Promise.all(names.map((name) => exchange(name, n)))
  }
  const usedBytes = async (): Promise<number> =>
    Number(/used_memory:(\d+)/.exec(await place.redis.info('memory'))?.[1] ?? Number.NaN)
  try {
    // Scripts, buffers and the partitions' own keys are there before it counts.
    await Promise.all(others.map((name) => exchange(name, 1)))
    const empty = await usedBytes()
    await talk(1, 1)
    const one = await usedBytes()
    await talk(2, settled)
    const before = await usedBytes()
    await talk(settled + 1, settled + further)
    const bytesPerMessage = ((await usedBytes()) - before) / conversations / further
    return { restKb: round((one - empty) / conversations / 1024), bytesPerMessage: round(bytesPerMessage) }
  } finally {
    redis.disconnect()
  }

  async function exchange(conversation: string, n: number): Promise<void> {
    const event = toEvent(conversation, n)
    await kernel.ingest({ event, dedupeKey: event.id, stop: 'none', echo: false })
    const { routedSeq, events } = await kernel.inbox(conversation, 1)
    const [waiting] = events
    if (!waiting) throw new Error(`Nothing waits in ${conversation}.`)
    await kernel.route(conversation, routedSeq, [{ v: 1, act: 'turn', rule: 'default', class: classOf }])
    const claimed = await kernel.claim(conversation, 'bench', 60_000)
    if (claimed.kind !== 'CLAIMED') throw new Error(`The claim of ${conversation} ended ${claimed.kind}.`)
    const items = [
      { role: 'user', source: 'person', text: question, messageId: String(n) },
      { role: 'assistant', source: 'own', text: answer },
    ] as const
    const before = states.get(conversation) ?? parseState(noFeatures, { parts: {} }, event.at)
    const state = remember(before, { items, messageIds: [String(n)], text: question, tokens: 900 }, fit)
    const saved = toStored(noFeatures, state)
    states.set(conversation, saved.state)
    const turn = toWorkId('t', waiting)
    await kernel.append(conversation, claimed.epoch, {
      key: `${turn}/end`,
      entries: entriesOf(turn, event),
      consume: [waiting.seq],
      rows: [
        {
          id: toEndRow(turn),
          body: toBody(answer, { answers: [event.id] }),
          expiresInMs: 600_000,
        },
      ],
      folds: true,
      ...saved.step,
      reply: answer,
      progress: true,
      release: true,
    })
    const sender = { conversation, owner: 'bench', ttlMs: 8000, sendTimeoutMs: 10_000, idempotentForMs: 0 }
    const begun = await kernel.begin(sender, `begin${n}`)
    if (begun.kind !== 'ROW') throw new Error(`The row of ${conversation} is ${begun.kind}.`)
    await kernel.settle(sender, begun.row.id, { kind: 'sent', receipt: String(10_000 + n) }, `settle${n}`)
  }
}

function entriesOf(turn: string, { id, at, principal }: MessageEvent): JournalEntry[] {
  const base = { v: 1, at, turn } as const
  const usage = { promptTokens: 900, completionTokens: 80 }
  return [
    { ...base, t: 'turn:start', principal, firstSeq: 1, events: [1], class: classOf, clock: '2026-11-21 22:12 UTC' },
    { ...base, t: 'llm:req', step: 0, attempt: 1, role: 'main' },
    { ...base, t: 'llm:fin', step: 0, text: answer, toolCalls: [], usage, model: 'simulated' },
    { ...base, t: 'turn:fin', ending: 'answered', answers: [id] },
  ]
}

function toEvent(conversation: string, n: number): MessageEvent {
  const id = `tg:4711:${conversation.slice(-6)}${n}`
  return message({ id, conversation, principal: conversation, at: Date.now(), text: question, messageId: String(n) })
}
