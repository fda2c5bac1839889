// Five people, their direct chats and two groups on real processes, and a clock that goes on by minutes. What people do and what the bot sends is read of
// Telegram's simulator alone; what the model was asked, of its simulator.
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { createRedisMemory } from '#queues/memory/redis-memory.ts'
import { createUnits } from '#queues/units.ts'
import { comparing } from '#services/memory/comparing.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { modelNames } from '#test/faults/rig/model.ts'
import { startMovingClock, type MovingClock } from '#test/rig/moving-clock.ts'
import { lastUserText, textOf, type CompletionRequest } from '#test/simulators/model/request.ts'
import { startModelSimulator } from '#test/simulators/model/simulator.ts'
import { groups, people, type Person } from './people.ts'
import { createWire, type Visible, type Wire } from './wire.ts'

const minuteMs = 60_000
/** The clock goes on by so much at once: everybody for whom something waits is looked at after each of these steps. */
const mostStepMs = 170 * minuteMs
const waitMs = 180_000
/** A job that is being done is due again so much later, if its process dies. */
const heldMs = 31_000
const readers = ['curiosity.collect', 'curiosity.read-turns', 'curiosity.moment', 'curiosity.invite'] as const
const sent = z.object({ message: z.number() })

export type Town = AsyncDisposable & {
  readonly fleet: Fleet
  readonly clock: MovingClock
  readonly memory: MemoryStore
  readonly wire: Wire
  /** Says it to the bot, which is to answer with `answer`; resolves with what it answered, empty where that was no text: some thanks get a thumb. */
  say(who: Person, chat: number, text: string, answer?: string): Promise<string>
  /** Nothing is waited for. */
  send(who: Person, chat: number, text: string, replyTo?: number): Promise<number>
  press(who: Person, message: number, data: string): Promise<void>
  /** Waits until this message has another text or other buttons. */
  changed(chat: number, message: Visible): Promise<void>
  /** All that is due is done, and nobody is being answered. */
  settle(): Promise<void>
  /** The chats in which the bot said something since this was asked last. */
  takeNews(): ReadonlySet<number>
  /** Goes on until then in steps, `onStep` after each. */
  goTo(ms: number, onStep: () => Promise<void>): Promise<void>
  /** The prompts of the last answer to this text, its parts that nobody said. */
  findPrompt(text: string): readonly string[]
}

export type Decide = (
  request: CompletionRequest,
) => { readonly answer: { readonly kind: 'text'; readonly text: string } } | undefined

