// Memory in an executor of its own, at seven in the morning: what a night proposes there, and what its card does.
import type { ChatEvent } from '#shared/chat/event.ts'
import type { Account } from '#shared/memory/accounts.ts'
import { ofPerson, type MemoryRecord } from '#shared/memory/record.ts'
import { memoryCapability } from '#services/memory/memory.ts'
import { ann, base, conversation, toApply } from '#test/rig/events.ts'
import { turnRecord } from '#test/rig/records.ts'
import { remembered } from '#test/rig/remembered.ts'
import { builtIn, createStage } from '#test/services/executor/stage.ts'
import { stagePorts } from '#test/services/executor/stage-ports.ts'
import { createMemoryGraph } from '#test/twins/memory-graph.ts'
import { createMemoryStore } from '#test/twins/memory-store.ts'

export const dayMs = 86_400_000
export const scope = ofPerson(ann)

export function openNight() {
  const memory = createMemoryStore()
  const chosen = new Map<string, string>()
  /** Accounts of the same person, that one among them. */
  const linked: Account[] = []
  const clock = { ms: Date.parse('2026-03-02T07:10:00Z'), mayTalk: true }
  const feature = memoryCapability.create({
    ...stagePorts,
    memory,
    accounts: { ...stagePorts.accounts, find: async () => linked },
    graph: createMemoryGraph(),
    access: { mayTalk: async () => clock.mayTalk, isClosed: async () => false },
    clock: { now: () => clock.ms, timeZone: 'UTC' },
    people: {
      ...stagePorts.people,
      findChoice: async (who, setting) => chosen.get(`${who} ${setting}`),
      setChoice: async (who, setting, choice) => void chosen.set(`${who} ${setting}`, choice),
      findDirect: async () => conversation,
    },
    ask: async () => ({ kind: 'refused', why: 'model-failed' }) as const,
  })
  const consolidation = feature?.after?.find(({ name }) => name === 'consolidation')
  if (!feature || !consolidation) throw new Error('Memory has a night.')
  const stage = createStage({ features: [...builtIn.filter(({ name }) => name !== 'memory'), feature] })
  const { signal } = new AbortController()
  const toLine = (id: string) =>
    ({
      kind: 'turn',
      name: id,
      conversation,
      id,
      record: turnRecord(id, { principal: ann }),
      messages: ['m1'],
    }) as const
  let written = 0
  let letters = 0
  return {
    ...stage,
    memory,
    clock,
    choose: (setting: string, choice: string, who = ann) => void chosen.set(`${who} ${setting}`, choice),
    link: (principal: string) =>
      void linked.push({ principal: ann, conversation }, { principal, conversation: `${principal}-chat` }),
    /** A turn ends: when the night looks, ms from now; undefined where it looks already. */
    async turn(id: string) {
      const [job] = await consolidation.take(toLine(id), signal)
      return job?.kind === 'job' ? job.inMs : undefined
    },
    /** The night has come. Whether it wants a card. */
    look: async (id: string) =>
      (await consolidation.work?.({ conversation, name: id, line: toLine(id) }, signal))?.length === 1,
    /** Its letter comes. Returns the text of what was sent. */
    async bring(id: string) {
      const before = (await stage.sent()).length
      const letter: ChatEvent = {
        ...base,
        conversation,
        id: `letter-${id}-${++letters}`,
        kind: 'letter',
        from: conversation,
        letter: 'memory.night',
        language: 'en',
        payload: JSON.stringify({ v: 1, id }),
      }
      await stage.put(letter, toApply('letter'))
      await stage.work()
      return (await stage.sent())
        .slice(before)
        .map(({ text }) => text)
        .join('\n')
    },
    async keep(text: string, more: Partial<MemoryRecord> = {}) {
      written += 1
      const at = { conversation, message: `k${written}` }
      await memory.write(scope, remembered(text, at, { saidAt: Date.parse('2026-03-01T12:00:00Z') + written, ...more }))
    },
    async kept() {
      const read = await memory.read(scope)
      return read === 'same' ? [] : read.records.toReversed()
    },
  }
}
