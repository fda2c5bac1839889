// Row 40, and a card that lies open for fifteen days, on Telegram, Discord and the web, for almost fourteen on Feishu, whose cards can be pressed and
// changed no longer: menus, questions, choices, calls to be approved, and how a
// turn is to go on. A press works after a crash of all, after a new release has come, and shortly before the time is over; what nobody presses has
// ended after it, also where nobody was there to see to it, and its buttons go. A press days, a week or two weeks later is told so, acknowledged once,
// and never again; no call is made by it.
import { openService, scriptAsking, toOwners, type Service } from '#test/faults/rig/asking-cards.ts'
import { scriptNotes } from '#test/faults/rig/cards.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import {
  askLasting,
  expectEnd,
  lastingOwners,
  pressEarly,
  pressInTime,
  pressLate,
  type Lasting,
} from '#test/faults/rig/lasting-cards.ts'
import { eventually, type Card, type Place, type Pressed } from '#test/faults/rig/place.ts'
import { cardWhen, directPlace, findCard } from '#test/faults/rig/places.ts'
import { next } from '#test/faults/rig/releases.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { startMovingClock } from '#test/rig/moving-clock.ts'
import { checkInvariants } from '#test/rig/oracle.ts'

const dayMs = 86_400_000
const almostWeekMs = 6.9 * dayMs
const over = 'Nobody said (deadline).'
const outOfDate = /^(This message is out of date: its buttons no longer work\.|unknown)$/

type Cast = {
  readonly name: string
  readonly channels: readonly Place['channel'][]
  /** How long everything is away, behind the 6.9 days for which it runs. */
  readonly downMs: number
}
const toRoles = ({ channels }: Cast): readonly string[] => ['router', 'executor', ...channels]

/** The chats of one channel, each with a card of its own. */
type Chats = {
  /** A menu that is walked through all the while. */
  readonly walked: Place
  /** A menu and a question that nobody presses in time. */
  readonly menu: Place
  readonly question: Place
  /** A question that is answered shortly before its deadline. */
  readonly kept: Place
}

export const oldCards: readonly Scenario[] = [
  { name: 'old-cards', channels: ['telegram', 'discord', 'web'], downMs: 8.1 * dayMs } as const,
  { name: 'old-cards-feishu', channels: ['feishu'], downMs: 7.05 * dayMs } as const,
].map((cast) => ({ name: cast.name, rows: [40, 41], run: (note) => play(cast, note) }))

async function play(cast: Cast, note: (line: string) => void): Promise<void> {
  const { channels, downMs } = cast
  using clock = startMovingClock()
  await using service = await openService()
  const settings = { SAMPLE_FEATURE: '1', ...service.env }
  await using fleet = await startFleet({
    clock,
    ...Object.fromEntries(channels.map((name) => [name, true])),
    env: settings,
  })
  const env = await prepare(fleet, service, channels)
  const stage = { fleet, service }
  await startAll(fleet, cast, env)
  const places = await Promise.all(channels.map((channel) => openChats(fleet, channel)))
  for (const chats of places) await ask(chats)
  const asked = await Promise.all(channels.map((channel, i) => askLasting(stage, channel, 4 * i)))

  await Promise.all(fleet.roles.map((role) => role.kill()))
  await startAll(fleet, cast, env)
  for (const { walked } of places) await press(walked, 'Default depth', 'deep')
  const lasting = await Promise.all(asked.map((cards, i) => pressEarly(stage, cards, 4 * i)))
  await Promise.all(fleet.roles.map((role) => role.stop()))
  await startAll(fleet, cast, { ...env, ...next })
  for (const { walked } of places) await press(walked, 'deep', 'Done')

  clock.step(almostWeekMs)
  for (const chats of places) await pressKept(chats)
  // The calls were over after a day.
  const early = await Promise.all(lasting.flatMap(({ calls }) => calls).map((open) => pressLate(stage, open)))
  await Promise.all(lasting.map(({ week }) => pressInTime(stage, week)))
  const cards = await Promise.all(places.map(findOpen))
  assert((await checkInvariants(fleet.redis.admin)).length === 0, 'the store is not sound')
  await Promise.all(fleet.roles.map((role) => role.stop()))
  clock.step(downMs - 60_000)
  // Telegram brings it later, when it cannot be acknowledged any more; Feishu does not bring it.
  const tooOld =
    places[0]?.menu.channel === 'telegram'
      ? await places[0].menu.press(cards[0]?.menu.id ?? '', cards[0]?.menu.data ?? '')
      : undefined
  clock.step(60_000)

  const backMs = performance.now()
  await startAll(fleet, cast, env)
  for (const [i, chats] of places.entries()) await expectOver(chats, cards[i])
  const tookMs = Math.round(performance.now() - backMs)
  const menus = await Promise.all(places.map((chats, i) => pressMenusLate(chats, cards[i])))
  const left = lasting.flatMap(({ choice, calls }) => [choice, ...calls])
  const late = await Promise.all(left.map((open) => pressLate(stage, open)))
  await Promise.all(lasting.map(({ fortnight }) => pressInTime(stage, fortnight)))
  await expectQuiet(fleet, cast, [...early, ...menus.flat(), ...late, ...(tooOld ? [tooOld] : [])])
  for (const [i, chats] of places.entries()) await expectOver(chats, cards[i])
  await expectEnds(stage, lasting)
  note(
    `${channels.join(', ')}: pressed after a crash, a new release and 6.9 days; over after ${(almostWeekMs + downMs) / dayMs} days, ${tookMs} ms after the return; of ${left.length} choices and calls that nobody pressed none came to anything`,
  )
}

