// What the SDK's client for long connections leaves undone: presses that come in frames of their own kind are dropped, and what the other
// side says of the pings and of the size of frames is believed, so that one broken answer makes it ping in a tight loop, and one frame
// takes all memory. These are parts that the SDK does not offer; where a release has them no more, its own behaviour remains.
import type { WSClient } from '@larksuiteoapi/node-sdk'
import { z } from 'zod'
import { maxContentLength } from './answers.ts'

/** In how many frames one event may come; Feishu's have 150 KB at most. */
const mostFragments = 100
const mostFrameBytes = 8_000_000
/** The SDK keeps the frames of unfinished events for ten to twenty seconds: so many bytes in that time. */
const mostFragmentBytes = 64_000_000
const fragmentsForMs = 20_000

/** ms; where none is told, or an absurd one. */
const usual = { pingInterval: 120_000 }

export function guardClient(client: WSClient, now: () => number = () => performance.now()): void {
  guardFrames(client, now)
  guardAnswers(client)
  guardWatchdog(client)
  const config: unknown = Reflect.get(client, 'wsConfig')
  if (typeof config !== 'object' || config === null) return
  const update = methodOf(config, 'updateWs')
  if (!update) return
  update(usual)
  Reflect.set(config, 'updateWs', (told: unknown) => update(toSane(told)))
}

/** Each ping would begin the wait for a sign of life anew, so that a silent connection with frequent pings is never noticed. */
function guardWatchdog(client: WSClient): void {
  const arm = methodOf(client, 'armLiveness')
  if (!arm) return
  Reflect.set(client, 'armLiveness', () => {
    if (Reflect.get(client, 'livenessTimer') === undefined) arm(undefined)
  })
}

const told = z.looseObject({
  pingInterval: z.number().min(1000).max(600_000).catch(usual.pingInterval).optional(),
})

const toSane = (given: unknown): unknown => told.catch({}).parse(given)

function guardAnswers(client: WSClient): void {
  const http: unknown = Reflect.get(client, 'httpInstance')
  const ask =
    typeof http === 'function' || (typeof http === 'object' && http !== null) ? methodOf(http, 'request') : undefined
  if (!ask) return
  const request = async (how: object): Promise<unknown> => {
    const answer = await ask({ ...how, maxContentLength })
    // A refusal that brings no data the SDK takes for a broken network, and keeps its code to itself.
    const isRefusal = typeof answer === 'object' && answer !== null && 'code' in answer && answer.code !== 0
    return isRefusal ? { ...answer, data: {} } : answer
  }
  Reflect.set(client, 'httpInstance', { request })
}

const frame = z.object({
  headers: z.array(z.object({ key: z.string(), value: z.string() })),
  payload: z.instanceof(Uint8Array).optional().catch(undefined),
})

function guardFrames(client: WSClient, now: () => number): void {
  const handle = methodOf(client, 'handleEventData')
  if (!handle) return
  const mayKeep = createAllowance(now)
  Reflect.set(client, 'handleEventData', async (given: unknown): Promise<unknown> => {
    const read = frame.safeParse(given).data
    if (!read) return undefined
    const find = (key: string) => read.headers.find((one) => one.key === key)?.value
    const sum = Number(find('sum'))
    const bytes = read.payload?.byteLength ?? 0
    // Not answered, it comes again.
    if (sum > mostFragments || bytes > mostFrameBytes || (sum > 1 && !mayKeep(bytes))) return undefined
    asEvent(given)
    return await handle(given)
  })
}

/** The SDK answers frames of type `event` alone; what those of type `card` bring is like what events bring. */
function asEvent(given: unknown): void {
  const headers: unknown = typeof given === 'object' && given !== null ? Reflect.get(given, 'headers') : undefined
  for (const header of Array.isArray(headers) ? headers : []) {
    if (Reflect.get(header, 'key') === 'type' && Reflect.get(header, 'value') === 'card')
      Reflect.set(header, 'value', 'event')
  }
}

/** So many bytes in so long a time. */
function createAllowance(now: () => number): (bytes: number) => boolean {
  let kept = 0
  let fromMs = now()
  return (bytes) => {
    if (now() - fromMs >= fragmentsForMs) [kept, fromMs] = [0, now()]
    kept += bytes
    return kept <= mostFragmentBytes
  }
}

function methodOf(of: object, name: string): ((given: unknown) => unknown) | undefined {
  const method: unknown = Reflect.get(of, name)
  if (typeof method !== 'function') return undefined
  return (given) => {
    const done: unknown = method.call(of, given)
    return done
  }
}
