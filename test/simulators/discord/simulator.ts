// A strict Discord to test against: the REST API and the gateway on one port, the people on the other side, every fault on demand,
// a ledger of all calls and what people see. It knows nothing of the project. States and refusals are described in its parts.
import { listen, sendJson } from '#test/simulators/http-server.ts'
import { createGates } from '#test/simulators/signals.ts'
import { handleApi, type ApiDeps } from './api.ts'
import { privilegedIntents, type PrivilegedIntent } from './bits.ts'
import { handleControl } from './control-endpoint.ts'
import { createControls, type Controls } from './controls.ts'
import { createEvents } from './events.ts'
import { createFaults } from './faults.ts'
import { createGateway } from './gateway.ts'
import { createDiscordLedger } from './ledger.ts'
import { createLimits, type DiscordLimits } from './limits.ts'
import type { RouteDeps } from './route.ts'
import { createSessions } from './sessions.ts'
import type { DcUser } from './types.ts'
import { createWorld } from './world.ts'

export type DiscordSimulatorOptions = {
  /** 0, the default, takes a free port. */
  readonly port?: number
  /** Its first part is the application's id in base 64, as Discord's. */
  readonly token?: string
  readonly username?: string
  /** Privileged intents that are on in the developer portal; all by default. */
  readonly intents?: readonly PrivilegedIntent[]
  /** How many shards /gateway/bot recommends; 1 by default. */
  readonly shards?: number
  readonly maxConcurrency?: number
  /** Sessions per day; Discord's is 1000. */
  readonly identifyLimit?: number
  /** Least time between two IDENTIFYs of one shard; not checked by default, Discord's is 5 s. */
  readonly identifyIntervalMs?: number
  /** Discord's is 41.25 s. */
  readonly heartbeatIntervalMs?: number
  /** Where sessions are said to be resumed; where they began when left out. */
  readonly resumeUrl?: string | undefined
  /** How long a session without connection can be resumed. */
  readonly sessionLifeMs?: number
  /** How long an interaction waits for its first answer; Discord's is 3 s. */
  readonly interactionTimeoutMs?: number
  /** How long its token works; Discord's is 15 min. */
  readonly interactionTokenMs?: number
  /** How long `enforce_nonce` remembers; Discord says "the past few minutes". */
  readonly nonceWindowMs?: number
  readonly limits?: DiscordLimits
}

export type DiscordSimulator = Controls & {
  /** `http://127.0.0.1:port/api`, without the version: what discord.js takes as `rest.api`. */
  readonly apiRoot: string
  readonly gatewayUrl: string
  readonly token: string
  readonly applicationId: string
  readonly bot: DcUser
  /** Resolves once `find` gives something; looked at again after every call of the bot. Rejects after 10 s by default. */
  until<T>(find: () => T | undefined, timeoutMs?: number): Promise<T>
  close(): Promise<void>
}

const defaultApplicationId = '1100000000000000001'

export async function startDiscordSimulator(options: DiscordSimulatorOptions = {}): Promise<DiscordSimulator> {
  const token = options.token ?? `${Buffer.from(defaultApplicationId).toString('base64url')}.simulated.token`
  const claimed = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()
  const applicationId = /^\d{15,20}$/.test(claimed) ? claimed : defaultApplicationId
  const granted = options.intents ?? privilegedIntents
  const world = createWorld({ applicationId, username: options.username ?? 'flotilla_test_bot', granted })
  const ledger = createDiscordLedger()
  const sessions = createSessions(options.sessionLifeMs ?? 300_000)
  const events = createEvents(world, sessions)
  const identifyLimit = options.identifyLimit ?? 1000
  const { heartbeatIntervalMs = 41_250, identifyIntervalMs = 0 } = options
  const { resumeUrl } = options
  const gatewayOptions = { heartbeatIntervalMs, identifyIntervalMs, identifyLimit, resumeUrl }
  const gateway = createGateway({ world, token, sessions, ledger, options: gatewayOptions })
  const routes: RouteDeps = {
    world,
    events,
    identifiesLeft: gateway.identifiesLeft,
    options: {
      interactionTimeoutMs: options.interactionTimeoutMs ?? 3000,
      interactionTokenMs: options.interactionTokenMs ?? 900_000,
      nonceWindowMs: options.nonceWindowMs ?? 300_000,
      shards: options.shards ?? 1,
      maxConcurrency: options.maxConcurrency ?? 16,
      identifyLimit,
    },
  }
  const faults = createFaults()
  const limits = createLimits(options.limits ?? {})
  const gates = createGates()
  const api: ApiDeps = { token, routes, faults, limits, gates, ledger }
  const controls = createControls({ deps: routes, sessions, gateway, faults, limits, gates, ledger })
  const server = await listen(
    async (exchange) => {
      if (await handleApi(exchange, api)) return
      if (await handleControl(exchange, controls)) return
      sendJson(exchange.res, 404, { message: '404: Not Found', code: 0 })
    },
    options.port ?? 0,
    gateway.upgrade,
  )
  world.origin = server.origin
  return {
    ...controls,
    apiRoot: `${server.origin}/api`,
    gatewayUrl: server.origin.replace('http', 'ws'),
    token,
    applicationId,
    bot: world.bot,
    until: (find, timeoutMs) => ledger.bell.until(find, 'what the test waits for in Discord', timeoutMs),
    close: async () => {
      gateway.close()
      await server.close()
    },
  }
}
