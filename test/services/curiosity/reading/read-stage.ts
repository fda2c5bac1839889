// The two readers of ended turns on a real fleet's stores, with its real gate and budgets and a model over HTTP; turns are told to them as they end.
import { askBy, openModelCalls } from '#infra/processes/asking.ts'
import { loadModel } from '#infra/processes/model.ts'
import { refuse } from '#infra/processes/refuse.ts'
import type { RecordedTurn } from '#shared/feature/ports.ts'
import { ofAsked, type MemoryRecord } from '#shared/memory/record.ts'
import type { TurnRecord } from '#shared/run/record.ts'
import { createCollect } from '#services/curiosity/collect.ts'
import { createReadTurns } from '#services/curiosity/read-turns.ts'
import { createDeskSettings } from '#services/curiosity/desk/settings.ts'
import { startFleet, type Fleet } from '#test/rig/fleet.ts'
import { lineOf } from '#test/rig/turn-of.ts'

export type ReadStage = AsyncDisposable & {
  readonly fleet: Fleet
  /** A turn ends; the rules look at it at once, the model if it is time. Resolves to what takes its job, unless that was done. */
  end(conversation: string, record: TurnRecord): Promise<(() => Promise<void>) | undefined>
  waiting(principal: string): Promise<readonly MemoryRecord[]>
  /** Counts that are not 0. */
  counts(): Promise<Readonly<Record<string, number>>>
  choose(principal: string, asks: 'on' | 'off'): void
}

export async function openReadStage(): Promise<ReadStage> {
  const fleet = await startFleet({
    env: { FLOTILLA_OWNERS: 'web:owner', FLOTILLA_ALLOW: '*', FLOTILLA_DAILY_TOKENS_PERSON: '10000000' },
    parts: [],
  })
  const { runtime } = fleet
  const found = await loadModel(runtime.settings)
  await runtime.budgets.set('total', 'tokens', 1e9)
  const ended = new Map<string, RecordedTurn[]>()
  const choices = new Map<string, string>()
  const people = { findChoice: async (one: string) => choices.get(one), setChoice: async () => {} }
  const deps = {
    memory: runtime.memory,
    desks: runtime.desks,
    now: Date.now,
    findTurns: async (conversation: string, session: string) => [...(ended.get(`${conversation} ${session}`) ?? [])],
    settings: createDeskSettings(people),
    refuse,
    isPaused: async () => false,
    ask: askBy(openModelCalls(runtime, found, { trouble: () => {}, retryDelaysMs: [10] })),
    counts: runtime.readingCounts,
  }
  const [rules, reader] = [createCollect(deps), createReadTurns(deps)]
  const signal = AbortSignal.timeout(300_000)
  return {
    fleet,
    async end(conversation, record) {
      const line = lineOf(record, { conversation })
      const place = `${conversation} ${record.session}`
      ended.set(place, [...(ended.get(place) ?? []), { record, about: line.messages }])
      const job = { conversation, name: line.name, line }
      await rules.work?.(job, signal)
      const read = async (): Promise<void> => {
        await reader.work?.(job, signal)
      }
      const [effect] = await reader.take(line, signal)
      if (effect?.kind !== 'job') return undefined
      if (effect.inMs !== undefined) return read
      await read()
      return undefined
    },
    async waiting(principal) {
      const read = await runtime.memory.read(ofAsked(principal))
      return read === 'same' ? [] : read.records
    },
    counts: async () => Object.fromEntries([...(await runtime.readingCounts.read())].filter(([, times]) => times > 0)),
    choose: (principal, asks) => choices.set(principal, asks),
    [Symbol.asyncDispose]: () => fleet[Symbol.asyncDispose](),
  }
}
