// Row 41: the deadlines of many cards in many chats pass while the whole fleet is away for three days: of questions, choices, and calls to be
// approved. When it is back each card says so once, within a minute, what was to be done without an answer is done once, no call is made, and they
// do not all go at once, but as fast as the platforms allow.
import {
  choosing,
  deletingOf,
  openService,
  scriptAsking,
  toOwners,
  writingOf,
  type Service,
} from '#test/faults/rig/asking-cards.ts'
import { scriptNotes } from '#test/faults/rig/cards.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import {
  askMany,
  askOwner,
  inParts,
  shownAs,
  stateOf,
  toPeople,
  type OpenCard,
  type ShownCard,
} from '#test/faults/rig/many-cards.ts'
import { eventually } from '#test/faults/rig/place.ts'
import { directPlace } from '#test/faults/rig/places.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { startMovingClock } from '#test/rig/moving-clock.ts'
import { checkInvariants } from '#test/rig/oracle.ts'

const crowd = { telegram: 600, discord: 150, web: 100 }
const choosers = { telegram: 15, discord: 5, web: 5 }
const firstChooser = 3001
const approvers = { telegram: 8, discord: 4, web: 4 }
const firstApprover = 4001
const calls = 16
/** Who is asked for a member: the first of the owners. */
const owner = 4000
const member = 5001
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
    await using service = await openService()
    const settings = { SAMPLE_FEATURE: '1', ...service.env }
    await using fleet = await startFleet({ clock, telegram: true, discord: true, env: settings })
    const env = await prepare(fleet, service)
    await Promise.all(roles.map((role) => fleet.start(role, env)))
    await fleet.discord?.connected()
    const questions = [
      ...(await askMany(fleet, crowd)),
      ...(await askMany(fleet, choosers, { kind: choosing, from: firstChooser })),
    ]
    clock.step(6 * dayMs)
    const cards = [...questions, ...(await askCalls(fleet))]
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
    await Promise.all(roles.map((role) => fleet.start(role, { ...env, TELEGRAM_RATES: `${perSecond.telegram},1,20` })))
    const lastMs = await untilOver(fleet, cards, backMs)
    // Whatever would be said twice has been by then.
    await fleet.pause(3000)
    await inParts(cards, (card) => expectOver(fleet, card))
    const rates = await expectPace(fleet, cards)
    assert(service.effects.length === 0, `${service.effects.length} calls were made that nobody approved`)
    const broken = await checkInvariants(fleet.redis.admin)
    assert(broken.length === 0, `broken: ${broken.join(', ')}`)
    assert(lastMs <= backWithinMs, `the last card was over ${lastMs} ms after the return`)
    note(`${cards.length} cards, three days late: each over once, the last after ${lastMs} ms; ${rates}`)
  },
}

async function prepare(fleet: Fleet, service: Service): Promise<Readonly<Record<string, string>>> {
  await scriptNotes(fleet)
  await scriptAsking(fleet, service, calls + 2)
  return await toOwners(fleet, {
    telegram: [owner, ...toPeople(approvers, 'telegram', firstApprover)],
    discord: [owner, ...toPeople(approvers, 'discord', firstApprover)],
  })
}

/** They wait a day, the others a week. */
async function askCalls(fleet: Fleet): Promise<readonly OpenCard[]> {
  const own = await askMany(fleet, approvers, {
    kind: (nth) => deletingOf(`entry-${nth}`),
    from: firstApprover,
  })
  const owners: OpenCard[] = []
  for (const [nth, channel] of (['telegram', 'discord'] as const).entries()) {
    const [home, place] = [await directPlace(fleet, channel, member), await directPlace(fleet, channel, owner)]
    owners.push(await askOwner(fleet, { home, place, kind: writingOf(`entry-${calls + nth}`) }))
  }
  return [...own, ...owners]
}

async function expectOpen(fleet: Fleet, cards: readonly OpenCard[]): Promise<void> {
  const states = await inParts(cards, (card) => stateOf(fleet, card))
  const asked = states.filter((state) => state === 'asked').length
  assert(asked === cards.length, `of ${cards.length} questions ${asked} are open before their deadline`)
}

/** How long after the return the last card had changed, ms. One is looked at at a time, so that the platforms have time for the bot. */
async function untilOver(fleet: Fleet, cards: readonly OpenCard[], backMs: number): Promise<number> {
  for (const open of cards) {
    const look = async (): Promise<true | undefined> => {
      if (hasEnded(open, await shownAs(open))) return true
      await fleet.pause(200)
      return undefined
    }
    await eventually(look, `${open.place.conversation} shows a card that is open`, 2 * backWithinMs)
  }
  return Math.round(performance.now() - backMs)
}

/** It says so, and the bot has gone on where it does. */
const hasEnded = ({ kind }: OpenCard, { isOver, goneOn }: ShownCard): boolean =>
  isOver && goneOn >= (kind.goesOn === undefined ? 0 : 1)

async function expectOver(fleet: Fleet, open: OpenCard): Promise<void> {
  const { kind, place } = open
  const shown = await shownAs(open)
  const { texts, buttons, copies, hasWon, answered, goneOn } = shown
  const isOnce = hasEnded(open, shown) && texts.length === open.texts + 1 && copies === 0 && buttons.length === 0
  const isWithout = !hasWon && answered === 0 && goneOn === (kind.goesOn === undefined ? 0 : 1)
  assert(isOnce && isWithout, `${place.conversation} shows ${JSON.stringify(shown)}`)
  assert((await stateOf(fleet, open)) === null, `${place.conversation}: Redis still has its question`)
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
async function expectPace(fleet: Fleet, cards: readonly OpenCard[]): Promise<string> {
  const edits = await readEdits(fleet)
  const rates = (['telegram', 'discord'] as const).map((name) => {
    const refused = edits[name].filter(({ accepted }) => !accepted).length
    const made = edits[name].length - refused
    const wanted = cards.filter(({ place }) => place.channel === name).length
    assert(made === wanted, `${made} edits of ${wanted} cards on ${name}`)
    assert(refused <= mostRefused, `${name} refused ${refused} edits`)
    const times = edits[name].map(({ at }) => at)
    const most = Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length))
    return `at most ${most} edits in a second on ${name}, ${refused} refused`
  })
  return rates.join('; ')
}
