// A strict Feishu to test against: the server API and the long connections on one port, the people on the other side, every fault on
// demand, a ledger of all calls and what people see. It knows nothing of the project. States and refusals are described in its parts.
import { listen, sendJson } from '#test/simulators/http-server.ts'
import { createGates } from '#test/simulators/signals.ts'
import { handleApi, type ApiDeps } from './api.ts'
import { createClock } from './clock.ts'
import { handleControl } from './control-endpoint.ts'
import { createControls, type Controls } from './controls.ts'
import { createDelivery } from './delivery.ts'
import { createEvents } from './events.ts'
import { createFaults } from './faults.ts'
import { createFeishuLedger } from './ledger.ts'
import { createLimits, type FeishuLimits } from './limits.ts'
import { createLongConnections } from './long-connection.ts'
import type { RouteDeps } from './route.ts'
import { createTokens } from './tokens.ts'
import { createWebhook } from './webhook.ts'
import { createWorld, type FsUser } from './world.ts'

export type FeishuSimulatorOptions = {
  /** 0, the default, takes a free port. */
  readonly port?: number
  /** `cli_` and 16 hexadecimal digits: the SDK connects with nothing else. */
  readonly appId?: string
  readonly appSecret?: string
  readonly botName?: string
  readonly verificationToken?: string
  readonly limits?: FeishuLimits
  /** Calls a month; the free plan has 10 000. Without it, as many as one likes. */
  readonly quotaPerMonth?: number
  /** Waits between the attempts to bring an event; Feishu's are 15 s, 5 min, 1 h, 6 h. */
  readonly redeliverMs?: readonly number[]
  /** How long an event or a press waits for its answer; Feishu's is 3 s. */
  readonly answerTimeoutMs?: number
  readonly uuidWindowMs?: number
  readonly streamLifeMs?: number
  /** What clients are told: a ping every so often (Feishu's is 120), and the wait before they connect anew. */
  readonly pingIntervalS?: number
  readonly reconnectIntervalS?: number
  readonly reconnectNonceS?: number
  readonly reconnectCount?: number
  /** The type of the frames that carry presses. The SDKs drop `card`. */
  readonly pressFrames?: 'event' | 'card'
  /** Events are cut into frames of at most so many bytes. */
  readonly frameBytes?: number
}

export type FeishuSimulator = Controls & {
  /** `http://127.0.0.1:port`: what the SDK takes as `domain`. */
  readonly apiRoot: string
  readonly appId: string
  readonly appSecret: string
  readonly verificationToken: string
  readonly bot: FsUser
  /** Resolves once `find` gives something; looked at again after every call of the bot. Rejects after 10 s by default. */
  until<T>(find: () => T | undefined, timeoutMs?: number): Promise<T>
  close(): Promise<void>
}

export async function startFeishuSimulator(options: FeishuSimulatorOptions = {}): Promise<FeishuSimulator> {
  const { appId: id = 'cli_a1b2c3d4e5f60718', appSecret: secret = 'simulated-app-secret' } = options
  const { botName: name = 'Flotilla', verificationToken = 'simulated-verification-token' } = options
  const clock = createClock()
  const world = createWorld({ id, secret, name, verificationToken, quotaPerMonth: options.quotaPerMonth }, clock)
  const ledger = createFeishuLedger()
  const answerTimeoutMs = options.answerTimeoutMs ?? 3000
  const connections = createLongConnections({
    clock,
    note: (entry) => ledger.noteConnection(entry),
    options: {
      pingIntervalS: options.pingIntervalS ?? 120,
      reconnectIntervalS: options.reconnectIntervalS ?? 1,
      reconnectNonceS: options.reconnectNonceS ?? 0,
      reconnectCount: options.reconnectCount ?? -1,
      pressFrames: options.pressFrames ?? 'event',
      frameBytes: options.frameBytes ?? 100_000,
      answerTimeoutMs,
    },
  })
  const redeliverMs = options.redeliverMs ?? [15_000, 300_000, 3_600_000, 21_600_000]
  const delivery = createDelivery(connections, {
    clock,
    redeliverMs,
    note: (entry) => ledger.noteDelivery(entry),
  })
  const events = createEvents(world, delivery)
  let origin = ''
  const routes: RouteDeps = {
    world,
    events,
    limits: createLimits(options.limits ?? {}, world),
    tokens: createTokens(),
    options: {
      uuidWindowMs: options.uuidWindowMs ?? 3_600_000,
      streamLifeMs: options.streamLifeMs ?? 600_000,
      pressTimeoutMs: answerTimeoutMs,
    },
    connectUrl: () => connections.connectUrl(origin),
    clientConfig: () => connections.clientConfig(),
    subscriptions: () => {
      const via = delivery.via()
      return { mode: via.name === 'webhook' ? 'webhook' : 'websocket', url: via.url }
    },
  }
  const gates = createGates()
  const api: ApiDeps = {
    routes,
    faults: createFaults(),
    gates,
    ledger,
    closedUntil: new Map(),
    settings: { errorsIn200: false },
  }
  const controls = createControls({
    api,
    delivery,
    connections,
    gates,
    clock,
    createWebhook: (input) => createWebhook(input, { verificationToken, answerTimeoutMs }),
  })
  const server = await listen(
    async (exchange) => {
      if (await handleApi(exchange, api)) return
      if (await handleControl(exchange, controls)) return
      sendJson(exchange.res, 404, { code: 404, msg: '404 page not found' })
    },
    options.port ?? 0,
    connections.upgrade,
  )
  origin = server.origin
  return {
    ...controls,
    apiRoot: server.origin,
    appId: id,
    appSecret: secret,
    verificationToken,
    bot: world.app.bot,
    until: (find, timeoutMs) => ledger.bell.until(find, 'what the test waits for in Feishu', timeoutMs),
    close: async () => {
      delivery.close()
      clock.close()
      connections.close()
      await server.close()
    },
  }
}
