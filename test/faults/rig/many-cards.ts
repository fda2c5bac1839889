// Many chats, each with one card that has a deadline: the question of the sample feature, asked by the model, or a card of another kind. How it
// stands in Redis, and how it is shown.
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { pressNewest, really, type CardKind } from './asking-cards.ts'
import type { Fleet } from './fleet.ts'
import { eventually, type Card, type Place } from './place.ts'
import { directPlace } from './places.ts'

/** What a card says that nobody pressed, and one whose notes were to be dropped. */
export const over = 'Nobody said (deadline).'
export const dropped = 'Dropped.'
const keeping: CardKind = { wish: 'May you keep it', button: 'Drop', wins: dropped, over }

export type OpenCard = {
  readonly kind: CardKind
  readonly place: Place
  /** Where it goes on, if that is another chat than the card's. */
  readonly home?: Place
  readonly card: string
  /** How many texts it has had while it asks. */
  readonly texts: number
  /** Of its kind's button, which changes the card in its place. */
  readonly data: string
  readonly question: string
  /** By the clock of Redis, ms. */
  readonly dueMs: number
}

export type Crowd = Readonly<Partial<Record<Place['channel'], number>>>

const atOnce = 50

/** The people of such a crowd on a channel. */
export const toPeople = (crowd: Crowd, channel: Place['channel'], from = 1001): readonly number[] =>
  Array.from({ length: crowd[channel] ?? 0 }, (_, i) => from + i)

/**
 * Resolves once all have their card, and it is known to be there. `kind`: for each, or by their number. `from`: the first of them, where these are
 * not to be the people of another crowd.
 */
export async function askMany(
  fleet: Fleet,
  crowd: Crowd,
  {
    kind = keeping,
    from = 1001,
  }: { readonly kind?: CardKind | ((nth: number) => CardKind); readonly from?: number } = {},
): Promise<readonly OpenCard[]> {
  const wanted = (['telegram', 'discord', 'web'] as const).flatMap((channel) =>
    toPeople(crowd, channel, from).map((who) => ({ channel, who })),
  )
  const places = await inParts(wanted, ({ channel, who }) => directPlace(fleet, channel, who))
  const asked = places.map((place, nth) => ({ place, kind: typeof kind === 'function' ? kind(nth) : kind }))
  await inParts(asked, (one) => one.place.say(one.kind.wish))
  return await inParts(asked, (one) => findOpen(fleet, one))
}

/** The card that an owner is shown in `place`, for what a member wishes in `home`. */
export async function askOwner(
  fleet: Fleet,
  { home, place, kind }: { readonly home: Place; readonly place: Place; readonly kind: CardKind },
): Promise<OpenCard> {
  // So that the owner can be written to.
  await place.say('/status')
  await eventually(async () => (await place.said())[0], `nobody answers in ${place.conversation}`)
  await home.say(kind.wish)
  return { ...(await findOpen(fleet, { place, kind })), home }
}

/** Presses _Once_ on a call that is asked about twice: what is open then is the second time, in the same card. */
export async function pressOnce(fleet: Fleet, open: OpenCard): Promise<OpenCard> {
  const { place, kind } = open
  const { notice } = await pressNewest(place, kind.button)
  if (!/^(Got it\.|won|)$/.test(notice)) throw new Error(`${place.conversation}: who presses is told "${notice}".`)
  return await findOpen(fleet, { place, kind: { ...kind, button: really } })
}

/** The newest card of its kind there, once it is known to be there. */
export async function findOpen(
  fleet: Fleet,
  { place, kind }: { readonly place: Place; readonly kind: CardKind },
): Promise<OpenCard> {
  return await eventually(
    async () => {
      const shown = (await place.said()).findLast(({ buttons }) => buttons.some(({ label }) => label === kind.button))
      const data = shown?.buttons.find(({ label }) => label === kind.button)?.data
      const [question = ''] = data?.split('.') ?? []
      if (!shown || data === undefined) return undefined
      const found = { kind, place, card: shown.id, texts: shown.texts.length, data, question }
      // Before it is known to be there its deadline is another one.
      if ((await stateOf(fleet, found)) !== 'asked') return undefined
      const dueMs = await findDue(fleet, place, question)
      return dueMs === undefined ? undefined : { ...found, dueMs }
    },
    async () => `${place.conversation} has no card: ${JSON.stringify(await place.said())}`,
    60_000,
  )
}

/** The deadline of the question, where it has one. */
async function findDue(
  { redis: { admin } }: Fleet,
  { conversation }: Place,
  question: string,
): Promise<number | undefined> {
  const prefix = partitionPrefix(toPartition(conversation))
  const dueMs = Number(await admin.zscore(`${prefix}timers`, `${conversation} q.${question}`))
  return dueMs > 0 ? dueMs : undefined
}

/** `answered`, `asked`, or nothing once it has expired. */
export async function stateOf(
  { redis: { admin } }: Fleet,
  { place, question }: Pick<OpenCard, 'place' | 'question'>,
): Promise<'answered' | 'asked' | 'open' | null> {
  const state = await admin.hget(`${partitionPrefix(toPartition(place.conversation))}q:${question}`, 's')
  return state === 'answered' || state === 'asked' || state === 'open' ? state : null
}

export type ShownCard = Card & {
  /** It says that its button was pressed. */
  readonly hasWon: boolean
  /** It says that nobody answered. */
  readonly isOver: boolean
  /** How many messages besides it say one of its ends. */
  readonly copies: number
  /** How often the bot went on, in words of its own, with the answer. */
  readonly answered: number
  /** How often it did so as if nobody had answered. */
  readonly goneOn: number
}

/** How the card is shown now. */
export async function shownAs({ place, home = place, card, kind }: OpenCard): Promise<ShownCard> {
  const all = await place.said()
  const found = all.find(({ id }) => id === card)
  if (!found) throw new Error(`${place.conversation} shows its card no more.`)
  const others = all.filter(({ id }) => id !== card)
  const elsewhere = home === place ? others : await home.said()
  // A chat may have cards about other calls.
  const isOfIt = ({ text }: Card): boolean => kind.entry === undefined || text.includes(`/${kind.entry}"`)
  const ends = [kind.wins, ...(kind.over === undefined ? [] : [kind.over])]
  const count = (said: string | undefined): number =>
    said === undefined ? 0 : elsewhere.filter(({ text }) => text.includes(said)).length
  return {
    ...found,
    hasWon: found.text.includes(kind.wins),
    isOver: kind.over !== undefined && found.text.includes(kind.over),
    copies: others.filter((one) => isOfIt(one) && ends.some((end) => one.text.includes(end))).length,
    answered: count(kind.answered),
    goneOn: count(kind.goesOn),
  }
}

/** Not all at the same time. */
export async function inParts<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let i = 0; i < all.length; i += atOnce) results.push(...(await Promise.all(all.slice(i, i + atOnce).map(act))))
  return results
}
