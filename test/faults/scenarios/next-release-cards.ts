// Row 46 for cards with a deadline, on Telegram and the web: raised by this release or by the next one, and answered or expired while both work,
// or after the other one has gone. Menus belong to both releases, the question of the sample feature to the next one alone.
import { scriptNotes } from '#test/faults/rig/cards.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { dropped, inParts, over } from '#test/faults/rig/many-cards.ts'
import type { Card, Place } from '#test/faults/rig/place.ts'
import { cardWhen, directPlace, findCard } from '#test/faults/rig/places.ts'
import { next } from '#test/faults/rig/releases.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { startMovingClock } from '#test/rig/moving-clock.ts'
import { checkInvariants } from '#test/rig/oracle.ts'

const weekMs = 7 * 86_400_000
/** Executors say every twenty seconds what they know. */
const toldMs = 22_000
const workers = ['router', 'executor']
const wonNotice = /^(Got it\.|won)$/

type Open = { readonly place: Place; readonly card: Card }

export const nextReleaseCards: Scenario = {
  name: 'next-release-cards',
  rows: [46],
  async run(note) {
    using clock = startMovingClock()
    await using fleet = await startFleet({ clock, telegram: true })
    await scriptNotes(fleet)
    await Promise.all(['telegram', 'web'].map((role) => fleet.start(role)))
    const chats = createChats(fleet)

    const old = await start(fleet)
    const menus = await raiseAll(await chats(12), (place) => place.command('config'), 'Done')
    const newer = await start(fleet, next)
    const asked = await raiseAll(await chats(12), (place) => place.say('May you keep it'), 'Keep')
    // Pressed while both work.
    await inParts(menus.slice(0, 6), (open) => walk(open))
    await inParts(asked.slice(0, 6), (open) => press(open, 'Drop', ({ text }) => text === dropped))

    // Expired while both work.
    clock.step(weekMs - toldMs - 30_000)
    await fleet.pause(toldMs)
    clock.step(40_000)
    await inParts(asked.slice(6), (open) => expectEnd(open, over))
    await inParts(menus.slice(6), (open) => expectEnd(open))

    // Raised by the next one alone, then gone back: pressed and expired with this one alone.
    await Promise.all(old.map((role) => role.stop()))
    const later = await raiseAll(await chats(8), (place) => place.command('config'), 'Done')
    await Promise.all(newer.map((role) => role.stop()))
    const back = await start(fleet)
    await inParts(later.slice(0, 4), (open) => walk(open))
    // Raised by this one alone, expired with the next one alone.
    const last = await raiseAll(await chats(4), (place) => place.command('config'), 'Done')
    await Promise.all(back.map((role) => role.stop()))
    clock.step(weekMs + 60_000)
    const either = await Promise.all([fleet.start('router'), fleet.start('executor', next)])
    await inParts([...later.slice(4), ...last], (open) => expectEnd(open))
    assert(
      either.every((role) => role.isRunning()),
      'a process ended',
    )
    await fleet.pause(1500)
    const broken = await checkInvariants(fleet.redis.admin)
    assert(broken.length === 0, `broken: ${broken.join(', ')}`)
    const parked = await fleet.redis.admin.keys('fl:*parked')
    assert(parked.length === 0, 'a conversation is parked')
    note(
      `${menus.length + asked.length + later.length + last.length} cards of two releases: each answered or expired by whichever was there`,
    )
  },
}

const start = (fleet: Fleet, env: Readonly<Record<string, string>> = {}) =>
  Promise.all(workers.map((role) => fleet.start(role, env)))

/** Chats that were not used, half of them on each channel. */
function createChats(fleet: Fleet): (count: number) => Promise<readonly Place[]> {
  let used = 0
  return (count) =>
    inParts(
      Array.from({ length: count }, (_, i) => i),
      (i) => directPlace(fleet, i % 2 === 0 ? 'telegram' : 'web', 100 + used++),
    )
}

async function raiseAll(
  places: readonly Place[],
  say: (place: Place) => Promise<void>,
  label: string,
): Promise<readonly Open[]> {
  return await inParts(places, async (place) => {
    await say(place)
    return { place, card: await findCard(place, label) }
  })
}

async function press({ place, card }: Open, label: string, isSo: (card: Card) => boolean): Promise<Card> {
  const shown = (await place.said()).find(({ id }) => id === card.id)
  const data = shown?.buttons.find((one) => one.label === label)?.data
  assert(data !== undefined, `${place.conversation} shows no ${label}: ${JSON.stringify(shown)}`)
  const pressed = await place.press(card.id, data)
  const notice = await pressed.notice()
  assert(wonNotice.test(notice), `${place.conversation}: the press of ${label} is told "${notice}"`)
  const then = await cardWhen(place, card.id, isSo)
  assert((await pressed.acknowledged()) === 1, `${place.conversation}: ${label} was not acknowledged once`)
  return then
}

/** Through the menu to its end, a card with a deadline of its own each time. */
async function walk(open: Open): Promise<void> {
  await press(open, 'Default depth', ({ buttons }) => buttons.some(({ label }) => label === 'deep'))
  await press(open, 'deep', ({ text }) => text.includes('Default depth: deep, set by'))
  const { texts } = await press(open, 'Done', ({ buttons }) => buttons.length === 0)
  assert(texts.length === 4, `${open.place.conversation} changed its card ${texts.length - 1} times`)
}

/** The buttons are gone, and the card says what it says then, once. */
async function expectEnd({ place, card }: Open, text?: string): Promise<void> {
  const { texts } = await cardWhen(place, card.id, ({ buttons }) => buttons.length === 0)
  const wanted = text === undefined ? card.texts : [...card.texts, text]
  assert(texts.join() === wanted.join(), `${place.conversation} says ${JSON.stringify(texts)}`)
}
