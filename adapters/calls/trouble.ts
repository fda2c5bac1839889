// What a failed call means for the operator, in plain words with the fix.
import type { Failed, Refused } from './call-result.ts'

/** `leastMs`: how long it stays so at least. */
export type Trouble = { readonly text: string; readonly leastMs: number }

/** What is wrong until somebody acts: a wrong token, a missing intent. */
export const untilSomebodyActsMs = 60_000

export type PlatformWords<More> = {
  readonly name: string
  /** What should have answered: "its Bot API". */
  readonly api: string
  /** The reason of an answer that is somebody else's. */
  readonly oddResponse: string
  /** The setting of its address, and what to do with it. */
  readonly root: string
  readonly rightRoot: string
  /** Undefined for a refusal that the platform's own words explain. */
  ofRefusal(refused: Refused<More>): Trouble | undefined
}

export function explainBy<More>(words: PlatformWords<More>): (failed: Failed<More>) => Trouble {
  const { name, api, oddResponse, root, rightRoot } = words
  return (failed) => {
    if (failed.kind === 'slow-down') return { text: `${name} asks to slow down.`, leastMs: failed.retryAfterMs }
    if (failed.kind === 'refused')
      return words.ofRefusal(failed) ?? { text: toRefusalText(name, failed), leastMs: 5000 }
    if (failed.kind === 'unclear' && failed.reason === oddResponse) {
      const text = `${name} cannot be reached: what answers is not ${api}. If it stays so, ${rightRoot}; and see that no proxy or log-in page answers in its place.`
      return { text, leastMs: 0 }
    }
    return { text: `${name} cannot be reached (${failed.reason}). Is the network up, and ${root} right?`, leastMs: 0 }
  }
}

export function toRefusalText(
  name: string,
  { code, reason }: { readonly code: number; readonly reason: string },
): string {
  return `${name} refused: ${code} ${reason}`.trim().slice(0, 200)
}
