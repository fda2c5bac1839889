// An artifact as the unit `append` takes it.
import { BotError } from '#shared/errors.ts'
import { artifactHead, mostArtifactBytes, type Artifact } from '#shared/run/artifact.ts'

/** Its name, its session, what is known of it, and its text. Throws BotError `internal` for one that could not be read again, or is too long. */
export function toArtifactArgs({ text, ...head }: Artifact): readonly [string, string, string, string] {
  const { v, name, about, ...rest } = { v: 1, ...head } as const
  // What it is about stands first: units look for that.
  const read = artifactHead.safeParse({ v, name, about: [...about], ...rest })
  if (!read.success) throw new BotError('internal', `The artifact "${name.slice(0, 80)}" could not be read again.`)
  if (Buffer.byteLength(text) > mostArtifactBytes)
    throw new BotError('internal', `The artifact ${name} has more than ${mostArtifactBytes} bytes.`)
  return [name, head.session, JSON.stringify(read.data), text.toWellFormed()]
}
