// What the tests of the Feishu simulator share: a simulator with a group, the real SDK's client and long connection, and refusals.
import { Client, DefaultCache, EventDispatcher, LoggerLevel, WSClient } from '@larksuiteoapi/node-sdk'
import { z } from 'zod'
import type { Person } from '#test/simulators/feishu/people.ts'
import {
  startFeishuSimulator,
  type FeishuSimulator,
  type FeishuSimulatorOptions,
} from '#test/simulators/feishu/simulator.ts'
import { createBell } from '#test/simulators/signals.ts'

/** The SDK takes its level `fatal`, which is 0, for none, and would write all that it has to say. */
export const quiet = { error: noop, warn: noop, info: noop, debug: noop, trace: noop }

function noop(): void {}

const envelope = z.looseObject({ code: z.number(), msg: z.string().optional(), data: z.unknown().optional() })
const sent = z.looseObject({ message_id: z.string(), chat_id: z.string() })
export type SentMessage = z.infer<typeof sent>

export type ReceivedEvent = Readonly<Record<string, unknown>>

export type Connected = AsyncDisposable & {
  readonly client: WSClient
  readonly events: readonly ReceivedEvent[]
  /** Resolves with the first event, past or future, of this type that matches. */
  next(type: string, matches?: (event: ReceivedEvent) => boolean): Promise<ReceivedEvent>
  /** What came of the connection: `ready`, `reconnecting`, `reconnected`, or why it failed. */
  readonly states: readonly string[]
  until<T>(find: () => T | undefined): Promise<T>
}

export type ConnectOptions = {
  /** What the handlers do with an event and give back. */
  handle?(type: string, event: ReceivedEvent): unknown
  readonly types?: readonly string[]
  readonly pingTimeout?: number
}

export type Refused = {
  readonly status: number
  readonly code: number
  readonly msg: string
  readonly headers: unknown
}

export type Rig = AsyncDisposable & {
  readonly feishu: FeishuSimulator
  readonly group: string
  readonly ann: Person
  readonly client: Client
  /** Any call through the SDK; what stands in `data`. Rejects with a `Refused` where the code is not 0. */
  call(method: string, path: string, body?: unknown): Promise<unknown>
  send(type: string, content: unknown, chat?: string, uuid?: string): Promise<SentMessage>
  refusal(call: Promise<unknown>): Promise<Refused>
  /** Opens a long connection through the SDK; resolves once it is there. */
  connect(options?: ConnectOptions): Promise<Connected>
}

export async function startRig(options: FeishuSimulatorOptions = {}): Promise<Rig> {
  const feishu = await startFeishuSimulator(options)
  const client = new Client({
    appId: feishu.appId,
    appSecret: feishu.appSecret,
    domain: feishu.apiRoot,
    // The SDK's own is one for all clients of a process.
    cache: new DefaultCache(),
    loggerLevel: LoggerLevel.error,
    logger: quiet,
  })
  const group = feishu.addGroup({ owner: 'Olga', admins: ['Adam'], name: 'Team' })
  const call: Rig['call'] = async (method, path, body) => {
    const answer = envelope.parse(
      await client.request({ method, url: `/open-apis${path}`, ...(body === undefined ? {} : { data: body }) }),
    )
    if (answer.code !== 0)
      throw new FeishuRefusal({ status: 200, code: answer.code, msg: answer.msg ?? '', headers: {} })
    return answer.data
  }
  return {
    feishu,
    group,
    ann: feishu.person('Ann'),
    client,
    call,
    send: async (type, content, chat = group, uuid) =>
      sent.parse(
        await call('POST', `/im/v1/messages?receive_id_type=${chat.startsWith('ou_') ? 'open_id' : 'chat_id'}`, {
          receive_id: chat,
          msg_type: type,
          content: typeof content === 'string' ? content : JSON.stringify(content),
          ...(uuid === undefined ? {} : { uuid }),
        }),
      ),
    refusal,
    connect: (given) => connect(feishu, given),
    [Symbol.asyncDispose]: () => feishu.close(),
  }
}

