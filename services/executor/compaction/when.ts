// When a session is summed up. Off the way of replies as a rule: a turn that ends with a long history arms a timer, and whoever works on the
// conversation then does it, unless somebody speaks meanwhile. A turn that begins with a history that no longer fits does it first.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import { joinCaused, type Caused, type QueuedEvent } from '#shared/run/step.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { isReadCommand } from '#services/executor/run/read-command.ts'
import { finish, type Served, type Serving } from '#services/executor/step/serving.ts'
import { compactTimer } from '#services/executor/state/features.ts'
import { watchQuiet } from '#services/executor/step/hold-back.ts'
import type { ConversationState } from '#services/executor/state/state.ts'
import { toWorkId } from '#services/executor/run/work-id.ts'
import { compact, type Compacted } from './compact.ts'

/** What somebody says right after an answer comes first. Each time that it was broken off it waits eight times as long: what was asked is paid. */
const quietMs = 1500
const toQuietMs = (brokenOff: number): number => quietMs * 8 ** Math.min(brokenOff, 4)
/** A turn waits so long at most. */
const mostInWayMs = 30_000
/** It takes up a place among those that an executor serves. */
const mostLaterMs = 60_000

type Ended = { readonly state: ConversationState; readonly caused: Caused }

/** Arms it with the step that ends a turn, where there is something to be summed up. */
export function withCompactionTimer(
  { conversation }: Pick<Claim, 'conversation'>,
  { state, caused }: Ended,
  { principal, step }: { readonly principal: PrincipalId; readonly step: string },
): Ended {
  if (!state.crowded) return { state, caused }
  const whose = { v: 1, kind: 'timer', id: `${step}-compact`, conversation, principal } as const
  const timer = {
    name: compactTimer,
    inMs: toQuietMs(state.hurried ?? 0),
    event: { ...whose, timer: compactTimer, payload: '' },
  }
  return { state, caused: joinCaused(caused, { timers: [timer] }) }
}

export const isCompaction = (event: ChatEvent): boolean => event.kind === 'timer' && event.timer === compactTimer

/** Done with the timer, whether or not somebody came before it was through: the turn of that one arms it again. */
export async function compactLater(
  serving: Serving,
  item: QueuedEvent,
  signal: AbortSignal,
): Promise<Served | undefined> {
  const { deps, mailbox } = serving
  const work = toWorkId('e', item)
  const { principal } = item.event
  const ending = new AbortController()
  const end = (): void => ending.abort()
  const isWanted = (): boolean => mailbox.waitingBeside([item.seq]).some((other) => !isReadCommand(deps, other))
  const forget = mailbox.onNews(() => isWanted() && end())
  const quiet = await watchQuiet(deps, end)
  const limit = AbortSignal.any([signal, ending.signal, AbortSignal.timeout(mostLaterMs)])
  serving.setBusy({ principal, sinceMs: deps.now() })
  const whose = { work, principal, budget: 'compaction' } as const
  const done = await (isWanted() ? Promise.resolve(undefined) : compact(deps, serving, whose, limit)).finally(() => {
    serving.setBusy(undefined)
    forget()
    quiet.close()
  })
  if (signal.aborted) return 'LEFT'
  if (done) serving.keep(done.state)
  else if (ending.signal.aborted) serving.keep({ ...serving.state, hurried: (serving.state.hurried ?? 0) + 1 })
  const { records = [], artifacts = [] }: Partial<Compacted> = done ?? {}
  return await finish(serving, {
    ...joinCaused({ records }, {}),
    artifacts,
    key: work,
    what: 'compacted',
    seqs: [item.seq],
  })
}

/** Before a turn that would not fit. Never throws but for a store that is away. */
export async function compactFirst(
  deps: ExecutorDeps,
  claim: Claim,
  whose: { readonly work: string; readonly principal: PrincipalId },
  signal: AbortSignal,
): Promise<Compacted | undefined> {
  if (claim.state.crowded !== 'hard') return undefined
  return await compact(deps, claim, { ...whose, until: AbortSignal.timeout(mostInWayMs) }, signal)
}
