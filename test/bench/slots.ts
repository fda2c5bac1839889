// `slots`: on a cluster of six nodes, how the commands of a flood are spread over the slots. Each node tells what it does (MONITOR), commands
// within scripts too; every key of ours names its slot by a hash tag.
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectKernel, connectProducer } from '#queues/connection.ts'
import { createHints } from '#queues/jobs/hints.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { partitionPrefix, partitions } from '#queues/partition.ts'
import { createUnits } from '#queues/units.ts'
import { prepareEvent, storeEvent } from '#queues/workers/ingest-event.ts'
import { message } from '#test/rig/events.ts'
import { startCluster, type PrivateCluster } from '#test/rig/redis-cluster.ts'
import { round } from './figures.ts'
import type { Place } from './place.ts'

const nodes = 6
const shards = 16
const atOnce = 100
const dearest = 10

export async function measureSlots(place: Place, { conversations }: { readonly conversations: number }) {
  await using cluster = await startCluster(nodes)
  const env = { REDIS_URL: cluster.url, FLOTILLA_QUEUE_SHARDS: String(shards) }
  const workers = await Promise.all(
    ['router', 'router', 'executor', 'executor'].map((role) => place.startFleet([role], env)),
  )
  const redis = connectKernel(cluster.url)
  const units = createUnits(redis, { patienceMs: 30_000 })
  const producer = connectProducer(cluster.url)
  const deps = { kernel: createRedisKernel(redis, units), hints: createHints(producer, Date.now, shards) }
  const names = (label: string, count: number): string[] => Array.from({ length: count }, (_, n) => `web:${label}${n}`)
  const flood = async (all: readonly string[]): Promise<void> => {
    let next = 0
    const send = async (): Promise<void> => {
      for (let conversation = all[next++]; conversation !== undefined; conversation = all[next++]) {
        const event = message({
          id: conversation,
          conversation,
          principal: conversation,
          at: Date.now(),
          text: question,
        })
        await storeEvent(deps, await prepareEvent({}, event, { dedupeKey: conversation }))
      }
    }
    await Promise.all(Array.from({ length: atOnce }, send))
    const waits = (): Promise<number[]> =>
      Promise.all(Array.from({ length: partitions }, (_, at) => redis.zcard(`${partitionPrefix(at)}wake`)))
    while ((await waits()).some((count) => count > 0)) await sleep(500)
  }
  try {
    await flood(names('warm', conversations / 10))
    const watch = await watchNodes(cluster)
    await flood(names('slots', conversations))
    const tags = await watch.stop()
    return { conversations, ...toShares(tags, conversations) }
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
    await deps.hints.close()
    for (const client of [redis, producer]) client.disconnect()
  }
}

const question = 'What is the state of the order in the north store?'

const isPartition = (tag: string): boolean => /^p\d\d$/.test(tag)
/** Of what there is more the larger the fleet is. */
const isSpread = (tag: string): boolean =>
  isPartition(tag) || /^(?:inbound|execute|outbound-|process-|person-)/.test(tag)

function toShares(tags: ReadonlyMap<string, number>, messages: number) {
  const all = [...tags.values()].reduce((sum, count) => sum + count, 0)
  const sorted = [...tags].toSorted(([, a], [, b]) => b - a)
  const share = (count: number): number => round(count / all)
  const outside = sorted.filter(([tag]) => !isPartition(tag)).reduce((sum, [, count]) => sum + count, 0)
  const toObject = (some: readonly (readonly [string, number])[]) =>
    Object.fromEntries(some.map(([tag, count]) => [tag, share(count)]))
  return {
    maxShare: share(sorted[0]?.[1] ?? 0),
    commandsPerMessage: round(all / messages),
    outsideOfPartitions: share(outside),
    dearest: toObject(sorted.slice(0, dearest)),
    fleetWide: toObject(sorted.filter(([tag]) => !isSpread(tag)).slice(0, dearest)),
  }
}

/** Counts the commands of all nodes by the hash tag of their first key; what has none is left out. */
async function watchNodes(cluster: PrivateCluster): Promise<{ stop(): Promise<ReadonlyMap<string, number>> }> {
  const counts = new Map<string, number>()
  const sockets = await Promise.all(
    cluster.nodes.map(({ port }) => monitor(port, (tag) => void counts.set(tag, (counts.get(tag) ?? 0) + 1))),
  )
  return {
    async stop() {
      // What is under way still arrives.
      await sleep(1000)
      for (const socket of sockets) socket.destroy()
      return counts
    },
  }
}

async function monitor(port: number, count: (tag: string) => void): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write('MONITOR\r\n')
  await once(socket, 'data')
  let rest = ''
  socket.on('data', (bytes) => {
    const lines = (rest + bytes.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      // A script's own line has the keys too, but only what it does counts.
      if (/^\+[\d.]+ \[[^\]]*\] "(?:evalsha|eval)"/i.test(line)) continue
      const tag = /"[\w:.-]*\{([^}"]+)\}/.exec(line)?.[1]
      if (tag !== undefined) count(tag)
    }
  })
  return socket
}
