// Row 41: the deadlines of many cards in many chats pass while the whole fleet is away for three days. When it is back each card says so once,
// within a minute, and they do not all go at once, but as fast as the platforms allow.
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
/** On a busy machine requests arrive unevenly, whatever they are allowed. */
const mostRefused = 20

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
    const backMs = performance.now()
    await Promise.all(roles.map((role) => fleet.start(role, { TELEGRAM_RATES: `${perSecond.telegram},1,20` })))
    const lastMs = await untilOver(fleet, cards, backMs)
    // Whatever would be said twice has been by then.
    await fleet.pause(3000)
    await inParts(cards, (card) => expectOver(fleet, card))
    const rates = await expectPace(fleet)
    const broken = await checkInvariants(fleet.redis.admin)
    assert(broken.length === 0, `broken: ${broken.join(', ')}`)
    assert(lastMs <= backWithinMs, `the last card was over ${lastMs} ms after the return`)
    note(`${cards.length} cards, three days late: each over once, the last after ${lastMs} ms; ${rates}`)
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

type Edit = { readonly at: number; readonly accepted: boolean }

async function readEdits({
  telegram,
  discord,
}: Fleet): Promise<Readonly<Record<keyof typeof perSecond, readonly Edit[]>>> {
  const [mine = [], theirs = []] = await Promise.all([telegram?.calls(), discord?.calls()])
  return {
    telegram: mine.filter(({ method }) => method.startsWith('edit')),
    discord: theirs.filter(({ route }) => route === 'editMessage'),
  }
}

/**
 * One edit takes effect for each card, and the platforms, which keep to what they document, refuse next to none: also where a process that
 * begins its work on a busy machine comes late for its permits, and then for many at once.
 */
async function expectPace(fleet: Fleet): Promise<string> {
  const edits = await readEdits(fleet)
  const rates = (['telegram', 'discord'] as const).map((name) => {
    const refused = edits[name].filter(({ accepted }) => !accepted).length
    const made = edits[name].length - refused
    assert(made === crowd[name], `${made} edits of ${crowd[name]} cards on ${name}`)
    assert(refused <= mostRefused, `${name} refused ${refused} edits`)
    const times = edits[name].map(({ at }) => at)
    const most = Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length))
    return `at most ${most} edits in a second on ${name}, ${refused} refused`
  })
  return rates.join('; ')
}
