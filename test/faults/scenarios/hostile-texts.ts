// Two hundred hostile texts come in through each of Telegram, Discord and the web page, 20 MB in all, while other people ask there at a
// steady pace. The model repeats each of them, so that it goes out as well and is the reply that the next one meets. No process ends, each
// hostile message is stored and answered, and others hardly wait longer.
//
// Longer than in calm: by turns they ask alone and among hostile texts, so that whatever else the machine does meets both. The load is what
// two processors that fleet, simulators and Redis share can carry, which is told; how fast more would be is not asked here.
//
// Half of the texts are as long as a person may write on the platform; the others are as long as a broken or hostile server of the platform
// could make them. The console takes the way of the web page.
import os from 'node:os'
import { z } from 'zod'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { createHostileTexts } from '#test/faults/rig/hostile-texts.ts'
import { assert, percentile, type Scenario } from '#test/faults/rig/scenario.ts'
import { checkInvariants } from '#test/rig/oracle.ts'

type Channel = 'telegram' | 'discord' | 'web'
const channels: readonly Channel[] = ['telegram', 'discord', 'web']
const messages = 200
const hostilePeople = 10
const others = 20
const othersEveryMs = 150
const rounds = 4
/** Of calm, and of hostile texts, in each round. */
const stretchMs = 13_000
const leastBytes = 20_000_000
const seed = 20_251_123
/** What a person may write at once; the web page takes what fits a request. */
const allowedChars = { telegram: 4096, discord: 4000, web: 30_000 }
const oversizedChars = 40_000

export const hostileTexts: Scenario = {
  name: 'hostile-texts',
  rows: ['hostile texts'],
  async run(note) {
    const texts = createTexts(await createHostileTexts(seed))
    const bytes = [...texts.values()].flat().reduce((sum, text) => sum + Buffer.byteLength(text), 0)
    await using fleet = await startFleet({ telegram: true, discord: true, leaseMs: 3000, ledger: 'counters' })
    const roles = await Promise.all(['router', 'executor', ...channels].map((role) => fleet.start(role)))
    await fleet.discord?.connected()
    const people = createPeople(fleet)
    const said: Said[] = []
    const isOpen = ({ id }: Said): boolean => !fleet.moments.dueAtMs.has(id)
    const stretch = async (into: Stretch, writing?: Promise<readonly Said[]>): Promise<void> => {
      const [before, idleBefore] = [sumCpu(fleet), sumIdle()]
      into.questions.push(...(await askFor(people, stretchMs)))
      said.push(...((await writing) ?? []))
      into.cpuMs += sumCpu(fleet) - before
      into.idleMs += sumIdle() - idleBefore
      for (const untilMs = Date.now() + 30_000; said.some(isOpen) && Date.now() < untilMs;) await fleet.pause(100)
      await fleet.pause(1000)
    }

    // Everything is loaded and connected once, and the engine has compiled what reads such texts.
    const first = createTexts(await createHostileTexts(seed + 1))
    await stretch(createStretch(), writeAll(fleet, people, { texts: first, round: 0 }))
    const [calm, loaded] = [createStretch(), createStretch()]
    for (let round = 0; round < rounds; round++) {
      await stretch(calm)
      await stretch(loaded, writeAll(fleet, people, { texts, round }))
    }
    const slower: string[] = []
    for (const channel of channels) {
      const before = await waits(fleet, calm.questions, channel)
      const during = await waits(fleet, loaded.questions, channel)
      const [calmP99, p99] = [percentile(before, 0.99), percentile(during, 0.99)]
      note(
        `${channel}: ${before.length} questions in calm p50 ${percentile(before, 0.5)} ms, p99 ${calmP99} ms; ` +
          `${during.length} among hostile texts p50 ${percentile(during, 0.5)} ms, p99 ${p99} ms`,
      )
      if (p99 > 2 * calmP99) slower.push(`${channel} ${p99} ms, in calm ${calmP99} ms`)
    }
    const share = (ms: number): string => `${((100 * ms) / (rounds * stretchMs)).toFixed(0)} %`
    note(
      `of one processor fleet and simulators took ${share(calm.cpuMs)} in calm and ${share(loaded.cpuMs)} among hostile texts; ` +
        `${share(calm.idleMs)} and ${share(loaded.idleMs)} were idle on the machine`,
    )
    const rows = [...((await fleet.telegram?.rows()) ?? []), ...((await fleet.discord?.rows()) ?? [])]
    const failed = rows.filter(({ state, kind }) => kind === 'send' && !/^(sent|split|queued|sending)$/.test(state))
    const open = said.filter(isOpen)
    note(
      `${bytes} bytes of hostile texts; ${open.length} of ${said.length} not answered; ${failed.length} rows not sent`,
    )
    assert(bytes >= leastBytes, `only ${bytes} bytes`)
    assert(open.length === 0, `${open.length} were not answered, like ${JSON.stringify(open[0]?.text.slice(0, 80))}`)
    assert(failed.length === 0, `${failed.length} rows were not sent, like ${JSON.stringify(failed[0])}`)
    for (const role of roles) assert(role.isRunning(), `${role.name} ended:\n${role.tail()}`)
    // What is still being sent would change under the eyes of the check.
    await Promise.all(roles.map((role) => role.stop()))
    const broken = await checkInvariants(fleet.redis.admin)
    assert(broken.length === 0, `the kernel is not in order: ${broken.slice(0, 3).join('; ')}`)
    assert(slower.length === 0, `p99 more than doubled: ${slower.join('; ')}`)
  },
}