/** `decide`: what the fast model says of gaps. */
export async function startTown(beginsAtMs: number, decide: Decide): Promise<Town> {
  const clock = startMovingClock(beginsAtMs - Date.now())
  const model = await startModelSimulator({ ledger: 'counters' })
  const prompts = new Map<string, readonly string[]>()
  let expected: { readonly text: string; readonly answer: string } | undefined
  model.decideBy((request) => {
    if (request.model !== modelNames.FLOTILLA_MODEL)
      return decide(request) ?? { answer: { kind: 'text', text: '{"entities":[]}' } }
    const asked = lastUserText(request)
    const system = request.messages.flatMap((one) => (one.role === 'system' ? [textOf(one)] : []))
    prompts.set(asked, system)
    return { answer: { kind: 'text', text: expected && asked.includes(expected.text) ? expected.answer : 'OK.' } }
  })
  const fleet = await startFleet({
    clock,
    telegram: true,
    leaseMs: 1000,
    ledger: 'counters',
    env: {
      OPENAI_BASE_URL: model.url,
      FLOTILLA_OWNERS: `telegram:${people[0]?.id ?? 0}`,
      FLOTILLA_SESSION_IDLE_HOURS: '1',
    },
  })
  const { telegram } = fleet
  if (!telegram) throw new Error('This fleet has no Telegram.')
  const wire = createWire(telegram.apiRoot)
  for (const { id, name, language } of people)
    await telegram.control({
      do: 'addUser',
      user: { id, is_bot: false, first_name: name, language_code: language },
    })
  for (const roles of ['telegram,router,executor', 'reflection', 'curiosity']) await fleet.start(roles)
  await telegram.control({ do: 'setPrivacyMode', isOn: false })
  for (const chat of groups) await telegram.control({ do: 'addBotToGroup', chat, by: people[0]?.id ?? 0 })
  const memory = createRedisMemory(fleet.client, createUnits(fleet.client, { patienceMs: 60_000 }), comparing)
  const until = async <T>(find: () => Promise<T | undefined>, what: () => string | Promise<string>): Promise<T> => {
    for (const endsAtMs = Date.now() + waitMs; Date.now() < endsAtMs; await sleep(50)) {
      const found = await find()
      if (found !== undefined) return found
    }
    const logs = fleet.roles.map((child) => `--- ${child.name}\n${child.tail(5)}`)
    throw new Error([`Not within ${waitMs} ms: ${await what()}`, ...logs].join('\n'))
  }
  const news = new Set<number>()
  const town: Town = {
    takeNews() {
      const chats = new Set(news)
      news.clear()
      return chats
    },
    fleet,
    clock,
    memory,
    wire,
    async send(who, chat, text, replyTo) {
      const said = await telegram.control({ do: 'sendText', from: who.id, chat, text, ...(replyTo ? { replyTo } : {}) })
      const { message } = sent.parse(said)
      wire.note({ at: clock.now(), by: who.id, chat, act: 'says', text, on: replyTo })
      return message
    },
    async say(who, chat, text, answer = 'OK.') {
      expected = { text, answer }
      const message = await town.send(who, chat, text)
      let idle = 0
      const isAnswer = (one: Visible): boolean =>
        one.from === 'bot' && !one.isCard && (chat < 0 ? one.replyTo === message : one.id > message)
      return await until(
        async () => {
          const found = (await wire.look(chat)).find(isAnswer)
          if (found) return found.text
          const isBusy = (await telegram.pendingUpdates()) > 0 || findBusy(await listKeys(fleet)) !== undefined
          idle = isBusy ? 0 : idle + 1
          return idle > 8 ? '' : undefined
        },
        () => `an answer to ${who.name} in ${chat}: ${text}`,
      )
    },
    async press(who, message, data) {
      const label = (await wire.look(who.id))
        .find(({ id }) => id === message)
        ?.buttons.flat()
        .find((one) => one.data === data)
      wire.note({ at: clock.now(), by: who.id, chat: who.id, act: 'presses', text: label?.text ?? '', on: message })
      await telegram.control({ do: 'press', from: who.id, chat: who.id, message, data })
    },
    async changed(chat, { id, text, buttons }) {
      await until(
        async () => {
          const now = (await wire.look(chat)).find((one) => one.id === id)
          return now?.text === text && now.buttons.flat().length === buttons.flat().length ? undefined : true
        },
        () => `a change of the card in ${chat}: ${text}`,
      )
    },
    async settle() {
      for (let times = 0; times < 2;)
        times = await until(
          async () => ((await findUnsettled(fleet, clock.now())) === undefined ? times + 1 : undefined),
          async () => `that all is done: ${(await findUnsettled(fleet, clock.now())) ?? ''}`,
        )
      for (const chat of await wire.read()) news.add(chat)
    },
    async goTo(ms, onStep) {
      while (clock.now() < ms) {
        clock.step(Math.min(mostStepMs, ms - clock.now()))
        await town.settle()
        await onStep()
      }
    },
    findPrompt: (text) => [...prompts].findLast(([asked]) => asked.includes(text))?.[1] ?? [],
    async [Symbol.asyncDispose]() {
      await fleet[Symbol.asyncDispose]()
      await model.close()
      clock[Symbol.dispose]()
    },
  }
  return town
}

const listKeys = async ({ redis: { admin } }: Fleet): Promise<readonly string[]> => await admin.keys('fl:{p*}:*')

/** What is on its way to anybody. */
const findBusy = (keys: readonly string[]): string | undefined =>
  keys.find((key) => /:(?:wake|letters|lease|ol|obq|draft|j|in|dec)(?::|$)/.test(key))

/** What is still to be done now: jobs of readers that are due, what is on its way to anybody, records that nobody has read, a clock that has not struck. */
async function findUnsettled(fleet: Fleet, nowMs: number): Promise<string | undefined> {
  const { admin } = fleet.redis
  const strikes = await admin.hget('fl:{ticks}', 'curiosity.moment')
  if (Number(strikes ?? 0) <= nowMs) return 'the clock of curiosity'
  const keys = await listKeys(fleet)
  const busy = findBusy(keys)
  if (busy !== undefined) return busy
  for (const key of keys) {
    if (key.endsWith(':jobs:curiosity')) {
      const [open] = await admin.zrangebyscore(key, '-inf', nowMs + heldMs)
      if (open !== undefined) return open
    }
    if (!key.endsWith(':records')) continue
    const last = (await admin.xrevrange(key, '+', '-', 'COUNT', 1))[0]?.[0]
    const places = await admin.hgetall(key.replace(/records$/, 'readers'))
    if (readers.some((one) => places[one] !== last)) return key
  }
  return undefined
}
