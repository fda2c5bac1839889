// Many chats, each with one card that has a deadline: the question of the sample feature, asked by the model, or a card of another kind. How it
// stands in Redis, and how it is shown.
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import type { CardKind } from './asking-cards.ts'
import type { Fleet } from './fleet.ts'
import { directPlace, eventually, type Card, type Place } from './places.ts'

/** What a card says that nobody pressed, and one whose notes were to be dropped. */
export const over = 'Nobody said (deadline).'
export const dropped = 'Dropped.'
const keeping: CardKind = { wish: 'May you keep it', button: 'Drop', over }

export type OpenCard = {
  readonly kind: CardKind
  readonly place: Place
  readonly card: string
  /** Of its kind's button, which changes the card in its place. */
  readonly data: string
  readonly question: string
  /** By the clock of Redis, ms. */
  readonly dueMs: number
}

export type Crowd = Readonly<Partial<Record<Place['channel'], number>>>

const dayMs = 86_400_000
const atOnce = 50

/** The people of such a crowd on a channel. */
export const toPeople = (crowd: Crowd, channel: Place['channel'], from = 1001): readonly number[] =>
  Array.from({ length: crowd[channel] ?? 0 }, (_, i) => from + i)

/** Resolves once all have their card, and it is known to be there. `from`: the first of them, where these are not to be the people of another crowd. */
export async function askMany(
  fleet: Fleet,
  crowd: Crowd,
  now: () => number,
  { kind = keeping, from = 1001 }: { readonly kind?: CardKind; readonly from?: number } = {},
): Promise<readonly OpenCard[]> {
  const wanted = (['telegram', 'discord', 'web'] as const).flatMap((channel) =>
    toPeople(crowd, channel, from).map((who) => ({ channel, who })),
  )
  const places = await inParts(wanted, ({ channel, who }) => directPlace(fleet, channel, who))
  await inParts(places, (place) => place.say(kind.wish))
  return await inParts(places, async (place) => {
    await eventually(
      async () => ((await findDue(fleet, place, now() + 8 * dayMs)) ? true : undefined),
      async () => `${place.conversation} has no card: ${JSON.stringify(await place.said())}`,
      60_000,
    )
    const shown = (await place.said()).find(({ buttons }) => buttons.length > 0)
    const data = shown?.buttons.find(({ label }) => label === kind.button)?.data
    const due = await findDue(fleet, place, Infinity)
    if (!shown || data === undefined || !due) throw new Error(`${place.conversation} lost its card.`)
    return { kind, place, card: shown.id, data, question: due.question, dueMs: due.dueMs }
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

export type ShownCard = Card & {
  /** It says that nobody answered. */
  readonly isOver: boolean
  /** How many messages besides it say one of its ends. */
  readonly copies: number
  /** How often the bot went on, in words of its own, as if nobody had answered. */
  readonly goneOn: number
}

/** How the card is shown now. */
export async function shownAs({ place, card, kind }: OpenCard): Promise<ShownCard> {
  const all = await place.said()
  const found = all.find(({ id }) => id === card)
  if (!found) throw new Error(`${place.conversation} shows its card no more.`)
  const others = all.filter(({ id }) => id !== card)
  return {
    ...found,
    isOver: found.text.includes(kind.over),
    copies: others.filter(({ text }) => text.includes(kind.over) || text === dropped).length,
    goneOn: others.filter(({ text }) => text === kind.goesOn).length,
  }
}

/** Not all at the same time. */
export async function inParts<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let i = 0; i < all.length; i += atOnce) results.push(...(await Promise.all(all.slice(i, i + atOnce).map(act))))
  return results
}
