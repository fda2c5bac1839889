// Finds the marks of a template in a text that still comes: of thoughts, of calls, and ornaments.
import { callOpenings, ornaments, thoughtMarks, type ThoughtMark } from './markup.ts'

export type Mark =
  | { readonly kind: 'thought'; readonly text: string; readonly mark: ThoughtMark }
  | { readonly kind: 'closing' | 'call' | 'ornament'; readonly text: string }

const marks: readonly Mark[] = [
  ...thoughtMarks.flatMap((mark): Mark[] => [
    { kind: 'thought', text: mark.opens, mark },
    ...(mark.isWord ? [] : [{ kind: 'closing' as const, text: mark.closes }]),
  ]),
  ...callOpenings.map((text): Mark => ({ kind: 'call', text })),
  ...ornaments.map((text): Mark => ({ kind: 'ornament', text })),
]
/** All marks by their signs, one after the other: a place of the text is looked at once for all of them. */
type Branch = { readonly next: Map<string, Branch>; mark?: Mark }
const root: Branch = { next: new Map() }
for (const mark of marks) {
  let branch = root
  for (const sign of mark.text.split('')) {
    const next = branch.next.get(sign) ?? { next: new Map() }
    branch.next.set(sign, next)
    branch = next
  }
  branch.mark ??= mark
}
/** The signs of the longest mark. */
export const longest = Math.max(...marks.map(({ text }) => text.length))
/** A call as bare JSON, or in a block of code that is the whole answer. */
const jsonCall =
  /^(?:```(?:json|xml)?\s{0,4})?(?:\[\s{0,4})?\{\s{0,8}["'](?:name|tool|tool_name|function|action|type|tool_calls?)["']\s{0,4}:/
const jsonBegins = /^(?:`{1,3}\w{0,12}\s{0,4})?(?:\[\s{0,4})?(?:\{\s{0,8}(?:["']\w{0,16}(?:["']\s{0,4})?)?)?$/
const jsonHead = 48

/** What stands at a place of the text. `unsure`: more has to come before that is known. */
export type Found = Mark | { readonly kind: 'unsure' | 'sign'; readonly text: '' }
export const sign: Found = { kind: 'sign', text: '' }
export const unsure: Found = { kind: 'unsure', text: '' }

/** The longest mark that begins there: some begin like others. */
export function findMark(text: string, from: number): Found {
  let found: Found = sign
  let branch = root
  for (let at = from; ; at++) {
    const next = branch.next.get(text.charAt(at))
    if (!next) return at < text.length || branch.next.size === 0 ? found : unsure
    found = next.mark ?? found
    branch = next
  }
}

/** A call as JSON at the beginning of a line; in a block of code only where nothing was said before, or where the block names itself so. */
export function findJson(text: string, at: number, hasSaid: boolean): Found {
  const first = text.charAt(at)
  if (first !== '{' && first !== '[' && first !== '`') return sign
  const ahead = text.slice(at, at + jsonHead)
  if (callBlock.test(ahead)) return call
  if (hasSaid && first === '`') return ahead.length < 16 && callBlockBegins.test(ahead) ? unsure : sign
  if (jsonCall.test(ahead)) return call
  return ahead.length < jsonHead && jsonBegins.test(ahead) ? unsure : sign
}

/** A call as Python at the beginning of a line, of a tool that is known: in a list, or where nothing was said before. */
export function findPython(
  text: string,
  at: number,
  { hasSaid, tools }: { hasSaid: boolean; tools: readonly string[] },
): Found {
  if (tools.length === 0 || (hasSaid && text.charAt(at) !== '[')) return sign
  const [whole, name = '', opens] = pythonHead.exec(text.slice(at, at + pythonMost)) ?? []
  if (whole === undefined) return sign
  if (opens !== undefined) return tools.includes(name) ? call : sign
  const isEnd = at + whole.length === text.length && whole.length < pythonMost
  return isEnd && (name === '' || tools.some((tool) => tool.startsWith(name))) ? unsure : sign
}
const call: Found = { kind: 'call', text: '' }
const callBlock = /^`{3,4}(?:tool_c(?:ode|alls?)|function_calls?)\s/
const callBlockBegins = /^`{1,4}(?:[tf][a-z_]{0,14})?$/
const pythonHead = /^(?:\[\s{0,4})?([A-Za-z_][\w-]{0,63})?(\()?/
const pythonMost = 72
