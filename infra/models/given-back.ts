// What an endpoint sends with the calls of its model and wants back with them: thoughts, signatures, whatever it calls them, on the message or on the call.
// It is the endpoint's own: nobody reads it, nothing shows it, and it goes back to the same model only. It travels as one text with the first call. Pure.
import type { ToolCall } from '#shared/model/model-port.ts'
import type { Dialect } from './dialects.ts'
import { isObject, parseJson, toList, toObject, type Fields } from '#shared/json.ts'

export type GivenBack = { readonly model: string; readonly message: Fields; readonly calls: readonly Fields[] }

/** UTF-16 units of the text. A thought that is longer loses its end; a signature would be of no use then, and is left out. */
const mostUnits = 24_000
const mostThoughtUnits = 16_000

/** Undefined where nothing came with the calls. */
export function packGivenBack({ model, message, calls }: GivenBack): string | undefined {
  if (Object.keys(message).length === 0 && calls.every((one) => Object.keys(one).length === 0)) return undefined
  const short = Object.fromEntries(
    Object.entries(message).map(([key, value]) => [
      key,
      typeof value === 'string' ? value.slice(0, mostThoughtUnits).toWellFormed() : value,
    ]),
  )
  for (const kept of [short, onlyTexts(short)]) {
    const packed = JSON.stringify({ model, message: kept, calls })
    if (packed.length <= mostUnits) return packed
  }
  return undefined
}

const onlyTexts = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string'))

/** For the message with these calls; nothing where it came from another model. */
export function unpackGivenBack(
  calls: readonly ToolCall[],
  model: string,
  { givesBack }: Pick<Dialect, 'givesBack'>,
): Omit<GivenBack, 'model'> {
  const kept = givesBack === 'never' ? undefined : readPacked(calls[0]?.opaque, model)
  if (givesBack !== 'always') return kept ?? { message: {}, calls: [] }
  // Endpoints that insist take these for what is not known any more.
  const message = { reasoning_content: '', ...kept?.message }
  return { message, calls: calls.map((_, i) => ({ ...unsigned, ...kept?.calls[i] })) }
}

/** By Google's documentation: for calls that another model made. */
const unsigned = { extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } } }

function readPacked(packed: string | undefined, model: string): Omit<GivenBack, 'model'> | undefined {
  const read = packed === undefined ? undefined : toObject(parseJson(packed))
  if (read?.['model'] !== model) return undefined
  return { message: toObject(read['message']) ?? {}, calls: toList(read['calls']).filter(isObject) }
}