type Texts = ReadonlyMap<Channel, readonly string[]>
type Stretch = { readonly questions: Question[]; cpuMs: number; idleMs: number }
const createStretch = (): Stretch => ({ questions: [], cpuMs: 0, idleMs: 0 })

function createTexts(make: (chars: number) => string): Texts {
  const lengths = (channel: Channel, i: number): number => (i % 2 === 0 ? allowedChars[channel] : oversizedChars)
  const all = channels.map((channel) => {
    return [channel, Array.from({ length: messages }, (_, i) => make(lengths(channel, i)))] as const
  })
  return new Map(all)
}

/** Of the fleet and its simulators, without Redis. */
function sumCpu({ roles, model, telegram, discord }: Fleet): number {
  const simulators = [model, telegram, discord].flatMap((one) => one?.child ?? [])
  return [...roles, ...simulators].reduce((sum, child) => sum + child.cpuMs(), 0)
}

/** Of all processors. */
const sumIdle = (): number => os.cpus().reduce((sum, { times }) => sum + times.idle, 0)

type Writing = { readonly texts: Texts; readonly round: number }

/** A round's share of the texts on every channel, evenly over a stretch. */
async function writeAll(fleet: Fleet, people: People, { texts, round }: Writing): Promise<Said[]> {
  const said: Promise<Said>[] = []
  const each = messages / rounds
  for (let n = round * each; n < (round + 1) * each; n++) {
    for (const channel of channels) said.push(people.say(channel, n % hostilePeople, texts.get(channel)?.[n] ?? ''))
    await Promise.all([...said.slice(-channels.length), fleet.pause(stretchMs / each)])
  }
  return await Promise.all(said)
}

type Said = { readonly id: string; readonly text: string; readonly channel: Channel }
type Question = {
  readonly n: number
  readonly channel: Channel
  readonly person: number
  readonly atMs: number
  readonly id: string
}

type People = { say(channel: Channel, person: number, text: string): Promise<Said>; next(): number }

const tgSaid = z.object({ update: z.number() })
const dm = z.object({ dm: z.string() })

function createPeople(fleet: Fleet): People {
  const rooms = new Map<number, Promise<unknown>>()
  let asked = 0
  const sayOnDiscord = async (person: number, text: string): Promise<string> => {
    const name = `Person ${person}`
    const room = rooms.get(person) ?? fleet.discord?.control({ do: 'person', person: name }) ?? Promise.resolve()
    rooms.set(person, room)
    const said = { do: 'say', person: name, channel: dm.parse(await room).dm, text }
    return `dc:${z.string().parse(await fleet.discord?.control(said))}`
  }
  return {
    next: () => ++asked,
    async say(channel, person, text) {
      switch (channel) {
        case 'telegram': {
          const said = await fleet.telegram?.control({ do: 'sendText', from: 100 + person, text })
          return { channel, text, id: `tg:4200:${tgSaid.parse(said).update}` }
        }
        case 'discord':
          return { channel, text, id: await sayOnDiscord(person, text) }
        case 'web': {
          const { status, id } = await fleet.postWeb(`w${person}`, text)
          assert(id !== undefined, `the page answered ${status} to ${JSON.stringify(text.slice(0, 50))}`)
          return { channel, text, id }
        }
      }
    },
  }
}

/** Other people ask on every channel, at a steady pace. */
async function askFor(people: People, forMs: number): Promise<readonly Question[]> {
  const questions: Promise<Question>[] = []
  const startedAtMs = Date.now()
  for (let i = 0; i * othersEveryMs < forMs; i++) {
    const aheadMs = startedAtMs + i * othersEveryMs - Date.now()
    if (aheadMs > 0) await new Promise((resolve) => setTimeout(resolve, aheadMs))
    for (const channel of channels) {
      const n = people.next()
      const atMs = Date.now()
      const said = people.say(channel, 1000 + (i % others), `what is it? #${n}.`)
      questions.push(said.then(({ id }) => ({ n, channel, person: i % others, atMs, id })))
    }
  }
  return await Promise.all(questions)
}

/** How long each of them waited for the answer, ms. */
async function waits(fleet: Fleet, questions: readonly Question[], channel: Channel): Promise<readonly number[]> {
  const shownAtMs = new Map<number, number>()
  const see = (text: unknown, atMs: number): void => {
    const [, digits] =
      /what is it\\?\? #(\d+)\\?\./.exec(typeof text === 'string' && text.length < 100 ? text : '') ?? []
    if (digits !== undefined && !shownAtMs.has(Number(digits))) shownAtMs.set(Number(digits), atMs)
  }
  if (channel === 'telegram')
    for (const { params, at } of (await fleet.telegram?.calls()) ?? []) see(params['text'], at)
  if (channel === 'discord')
    for (const { body, at } of (await fleet.discord?.calls()) ?? [])
      see(z.object({ content: z.string() }).safeParse(body).data?.content.replaceAll('\\', ''), at)
  const here = questions.filter((one) => one.channel === channel)
  return here.map(({ n, id, person, atMs }) => {
    if (channel === 'web') return (fleet.moments.dueAtMs.get(id) ?? Infinity) - atMs
    // What one asks before the answer came is answered with the next.
    const later = here.filter((one) => one.person === person && one.n >= n)
    return Math.min(...later.map((one) => shownAtMs.get(one.n) ?? Infinity)) - atMs
  })
}
