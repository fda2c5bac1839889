// Row 41: the deadlines of many cards in many chats pass while the whole fleet is away for three days. When it is back each card says so once,
// within a minute, and no faster than the platforms allow: nobody has to tell the bot to slow down.
import { scriptNotes } from '#test/faults/rig/cards.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { askMany, inParts, over, shownAs, stateOf, type OpenCard } from '#test/faults/rig/many-cards.ts'
import { eventually } from '#test/faults/rig/places.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { startMovingClock } from '#test/rig/moving-clock.ts'
import { checkInvariants } from '#test/rig/oracle.ts'

const crowd = { telegram: 600, discord: 150, web: 100 }
const roles = ['router', 'executor', 'telegram', 'discord', 'web']
const dayMs = 86_400_000
const backWithinMs = 60_000
/** What Telegram and Discord document, and what the bot keeps to when nothing else is set. */
const perSecond = { telegram: 30, discord: 50 }

export const overdueCards: Scenario = {
  name: 'overdue-cards',
  rows: [41],
  async run(note) {
    using clock = startMovingClock()
    await using fleet = await startFleet({ clock, telegram: true, discord: true, env: { SAMPLE_FEATURE: '1' } })
    await scriptNotes(fleet)
    await Promise.all(roles.map((role) => fleet.start(role)))
    await fleet.discord?.connected()
    const cards = await askMany(fleet, crowd, () => clock.now())
    clock.step(6 * dayMs)
    // A pass of the sweeper, and what would follow.
    await fleet.pause(3000)
    await expectOpen(fleet, cards)
    await Promise.all(fleet.roles.map((role) => role.stop()))
    clock.step(3 * dayMs)

    await fleet.telegram?.control({
      do: 'setLimits',
      limits: { perSecond: perSecond.telegram, perChatPerSecond: 1, perGroupPerMinute: 20 },
    })
    const before = await countCalls(fleet)
    const backMs = performance.now()
    await Promise.all(roles.map((role) => fleet.start(role, { TELEGRAM_RATES: `${perSecond.telegram},1,20` })))
    const lastMs = await untilOver(fleet, cards, backMs)
    // Whatever would be said twice has been by then.
    await fleet.pause(3000)
    await inParts(cards, (card) => expectOver(fleet, card))
    const rates = await expectPace(fleet, before)
    const broken = await checkInvariants(fleet.redis.admin)
    assert(broken.length === 0, `broken: ${broken.join(', ')}`)
    assert(lastMs <= backWithinMs, `the last card was over ${lastMs} ms after the return`)
    note(
      `${cards.length} cards, three days late: each over once, the last after ${lastMs} ms; in one second at most ${rates}`,
    )
  },
}

async function expectOpen(fleet: Fleet, cards: readonly OpenCard[]): Promise<void> {
  const states = await inParts(cards, (card) => stateOf(fleet, card))
  const asked = states.filter((state) => state === 'asked').length
  assert(asked === cards.length, `of ${cards.length} questions ${asked} are open a day before their deadline`)
}

/** How long after the return the last card had changed, ms. One is looked at at a time, so that the platforms have time for the bot. */
async function untilOver(fleet: Fleet, cards: readonly OpenCard[], backMs: number): Promise<number> {
  for (const open of cards) {
    const look = async (): Promise<true | undefined> => {
      if ((await shownAs(open)).text === over) return true
      await fleet.pause(200)
      return undefined
    }
    await eventually(look, `${open.place.conversation} shows a card that is open`, 2 * backWithinMs)
  }
  return Math.round(performance.now() - backMs)
}

async function expectOver(fleet: Fleet, open: OpenCard): Promise<void> {
  const { texts, buttons, copies } = await shownAs(open)
  const isOnce = texts.length === 2 && texts[1] === over && copies === 0 && buttons.length === 0
  assert(isOnce, `${open.place.conversation} shows ${JSON.stringify({ texts, buttons, copies })}`)
  assert((await stateOf(fleet, open)) === null, `${open.place.conversation}: Redis still has its question`)
}

async function countCalls({ telegram, discord }: Fleet) {
  return { telegram: (await telegram?.calls())?.length ?? 0, discord: (await discord?.calls())?.length ?? 0 }
}

/** One request for each card, none of them refused, and never more in a second than may be. */
async function expectPace({ telegram, discord }: Fleet, before: Awaited<ReturnType<typeof countCalls>>) {
  const edits = {
    telegram: ((await telegram?.calls()) ?? [])
      .slice(before.telegram)
      .filter(({ method }) => method.startsWith('edit')),
    discord: ((await discord?.calls()) ?? []).slice(before.discord).filter(({ route }) => route === 'editMessage'),
  }
  const rates = (['telegram', 'discord'] as const).map((name) => {
    const made = edits[name]
    assert(made.length === crowd[name], `${made.length} edits of ${crowd[name]} cards on ${name}`)
    assert(
      made.every(({ accepted }) => accepted),
      `${name} refused edits`,
    )
    const times = made.map(({ at }) => at).toSorted((a, b) => a - b)
    const most = Math.max(...times.map((at) => times.filter((other) => other >= at && other < at + 1000).length))
    assert(most <= perSecond[name], `${most} edits in a second on ${name}`)
    return `${most} edits on ${name}`
  })
  return rates.join(' and ')
}
