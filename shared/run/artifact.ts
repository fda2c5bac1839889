// A text kept whole beside a conversation while its history holds a part of it: what a tool found, what a person wrote at length, what was
// said before it was summarised, or what a task works with (`work`).
import { z } from 'zod'
import { principalId } from '#shared/chat/conversation.ts'
import { source } from '#shared/model/source.ts'
import { taint } from '#shared/model/taint.ts'

/** So many bytes of UTF-8 are kept of a text. */
export const mostArtifactBytes = 262_144

export const artifactName = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,79}$/)

export const artifactHead = z.object({
  v: z.literal(1),
  /** Unique in its conversation: what is kept under the same name takes its place. */
  name: artifactName,
  /** Platform ids of the messages whose texts are in it: it goes when one of them is forgotten. */
  about: z.array(z.string()).max(200),
  kind: z.enum(['result', 'message', 'history', 'work']),
  /** Whose words it is; `person` are those of `by`, whom the turn served that kept it. */
  source,
  by: principalId.exactOptional(),
  /** What others wrote that it was made of. */
  taint: taint.exactOptional(),
  /** Who alone may read it. */
  for: principalId.exactOptional(),
  /** The session that it belongs to: it goes seven days after the end of that. */
  session: z.string().regex(/^[\w-]{1,40}$/),
})
export type ArtifactHead = Omit<z.infer<typeof artifactHead>, 'v'>

export type Artifact = ArtifactHead & { readonly text: string }

/** As it is listed: when it was written, ms in Redis' time, and how long its text is. */
export type KeptHead = ArtifactHead & { readonly at: number; readonly bytes: number }
export type KeptArtifact = KeptHead & { readonly text: string }

/** The text as far as it is kept, and whether that is a part of it. */
export function toKeptText(text: string): { readonly text: string; readonly cut: boolean } {
  const whole = text.toWellFormed()
  const bytes = Buffer.from(whole)
  if (bytes.byteLength <= mostArtifactBytes) return { text: whole, cut: false }
  let end = mostArtifactBytes
  // Not within a sign of several bytes.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return { text: bytes.toString('utf8', 0, end), cut: true }
}
