// The summary that stands in prompts for what a session's history no longer holds. Pure.
import { z } from 'zod'
import { taint } from '#shared/model/taint.ts'

export const summary = z.object({
  text: z.string(),
  /** When it was made, ms. */
  at: z.number(),
  /** How many messages of people and answers it stands for. */
  count: z.number(),
  /** Short hashes of the ids of the messages that went into it, one behind another; `*` for more than that. */
  covers: z.string(),
  /** What others wrote that it was made of. */
  taint: taint.optional(),
  /** Who of a group wrote all of it: to everybody else it is another member's. */
  by: z.string().optional(),
  /** A message that it was made of is forgotten: its text is gone, and it is to be made anew of what is kept of the others. */
  lost: z.literal(true).optional(),
})
export type Summary = z.infer<typeof summary>

const hashChars = 7
const mostCovered = 1000

/** FNV-1a; among a thousand messages another one's deletion takes the summary along once in four million times. */
function toHash(id: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193) >>> 0
  return hash.toString(36).padStart(hashChars, '0')
}

/** With what was covered before. */
export function toCovers(before: string, ids: readonly string[]): string {
  if (before === '*') return before
  const all = before + ids.map(toHash).join('')
  return all.length > mostCovered * hashChars ? '*' : all
}

export function covers({ covers: all }: Summary, id: string): boolean {
  if (all === '*') return true
  const hash = toHash(id)
  for (let at = 0; at < all.length; at += hashChars) if (all.startsWith(hash, at)) return true
  return false
}

/** Without anything of this message; the same summary where nothing of it is in it. */
export const withoutCovered = (one: Summary, id: string): Summary =>
  one.lost || !covers(one, id) ? one : { ...one, text: '', lost: true }
