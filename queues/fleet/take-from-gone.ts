// A lease whose owner's process is gone is free, though it is still written down: it is asked for once more, instead of that owner.
import { text } from '#queues/reply.ts'
import type { Told } from './liveness.ts'

/** What is known of the process that an owner names. */
export type FindOwner = (owner: string) => Promise<Pick<Told, 'kind'>>

/** `unsure`: who holds it, where it cannot be told yet whether that process lives. */
export type Held = { readonly kind: 'HELD'; readonly unsure?: string }
type HeldBy = { readonly kind: 'HELD'; readonly holder: string }

/** Reads a unit's answer, and of `HELD` by whom. */
export const orHeldBy =
  <T>(read: (answer: readonly unknown[]) => T) =>
  (answer: readonly unknown[]): T | HeldBy =>
    answer[0] === 'HELD' ? { kind: 'HELD', holder: text(answer[1]) } : read(answer)

/** `take` is given the owner that is gone, where one is. */
export async function takeFromGone<T>(
  find: FindOwner,
  take: (gone: readonly string[]) => Promise<T | HeldBy>,
): Promise<T | Held> {
  const first = await take([])
  if (!isHeldBy(first)) return first
  const { kind } = await find(first.holder)
  if (kind === 'unknown') return { kind: 'HELD', unsure: first.holder }
  const second = kind === 'gone' ? await take([first.holder]) : first
  return isHeldBy(second) ? { kind: 'HELD' } : second
}

const isHeldBy = (answer: unknown): answer is HeldBy =>
  typeof answer === 'object' && answer !== null && 'kind' in answer && answer.kind === 'HELD' && 'holder' in answer
