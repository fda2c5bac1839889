// What happens in the fortnight, and when: every dialogue once, some of them again days later, and a few words between people and the bot. It is spread over
// the days of those it is about, and some of it over their nights.
import type { Mapped } from './dialogues.ts'
import { groups, hourAt, people, type Person } from './people.ts'

const minuteMs = 60_000
export const dayMs = 86_400_000
/** Summer time begins in Berlin on the eighth night. */
export const beginsAtMs = Date.parse('2027-03-20T00:00:00Z')
export const days = 14
export const endsAtMs = beginsAtMs + days * dayMs

export type Happening = { readonly at: number; readonly chat: number } & (
  | { readonly kind: 'dialogue'; readonly mapped: Mapped; readonly isAgain: boolean }
  | { readonly kind: 'talk' | 'zone'; readonly who: Person }
)

/** A session ends after an hour of silence. */
const apartMs = 80 * minuteMs
const hours = [9.5, 11, 13.5, 15, 16.5, 18, 20, 10.25] as const
const nightHours = [23, 1.5] as const
/** Dialogues begin within so many days, so that there is time to ask. */
const dialogueDays = 12
const talkDays = [1, 3, 5, 7, 9, 11, 13] as const
const [everyNight, everyAgain] = [9, 6] as const

export function planFortnight(mapped: readonly Mapped[]): readonly Happening[] {
  const wanted = [
    ...people.map((who): Happening => ({ at: zoneAt(who), chat: who.id, kind: 'zone', who })),
    ...people.flatMap((who, nth) => talks(who, nth)),
    ...mapped.flatMap((one, nth) => dialoguesOf(one, nth, mapped.length)),
  ].toSorted((a, b) => a.at - b.at)
  const lastIn = new Map<number, number>()
  return wanted
    .map((one) => {
      const at = Math.max(one.at, (lastIn.get(one.chat) ?? 0) + (one.kind === 'zone' ? 0 : apartMs))
      lastIn.set(one.chat, at)
      return { ...one, at }
    })
    .toSorted((a, b) => a.at - b.at)
}

function dialoguesOf(one: Mapped, nth: number, all: number): readonly Happening[] {
  const { dialogue } = one
  const who = leadOf(one)
  const isDirect = dialogue.chat.kind === 'direct'
  const day = Math.floor((nth * dialogueDays) / all)
  const isAtNight = nth % everyNight === 4
  const hour = isAtNight ? (nightHours[nth % 2] ?? 23) : (hours[nth % hours.length] ?? 12)
  const place = (at: number): number => (isDirect ? who.id : (groups[at % 2] ?? groups[0]))
  const first = {
    at: atHour(day, who.zone, hour),
    chat: place(nth),
    kind: 'dialogue',
    mapped: one,
    isAgain: false,
  } as const
  if (dialogue.gaps.length === 0 || nth % everyAgain !== 1 || day + 3 >= days) return [first]
  // The same again, in the other group.
  return [first, { ...first, at: atHour(day + 3, who.zone, 17.25), chat: place(nth + 1), isAgain: true }]
}

/** Whom it is about: who is to be asked, else who speaks first. */
export function leadOf({ dialogue: { gaps, turns } }: Mapped): Person {
  const name = gaps[0]?.to ?? turns[0]?.who
  const found = people.find((one) => one.name === name)
  if (!found) throw new Error(`${String(name)} is none of the five.`)
  return found
}

/** When they tell the bot their zone. */
export const zoneAt = (who: Person): number =>
  who.zoneOnDay === 0 ? beginsAtMs + 10 * minuteMs : atHour(who.zoneOnDay, who.zone, 10)

/** Around noon, and one late in the evening and one before the day begins. */
const talks = (who: Person, nth: number): readonly Happening[] =>
  [
    ...talkDays.map((day) => atHour(day, who.zone, 12 + nth / 4)),
    atHour(4, who.zone, 22.5),
    atHour(6, who.zone, 7),
  ].map((at) => ({ at, chat: who.id, kind: 'talk', who }))

/** The moment of that day at which it is that hour there, to five minutes. */
export function atHour(day: number, zone: string, hour: number): number {
  const from = beginsAtMs + day * dayMs
  for (let ms = from; ms < from + dayMs; ms += 5 * minuteMs) if (Math.abs(hourAt(ms, zone) - hour) < 0.05) return ms
  throw new Error(`There is no ${hour} o’clock in ${zone} on day ${day}.`)
}
