// Feishu's side of a fault test: the simulator as a process, people who write to the bot directly, and what they see. A row that is sent
// again under its id makes no second message, so messages are told apart by their ids.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { startSimulator, type SimulatorDeps, type SimulatorProcess } from './simulator-process.ts'
import type { Scenario } from './scenario.ts'
import type { Asked } from './transcripts.ts'

const entry = z.object({
  n: z.number(),
  at: z.number(),
  route: z.string(),
  /** Method and path. */
  call: z.string(),
  query: z.record(z.string(), z.string()),
  body: z.unknown().optional(),
  outcome: z.string(),
  accepted: z.boolean(),
  /** It came although an earlier answer had told to wait. */
  isDuringWait: z.boolean(),
  code: z.number().optional(),
  chat: z.string().optional(),
  message: z.string().optional(),
  /** What the message says then. */
  text: z.string().optional(),
})
export type FeishuCall = z.infer<typeof entry>
const delivery = z.object({
  at: z.number(),
  event: z.string(),
  type: z.string(),
  /** 1 for the first one. */
  attempt: z.number(),
  connection: z.number().optional(),
  outcome: z.enum(['ok', 'refused', 'silent', 'absent']),
})
const connection = z.object({ at: z.number(), kind: z.string(), connection: z.number() })
const ledger = z.object({
  entries: z.array(entry),
  deliveries: z.array(delivery),
  connections: z.array(connection),
  connected: z.array(z.number()),
  pending: z.number(),
})
const ready = z.object({ apiRoot: z.string(), appId: z.string(), appSecret: z.string() })
const known = z.object({ openId: z.string(), dm: z.string() })
const addressed = z.object({ receive_id: z.string() })

export type FeishuTimes = {
  /** Between the attempts to bring an event; Feishu's are 15 s, 5 min, 1 h and 6 h. */
  readonly redeliverMs?: readonly number[]
  /** How often the bot is told to say that it is there; 120 s by default. */
  readonly pingIntervalSeconds?: number
}

export type Feishu = SimulatorProcess<FeishuCall> &
  z.infer<typeof ready> & {
    /** Resolves once so many connections listen. */
    connected(count?: number): Promise<void>
    /** Every attempt to bring an event. */
    deliveries(): Promise<readonly z.infer<typeof delivery>[]>
    connections(): Promise<readonly z.infer<typeof connection>[]>
    /** Numbers of the open ones. */
    open(): Promise<readonly number[]>
    /** Events that will be tried again. */
    pending(): Promise<number>
    /** The person of this number: their id, and the chat with the bot alone. */
    person(person: number): Promise<z.infer<typeof known>>
    /** They write to the bot directly. */
    ask(person: number, text: string): Promise<Asked>
  }

const simulators = new AsyncLocalStorage<'feishu' | 'feishu-second'>()

/** The same scenario on the second simulator, which shares nothing with the first. */
export const onSecondFeishu = (scenario: Scenario): Scenario => ({
  ...scenario,
  name: `${scenario.name}-second`,
  run: async (note) => await simulators.run('feishu-second', () => scenario.run(note)),
})

export async function startFeishu(repository: string, deps: SimulatorDeps, times: FeishuTimes = {}): Promise<Feishu> {
  const { redeliverMs, pingIntervalSeconds } = times
  const simulator = await startSimulator(repository, deps, {
    name: 'feishu',
    folder: simulators.getStore() ?? 'feishu',
    ready,
    ledger,
    args: [
      ...(redeliverMs ? ['--redeliver-ms', redeliverMs.join(',')] : []),
      ...(pingIntervalSeconds === undefined ? [] : ['--ping-interval-s', String(pingIntervalSeconds)]),
    ],
    toShown: ({ route, accepted, message: id, text, body, chat }) =>
      /^(createMessage|replyMessage)$/.test(route) && accepted && id !== undefined && text !== undefined
        ? { id, conversation: `feishu:${addressed.safeParse(body).data?.receive_id ?? chat}`, text: toPlain(text) }
        : undefined,
  })
  const { control, summary } = simulator
  const people = new Map<number, Promise<z.infer<typeof known>>>()
  const speaking = new Map<number, Promise<unknown>>()
  const findPerson = (person: number): Promise<z.infer<typeof known>> => {
    const found =
      people.get(person) ?? control({ do: 'person', person: toPersonName(person) }).then((one) => known.parse(one))
    people.set(person, found)
    return found
  }
  let said = 0
  const say = async (person: number, text: string): Promise<Asked> => {
    const { openId, dm } = await findPerson(person)
    const atMs = Date.now()
    const message = z.string().parse(await control({ do: 'say', person: toPersonName(person), chat: dm, text }))
    said += 1
    const asked = { id: `fs:${message}`, conversation: `feishu:${openId}`, text, seq: said, atMs } as const
    deps.talk.note(asked)
    return asked
  }
  return {
    ...simulator,
    async connected(count = 1) {
      for (;;) {
        const { connected, connections } = await summary()
        // The SDK listens a moment after the connection is open, and pings first.
        const listening = connected.filter((n) =>
          connections.some((one) => one.connection === n && one.kind === 'ping'),
        )
        if (listening.length >= count) return
        await sleep(50)
      }
    },
    deliveries: async () => (await summary()).deliveries,
    connections: async () => (await summary()).connections,
    open: async () => (await summary()).connected,
    pending: async () => (await summary()).pending,
    person: findPerson,
    async ask(person, text) {
      // What somebody says has an order.
      const saying = (speaking.get(person) ?? Promise.resolve()).then(() => say(person, text))
      speaking.set(
        person,
        saying.catch(() => {}),
      )
      return await saying
    },
  }
}

export const toPersonName = (person: number): string => `Person ${person}`

/** A card shows a character for each reference to one. */
export const toPlain = (text: string): string =>
  text.replaceAll(/&#(\d{1,7});/g, (_, code: string) => String.fromCodePoint(Number(code)))
