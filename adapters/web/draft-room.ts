// Growing replies for all pages that look: each is read once for its conversation, however many look, no faster than is looked at. They take turns, and
// no more than a fifth of the time goes into all of them. A page gets the newest reading as soon as it has room for it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Draft } from '#shared/run/draft.ts'
import { createDraftReader } from './draft-blocks.ts'
import type { BlockReader } from './open-block-reader.ts'
import {
  createMember,
  type DraftFeed,
  type DraftMember,
  type Known,
  type Offered,
  type Send,
  type Shown,
} from './draft-member.ts'

export type DraftRooms = {
  /** `send` is given JSON: the draft with its blocks, of which a page has the first ones. It resolves when there is room for more. */
  join(conversation: ConversationId, send: Send): DraftFeed
}

const everyMs = 50
const restPerWork = 4

/** `reading`: how many replies grow that somebody wants. `turn`: ends when the one that is read is read. */
type Turns = { reading: number; turn: Promise<unknown> }

export function createDraftRooms(reader: BlockReader): DraftRooms {
  const turns: Turns = { reading: 0, turn: Promise.resolve() }
  const rooms = new Map<ConversationId, Room>()
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

type Room = { join(send: Send): DraftFeed; isEmpty(): boolean }

function createRoom(reader: BlockReader, turns: Turns): Room {
  const members = new Set<DraftMember>()
  const drafts = createDrafts(reader)
  let isReading = false
  let mayAtMs = 0

  const isWanted = (): boolean => drafts.hasNewer() && [...members].some((member) => member.wants())

  async function readWanted(): Promise<void> {
    while (isWanted()) {
      const inMs = mayAtMs - performance.now()
      if (inMs > 0) {
        await sleep(inMs)
        continue
      }
      const reading = turns.turn.then(drafts.readNewest)
      turns.turn = reading.catch(() => {})
      const tookMs = await reading
      mayAtMs = performance.now() + Math.max(everyMs, restPerWork * turns.reading * tookMs)
      for (const member of members) member.pass()
    }
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

  return {
    isEmpty: () => members.size === 0,
    join(send) {
      const member = createMember(send, drafts.shown)
      members.add(member)
      return {
        offer(draft) {
          member.want(drafts.toNr(draft), draft.resumed === true)
          member.pass()
          readOn()
        },
        drop: member.drop,
        leave() {
          members.delete(member)
          member.wantNothing()
        },
      }
    },
  }
}

type Drafts = {
  /** Its number: of what is known already the same, and of what Redis had the newest one known of its turn, which may be newer. */
  toNr(draft: Offered): number
  hasNewer(): boolean
  /** Returns how long it took, ms. */
  readNewest(): Promise<number>
  shown(): Shown | undefined
}

/** The newest draft of a conversation, and the one that was read last. */
function createDrafts(reader: BlockReader): Drafts {
  const readDraft = createDraftReader(reader)
  let newest: Known | undefined
  let shown: Shown | undefined

  async function read(known: Known): Promise<Shown> {
    const { plan } = known.draft
    const reading = await readDraft(known.draft)
    const shownPlan = plan && { row: plan.row, blocks: await reader.read(plan.text) }
    return { ...known, reading, plan: shownPlan, jsons: new Map() }
  }

  return {
    toNr(draft) {
      const isKnown = newest && (draft.resumed ? draft.turn === newest.draft.turn : isSame(draft, newest.draft))
      if (!newest || !isKnown) newest = { draft, nr: (newest?.nr ?? 0) + 1 }
      return newest.nr
    },
    hasNewer: () => newest !== undefined && newest.nr !== shown?.nr,
    async readNewest() {
      const startedMs = performance.now()
      if (newest) shown = await read(newest)
      return performance.now() - startedMs
    },
    shown: () => shown,
  }
}

const isSame = (one: Draft, other: Draft): boolean =>
  one.turn === other.turn &&
  one.text === other.text &&
  one.plan?.row === other.plan?.row &&
  one.plan?.text === other.plan?.text
