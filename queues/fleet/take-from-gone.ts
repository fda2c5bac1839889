// A lease whose owner's process is gone is free, though it is still written down: it is asked for once more, instead of that owner.
import { text } from '#queues/reply.ts'

/** Whether the process of an owner is gone. */
export type IsGone = (owner: string) => Promise<boolean>

type HeldBy = { readonly kind: 'HELD'; readonly holder: string }
type Held = { readonly kind: 'HELD' }

/** Reads a unit's answer, and of `HELD` by whom. */
export const orHeldBy =
  <T>(read: (answer: readonly unknown[]) => T) =>
  (answer: readonly unknown[]): T | HeldBy =>
    answer[0] === 'HELD' ? { kind: 'HELD', holder: text(answer[1]) } : read(answer)

/** `take` is given the owner that is gone, where one is. */
export async function takeFromGone<T>(
  isGone: IsGone,
  take: (gone: readonly string[]) => Promise<T | HeldBy>,
): Promise<T | Held> {
  const first = await take([])
  if (!isHeldBy(first)) return first
  const second = (await isGone(first.holder)) ? await take([first.holder]) : first
  return isHeldBy(second) ? { kind: 'HELD' } : second
}

const isHeldBy = (answer: unknown): answer is HeldBy =>
  typeof answer === 'object' && answer !== null && 'kind' in answer && answer.kind === 'HELD' && 'holder' in answer