class FeishuRefusal extends Error {
  readonly refused: Refused

  constructor(refused: Refused) {
    super(`${refused.code} ${refused.msg}`)
    this.refused = refused
  }
}

const failed = z.looseObject({
  response: z.looseObject({
    status: z.number(),
    data: z.looseObject({ code: z.number(), msg: z.string() }),
    headers: z.unknown(),
  }),
})

/** Feishu's refusal of this call; throws when it succeeded or failed otherwise. */
async function refusal(call: Promise<unknown>): Promise<Refused> {
  const outcome: unknown = await call.then(
    (value) => ({ value }),
    (error: unknown) => error,
  )
  if (outcome instanceof FeishuRefusal) return outcome.refused
  const read = failed.safeParse(outcome)
  if (!read.success) throw new Error(`The call was not refused but gave ${JSON.stringify(outcome)}`)
  const { status, data, headers } = read.data.response
  return { status, code: data.code, msg: data.msg, headers }
}

const usualTypes = [
  'im.message.receive_v1',
  'im.message.recalled_v1',
  'im.message.reaction.created_v1',
  'im.message.reaction.deleted_v1',
  'im.message.message_read_v1',
  'im.chat.member.bot.added_v1',
  'im.chat.member.bot.deleted_v1',
  'im.chat.disbanded_v1',
  'im.chat.updated_v1',
  'im.chat.access_event.bot_p2p_chat_entered_v1',
  'application.bot.menu_v6',
  'card.action.trigger',
]

async function connect(feishu: FeishuSimulator, options: ConnectOptions = {}): Promise<Connected> {
  const { handle = noop, types = usualTypes, pingTimeout } = options
  const events: ReceivedEvent[] = []
  const states: string[] = []
  const bell = createBell()
  const reach = (state: string) => {
    states.push(state)
    bell.ring()
  }
  const dispatcher = new EventDispatcher({ loggerLevel: LoggerLevel.error, logger: quiet }).register(
    Object.fromEntries(
      types.map((type) => [
        type,
        (event: ReceivedEvent) => {
          events.push(event)
          bell.ring()
          return handle(type, event)
        },
      ]),
    ),
  )
  const client = new WSClient({
    appId: feishu.appId,
    appSecret: feishu.appSecret,
    domain: feishu.apiRoot,
    loggerLevel: LoggerLevel.error,
    logger: quiet,
    onReady: () => reach('ready'),
    onReconnecting: () => reach('reconnecting'),
    onReconnected: () => reach('reconnected'),
    onError: (error: Error) => reach(error.message),
    ...(pingTimeout === undefined ? {} : { wsConfig: { pingTimeout } }),
  })
  await client.start({ eventDispatcher: dispatcher })
  await bell.until(() => states[0], 'the long connection')
  return {
    client,
    events,
    states,
    until: (find) => bell.until(find, 'the bot'),
    next: (type, matches = () => true) =>
      bell.until(() => events.find((one) => one['event_type'] === type && matches(one)), type),
    [Symbol.asyncDispose]: async () => client.close({ force: true }),
  }
}

/** A card of schema 2.0 with this text and a row of buttons, by their labels. */
export function card(text: string, ...labels: readonly string[]): Readonly<Record<string, unknown>> {
  const button = (label: string) => ({
    tag: 'button',
    text: { tag: 'plain_text', content: label },
    behaviors: [{ type: 'callback', value: { go: label } }],
  })
  const columns = labels.map((label) => ({ tag: 'column', elements: [button(label)] }))
  return {
    schema: '2.0',
    config: { update_multi: true },
    body: {
      elements: [
        { tag: 'markdown', content: text, element_id: 'answer' },
        ...(columns.length === 0 ? [] : [{ tag: 'column_set', columns }]),
      ],
    },
  }
}
