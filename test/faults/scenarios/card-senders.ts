// Rows 5 and 6 for the cards that ask people: the sender dies with a card in its hands, before its request or after it, and with the change of a card
// that was answered; also in a direct chat that a letter came to. On Discord and Feishu a card is seen once. On Telegram at most once: where nobody knows,
// its person is told, and has it shown from there. However it was, its question is answered, goes on once, and nothing is left open.
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { toOwners } from '#test/faults/rig/asking-cards.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { eventually, type Place } from '#test/faults/rig/place.ts'
import { directPlace, findCard, groupPlace } from '#test/faults/rig/places.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { checkInvariants } from '#test/rig/oracle.ts'
import { startServiceSimulator, type ServiceSimulator } from '#test/simulators/services/simulator.ts'

const moments = ['begun', 'done'] as const
type Moment = (typeof moments)[number]
const kinds = ['question', 'approval', 'change', 'letter'] as const
type Kind = (typeof kinds)[number]
type Channel = 'telegram' | 'discord' | 'feishu'

/** By these a row is known. */
const marks: Readonly<Record<Kind, string>> = {
  question: 'Which hotel?',
  approval: 'May I do this?',
  change: 'approved once',
  letter: 'May I do this?',
}
const ends: Readonly<Record<Kind, string>> = {
  question: 'The hotel it is.',
  approval: 'It is done.',
  change: 'It is done.',
  letter: 'It is done.',
}
const cases = kinds.flatMap((kind) => moments.map((moment) => ({ kind, moment })))
const lost = 'may not have arrived'
// A sending row of Telegram waits for the request's ten seconds and two more; what is lost is told after a minute.
const patienceMs = 100_000
/** Whom members' calls are asked of: the first owner who can be reached. */
const approver = 700
const member = 790

export const cardSenders = (channel: Channel): Scenario => ({
  name: `card-sender-${channel}`,
  rows: [5, 6],
  async run(note) {
    const service = await startServiceSimulator()
    try {
      await using fleet = await startFleet({
        [channel]: true,
        env: { FLOTILLA_HTTP_HOSTS: `127.0.0.1:${service.port}+key` },
      })
      const told = await playAll(fleet, channel, service)
      const broken = await checkInvariants(fleet.redis.admin)
      assert(broken.length === 0, `broken: ${broken.join(', ')}`)
      note(
        `${cases.length} kills of the sender; of ${told} cards nobody knew; each question was answered, each call made once`,
      )
    } finally {
      await service.close()
    }
  },
})

type Played = {
  readonly fleet: Fleet
  readonly channel: Channel
  /** Where it is asked for, and where the card is. */
  readonly home: Place
  readonly place: Place
  readonly kind: Kind
  readonly moment: Moment
  readonly entry: string
  readonly env: Readonly<Record<string, string>>
}

/** Resolves with how often people were told that something may not have arrived. */
async function playAll(fleet: Fleet, channel: Channel, service: ServiceSimulator): Promise<number> {
  await script(fleet, service.origin)
  const owners = [approver, ...cases.map((_, i) => approver + 1 + i)]
  const places = await Promise.all(owners.map((who) => directPlace(fleet, channel, who)))
  const env = await toOwners(fleet, { [channel]: owners })
  await Promise.all([fleet.start('router', env), fleet.start('executor', env)])
  const first = await fleet.start(channel, env)
  await fleet.discord?.connected()
  await fleet.feishu?.connected()
  const group = await groupPlace(fleet, channel, { by: approver, admins: [] })
  const [direct] = places
  assert(direct !== undefined, 'there is no direct chat')
  await direct.say('/status')
  await eventually(async () => (await direct.said())[0], 'nobody answers')
  await first.stop()
  await Promise.all(cases.map((_, i) => fetch(`${service.origin}/entry-${i}`, { method: 'PUT', body: '{}' })))
  let told = 0
  for (const [i, { kind, moment }] of cases.entries()) {
    const place = kind === 'letter' ? direct : places[i + 1]
    const home = kind === 'letter' ? group : place
    assert(place !== undefined && home !== undefined, 'there is no chat for it')
    const played = { fleet, channel, home, place, kind, moment, entry: `entry-${i}`, env }
    if (await playOne(played)) told += 1
    const made = service.effects.filter(({ path, method }) => path === `/entry-${i}` && method !== 'PUT').length
    assert(made === (kind === 'question' ? 0 : 1), `${kind}, ${moment}: the call was made ${made} times`)
  }
  return told
}

async function script({ model }: Fleet, origin: string): Promise<void> {
  const tool = (name: string, given: object) => ({
    kind: 'tools' as const,
    calls: [{ id: 'c', name, arguments: JSON.stringify(given) }],
  })
  const options = [{ label: 'Adler' }, { label: 'Krone' }]
  const asked = { kind: 'choice', question: marks.question, options, why: 'You sleep there.', otherwise: 'Adler.' }
  const say = (text: string) => ({ kind: 'text' as const, text })
  await model.script(
    { when: { text: 'Approved: ' }, answer: say(ends.approval) },
    { when: { text: marks.question }, answer: say(ends.question) },
    { when: { text: 'Plan my trip' }, answer: tool('human_ask', asked) },
    ...cases.flatMap((_, i) => [
      {
        when: { text: `Delete entry-${i} ` },
        answer: tool('http_request', { method: 'DELETE', url: `${origin}/entry-${i}` }),
      },
      {
        when: { text: `Write entry-${i} ` },
        answer: tool('http_request', { method: 'POST', url: `${origin}/entry-${i}` }),
      },
    ]),
  )
}

