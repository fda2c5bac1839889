// What a person writes in one go: an album, a text that the client cut at its limit, forwards with their comment, and in a group
// messages that follow each other within 800 ms. It is addressed to the bot as a whole and gets one reply. Pure.
import type { Decision } from '#shared/chat/decision.ts'
import type { ChatEvent, MessageEvent } from '#shared/chat/event.ts'

/** Platforms tell the time in seconds, so that 800 ms may look like a whole one. */
const mostApartMs = 1000
/** Telegram's clients cut what is pasted at 4096 characters, or a little before at a space. */
const cutTextChars = 4000

/** Indexes of the events that belong together, in order; what stands alone is a burst of one. */
export function findBursts(events: readonly ChatEvent[]): readonly (readonly number[])[] {
  const bursts: number[][] = []
  const last = new Map<string, { readonly event: ChatEvent; readonly burst: number[] }>()
  for (const [index, event] of events.entries()) {
    const before = last.get(event.principal)
    const burst = before && goesOn(before.event, event) ? before.burst : []
    if (burst.push(index) === 1) bursts.push(burst)
    last.set(event.principal, { event, burst })
  }
  return bursts
}

/** Whether its sender may not have finished with this event. */
export function mayGoOn(event: ChatEvent): event is MessageEvent {
  if (event.kind !== 'message' || event.command) return false
  const isForward = event.quoted?.some((quote) => quote.how === 'forward') === true
  if (event.group || event.album !== undefined || event.unfinished) return true
  return isForward || event.text.length >= cutTextChars
}

function goesOn(before: ChatEvent, event: ChatEvent): boolean {
  if (!mayGoOn(before) || event.kind !== 'message' || event.command) return false
  return Math.abs(event.at - before.at) <= mostApartMs
}

/** The events as the router is to see them: who speaks to the bot in one message of a burst does so in all of it. */
export function addressedTogether(events: readonly ChatEvent[]): readonly ChatEvent[] {
  const seen = [...events]
  for (const burst of findBursts(events)) {
    const members = burst.flatMap((index) => events[index] ?? [])
    if (!members.some((event) => event.kind === 'message' && event.addressed)) continue
    for (const index of burst) {
      const event = events[index]
      if (event?.kind === 'message') seen[index] = { ...event, addressed: true }
    }
  }
  return seen
}

/** One reply for a burst: its courtesies, files and bare mentions belong to the work beside them; an album alone is acknowledged once. */
export function decidedTogether(events: readonly ChatEvent[], decisions: readonly Decision[]): readonly Decision[] {
  const together = [...decisions]
  for (const burst of findBursts(events)) {
    const members = burst.flatMap((index) => decisions[index] ?? [])
    const work = members.find((decision) => decision.act === 'turn')
    let told = false
    for (const index of burst) {
      const decision = decisions[index]
      if (!decision || !isAside(decision)) continue
      if (work?.act === 'turn') {
        const found = decision.act === 'ack' ? decision.class : work.class
        together[index] = { v: 1, act: 'turn', rule: decision.rule, class: found }
      } else if (decision.rule === 'media.only') {
        if (told) together[index] = { v: 1, act: 'ignore', rule: 'album.rest' }
        told = true
      }
    }
  }
  return together
}

const isAside = ({ act, rule }: Decision): boolean => act === 'ack' || (act === 'ignore' && rule === 'message.empty')
