// The desk in an executor of its own, with a book on a real Redis: what a test puts on it, and what brings its cards.
import { createDesks } from '#queues/fleet/desks.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import type { Desks } from '#shared/desk/desks.ts'
import type { Access, RecordedTurn } from '#shared/feature/ports.ts'
import type { Projection } from '#shared/feature/projection.ts'
import type { Asks } from '#shared/memory/asks.ts'
import { ofAsked, type MemoryRecord } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { refuse } from '#infra/processes/refuse.ts'
import { curiosityCapability } from '#services/curiosity/curiosity.ts'
import { createQuestions } from '#services/curiosity/questions/source.ts'
import { createMemorySettings } from '#services/memory/settings.ts'
import { createSuggestions } from '#services/memory/suggest.ts'
import { listQuestions } from '#services/questions/list.ts'
import { ann, base, message, toApply, toCommand, toTurn, wonPress } from '#test/rig/events.ts'
import type { Store } from '#test/rig/store.ts'
import { createMemoryStore } from '#test/twins/memory-store.ts'
import { builtIn, createStage, type Stage } from '#test/services/executor/stage.ts'
import { findNoon } from '#test/rig/noon.ts'

export const hourMs = 3_600_000
export const group = 'telegram:-1'

export type DeskStage = Stage & {
  readonly memory: MemoryStore
  readonly desks: Desks
  readonly moment: Projection
  readonly collect: Projection
  /** Puts a question on the desk. */
  waits(text: string, more?: Partial<MemoryRecord> & { readonly of?: Partial<Asks> }): Promise<void>
  /** What waits to be asked. */
  waiting(): Promise<readonly string[]>
  /** A card comes of itself, or after these messages. Returns the text of what was sent. */
  bring(id: string, more?: { readonly messages?: readonly string[]; readonly endedAt?: number }): Promise<string>
  now(args?: string): Promise<string>
  /** Words in reply to the open card. */
  answer(words: string, messageId: string): Promise<string>
}

type Given = {
  readonly place?: string
  readonly memory?: MemoryStore
  readonly desks?: Desks
  readonly access?: Partial<Pick<Access, 'mayTalk' | 'isClosed'>>
  readonly isQuiet?: () => Promise<boolean>
  readonly findDirect?: (one: string) => Promise<string | undefined>
  readonly findChoice?: (one: string, setting: string) => Promise<string | undefined>
  readonly turns?: readonly RecordedTurn[]
}

export const asks: Asks = {
  kind: 'words',
  options: [],
  why: 'my answer says: “it is so”',
  changes: 'the answer is made anew',
  assumed: 'it is so',
  key: 'key',
  in: group,
  session: 's1',
  group: true,
  worth: 0.5,
}

/** Who chose nothing. */
const nobody = {
  findZoneOf: async () => findNoon(),
  findChoice: async () => undefined,
  setChoice: async () => {},
}

export function createDeskStage({ redis, call }: Store, given: Given = {}): DeskStage {
  const { place = base.conversation, memory = createMemoryStore(), desks = createDesks(redis, call) } = given
  const feature = curiosityCapability.create({
    clock: { now: Date.now, timeZone: findNoon() },
    people: {
      ...nobody,
      setZone: async () => {},
      ...(given.findChoice ? { findChoice: given.findChoice } : {}),
      findDirect: given.findDirect ?? (async () => place),
      invite: async () => undefined,
    },
    records: {
      findTurn: async () => undefined,
      findTurns: async (_, session) => given.turns?.filter(({ record }) => record.session === session) ?? [],
      costOf: () => undefined,
    },
    memory,
    desks,
    sources: [
      createQuestions({ memory, desks, refuse, isClosed: given.access?.isClosed ?? (async () => false) }),
      createSuggestions({ memory, now: Date.now, timeZone: 'UTC', ...nobody }, createMemorySettings(nobody)),
    ],
    incurious: { isQuiet: given.isQuiet ?? (async () => false), setQuiet: async () => {} },
    refuse,
    isPaused: async () => false,
    readingCounts: { count: async () => {}, read: async () => new Map() },
    tellOpen: (context, waiting) => listQuestions({ now: Date.now }, context, waiting),
    access: { mayTalk: async () => true, isClosed: async () => false, ...given.access },
  })
  const moment = feature?.after?.find(({ name }) => name === 'moment')
  const collect = feature?.after?.find(({ name }) => name === 'collect')
  if (!feature || !moment || !collect) throw new Error('The desk has no moment.')
  const features = [...builtIn.filter(({ name }) => name !== 'curiosity'), feature]
  const stage = createStage({ features, place })
  let letters = 0
  let put = 0
  const sentBy = async (act: () => Promise<unknown>): Promise<string> => {
    const before = (await stage.sent()).length
    await act()
    return (await stage.sent())
      .slice(before)
      .map(({ text }) => text)
      .join('\n')
  }
  return {
    ...stage,
    memory,
    desks,
    moment,
    collect,
    async waits(text, { of, ...more } = {}) {
      await memory.write(ofAsked(ann), {
        id: `turn:${text.replaceAll(/\W/g, '')}`,
        kind: 'fact',
        speaker: ann,
        text,
        saidAt: Date.now() - 30 * hourMs + ++put,
        status: 'unconfirmed',
        origin: 'inferred',
        from: [{ conversation: group, messages: ['g1'] }],
        ...more,
        asks: { ...asks, key: text, ...of },
      })
    },
    async waiting() {
      const read = await memory.read(ofAsked(ann))
      const records = read === 'same' ? [] : read.records
      return records.flatMap(({ text, asks: of }) => (of?.never ? [] : [text])).toReversed()
    },
    bring: (id, more) =>
      sentBy(async () => {
        const payload = JSON.stringify({ principal: ann, id, ...more })
        const letter: ChatEvent = {
          ...base,
          conversation: place,
          id: `letter-${id}-${++letters}`,
          kind: 'letter',
          from: place,
          letter: 'curiosity.bring',
          language: 'en',
          payload,
        }
        await stage.put(letter, toApply('letter'))
        await stage.work()
      }),
    answer: (words, messageId) =>
      sentBy(async () => {
        const { kernel } = stage
        const { cards } = await kernel.findCards(place, [])
        const question = cards.findLast(({ question: one }) => one.words === true)?.question.id ?? ''
        const id = `said-${++letters}`
        const event = message({ conversation: place, id, messageId, text: words })
        await kernel.ingest({ event, dedupeKey: id, stop: 'none', echo: false })
        const said = { conversation: place, id, question, choice: '', said: true, words } as const
        const answer = { ...wonPress(said), messages: [messageId] }
        const { routedSeq, events } = await kernel.inbox(place, 100)
        const ruling = { act: 'answer', rule: 'answer', answer, asAdmin: false, otherwise: toTurn() } as const
        await kernel.route(
          place,
          routedSeq,
          events.map(() => ruling),
        )
        await stage.work()
      }),
    now: (args = 'now') => stage.ask(`/questions ${args}`, { as: toCommand('questions', args) }),
  }
}
