// Three people, their direct chats and two groups on real processes, and a clock that goes on by days. It says how long people wait, and what the model was
// asked.
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { createRedisMemory } from '#queues/memory/redis-memory.ts'
import { createUnits } from '#queues/units.ts'
import { comparing } from '#services/memory/comparing.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { startMovingClock, type MovingClock } from '#test/rig/moving-clock.ts'
import type { At, Group, Person } from './script.ts'

const dayMs = 86_400_000
const waitMs = 30_000
const idOf = { ann: 1001, bo: 1002, chen: 1003 } as const
const names = { ann: 'Ann', bo: 'Bo', chen: '陈晨' } as const
const groupIds = { crew: -100_001, books: -100_002 } as const
/** The language of their apps. */
const languages = { ann: 'en', bo: 'en', chen: 'zh-hans' } as const
const people = ['ann', 'bo', 'chen'] as const

const seen = z.object({
  id: z.number(),
  from: z.unknown(),
  text: z.string(),
  replyTo: z.number().optional(),
  buttons: z.array(z.array(z.object({ text: z.string(), data: z.string().optional() }))),
})
export type Seen = z.infer<typeof seen>
const chatOf = z.object({ result: z.object({ visible: z.array(seen) }) })
const sent = z.object({ message: z.number() })
const ledger = z.object({
  entries: z.array(
    z.object({
      n: z.number(),
      messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
    }),
  ),
})

const labels = { save: /^(?:Save|记住)$/, no: /^(?:No|不用)$/, skip: /^(?:Skip|跳过)$/ }

/** A card that asks about what was noticed is no answer to anything. */
const isCard = ({ text }: Seen): boolean => /^(?:\d \/ \d\s{1,4})?(?:Shall I remember this|要我记住吗)/.test(text)

export type Town = AsyncDisposable & {
  readonly fleet: Fleet
  readonly clock: MovingClock
  readonly memory: MemoryStore
  /** Where the index of memory stands. */
  readonly folder: string
  /** Waits for the answer; resolves with the message's number and the answer's text. */
  say(at: At, text: string, replyTo?: number): Promise<{ readonly message: number; readonly answer: string }>
  /** In a group and not to the bot: nobody answers. */
  talk(at: At, text: string): Promise<number>
  /** The last prompt that has this text. */
  findPrompt(text: string): Promise<readonly string[]>
  /** They ask for what waits, and answer it all; `choose` by what the card shows. How often they pressed. */
  answerCards(person: Person, choose: (card: string) => keyof typeof labels): Promise<number>
  /** All that was said is read by all readers, and nobody is being answered. */
  settle(): Promise<void>
  nextDay(days?: number): Promise<void>
  /** The processes that think begin anew, as after an update. */
  restart(): Promise<void>
  conversationOf(at: At): string
  principalOf(at: At): string
}

export const toPerson = (at: At): Person => people.find((one) => at === one || at.startsWith(`${one}@`)) ?? 'ann'
export const toGroup = (at: At): Group | undefined =>
  at.endsWith('@crew') ? 'crew' : at.endsWith('@books') ? 'books' : undefined

