// The kernel of a process and the way into it: what people do is taken in, letters are carried, and leases are given back.
import type { Log } from '#infra/log/log.ts'
import { createDiskSync } from '#queues/disk-sync.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { createCarrier, type Carry } from '#queues/workers/carry-letters.ts'
import { createGiveBack, type GiveBack } from '#queues/workers/give-back.ts'
import { createIngest, type Ingest } from '#queues/workers/ingest.ts'
import { createLastSeconds } from '#queues/workers/last-seconds.ts'
import { createResolve } from '#queues/workers/resolve-press.ts'
import { toChat } from '#shared/chat/conversation.ts'
import type { Connections } from './open-connections.ts'
import type { HintWays } from './open-hints.ts'
import type { News } from './open-news.ts'
import type { Stores } from './open-stores.ts'
import { onceAMinute } from './part.ts'

/** For leases that are still to be given back when the process stops. */
const leasesGraceMs = 500

export type KernelWays = {
  readonly kernel: Kernel
  /** Fails fast while Redis is away, so that a platform redelivers; presses have the rights of who presses. */
  readonly ingestKernel: Kernel
  /** The way in for what people do, on `ingestKernel`. */
  readonly ingest: Ingest
  /** Before what must not be made twice (`DiskSync`). */
  readonly settled: () => Promise<void>
  /** For leases whose end Redis did not hear of. */
  readonly giveBack: GiveBack
  /** Carries the letters of a partition, in the background. */
  readonly carry: Carry
}

/** `stop` ends what it does in the background, while others of the process still live; `end` what is left. */
export type OpenKernel = { readonly ways: KernelWays; stop(): Promise<void>; end(): void }

type KernelDeps = Connections & News & Stores & HintWays & { readonly log: Log }

export function openKernel(deps: KernelDeps, onTrouble: (text: string, error?: unknown) => void): OpenKernel {
  const { redis, redisUrl, call, liveness, hints } = deps
  const kernel = createRedisKernel(redis, call, liveness.find)
  const disk = createDiskSync(redisUrl)
  const lastSeconds = createLastSeconds(redis)
  const leases = createGiveBack(kernel)
  const carrier = createCarrier({ kernel, hints, lastSeconds, onTrouble })
  const ingestKernel = toIngestKernel(deps)
  const ingest = createIngest({
    kernel: ingestKernel,
    hints,
    lastSeconds,
    learn: deps.people.learn,
    synced: disk.synced,
    ...toWatch(deps),
  })
  return {
    ways: { kernel, ingestKernel, ingest, settled: disk.settled, giveBack: leases.giveBack, carry: carrier.carry },
    async stop() {
      await carrier.stop()
      await leases.stop(leasesGraceMs)
    },
    end: () => disk.close(),
  }
}

function toIngestKernel({ redis, ingestCall, liveness, access, log }: KernelDeps): Kernel {
  const kernel = createRedisKernel(redis, ingestCall, liveness.find)
  const resolve = createResolve({ kernel, access, onRefused: (refused) => log.info(refused, 'refused a press') })
  return { ...kernel, resolve }
}

/** Whose messages come in whatever waits already, and what the operator is told of a conversation in which too much does. */
function toWatch({ access, log }: Pick<KernelDeps, 'access' | 'log'>) {
  const warn = onceAMinute((text) => log.warn(text))
  return {
    isOwner: async (principal: string, conversation: string): Promise<boolean> =>
      (await access.find(principal, toChat(conversation))).owner,
    onFull: (conversation: string): void =>
      warn(
        `Too much waits in ${conversation}: what more is said there is dropped. Is it a flood, or are executors missing?`,
      ),
  }
}
