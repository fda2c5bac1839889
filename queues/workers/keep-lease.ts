// A run's lease, which lives as long as its process, looked after while the run lasts.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Stops } from '#shared/run/step.ts'
import type { Liveness } from '#queues/fleet/liveness.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import type { Signals } from '#queues/fleet/signals.ts'

export type KeepDeps = {
  readonly kernel: Pick<Kernel, 'renew'>
  readonly signals: Pick<Signals, 'tell'>
  readonly liveness: Pick<Liveness, 'leaseMs' | 'watch' | 'noteLost'>
}

type Held = { readonly conversation: ConversationId; readonly owner: string; readonly stops: Stops }

/**
 * Looks after the lease when this process may have counted as gone, and now and then, as a lease is not kept for ever. A stop that came
 * meanwhile is told again, for its signal may have been lost.
 */
export function keepLease(deps: KeepDeps, { conversation, owner, stops }: Held, onLost: () => void): { stop(): void } {
  const { liveness, kernel, signals } = deps
  let known = JSON.stringify(stops)
  let stopped = false
  let asking = false
  const renew = async (): Promise<void> => {
    // A kernel call repeats itself while Redis is away: a second one beside it would only wait too.
    if (asking) return
    asking = true
    const answer = await kernel.renew(conversation, owner, liveness.leaseMs).catch(() => undefined)
    asking = false
    if (stopped || answer === undefined) return
    if (answer.kind === 'LOST') {
      liveness.noteLost()
      return onLost()
    }
    const told = JSON.stringify(answer.stops)
    if (told !== known) signals.tell(conversation)
    known = told
  }
  const look = (): void => {
    // Whoever cannot tell whether it is held does not go on.
    renew().catch(onLost)
  }
  const unwatch = liveness.watch((what) => (what === 'silent' ? onLost() : look()))
  const timer = setInterval(look, liveness.leaseMs / 3)
  return {
    stop() {
      stopped = true
      unwatch()
      clearInterval(timer)
    },
  }
}
