// Growing replies for all pages that look: each is read once for its conversation, however many look, no faster than is looked at. They take turns, and
// no more than a fifth of the time goes into all of them. A page gets the newest reading as soon as it has room for it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Draft } from '#shared/run/draft.ts'
import { createDraftReader, type DraftReading } from './draft-blocks.ts'
import type { BlockReader } from './open-block-reader.ts'
import type { PageBlock } from './page-blocks.ts'

type Offered = Draft & { readonly resumed?: boolean }

/** What one page is shown of the drafts of its conversation. */
export type DraftFeed = {
  /** Sends it, or the newest one offered, when it is time. */
  offer(draft: Offered): void
  /** Forgets what was not sent. */
  drop(): void
  leave(): void
}

export type DraftRooms = {
  /** `send` is given JSON: the draft with its blocks, of which a page has the first ones. It resolves when there is room for more. */
  join(conversation: ConversationId, send: (json: string) => Promise<unknown>): DraftFeed
}

type Known = { readonly draft: Offered; readonly nr: number }
type Shown = Known & {
  readonly reading: DraftReading
  readonly plan: { readonly row: string; readonly blocks: readonly PageBlock[] } | undefined
  /** By what a page has of it and whether the draft was there before: most pages have the same. */
  readonly jsons: Map<string, string>
}
type Member = {
  readonly send: (json: string) => Promise<unknown>
  /** The newest draft that it was offered and was not sent. */
  wanted: { readonly nr: number; readonly resumed: boolean } | undefined
  /** The first draft that it was offered since it dropped what came before: an older one would come too late. */
  leastNr: number | undefined
  sentNr: number
  has: { readonly text: object; readonly settled: number } | undefined
  isSending: boolean
}

const everyMs = 50
const restPerWork = 4

/** `reading`: how many replies grow that somebody wants. `turn`: ends when the one that is read is read. */
type Turns = { reading: number; turn: Promise<unknown> }

export function createDraftRooms(reader: BlockReader): DraftRooms {
  const turns: Turns = { reading: 0, turn: Promise.resolve() }
  const rooms = new Map<ConversationId, ReturnType<typeof createRoom>>()
  return {
    join(conversation, send) {
      const room = rooms.get(conversation) ?? createRoom(reader, turns)
      rooms.set(conversation, room)
      const feed = room.join(send)
      return {
        ...feed,
        leave() {
          feed.leave()
          if (room.isEmpty() && rooms.get(conversation) === room) rooms.delete(conversation)
        },
      }
    },
  }
}

function createRoom(reader: BlockReader, turns: Turns): { join(send: Member['send']): DraftFeed; isEmpty(): boolean } {
  const members = new Set<Member>()
  const readDraft = createDraftReader(reader)
  let newest: Known | undefined
  let shown: Shown | undefined
  let isReading = false
  let mayAtMs = 0

  /** Its number: of what is known already the same, and of what Redis had the newest one known of its turn, which may be newer. */
  function toNr(draft: Offered): number {
    const isKnown = newest && (draft.resumed ? draft.turn === newest.draft.turn : isSame(draft, newest.draft))
    if (!newest || !isKnown) newest = { draft, nr: (newest?.nr ?? 0) + 1 }
    return newest.nr
  }

  const isWanted = (): boolean =>
    newest !== undefined && newest.nr !== shown?.nr && [...members].some(({ wanted }) => wanted !== undefined)

  async function readWanted(): Promise<void> {
    while (isWanted()) {
      const inMs = mayAtMs - performance.now()
      if (inMs > 0) {
        await sleep(inMs)
        continue
      }
      const reading = turns.turn.then(readNewest)
      turns.turn = reading.catch(() => {})
      const tookMs = await reading
      mayAtMs = performance.now() + Math.max(everyMs, restPerWork * turns.reading * tookMs)
      for (const member of members) pass(member)
    }
  }

  async function readNewest(): Promise<number> {
    const startedMs = performance.now()
    if (newest) shown = await read(newest)
    return performance.now() - startedMs
  }

  async function read(known: Known): Promise<Shown> {
    const { plan } = known.draft
    const reading = await readDraft(known.draft)
    const shownPlan = plan && { row: plan.row, blocks: await reader.read(plan.text) }
    return { ...known, reading, plan: shownPlan, jsons: new Map() }
  }

  function readOn(): void {
    if (isReading) return
    isReading = true
    turns.reading += 1
    readWanted()
      .catch(() => {})
      .finally(() => {
        isReading = false
        turns.reading -= 1
      })
  }

  function pass(member: Member): void {
    const { wanted, leastNr = Infinity } = member
    if (member.isSending || !shown || !wanted || shown.nr < leastNr || shown.nr <= member.sentNr) return
    const { reading, nr } = shown
    const has = member.has?.text === reading.text ? member.has.settled : 0
    const json = toJson(shown, has, wanted.resumed)
    if (nr >= wanted.nr) member.wanted = undefined
    member.sentNr = nr
    member.has = reading
    member.isSending = true
    member
      .send(json)
      // A client that has gone is the follower's matter.
      .catch(() => {})
      .finally(() => {
        member.isSending = false
        pass(member)
      })
      .catch(() => {})
  }

  return {
    isEmpty: () => members.size === 0,
    join(send) {
      const member: Member = {
        send,
        wanted: undefined,
        leastNr: undefined,
        sentNr: 0,
        has: undefined,
        isSending: false,
      }
      members.add(member)
      return {
        offer(draft) {
          const nr = toNr(draft)
          member.leastNr ??= nr
          if (nr > member.sentNr) member.wanted = { nr, resumed: draft.resumed === true }
          pass(member)
          readOn()
        },
        drop() {
          member.wanted = undefined
          member.leastNr = undefined
          member.sentNr = 0
          member.has = undefined
        },
        leave: () => {
          members.delete(member)
          member.wanted = undefined
        },
      }
    },
  }
}

const isSame = (one: Draft, other: Draft): boolean =>
  one.turn === other.turn &&
  one.text === other.text &&
  one.plan?.row === other.plan?.row &&
  one.plan?.text === other.plan?.text

function toJson({ draft, reading, plan, jsons }: Shown, has: number, resumed: boolean): string {
  const key = `${has} ${resumed}`
  const { resumed: _, ...rest } = draft
  const known =
    jsons.get(key) ?? JSON.stringify({ ...rest, ...(resumed ? { resumed } : {}), ...reading.after(has), plan })
  jsons.set(key, known)
  return known
}
