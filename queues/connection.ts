// Redis connections, each with the settings its use needs. Kernel writes never share a connection with BullMQ.
import { Cluster, Redis } from 'ioredis'
import { findRedisGroup, type RedisGroup } from './redis-url.ts'

export type RedisClient = Redis | Cluster

/** Commands written at once. More would leave Redis idle while they are made, and us while it works on them. */
const batchSize = 32

/**
 * Commands of one turn of the event loop leave in few writes, and none waits for the replies of those before it: ioredis'
 * auto-pipelining has one batch under way at a time, so that client and server take turns.
 */
class BatchingRedis extends Redis {
  private held: Redis['stream'] | undefined
  private count = 0

  override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>): unknown {
    if (stream || this.status !== 'ready') return super.sendCommand(command, stream)
    if (!this.held) {
      this.held = this.stream
      this.held.cork()
      setImmediate(() => this.flush())
    }
    const sent = super.sendCommand(command)
    this.count += 1
    if (this.count >= batchSize) this.flush()
    return sent
  }

  private flush(): void {
    this.held?.uncork()
    this.held = undefined
    this.count = 0
  }
}

/**
 * Into how many steps the silence is divided. With more, a dead connection would be found a little sooner. With fewer, a moment in which
 * this process was busy would more often be taken for silence.
 */
const silenceSteps = 10

/**
 * Leaves a connection on which commands have waited in silence for so long. Silence is counted in steps, and between two of them the
 * event loop reads what has come: ioredis' own timer goes off first after this process was busy or stopped, however soon Redis answered.
 */
function leaveWhenSilent(redis: Redis, silenceMs: number): void {
  redis.on('connect', () => {
    const { stream } = redis
    let silentSteps = 0
    stream.on('data', () => (silentSteps = 0))
    const timer = setInterval(() => {
      silentSteps = redis.commandQueue.length === 0 ? 0 : silentSteps + 1
      if (silentSteps > silenceSteps) stream.destroy(new Error(`Redis was silent for ${silenceMs} ms.`))
    }, silenceMs / silenceSteps)
    stream.once('close', () => clearInterval(timer))
  })
}

/**
 * A primary that became a replica keeps its connections and refuses every write on them for ever: a new connection finds the new primary,
 * behind an address that moved or at the sentinels. The command fails as it would have; what is safe to repeat is repeated by its caller.
 */
const leaveReplica = ({ message }: Error): 1 | false => (/^(READONLY|UNBLOCKED)/.test(message) ? 1 : false)

const retryStrategy = (times: number): number => Math.min(times * 100, 1000)

/**
 * `redis://…`, `rediss://…`, `unix:///path?password=…`, or a cluster or sentinels as in `redis-url.ts`.
 * The kernel's connection fails a command instead of repeating it silently: a lost reply must not become a second write
 * (ioredis' defaults made 20 entries of 10 XADDs). Its units are safe to repeat, and `redis-kernel.ts` repeats them.
 */
export function connectKernel(url: string, silenceMs = 2000): RedisClient {
  const client = connect(url, {
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
    // On a cluster only; see BatchingRedis.
    enableAutoPipelining: true,
  })
  // Replies come in order: silence means that every command waits. A timeout of each command would cost a timer for each, and
  // leave a half-open connection open, on which every repeat would time out too, for minutes.
  if (client instanceof Redis) leaveWhenSilent(client, silenceMs)
  else client.on('+node', (node: Redis) => leaveWhenSilent(node, silenceMs))
  return client
}

/** For BullMQ producers: fails fast while Redis is away. */
export function connectProducer(url: string): RedisClient {
  const client = connect(url, {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    commandTimeout: 5000,
    socketTimeout: 5000,
  })
  return runWhenFull(client)
}

/**
 * For BullMQ workers, which wait for Redis to come back. They block for at most ten seconds, so a longer silence is a connection
 * that stands and is dead; without the limit a worker waits on it for ever.
 */
export function connectWorker(url: string, silenceMs = 15_000): RedisClient {
  return runWhenFull(connect(url, { maxRetriesPerRequest: null, socketTimeout: silenceMs }))
}

/**
 * BullMQ's scripts then run also while Redis is at its `maxmemory`, as the kernel's do (`units.ts`): hints lead to the work that makes
 * room, and there are few of them for each piece of work.
 */
function runWhenFull(client: RedisClient): RedisClient {
  const define = client.defineCommand.bind(client)
  client.defineCommand = (name, { lua, ...definition }) =>
    define(name, { ...definition, lua: `#!lua flags=allow-oom\n${lua}` })
  return client
}

/** For pub/sub, which resubscribes by itself. It asks for a sign of life now and then, for it sends nothing else. */
export function connectSubscriber(url: string, heartbeatMs = 10_000): RedisClient {
  const client = connect(url, { maxRetriesPerRequest: null, socketTimeout: heartbeatMs })
  const timer = setInterval(() => {
    if (client.status === 'ready') client.ping().catch(() => {})
  }, heartbeatMs)
  timer.unref()
  client.once('end', () => clearInterval(timer))
  return client
}

type Use = {
  readonly maxRetriesPerRequest: number | null
  readonly autoResendUnfulfilledCommands?: boolean
  readonly commandTimeout?: number
  readonly socketTimeout?: number
  readonly enableAutoPipelining?: boolean
  readonly enableOfflineQueue?: boolean
}

function connect(url: string, use: Use): RedisClient {
  const client = open(url, {
    ...use,
    retryStrategy,
    reconnectOnError: leaveReplica,
    keepAlive: 10_000,
    connectTimeout: 5000,
  })
  // Every failed command rejects on its own; without a listener a lost connection would end the process.
  client.on('error', () => {})
  return client
}

type Options = Use & {
  readonly retryStrategy: (times: number) => number
  readonly reconnectOnError: (error: Error) => 1 | false
  readonly keepAlive: number
  readonly connectTimeout: number
}

function open(url: string, options: Options): RedisClient {
  const group = findRedisGroup(url)
  if (group) return openGroup(group, options)
  if (url.startsWith('unix://')) {
    const { pathname, searchParams } = new URL(url)
    const password = searchParams.get('password')
    return new BatchingRedis({
      ...options,
      enableAutoPipelining: false,
      path: decodeURIComponent(pathname),
      ...(password ? { password } : {}),
    })
  }
  return new BatchingRedis(url, { ...options, enableAutoPipelining: false })
}

function openGroup({ kind, nodes, tls, name, username, password }: RedisGroup, options: Options): RedisClient {
  const access = { ...(username ? { username } : {}), ...(password ? { password } : {}) }
  const secure = tls ? { tls: {} } : {}
  if (kind === 'cluster') {
    const { enableAutoPipelining = false, enableOfflineQueue = true, retryStrategy: again, ...rest } = options
    const redisOptions = { ...rest, ...access, ...secure }
    return new Cluster([...nodes], {
      redisOptions,
      clusterRetryStrategy: again,
      enableAutoPipelining,
      enableOfflineQueue,
    })
  }
  const sentinels = {
    ...(username ? { sentinelUsername: username } : {}),
    ...(password ? { sentinelPassword: password } : {}),
    ...(tls ? { enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
    sentinelRetryStrategy: options.retryStrategy,
  }
  return new BatchingRedis({
    ...options,
    ...access,
    ...secure,
    ...sentinels,
    enableAutoPipelining: false,
    sentinels: [...nodes],
    name,
  })
}
