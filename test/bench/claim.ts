// `claim`: how long a claim takes on a conversation of 10,000 turns, from call to parsed answer, with a message waiting.
import { connectKernel } from '#queues/connection.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { createUnits } from '#queues/units.ts'
import { indexFeatures } from '#services/executor/state/features.ts'
import { remember } from '#services/executor/state/remember.ts'
import { parseState, toStored } from '#services/executor/state/stored.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import { estimateTokens } from '#shared/model/token-estimate.ts'
import type { JournalEntry } from '#shared/run/journal.ts'
import { toBody } from '#test/rig/journal-entries.ts'
import { message } from '#test/rig/events.ts'
import { percentile } from './figures.ts'

const conversation = 'web:long'
const claims = 2000
const noFeatures = indexFeatures([])
const fit = {
  historyTokens: 6000,
  maxTokens: 6000,
  estimate: (text: string): number => estimateTokens(text).upperBound,
}

export async function measureClaim(redisUrl: string, turns: number) {
  const redis = connectKernel(redisUrl)
  const kernel = createRedisKernel(redis, createUnits(redis, { patienceMs: 5000 }))
  let saved = toStored(noFeatures, parseState(noFeatures, { parts: {} }, Date.now()))
  try {
    for (let n = 1; n <= turns; n++) {
      await deliver(n)
      const claimed = await kernel.claim(conversation, 'bench', 8000)
      if (claimed.kind !== 'CLAIMED') throw new Error(`The claim before turn ${n} ended ${claimed.kind}.`)
      const items = [
        { role: 'user', source: 'person', text: questionOf(n) },
        { role: 'assistant', source: 'own', text: answerOf(n) },
      ] as const
      saved = toStored(
        noFeatures,
        remember(saved.state, { items, messageIds: [], text: questionOf(n), tokens: 120 }, fit),
      )
      await finish(claimed.epoch, n)
    }
    await deliver(turns + 1)
    const times: number[] = []
    for (let n = 0; n < claims; n++) {
      const startedAt = performance.now()
      const claimed = await kernel.claim(conversation, 'bench', 8000)
      times.push(performance.now() - startedAt)
      if (claimed.kind !== 'CLAIMED') throw new Error(`A claim ended ${claimed.kind}.`)
      await kernel.release(conversation, 'bench', claimed.epoch, true)
    }
    return { p50Ms: percentile(times, 50), p99Ms: percentile(times, 99), maxMs: percentile(times, 100), turns, claims }
  } finally {
    redis.disconnect()
  }

  async function deliver(n: number): Promise<void> {
    await kernel.ingest({ event: eventOf(n), dedupeKey: `m${n}`, stop: 'none', echo: true })
    const { routedSeq } = await kernel.inbox(conversation, 10)
    await kernel.route(conversation, routedSeq, [{ v: 1, act: 'turn', rule: 'default', class: classOf }])
  }

  async function finish(epoch: number, n: number): Promise<void> {
    const base = { v: 1, at: Date.now(), turn: `t${n}` } as const
    const entries: JournalEntry[] = [
      { ...base, t: 'turn:start', principal: 'web:bench', firstSeq: n, events: [n], class: classOf, clock: 'noon' },
      { ...base, t: 'llm:req', step: 0, attempt: 1, role: 'main' },
    ]
    const usage = { promptTokens: 100, completionTokens: 20 }
    await kernel.append(conversation, epoch, { key: `t${n}/req/0/1`, entries })
    await kernel.append(conversation, epoch, {
      key: `t${n}/end`,
      entries: [
        { ...base, t: 'llm:fin', step: 0, text: answerOf(n), toolCalls: [], usage, model: 'simulated' },
        { ...base, t: 'turn:fin', ending: 'answered', answers: [`m${n}`] },
      ],
      consume: [n],
      rows: [
        {
          id: `t${n}-end`,
          body: toBody(answerOf(n), { answers: [`m${n}`] }),
          expiresInMs: 600_000,
        },
      ],
      folds: true,
      ...saved.step,
      reply: answerOf(n),
      progress: true,
      release: true,
    })
  }
}

const classOf = { type: 'query', depth: 'standard', complex: false, rule: 'default', confidence: 'low' } as const

const questionOf = (n: number): string =>
  `What is the state of order ${n} in the north store, and when will it be here?`
const answerOf = (n: number): string => `Order ${n} left the north store this morning and will be with you by Thursday.`

function eventOf(n: number): ChatEvent {
  return message({ id: `m${n}`, conversation, principal: 'web:bench', at: Date.now(), text: questionOf(n) })
}
