// A Redis Cluster for tests, without replicas: private servers, three as a rule, joined by redis-cli.
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findFreePort, startRedis, type PrivateRedis } from './redis.ts'

export type PrivateCluster = AsyncDisposable & {
  /** `cluster://host:port,…` for connections of the project. */
  readonly url: string
  readonly nodes: readonly PrivateRedis[]
  readonly stop: () => Promise<void>
}

export async function startCluster(count = 3): Promise<PrivateCluster> {
  const nodes = await Promise.all(Array.from({ length: count }, startNode))
  const stop = async (): Promise<void> => void (await Promise.all(nodes.map((node) => node.stop())))
  try {
    const hosts = nodes.map((node) => `127.0.0.1:${node.port}`)
    await promisify(execFile)('redis-cli', ['--cluster', 'create', ...hosts, '--cluster-yes'])
    for (const node of nodes) await waitUntilWhole(node, count)
    return { url: `cluster://${hosts.join(',')}`, nodes, stop, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startNode(): Promise<PrivateRedis> {
  // The cluster bus listens on a second port; the usual port + 10,000 may be out of range.
  const [port, busPort] = [await findFreePort(), await findFreePort()]
  const args = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000', '--cluster-port', String(busPort)]
  return startRedis({ port, args })
}

async function waitUntilWhole(node: PrivateRedis, count: number): Promise<void> {
  for (;;) {
    const info = await node.admin.cluster('INFO')
    if (info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${count}\r`)) return
    await sleep(50)
  }
}
