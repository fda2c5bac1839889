// Cards of one channel that ask people and lie open for days: choices, calls to be approved by their person or by an owner for a member, and how a
// turn is to go on. Some are pressed in time, and hold once; some nobody presses until long after their end, and then nothing comes of it.
import { choosing, countEffects, deletingOf, stuck, writingOf, type CardKind, type Service } from './asking-cards.ts'
import type { Fleet } from './fleet.ts'
import { askOwner, findOpen, pressOnce, shownAs, stateOf, type OpenCard, type ShownCard } from './many-cards.ts'
import { eventually, type Place, type Pressed } from './place.ts'
import { directPlace } from './places.ts'
import { assert } from './scenario.ts'

type Channel = Place['channel']
type Stage = { readonly fleet: Fleet; readonly service: Service }

export type Lasting = {
  readonly channel: Channel
  /** Pressed after a restart. */
  readonly early: readonly OpenCard[]
  /** A choice that is pressed shortly before its week is over. */
  readonly week: OpenCard
  /** One that is pressed after a fortnight, with time left. */
  readonly fortnight: OpenCard
  /** What nobody presses in time: a choice, and calls, which wait a day. */
  readonly choice: OpenCard
  readonly calls: readonly OpenCard[]
}

/** Of each channel: an owner who deletes, one whom members have to ask, and the members. The web page has the owner alone. */
const owners = { deletes: [21, 22], asked: 30, members: [31, 32] } as const
export const lastingOwners: readonly number[] = [owners.asked, ...owners.deletes]
const wonNotice = /^(Got it\.|won|)$/
const alreadyMine = /^(Got it\.|already|)$/
const outOfDate = /^(This message is out of date: its buttons no longer work\.|unknown)$/

/** `firstEntry`: the first of four entries that are its own. */
export async function askLasting({ fleet }: Stage, channel: Channel, firstEntry: number): Promise<Lasting> {
  const ask = async (who: number, kind: CardKind): Promise<OpenCard> => {
    const place = await directPlace(fleet, channel, who)
    await place.say(kind.wish)
    return await findOpen(fleet, { place, kind })
  }
  const [first, second] = owners.deletes
  const early = [
    await ask(11, choosing),
    await ask(41, stuck),
    await ask(first, deletingOf(`entry-${firstEntry}`)),
    ...(await askMember(fleet, { channel, member: owners.members[0], entry: firstEntry + 1 })),
  ]
  const calls = [await ask(second, deletingOf(`entry-${firstEntry + 2}`))]
  return {
    channel,
    early,
    calls,
    week: await ask(12, choosing),
    choice: await ask(13, choosing),
    fortnight: await ask(42, stuck),
  }
}

/** The early ones are pressed; then an owner has room for one more that they are asked for a member. */
export async function pressEarly(stage: Stage, cards: Lasting, firstEntry: number): Promise<Lasting> {
  const { channel } = cards
  const early: OpenCard[] = []
  for (const open of cards.early) early.push(await pressInTime(stage, open))
  const later = await askMember(stage.fleet, { channel, member: owners.members[1], entry: firstEntry + 3 })
  return { ...cards, early, calls: [...cards.calls, ...later] }
}

async function askMember(
  fleet: Fleet,
  { channel, member, entry }: { readonly channel: Channel; readonly member: number; readonly entry: number },
): Promise<readonly OpenCard[]> {
  if (channel === 'web') return []
  const [home, place] = [await directPlace(fleet, channel, member), await directPlace(fleet, channel, owners.asked)]
  return [await askOwner(fleet, { home, place, kind: writingOf(`entry-${entry}`) })]
}

/** It holds, once: pressed again at once nothing more comes of it. */
export async function pressInTime(stage: Stage, open: OpenCard): Promise<OpenCard> {
  const isTwice = open.kind.entry !== undefined && open.home === undefined
  const last = isTwice ? await pressOnce(stage.fleet, open) : open
  for (const wanted of [wonNotice, alreadyMine]) {
    const pressed = await last.place.press(last.card, last.data)
    const notice = await pressed.notice()
    assert(wanted.test(notice), `${last.place.conversation}: who presses ${last.kind.button} is told "${notice}"`)
    assert((await pressed.acknowledged()) === 1, `${last.place.conversation}: a press was not acknowledged once`)
  }
  await expectEnd(stage, last, 'pressed')
  return last
}

/** What it says, what the bot said then, what Redis has and what was called are that end, each once. */
export async function expectEnd({ fleet, service }: Stage, open: OpenCard, end: 'pressed' | 'over'): Promise<void> {
  const { kind, place } = open
  const isPressed = end === 'pressed'
  const answered = isPressed && kind.answered !== undefined ? 1 : 0
  const goneOn = !isPressed && kind.goesOn !== undefined ? 1 : 0
  const isSo = (card: ShownCard): boolean =>
    (isPressed ? card.hasWon : card.isOver) && card.answered >= answered && card.goneOn >= goneOn
  const shown = await eventually(
    async () => [await shownAs(open)].find(isSo),
    async () => `${place.conversation} is not ${end}: ${JSON.stringify(await shownAs(open))}`,
  )
  const isOnce = shown.answered === answered && shown.goneOn === goneOn && shown.copies === 0
  // Feishu shows a card that is pressed again as it was, for a moment.
  const texts = place.channel === 'feishu' ? new Set(shown.texts).size : shown.texts.length
  const isOneEnd = shown.hasWon === isPressed && shown.isOver !== isPressed && texts === open.texts + 1
  assert(isOnce && isOneEnd && shown.buttons.length === 0, `${place.conversation} shows ${JSON.stringify(shown)}`)
  // What was answered is forgotten after a while.
  const state = await stateOf(fleet, open)
  assert(state === null || (isPressed && state === 'answered'), `${place.conversation}: Redis says ${state}`)
  if (kind.entry === undefined) return
  const made = countEffects(service, kind.entry)
  assert(made === (isPressed ? 1 : 0), `${place.conversation}: its call was made ${made} times`)
}

/** Whoever still sees its button is told that it is over; the card says how it ended, as before. */
export async function pressLate(stage: Stage, open: OpenCard): Promise<Pressed> {
  await expectEnd(stage, open, 'over')
  const pressed = await open.place.press(open.card, open.data)
  const notice = await pressed.notice()
  assert(outOfDate.test(notice), `${open.place.conversation}: a late press is told "${notice}"`)
  return pressed
}
