// The connection by which Feishu brings events, through the SDK, and what the SDK leaves undone: it is begun again when the SDK has given
// up, a silent connection is noticed, a refusal is told at once, and presses that come in frames of their own kind are not dropped. Several
// processes may have one: Feishu gives each event to one of them, so that whoever is left takes all of it. https://open.feishu.cn/document/server-docs/event-subscription-guide/event-subscription-configure-/request-url-configuration-case
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { defaultHttpInstance, EventDispatcher, WSClient } from '@larksuiteoapi/node-sdk'
import { createBackOff } from '#queues/fleet/back-off.ts'
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
const lookEveryMs = 5000
/** So long without a connection is told. */
const awayForMs = 60_000
const signEveryMs = 20_000
const signedForMs = 60_000

/** Resolves when `signal` aborts, and the last answers are on their way. */
export async function keepConnected(
  settings: ConnectionSettings,
  deps: ConnectionDeps,
  signal: AbortSignal,
): Promise<void> {
  const { say } = deps
  const backOff = createBackOff({ ...(settings.backOff ?? { firstMs: 1000, maxMs: 60_000 }), say })
  const dispatcher = new Receiver(deps.receive)
  while (!signal.aborted) {
    const failed = Promise.withResolvers<string>()
    const { appId, appSecret, domain } = settings
    const client = new WSClient({
      appId,
      appSecret,
      domain,
      logger: quiet,
      handshakeTimeoutMs,
      wsConfig: { pingTimeout: pingTimeoutSeconds },
      onReady: () => {
        backOff.reset()
        void deps.sign(signedForMs).catch(() => {})
      },
      onError: (error) => failed.resolve(error.message),
    })
    takeCardFrames(client)
    // As an option it would have to be typed as what the SDK's own is not.
    Reflect.set(client, 'httpInstance', http)
    const over = new AbortController()
    const stopped = AbortSignal.any([signal, over.signal])
    await client.start({ eventDispatcher: dispatcher })
    void watch(client, deps, stopped)
    const why = await Promise.race([failed.promise, once(stopped, 'abort').then(() => undefined)])
    over.abort()
    if (why === undefined) await dispatcher.idle()
    client.close()
    if (why !== undefined) await backOff.wait(toTroubleText(why), signal)
  }
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

/**
 * A refusal that brings no data the SDK takes for a broken network: it says nothing, and asks again after two minutes and more. With data it tells
 * of it.
 */
const http = new Proxy(defaultHttpInstance, {
  get: (inner, name): unknown => (name === 'request' ? requestWithData : Reflect.get(inner, name)),
})

async function requestWithData(asked: Parameters<typeof defaultHttpInstance.request>[0]): Promise<unknown> {
  const answer: unknown = await defaultHttpInstance.request(asked)
  const isRefusal = typeof answer === 'object' && answer !== null && 'code' in answer && answer.code !== 0
  return isRefusal ? { ...answer, data: {} } : answer
}

/** The SDK drops frames of type `card` without an answer; what they bring is like what events bring. */
function takeCardFrames(client: WSClient): void {
  const inner: unknown = Reflect.get(client, 'handleEventData')
  if (typeof inner !== 'function') return
  Reflect.set(client, 'handleEventData', async (frame: unknown): Promise<unknown> => {
    const headers: unknown = typeof frame === 'object' && frame !== null ? Reflect.get(frame, 'headers') : undefined
    for (const header of Array.isArray(headers) ? headers : []) {
      if (Reflect.get(header, 'key') === 'type' && Reflect.get(header, 'value') === 'card')
        Reflect.set(header, 'value', 'event')
    }
    const handled: unknown = await inner.call(client, frame)
    return handled
  })
}

async function watch(client: WSClient, { say, sign }: ConnectionDeps, signal: AbortSignal): Promise<void> {
  let since = performance.now()
  let signedAtMs = since
  while (!signal.aborted) {
    await sleep(lookEveryMs, undefined, { signal, ref: false }).catch(() => {})
    if (client.getConnectionStatus().state === 'connected') {
      since = performance.now()
      if (since - signedAtMs < signEveryMs || signal.aborted) continue
      signedAtMs = since
      void sign(signedForMs).catch(() => {})
    } else if (performance.now() - since > awayForMs) {
      say('Feishu has not been connected for a minute; it is tried again and again. Is the network up?')
      since = performance.now()
    }
  }
}

/** The codes of the page that gives out addresses. https://open.feishu.cn/document/server-docs/event-subscription-guide/event-subscription-configure-/request-url-configuration-case */
function toTroubleText(why: string): string {
  const [, code = ''] = /code=(\d+)/.exec(why) ?? []
  if (code === '514' || code === '403')
    return 'Feishu refuses the long connection: check FEISHU_APP_ID and FEISHU_APP_SECRET, and choose "Receive events through persistent connection" in the developer console, under Events and Callbacks.'
  if (code === '1000040350')
    return 'Feishu refuses the long connection: this app has fifty of them already. Stop some of the processes.'
  return `Feishu gives no long connection${code === '' ? '' : ` (${code})`}.`
}
