// Many chats, each with one card that has a deadline: the question of the sample feature, asked by the model. How it stands in Redis, and how
// it is shown.
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import type { Fleet } from './fleet.ts'
import { directPlace, eventually, type Card, type Place } from './places.ts'

/** What a card says that nobody pressed, and one whose notes were to be dropped. */
export const over = 'Nobody said (deadline).'
export const dropped = 'Dropped.'

export type OpenCard = {
  readonly place: Place
  readonly card: string
  /** Of its button _Drop_, which changes the card in its place. */
  readonly data: string
  readonly question: string
  /** By the clock of Redis, ms. */
  readonly dueMs: number
}

export type Crowd = Readonly<Partial<Record<Place['channel'], number>>>

const dayMs = 86_400_000
const atOnce = 50

/** Resolves once all have their card, and it is known to be there. */
export async function askMany(fleet: Fleet, crowd: Crowd, now: () => number): Promise<readonly OpenCard[]> {
  const wanted = (['telegram', 'discord', 'web'] as const).flatMap((channel) =>
    Array.from({ length: crowd[channel] ?? 0 }, (_, i) => ({ channel, who: 1001 + i })),
  )
  const places = await inParts(wanted, ({ channel, who }) => directPlace(fleet, channel, who))
  await inParts(places, (place) => place.say('May you keep it'))
  return await inParts(places, async (place) => {
    await eventually(
      async () => ((await findDue(fleet, place, now() + 8 * dayMs)) ? true : undefined),
      async () => `${place.conversation} has no card: ${JSON.stringify(await place.said())}`,
      60_000,
    )
    const shown = (await place.said()).find(({ buttons }) => buttons.length > 0)
    const data = shown?.buttons.find(({ label }) => label === 'Drop')?.data
    const due = await findDue(fleet, place, Infinity)
    if (!shown || data === undefined || !due) throw new Error(`${place.conversation} lost its card.`)
    return { place, card: shown.id, data, question: due.question, dueMs: due.dueMs }
  })
}

/** The deadline of the question that is open there, when it is sooner than this. */
async function findDue({ redis: { admin } }: Fleet, { conversation }: Place, beforeMs: number) {
  const prefix = partitionPrefix(toPartition(conversation))
  const names = (await admin.hkeys(`${prefix}t:${conversation}`)).filter((name) => name.startsWith('q.'))
  for (const name of names) {
    const dueMs = Number(await admin.zscore(`${prefix}timers`, `${conversation} ${name}`))
    if (dueMs > 0 && dueMs < beforeMs) return { question: name.slice('q.'.length), dueMs }
  }
  return undefined
}

/** `answered`, `asked`, or nothing once it has expired. */
export async function stateOf(
  { redis: { admin } }: Fleet,
  { place, question }: OpenCard,
): Promise<'answered' | 'asked' | 'open' | null> {
  const state = await admin.hget(`${partitionPrefix(toPartition(place.conversation))}q:${question}`, 's')
  return state === 'answered' || state === 'asked' || state === 'open' ? state : null
}

/** How the card is shown now, with how many messages besides it say one of its ends. */
export async function shownAs({ place, card }: OpenCard): Promise<Card & { readonly copies: number }> {
  const all = await place.said()
  const found = all.find(({ id }) => id === card)
  if (!found) throw new Error(`${place.conversation} shows its card no more.`)
  return { ...found, copies: all.filter(({ id, text }) => id !== card && [over, dropped].includes(text)).length }
}

/** Not all at the same time. */
export async function inParts<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let i = 0; i < all.length; i += atOnce) results.push(...(await Promise.all(all.slice(i, i + atOnce).map(act))))
  return results
}
