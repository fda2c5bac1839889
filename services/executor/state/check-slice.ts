// What a feature makes of its slice, read as if it came from outside, before it is kept.
import { BotError } from '#shared/errors.ts'
import type { Feature } from '#shared/feature/feature.ts'

/** A slice is read with each claim: what is larger belongs into a store of its own. */
const maxSliceChars = 16_000

/** A slice as it will be read again. Throws BotError `internal` for one that its feature could not read, or that is too large. */
export function checkSlice({ name, slice }: Pick<Feature, 'name' | 'slice'>, own: unknown): unknown {
  if (own === slice?.fresh) return own
  const text = JSON.stringify(own) ?? ''
  const read = text.length > maxSliceChars ? undefined : slice?.schema.safeParse(JSON.parse(text || 'null'))
  if (read?.success) return own
  const why = text.length > maxSliceChars ? `has more than ${maxSliceChars} characters` : 'does not fit its own schema'
  throw new BotError('internal', `The slice of the feature ${name} ${why}.`)
}