async function prepare(
  fleet: Fleet,
  service: Service,
  channels: Cast['channels'],
): Promise<Readonly<Record<string, string>>> {
  await scriptNotes(fleet)
  await scriptAsking(fleet, service, 4 * channels.length)
  const platforms = channels.filter((channel) => channel !== 'web')
  return await toOwners(fleet, Object.fromEntries(platforms.map((channel) => [channel, lastingOwners])))
}

async function pressKept({ walked, kept }: Chats): Promise<void> {
  await press(walked, 'Language', '中文')
  const card = await findCard(kept, 'Keep')
  await expectWon(kept, await (await kept.press(card.id, card.data)).notice())
  const goesOn = async () => (await kept.said()).find(({ text }) => text === 'Good.')
  await eventually(goesOn, `${kept.conversation} did not go on`)
}

/** All that was pressed in time had its end once, and nothing has come of what was pressed late. */
async function expectEnds(stage: Parameters<typeof expectEnd>[0], lasting: readonly Lasting[]): Promise<void> {
  for (const { early, week, fortnight, choice, calls } of lasting) {
    for (const open of [...early, week, fortnight]) await expectEnd(stage, open, 'pressed')
    for (const open of [choice, ...calls]) await expectEnd(stage, open, 'over')
  }
}

async function startAll(fleet: Fleet, cast: Cast, env: Readonly<Record<string, string>> = {}): Promise<void> {
  await Promise.all(toRoles(cast).map((role) => fleet.start(role, env)))
  await fleet.discord?.connected()
  await fleet.feishu?.connected()
}

async function openChats(fleet: Fleet, channel: Place['channel']): Promise<Chats> {
  const [walked, menu, question, kept] = await Promise.all([1, 2, 3, 4].map((who) => directPlace(fleet, channel, who)))
  assert(!!walked && !!menu && !!question && !!kept, 'there are four chats')
  return { walked, menu, question, kept }
}

async function ask({ walked, menu, question, kept }: Chats): Promise<void> {
  for (const place of [walked, menu]) await place.say('/config')
  for (const place of [question, kept]) await place.say('May you keep it')
  await Promise.all([
    findCard(walked, 'Done'),
    findCard(menu, 'Done'),
    findCard(question, 'Keep'),
    findCard(kept, 'Keep'),
  ])
}

/** Presses a button of a menu, and waits until its card has the buttons of what follows. */
async function press(place: Place, label: string, then: string): Promise<void> {
  const { id, data } = await findCard(place, label)
  const pressed = await place.press(id, data)
  await expectWon(place, await pressed.notice())
  await cardWhen(place, id, ({ buttons }) => buttons.some((one) => one.label === then))
  assert((await pressed.acknowledged()) === 1, `${place.conversation}: ${label} was not acknowledged once`)
}

async function expectWon({ channel, conversation }: Place, notice: string): Promise<void> {
  const wanted = { telegram: 'Got it.', discord: '', feishu: 'Got it.', web: 'won' }[channel]
  assert(notice === wanted, `${conversation}: the presser was told "${notice}"`)
}

type Open = Readonly<Record<'walked' | 'menu' | 'question', Card & { readonly data: string }>>

async function findOpen({ walked, menu, question }: Chats): Promise<Open> {
  return {
    walked: await findCard(walked, '中文'),
    menu: await findCard(menu, 'Done'),
    question: await findCard(question, 'Keep'),
  }
}

/** Menus are as they were, without their buttons; the question says in its place that it has ended, once. */
async function expectOver(chats: Chats, open: Open | undefined): Promise<void> {
  assert(open !== undefined, 'there are cards')
  for (const name of ['walked', 'menu'] as const) {
    const { texts } = await cardWhen(chats[name], open[name].id, ({ buttons }) => buttons.length === 0)
    assert(texts.join() === open[name].texts.join(), `${name} says ${JSON.stringify(texts)}`)
  }
  const { texts } = await cardWhen(chats.question, open.question.id, ({ text }) => text === over)
  const all = await chats.question.said()
  const isOnce = texts.length === 2 && all.filter(({ text }) => text === over).length === 1
  const isBare = all.every(({ buttons }) => buttons.length === 0)
  assert(isOnce && isBare, `${chats.question.conversation} shows ${JSON.stringify(all)}`)
}

/** Buttons that somebody still sees. */
async function pressMenusLate(chats: Chats, open: Open | undefined) {
  assert(open !== undefined, 'there are cards')
  return await Promise.all(
    (['walked', 'menu', 'question'] as const).map(async (name) => {
      const pressed = await chats[name].press(open[name].id, open[name].data)
      const notice = await pressed.notice()
      assert(outOfDate.test(notice), `${chats[name].conversation}: a late press is told "${notice}"`)
      return pressed
    }),
  )
}

async function expectQuiet(fleet: Fleet, cast: Cast, presses: readonly Pressed[]): Promise<void> {
  // Whatever would be tried again has been by then.
  await fleet.pause(5000)
  const counts = await Promise.all(presses.map((pressed) => pressed.acknowledged()))
  assert(
    counts.every((count) => count === 1),
    `presses were acknowledged ${counts.join(', ')} times`,
  )
  assert(!fleet.telegram || (await fleet.telegram.pendingUpdates()) === 0, 'Telegram still holds updates')
  const roles = toRoles(cast)
  const broken = await checkInvariants(fleet.redis.admin)
  assert(broken.length === 0, `broken: ${broken.join(', ')}`)
  assert(fleet.roles.length === roles.length, `of ${roles.length} processes ${fleet.roles.length} still run`)
}
