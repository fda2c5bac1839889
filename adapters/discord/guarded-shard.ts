// The library's shard, with a rim around it: it takes what the gateway sends for what Discord documents, and what it trips over would end
// the process. Here a message that the library could not take is left out, and what it throws all the same ends the connection.
import { SimpleShardingStrategy, type WebSocketManager } from '@discordjs/ws'
import { anyFrame, dispatch, frames, invalidSession, ready } from './payloads.ts'

export type ShardWatch = {
  /** A message that is none of Discord's was left out. */
  onMalformed(): void
  /** Discord refuses what was asked, a new session or an old one, which may or may not be tried again. */
  onRefused(mayResume: boolean): void
  /** The connection is of no use any more. */
  onBroken(error: unknown): void
}

/** What it says about an address or a message that nobody can use. */
export class OddGateway extends Error {}

/** The methods that the library calls without waiting for them. */
const detached = ['internalConnect', 'onMessage', 'onClose', 'heartbeat']

export class GuardedStrategy extends SimpleShardingStrategy {
  readonly #watch: ShardWatch

  constructor(manager: WebSocketManager, watch: ShardWatch) {
    super(manager)
    this.#watch = watch
  }

  override async spawn(shardIds: number[]): Promise<void> {
    await super.spawn(shardIds)
    const shards: unknown = Reflect.get(this, 'shards')
    const all: readonly unknown[] = shards instanceof Map ? [...shards.values()] : []
    for (const shard of all) {
      if (typeof shard !== 'object' || shard === null) throw new TypeError('The gateway library has other shards.')
      guard(shard, this.#watch)
    }
    if (all.length === 0) throw new TypeError('The gateway library keeps its shards elsewhere.')
  }
}

function guard(shard: object, watch: ShardWatch): void {
  for (const name of detached) {
    const inner = methodOf(shard, name)
    Reflect.set(shard, name, async (...args: unknown[]): Promise<unknown> => {
      try {
        return await inner(args)
      } catch (error) {
        watch.onBroken(error)
        return undefined
      }
    })
  }
  const unpack = methodOf(shard, 'unpackMessage')
  Reflect.set(shard, 'unpackMessage', async (...args: unknown[]): Promise<unknown> => {
    const frame: unknown = await unpack(args).catch(() => null)
    const fit = judge(frame)
    // The library would try again at once, on the same connection and without an end.
    const refused = invalidSession.safeParse(frame).data
    if (refused) {
      watch.onRefused(refused.d)
      return null
    }
    if (fit === 'fits') return frame
    watch.onMalformed()
    if (fit === 'vital') watch.onBroken(new OddGateway('The gateway sent a message that is not Discord\u2019s.'))
    return null
  })
}

function methodOf(shard: object, name: string): (args: readonly unknown[]) => Promise<unknown> {
  const found: unknown = Reflect.get(shard, name)
  if (typeof found !== 'function') throw new TypeError(`The gateway library has no ${name} any more.`)
  return async (args) => {
    const result: unknown = await Reflect.apply(found, shard, args)
    return result
  }
}

/** `vital`: no message of its kind can be done without. */
function judge(frame: unknown): 'fits' | 'odd' | 'vital' {
  const known = anyFrame.safeParse(frame).data
  if (!known) return 'odd'
  if (known.op === 0) {
    if (known.t === 'READY' && !ready.safeParse(frame).success) return 'vital'
    return dispatch.safeParse(frame).success ? 'fits' : 'odd'
  }
  const shape = frames[known.op]
  return !shape || shape.safeParse(frame).success ? 'fits' : 'vital'
}