/** Whether the person was told that something may not have arrived. */
async function playOne(played: Played): Promise<boolean> {
  const { fleet, channel, home, place, kind, moment, entry, env } = played
  const [before, atHome] = [(await place.said()).length, (await home.said()).length]
  const unknown = await countUnknown(fleet, place)
  const where = `${channel}, ${kind}, ${moment}`
  const crashing = await fleet.start(channel, { ...env, CRASH_SENDING: `${moment}:${marks[kind]}` })
  await fleet.feishu?.connected()
  if (kind === 'question') await home.say('Plan my trip to Bonn in three steps.')
  else if (kind === 'letter') await home.say(`Write ${entry} into the list, please.`, member)
  else await home.say(`Delete ${entry} of the list for me.`)
  if (kind === 'change') await approve(place)
  const ended = await Promise.race([crashing.ended, fleet.pause(20_000).then(() => undefined)])
  assert(ended?.signal === 'SIGKILL', `${where}: the sender was not killed:\n${crashing.tail()}`)
  const next = await fleet.start(channel, env)
  await fleet.feishu?.connected()
  // Nobody knows whether it arrived: its person has it shown again. A change is made again, since it shows once.
  const isLost = channel === 'telegram' && kind !== 'change'
  if (isLost) await showAgain(played, before, unknown)
  if (kind === 'question') await press(place, 'Krone')
  else if (kind === 'letter') await press(place, 'Approve once')
  else if (kind === 'approval') await approve(place)
  const isOver = async () => (await home.said()).slice(atHome).find(({ text }) => text.includes(ends[kind]))
  await eventually(isOver, async () => `${where}: it did not go on: ${JSON.stringify(await home.said())}`, patienceMs)
  await expectOver(played, { before, atHome })
  const isTold = (await place.said()).slice(before).some(({ text }) => text.includes(lost))
  assert(isTold === isLost, `${where}: it was ${isTold ? '' : 'not '}told that something may not have arrived`)
  await next.stop()
  return isLost
}

async function press(place: Place, label: string): Promise<void> {
  const card = await findCard(place, label)
  await (await place.press(card.id, card.data)).notice()
}

async function approve(place: Place): Promise<void> {
  await press(place, 'Approve once')
  await press(place, 'Yes, do it')
}

async function countUnknown({ telegram }: Fleet, { conversation }: Place): Promise<number> {
  const rows = (await telegram?.rows()) ?? []
  return rows.filter((row) => row.conversation === conversation && row.state === 'unknown').length
}

async function showAgain({ fleet, place, kind, moment }: Played, before: number, unknown: number): Promise<void> {
  const isKnown = async () => (await countUnknown(fleet, place)) > unknown || undefined
  await eventually(isKnown, `the row of the ${kind} does not end unknown`, patienceMs)
  // The next delivery brings the notice along.
  await place.say('/status')
  const said = async () => (await place.said()).slice(before)
  const notice = await eventually(
    async () => (await said()).find(({ text, buttons }) => text.includes(lost) && buttons.length > 0),
    async () => `nobody was told of the lost ${kind}: ${JSON.stringify(await place.said())}`,
    patienceMs,
  )
  // A press comes too early where its person has said something that is not read yet.
  const answered = async () => (await said()).find(({ text }) => text.includes('Session:'))
  await eventually(answered, 'nobody answers /status', patienceMs)
  const copies = (await said()).filter(({ text }) => text.includes(marks[kind])).length
  assert(copies === (moment === 'begun' ? 0 : 1), `the ${kind} is seen ${copies} times before it is shown again`)
  if (moment === 'done') return
  await place.press(notice.id, notice.buttons[0]?.data ?? '')
}

/** It is said how it ended, and no card has buttons; the turn went on once, and no question is left. */
async function expectOver(
  { fleet, home, place, kind, moment }: Played,
  { before, atHome }: { readonly before: number; readonly atHome: number },
): Promise<void> {
  const where = `${place.channel}, ${kind}, ${moment}`
  const end = kind === 'question' ? 'Chosen by' : 'approved once'
  const isOver = async () => {
    const said = (await place.said()).slice(before).filter(({ text }) => !text.includes(lost))
    return (
      (said.some(({ text }) => text.includes(end)) && said.every(({ buttons }) => buttons.length === 0)) || undefined
    )
  }
  await eventually(
    isOver,
    async () => `${where}: the card is not over: ${JSON.stringify(await place.said())}`,
    patienceMs,
  )
  const went = (await home.said()).slice(atHome).filter(({ text }) => text.includes(ends[kind])).length
  assert(went === 1, `${where}: it went on ${went} times`)
  for (const { conversation } of [home, place]) {
    const open = async () =>
      (await fleet.redis.admin.hlen(`${partitionPrefix(toPartition(conversation))}cards:${conversation}`)) === 0 ||
      undefined
    await eventually(open, `${where}: a question is left open in ${conversation}`)
  }
}
