// The connection by which Feishu brings events, through the SDK, and what the SDK leaves undone: it is begun again when the SDK has given
// up, a silent connection is noticed, and a refusal is told at once. Several processes may have one: Feishu gives each event to one of them,
// so that whoever is left takes all of it. https://open.feishu.cn/document/server-docs/event-subscription-guide/event-subscription-configure-/request-url-configuration-case
import http from 'node:http'
import https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBackOff } from '#queues/fleet/back-off.ts'
import { guardClient } from './guarded-client.ts'
import { EventDispatcher, WSClient } from './sdk.ts'
import { quiet } from './sdk-log.ts'
import type { AppSettings } from './app-token.ts'

export type ConnectionSettings = AppSettings & {
  readonly backOff?: { readonly firstMs: number; readonly maxMs: number } | undefined
}

export type ConnectionDeps = {
  /** Gives the body of the answer; throws when the event must come again. */
  receive(data: unknown): Promise<object>
  readonly say: (text: string) => void
  /** Leaves a sign for so long that this process is connected, for whoever wants to know; what it rejects with is nobody's concern. */
  sign(ttlMs: number): Promise<void>
}

const pingTimeoutSeconds = 30
const handshakeTimeoutMs = 10_000
const lookEveryMs = 250
const mostJitterMs = 1000
/** The SDK waits fifteen seconds for an address, and ten for a handshake. */
const connectWithinMs = 30_000
const signEveryMs = 20_000
const signedForMs = 60_000

/** Resolves when `signal` aborts, and the last answers are on their way. */
export async function keepConnected(
  settings: ConnectionSettings,
  deps: ConnectionDeps,
  signal: AbortSignal,
): Promise<void> {
  const backOff = createBackOff({ ...(settings.backOff ?? { firstMs: 1000, maxMs: 60_000 }), say: deps.say })
  const dispatcher = new Receiver(deps.receive)
  while (!signal.aborted) {
    const ended = await connect(settings, { ...deps, dispatcher, onReady: backOff.reset }, signal)
    // A connection ends every day; nobody need hear of it unless the next one fails.
    if (ended.kind === 'lost') await sleep(Math.random() * mostJitterMs, undefined, { signal }).catch(() => {})
    if (ended.kind === 'failed') await backOff.wait(toTroubleText(ended.why), signal)
  }
}

type Ended = { readonly kind: 'stopped' | 'lost' } | { readonly kind: 'failed'; readonly why: string }
type Connecting = ConnectionDeps & { readonly dispatcher: Receiver; onReady(): void }

/**
 * One connection, from its beginning to its end. The SDK would begin the next one by itself, but the first time only after minutes, and
 * not at all after some refusals: so each has a client of its own.
 */
async function connect(
  { appId, appSecret, domain }: ConnectionSettings,
  { dispatcher, onReady, sign }: Connecting,
  signal: AbortSignal,
): Promise<Ended> {
  let [isReady, why] = [false, '']
  const agent = openAgent(domain)
  const client = new WSClient({
    appId,
    appSecret,
    domain,
    logger: quiet,
    autoReconnect: false,
    agent,
    handshakeTimeoutMs,
    wsConfig: { pingTimeout: pingTimeoutSeconds },
    onReady: () => {
      isReady = true
      onReady()
    },
    onError: (error) => {
      why = error.message
    },
  })
  guardClient(client)
  try {
    await client.start({ eventDispatcher: dispatcher })
    for (let signedAtMs = -Infinity, fromMs = performance.now(); !signal.aborted;) {
      if (why !== '') return { kind: 'failed', why }
      const isConnected = client.getConnectionStatus().state === 'connected'
      if (isReady && !isConnected) return { kind: 'lost' }
      if (!isReady && performance.now() - fromMs > connectWithinMs) return { kind: 'failed', why: 'no answer in time' }
      if (isConnected && performance.now() - signedAtMs > signEveryMs) {
        signedAtMs = performance.now()
        sign(signedForMs).catch(() => {})
      }
      await sleep(lookEveryMs, undefined, { signal }).catch(() => {})
    }
    await dispatcher.idle()
    return { kind: 'stopped' }
  } finally {
    client.close()
    agent.destroy()
  }
}

/** The SDK's calls go through the proxy that HTTPS_PROXY names; its connection does only where it is told. */
function openAgent(domain: string): http.Agent {
  const options = { proxyEnv: process.env }
  return domain.startsWith('http:') ? new http.Agent(options) : new https.Agent(options)
}

/** The SDK's own dispatcher takes only kinds of events that it knows, and flattens them. */
class Receiver extends EventDispatcher {
  readonly #receive: ConnectionDeps['receive']
  readonly #inHand = new Set<Promise<object>>()

  constructor(receive: ConnectionDeps['receive']) {
    super({ logger: quiet })
    this.#receive = receive
  }

  override async invoke(data: unknown): Promise<object> {
    const receiving = this.#receive(data)
    this.#inHand.add(receiving)
    try {
      return await receiving
    } finally {
      this.#inHand.delete(receiving)
    }
  }

  /** Resolves when what was brought is answered. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#inHand)
    // The SDK sends an answer a moment after it was given.
    await sleep(20)
  }
}

/** The codes of the page that gives out addresses. https://open.feishu.cn/document/server-docs/event-subscription-guide/event-subscription-configure-/request-url-configuration-case */
function toTroubleText(why: string): string {
  const [, code = ''] = /code=(\d+)/.exec(why) ?? []
  if (code === '514' || code === '403')
    return 'Feishu refuses the long connection: check FEISHU_APP_ID and FEISHU_APP_SECRET, and choose "Receive events through persistent connection" in the developer console, under Events & Callbacks (事件与回调).'
  if (code === '1000040350')
    return 'Feishu refuses the long connection: this app has as many of them as it may. Stop some of the processes.'
  return `Feishu gives no long connection${code === '' ? '' : ` (${code})`}. Is the network up, and FEISHU_DOMAIN right?`
}
