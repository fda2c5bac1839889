// Rows 5 and 6 at every request by which Feishu is told something: the feishu process is killed while one is on its way and has not yet arrived, and
// again once it has, before its answer. The next process goes on. A growing card, its end, a menu and its change, buttons that are
// taken off, a file, a reply in a group: each is seen once, as it was meant.
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { eventually, type Card, type Place } from '#test/faults/rig/place.ts'
import { directPlace, findCard, groupPlace } from '#test/faults/rig/places.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { checkInvariants } from '#test/rig/oracle.ts'

const sides = ['before', 'after'] as const
const pieces = 24
const whole = Array.from({ length: pieces }, (_, i) => `piece ${i + 1}`).join(' ')
const long = 'A long answer has many words. '.repeat(30).trim()
const patienceMs = 90_000

type Act = {
  readonly what: string
  /** The requests of it, in their order. */
  readonly routes: readonly string[]
  readonly inGroup?: true
  /** Before the process is started that is to die. */
  prepare?(place: Place): Promise<unknown>
  begin(place: Place): Promise<unknown>
  /** Whether it is seen as it was meant, and nothing else. */
  isDone(said: readonly Card[]): boolean
}

const isBare = ({ buttons }: Card): boolean => buttons.length === 0

const acts: readonly Act[] = [
  {
    what: 'a growing answer',
    routes: ['createCard', 'createMessage', 'updateCardContent', 'updateCardSettings', 'updateCard'],
    begin: (place) => place.say('Say it slowly.'),
    isDone: (said) => said.length === 1 && said[0]?.text === whole,
  },
  {
    what: 'a menu that changes',
    routes: ['patchMessage'],
    prepare: (place) => place.say('/config').then(() => findCard(place, 'Default depth')),
    begin: (place) => press(place, 'Default depth'),
    isDone: (said) => said.length === 1 && said[0]?.buttons.some(({ label }) => label === 'deep') === true,
  },
  {
    what: 'buttons that go',
    routes: ['getMessage', 'patchMessage'],
    prepare: (place) => place.say('Say it at length.').then(() => findCard(place, 'Shorter')),
    begin: (place) => place.say('a question'),
    isDone: (said) =>
      said.length === 2 && said[0]?.text === long && said[1]?.text === 'echo: a question' && said.every(isBare),
  },
  {
    what: 'a file below its caption',
    routes: ['uploadFile', 'createMessage'],
    prepare: (place) => place.say('Say it at length.').then(() => findCard(place, 'Shorter')),
    begin: (place) => place.say('/export'),
    isDone: (said) =>
      said.length === 3 &&
      said[1]?.text.startsWith('What I keep') === true &&
      said[2]?.text === '[file] conversation.txt',
  },
  {
    what: 'a reply in a group',
    routes: ['replyMessage'],
    inGroup: true,
    prepare: (place) => eventually(async () => (await place.said())[0], 'nobody greets the group'),
    begin: (place) => place.say('a question'),
    isDone: (said) => said.length === 2 && said[1]?.text.endsWith(' a question') === true,
  },
]

export const feishuRequests: Scenario = {
  name: 'crash-feishu-requests',
  rows: [1, 5, 6],
  async run(note) {
    await using fleet = await startFleet({ feishu: { redeliverMs: [3000, 6000, 12_000, 24_000] } })
    await fleet.model.script(
      { when: { text: 'Say it slowly' }, answer: { kind: 'long', chunks: pieces }, chunkDelayMs: 250 },
      { when: { text: 'Say it at length' }, answer: { kind: 'text', text: long } },
    )
    await Promise.all([fleet.start('router'), fleet.start('executor')])
    const cases = acts.flatMap((act) => act.routes.flatMap((route) => sides.map((side) => ({ act, route, side }))))
    let running = await fleet.start('feishu')
    for (const [i, { act, route, side }] of cases.entries()) {
      const where = `${act.what}, ${side} ${route}`
      const place = act.inGroup
        ? await groupPlace(fleet, 'feishu', { by: 900 + i, admins: [] })
        : await directPlace(fleet, 'feishu', 900 + i)
      await fleet.feishu?.connected()
      await act.prepare?.(place)
      await killAt(fleet, { route, side, gate: where, kill: () => running.kill(), begin: () => act.begin(place) })
      running = await fleet.start('feishu')
      await eventually(
        async () => act.isDone(await place.said()) || undefined,
        async () => `${where}: ${JSON.stringify(await place.said())}`,
        patienceMs,
      )
      note(where)
    }
    // Whatever would come once more has come by then.
    await fleet.pause(5000)
    const rows = (await fleet.feishu?.rows()) ?? []
    const odd = rows.filter(({ state }) => state !== 'sent')
    assert(odd.length === 0, `${odd.length} rows are not sent, like ${JSON.stringify(odd[0])}`)
    const broken = await checkInvariants(fleet.redis.admin)
    assert(broken.length === 0, `broken: ${broken.join(', ')}`)
    note(
      `${cases.length} kills around ${new Set(cases.map(({ route }) => route)).size} kinds of requests, 0 lost, 0 doubled`,
    )
  },
}

type Killing = {
  readonly route: string
  readonly side: (typeof sides)[number]
  readonly gate: string
  kill(): Promise<void>
  begin(): Promise<unknown>
}

/** Kills the process while its next request of this kind is held at the simulator. */
async function killAt({ feishu }: Fleet, { route, side, gate, kill, begin }: Killing): Promise<void> {
  assert(feishu !== undefined, 'there is no Feishu')
  const since = (await feishu.calls()).length
  await feishu.control({ do: 'fault', rule: { when: { route }, times: 1, gate: { name: gate, at: side } } })
  await begin()
  await eventually(
    async () =>
      (await feishu.calls())
        .slice(since)
        .find((call) => call.route === route && call.outcome === 'open' && call.accepted === (side === 'after')),
    `${gate}: no such request`,
    patienceMs,
  )
  await kill()
  await feishu.control({ do: 'open', gate })
}

async function press(place: Place, label: string): Promise<void> {
  const { id, data } = await findCard(place, label)
  await (await place.press(id, data)).notice()
}
