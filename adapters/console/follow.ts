// Shows a conversation: first the messages that there are, then each as it comes. It reads again where the store was away.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Draft } from '#shared/run/draft.ts'
import type { OutItem } from '#queues/shown/shown.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { followOut } from '#queues/workers/follow-out.ts'
import type { Live } from '#queues/workers/live.ts'
import { toPosition } from '#queues/shown/out-position.ts'
import type { Screen } from './screen.ts'

export type FollowDeps = {
  readonly kernel: Pick<Kernel, 'readOut' | 'readOutBefore' | 'findDraft'>
  readonly live: Pick<Live, 'listen'>
  readonly screen: Screen
  /** Shows the earlier messages, and how far a plan is. */
  readonly terminal: boolean
  show(item: OutItem): void
  tell(word: 'earlier' | 'hello'): void
  onStore(state: 'away' | 'back'): void
  /** The earlier messages stand on the screen. */
  onBegun(): void
}

const readAgainAfterMs = 1000
/** Of what was said before, so much is shown at the start. */
const earlierItems = 12

/** Until the signal. Rejects when what was said before cannot be read. */
export async function follow(deps: FollowDeps, conversation: string, signal: AbortSignal): Promise<void> {
  let position = await begin(deps, conversation)
  deps.onBegun()
  while (!signal.aborted) {
    const onItem = async (item: OutItem): Promise<void> => {
      deps.onStore('back')
      deps.show(item)
      position = toPosition(item)
    }
    const onDraft = async ({ turn, text, plan }: Pick<Draft, 'turn' | 'text' | 'plan'>): Promise<void> => {
      if (plan && deps.terminal) deps.screen.progress(plan.text)
      deps.screen.draft({ turn, text })
    }
    const following = followOut(deps, { conversation, position, onItem, onDraft }, signal)
    await following.catch(() => deps.onStore('away'))
    await sleep(readAgainAfterMs, undefined, { signal }).catch(() => {})
  }
}

/** On a terminal, what was said before; resolves with the position after it. */
async function begin({ kernel, terminal, show, tell }: FollowDeps, conversation: string): Promise<string> {
  const earlier = await kernel.readOutBefore(conversation, '0', earlierItems)
  if (terminal) {
    for (const item of earlier) show(item)
    if (earlier.length > 0) tell('earlier')
    tell('hello')
  }
  const last = earlier.at(-1)
  return last ? toPosition(last) : '0'
}
