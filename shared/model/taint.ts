// What others wrote that a turn has read. It may be meant to lead the model astray, so it narrows what the model may do to the world, and it
// goes on with everything that the turn leaves behind: its answer, timers, letters and questions.
import { z } from 'zod'

/** Where words of others come from, each in a few words, such as `another member` or the name of a tool. Nobody else's when it is empty. */
export type Taint = readonly string[]

/** What a group's member wrote, to the others. */
export const anotherMember = 'another member'

const mostOrigins = 8
export const taint = z.array(z.string().max(100)).max(mostOrigins)

/** All of them, each once; what is beyond the bound is left out, since one is as good as many. */
export const joinTaint = (...all: readonly (Taint | undefined)[]): Taint =>
  all.every((one) => !one?.length) ? none : [...new Set(all.flatMap((one) => one ?? []))].slice(0, mostOrigins)
const none: Taint = []

/** As a field of what is stored: nothing when there is none, as nearly always. */
export const toTainted = (found: Taint | undefined): { readonly taint?: string[] } =>
  found?.length ? { taint: [...found] } : {}