export async function startTown(): Promise<Town> {
  // Mid-morning: nobody is asked at night.
  const morning = new Date()
  morning.setUTCHours(34, 0, 0, 0)
  const clock = startMovingClock(morning.getTime() - Date.now())
  const fleet = await startFleet({
    clock,
    telegram: true,
    leaseMs: 5000,
    env: { FLOTILLA_OWNERS: `telegram:${idOf.ann}` },
  })
  const { telegram, model } = fleet
  if (!telegram) throw new Error('This fleet has no Telegram.')
  for (const one of people)
    await telegram.control({
      do: 'addUser',
      user: { id: idOf[one], is_bot: false, first_name: names[one], language_code: languages[one] },
    })
  await model.script(
    { when: { text: 'of SPEAKER' }, answer: { kind: 'text', text: '{"entities":[]}' } },
    { answer: { kind: 'text', text: 'I will see.' } },
  )
  for (const roles of ['telegram', 'router', 'executor', 'reflection']) await fleet.start(roles)
  for (const chat of Object.values(groupIds)) await telegram.control({ do: 'addBotToGroup', chat, by: idOf.ann })
  const call = createUnits(fleet.client, { patienceMs: 60_000 })
  const memory = createRedisMemory(fleet.client, call, comparing)
  const control = async (command: { readonly do: string } & Record<string, unknown>): Promise<unknown> =>
    await telegram.control(command)
  const toChat = (at: At): number => {
    const group = toGroup(at)
    return group === undefined ? idOf[toPerson(at)] : groupIds[group]
  }
  const look = async (chat: number): Promise<readonly Seen[]> => {
    const reply: unknown = await (await fetch(`${telegram.apiRoot}/__chat?chat=${chat}`)).json()
    return chatOf.parse(reply).result.visible
  }
  const until = async <T>(find: () => Promise<T | undefined>, what: string): Promise<T> => {
    for (const endsAtMs = Date.now() + waitMs; Date.now() < endsAtMs; await sleep(15)) {
      const found = await find()
      if (found !== undefined) return found
    }
    const logs = fleet.roles.map((child) => `--- ${child.name}\n${child.tail(5)}`)
    throw new Error([`Not within ${waitMs} ms: ${what}`, ...logs].join('\n'))
  }
  let readTo = 0
  const prompts: { readonly asked: string; readonly system: readonly string[] }[] = []
  const readPrompts = async (): Promise<void> => {
    const reply: unknown = await (await fetch(`${new URL(model.url).origin}/__ledger?after=${readTo}`)).json()
    for (const { n, messages } of ledger.parse(reply).entries) {
      readTo = Math.max(readTo, n)
      const texts = (role: string): string[] =>
        messages.flatMap((one) => (one.role === role ? [toText(one.content)] : []))
      prompts.push({ asked: texts('user').at(-1) ?? '', system: texts('system') })
    }
  }
  const town: Town = {
    fleet,
    clock,
    memory,
    folder: path.join(fleet.folder, '.flotilla'),
    async say(at, text, replyTo) {
      const chat = toChat(at)
      const isGroup = chat < 0
      const said = isGroup && !text.startsWith('/') ? `@${await botName()} ${text}` : text
      const { message } = sent.parse(
        await control({ do: 'sendText', from: idOf[toPerson(at)], chat, text: said, ...(replyTo ? { replyTo } : {}) }),
      )
      const isAnswer = (one: Seen): boolean =>
        one.from === 'bot' && !isCard(one) && (isGroup ? one.replyTo === message : one.id > message)
      const answer = await until(async () => (await look(chat)).find(isAnswer), `an answer to ${at}: ${text}`)
      return { message, answer: answer.text }
    },
    async talk(at, text) {
      return sent.parse(await control({ do: 'sendText', from: idOf[toPerson(at)], chat: toChat(at), text })).message
    },
    async findPrompt(text) {
      await readPrompts()
      const found = prompts.findLast(({ asked, system }) => asked.includes(text) && system.length > 0)
      if (!found) throw new Error(`The model was not asked "${text}".`)
      return found.system
    },
    async answerCards(person, choose) {
      const chat = idOf[person]
      const findCard = async (): Promise<Seen | undefined> =>
        (await look(chat)).findLast((one) => isCard(one) && one.buttons.length > 0)
      for (let pressed = 0; ; pressed += 1) {
        if (!(await findCard())) {
          const { message } = sent.parse(await control({ do: 'sendText', from: chat, chat, text: '/questions now' }))
          const isReply = (one: Seen): boolean => one.from === 'bot' && one.id > message
          await until(async () => (await look(chat)).find(isReply), `what waits for ${person}`)
        }
        const card = await findCard()
        if (!card) return pressed
        const choice = choose(card.text)
        const button = card.buttons.flat().find(({ text }) => labels[choice].test(text))
        if (!button?.data) throw new Error(`No button says ${choice}: ${card.text}`)
        await control({ do: 'press', from: chat, chat, message: card.id, data: button.data })
        await until(async () => {
          const now = (await look(chat)).find(({ id }) => id === card.id)
          return now?.text === card.text ? undefined : true
        }, `another card for ${person}`)
      }
    },
    async settle() {
      // What one has done may be what another one waits for.
      for (let times = 0; times < 3;)
        times = await until(
          async () => ((await isSettled(fleet)) ? times + 1 : undefined),
          `that all is read and sent: ${(await fleet.redis.admin.keys('fl:{p*}:*')).join(' ')}`,
        )
    },
    async nextDay(days = 1) {
      await town.settle()
      clock.step(days * dayMs)
    },
    async restart() {
      const thinking = fleet.roles.filter(({ name }) => name === 'executor' || name === 'reflection')
      await Promise.all(thinking.map((one) => one.stop()))
      await Promise.all(thinking.map(({ name }) => fleet.start(name)))
    },
    conversationOf: (at) => `telegram:${toChat(at)}`,
    principalOf: (at) => `telegram:${idOf[toPerson(at)]}`,
    async [Symbol.asyncDispose]() {
      await fleet[Symbol.asyncDispose]()
      clock[Symbol.dispose]()
    },
  }
  let known: string | undefined
  const botName = async (): Promise<string> => {
    if (known === undefined) {
      const reply: unknown = await (await fetch(`${telegram.apiRoot}/bot${telegram.token}/getMe`)).json()
      known = z.object({ result: z.object({ username: z.string() }) }).parse(reply).result.username
    }
    return known
  }
  return town
}

const toText = (content: unknown): string => (typeof content === 'string' ? content : JSON.stringify(content))

/** Nothing is on its way to anybody, and every reader has read to the end of every partition. */
async function isSettled({ redis: { admin } }: Fleet): Promise<boolean> {
  const keys = await admin.keys('fl:{p*}:*')
  if (keys.some((key) => /:(?:wake|letters|lease|ol|obq|draft|j)(?::|$)/.test(key))) return false
  for (const key of keys) {
    if (!key.endsWith(':records')) continue
    const last = (await admin.xrevrange(key, '+', '-', 'COUNT', 1))[0]?.[0]
    const places = await admin.hgetall(key.replace(/records$/, 'readers'))
    const at = Object.entries(places).flatMap(([name, place]) => (name.includes('/') ? [] : [place]))
    if (at.length === 0 || at.some((place) => place !== last)) return false
  }
  return true
}
