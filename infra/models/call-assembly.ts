// Puts the calls of a reply together from their pieces, however an endpoint numbers, names and repeats them.
import type { ToolCall } from '#shared/model/model-port.ts'
import type { ToolDelta } from './chat-chunk.ts'
import { createGrowingJson, type GrowingJson } from './growing-json.ts'
import { createFields, type GrowingFields } from './growing-fields.ts'
import { parseJson, type Fields } from '#shared/json.ts'

export type CallAssembly = {
  add(delta: ToolDelta): void
  count(): number
  /** Whether each has a name and arguments that are whole. */
  areWhole(): boolean
  /** In order. Of a reply that was cut those that are whole. */
  toCalls(isCut: boolean): ToolCall[]
  /** What else stood on each, in the same order. */
  fields(): readonly Fields[]
}

type GrowingCall = {
  readonly index: number
  id: string
  name: string
  arguments: GrowingJson
  readonly fields: GrowingFields
}

const maxToolCalls = 64

/** `fit`: what of a piece there is room for. */
export function createCallAssembly(fit: (piece: string) => string): CallAssembly {
  const calls: GrowingCall[] = []
  const growing = new Map<number, GrowingCall>()
  const ordered = (): GrowingCall[] => calls.toSorted((one, other) => one.index - other.index)

  return {
    add(delta) {
      // Some endpoints send no index: then a new id begins a call, and what has none continues the last.
      const isKnown = delta.id !== undefined && delta.id !== '' && calls.at(-1)?.id === delta.id
      const next = delta.id && !isKnown ? calls.length : Math.max(0, calls.length - 1)
      const index = delta.index ?? next
      let call = growing.get(index)
      if (!call || isAnother(call, delta)) {
        if (calls.length >= maxToolCalls) return
        call = { index, id: '', name: '', arguments: createGrowingJson(), fields: createFields() }
        calls.push(call)
        growing.set(index, call)
      }
      if (delta.id) call.id = delta.id
      call.name = addName(call.name, fit(delta.name ?? ''))
      addArguments(call, fit(delta.arguments ?? ''))
      call.fields.add(delta.fields)
    },
    count: () => calls.length,
    areWhole: () =>
      calls.every(({ name, arguments: given }) => name !== '' && (given.text() === '' || isJson(given.text()))),
    toCalls(isCut) {
      const all = ordered()
      const ids = toIds(all.map(({ index, id }) => ({ given: id, made: `call_${index}` })))
      const made = all.map(({ id, name, arguments: given }, i) => ({
        id: ids[i] ?? id,
        name,
        arguments: given.text(),
      }))
      const whole = isCut ? made.filter((call) => isJson(call.arguments)) : made
      return whole.map((call) => ({ ...call, arguments: toArguments(call.arguments) }))
    },
    fields: () => ordered().map(({ fields }) => fields.read()),
  }
}

/** Ollama has numbered every call of an answer 0: what begins with a name after another's end is a call of its own. */
function isAnother(call: GrowingCall, { id, name }: ToolDelta): boolean {
  if (!name || call.name === '') return false
  return id && call.id ? id !== call.id : call.arguments.isWhole()
}

/** A piece that is whole after what was whole takes its place, and so does one that begins with all that there is: some send it all each time. */
function addArguments(call: GrowingCall, piece: string): void {
  const known = call.arguments.text()
  const isWhole = known !== '' && call.arguments.isWhole() && piece.trimStart().startsWith('{')
  if (isWhole || (known.length > 2 && piece.length > known.length && piece.startsWith(known)))
    call.arguments = createGrowingJson()
  else if (call.arguments.isWhole() && piece === known) return
  call.arguments.add(piece)
}

/** Some endpoints repeat the name with each piece, or all of it that has come so far. */
function addName(known: string, piece: string): string {
  if (piece === known) return known
  return known.length > 2 && piece.startsWith(known) ? piece : known + piece
}

/** A tool without parameters is called with nothing by some, or with null; others write the arguments as a text within a text. */
function toArguments(given: string): string {
  const read = given.trim() === '' ? null : parseJson(given)
  if (read === null) return '{}'
  const inner = typeof read === 'string' ? parseJson(read) : undefined
  return typeof inner === 'object' && inner !== null && typeof read === 'string' ? read : given
}

/** Ids become part of what the fleet stores: one that is missing, strange, too long or there before is made anew. */
function toIds(calls: readonly { readonly given: string; readonly made: string }[]): string[] {
  const taken = new Set<string>()
  return calls.map(({ given, made }) => {
    let id = /^[\w.:-]{1,64}$/.test(given) && !taken.has(given) ? given : made
    while (taken.has(id)) id += '_'
    taken.add(id)
    return id
  })
}

const isJson = (text: string): boolean => parseJson(text) !== undefined
