// Takes out of a model's text, while it comes, what belongs to the form of its template: thoughts, and calls of tools. Neither is shown. What an answer says
// of such marks in code stays, and so does a mark in a sentence that nothing closes.
import { createCodeWatch } from './code-watch.ts'
import { callOpenings, ornaments, thoughtMarks, type ThoughtMark } from './markup.ts'

/** `isThought`: the calls stand in a thought that nothing closed, and no word there is for people. */
export type Rest = { readonly shown: string; readonly calls: string; readonly isThought?: true }

export type MarkupFilter = {
  /** What of the next piece may be shown. */
  take(piece: string): string
  /** At the end: what was held back and may be shown, and the text from the first mark of a call on. `isCut`: the answer is not whole. */
  rest(isCut?: boolean): Rest
  /** How often a thought ended that nothing had begun, as where the template begins it: all that was shown before is part of it. */
  thoughtsAloud(): number
}

type Mark =
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
const longest = Math.max(...marks.map(({ text }) => text.length))
/** A call as bare JSON, or in a block of code that is the whole answer. */
const jsonCall =
  /^(?:```(?:json|xml)?\s{0,4})?(?:\[\s{0,4})?\{\s{0,8}["'](?:name|tool|tool_name|function|action|type|tool_calls?)["']\s{0,4}:/
const jsonBegins = /^(?:`{1,3}\w{0,12}\s{0,4})?(?:\[\s{0,4})?(?:\{\s{0,8}(?:["']\w{0,16}(?:["']\s{0,4})?)?)?$/
const jsonHead = 48
/** So much of a mark is no word. */
const leastPart = 4
const allClosings = thoughtMarks.flatMap(({ closes, isWord }) => (isWord ? [] : [closes]))
const sentenceEnd = /[.!?…。！？>)）]/

/** What stands at a place of the text. `unsure`: more has to come before that is known. */
type Found = Mark | { readonly kind: 'unsure' | 'sign'; readonly text: '' }
const sign: Found = { kind: 'sign', text: '' }
const unsure: Found = { kind: 'unsure', text: '' }

/** The longest mark that begins there: some begin like others. */
function findMark(text: string, from: number): Found {
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
function findJson(text: string, at: number, hasSaid: boolean): Found {
  const first = text.charAt(at)
  if (first !== '{' && first !== '[' && first !== '`') return sign
  const ahead = text.slice(at, at + jsonHead)
  if (callBlock.test(ahead)) return call
  if (hasSaid && first === '`') return ahead.length < 16 && callBlockBegins.test(ahead) ? unsure : sign
  if (jsonCall.test(ahead)) return call
  return ahead.length < jsonHead && jsonBegins.test(ahead) ? unsure : sign
}

/** A call as Python at the beginning of a line, of a tool that is known: in a list, or where nothing was said before. */
function findPython(
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

/** With `beginsThinking` all is a thought until one ends; where none does, nothing was. */
/** `tools`: the names of those that may be called. */
export function createMarkupFilter({
  beginsThinking = false,
  tools = [],
}: { readonly beginsThinking?: boolean; readonly tools?: readonly string[] } = {}): MarkupFilter {
  let held = ''
  let state: 'says' | 'thinks' | 'calls' = beginsThinking ? 'thinks' : 'says'
  const calls: string[] = []
  let closings: readonly string[] = beginsThinking ? allClosings : []
  let endsBefore: readonly string[] = []
  /** A thought, piece by piece, and its last signs: its end may come in parts. */
  let thought: string[] = []
  let tail = ''
  /** Of a mark that may be a word: the answer itself, where nothing follows. */
  let wordThought = ''
  let isWordThought = false
  /** Whether the thought is all that there is so far. */
  let beganWith = beginsThinking
  let aloud = 0
  let code = createCodeWatch()
  let hasSaid = false
  let lastSign = ''

  function find(at: number): Found {
    if (code.isInCode()) return sign
    const json = code.isAtLineStart() ? findJson(held, at, hasSaid) : sign
    const python = json.kind === 'sign' && code.isAtLineStart() ? findPython(held, at, { hasSaid, tools }) : json
    const found = python.kind === 'sign' ? findMark(held, at) : python
    if (found.kind === 'thought') return opensHere(found.mark) ? found : sign
    if (found.kind !== 'closing' || code.isAtLineStart()) return found
    // Within a line it is spoken of, unless the line ends with it.
    const next = held.charAt(at + found.text.length)
    return next === '' ? unsure : next === '\n' ? found : sign
  }

  /** At the beginning of a line, or behind a sentence; a word only at the beginning of all. */
  function opensHere({ isWord }: ThoughtMark): boolean {
    if (isWord === true) return !hasSaid
    return code.isAtLineStart() || sentenceEnd.test(lastSign)
  }

  function say(one: string): string {
    code.note(one)
    hasSaid ||= one.trim() !== ''
    if (one.trim() !== '') lastSign = one
    return one
  }

  /** Adds to the thought; where it ends, what follows is held. */
  function think(piece: string): boolean {
    const ahead = tail + piece
    let end: { readonly at: number; readonly length: number } | undefined
    for (const mark of endsBefore) {
      const at = ahead.indexOf(mark)
      if (at >= 0 && (!end || at < end.at)) end = { at, length: 0 }
    }
    for (const closes of closings) {
      const at = ahead.indexOf(closes)
      if (at >= 0 && (!end || at < end.at)) end = { at, length: closes.length }
    }
    if (!end) {
      thought.push(piece)
      tail = ahead.slice(-longest)
      return false
    }
    held = ahead.slice(end.at + end.length)
    if (closings === allClosings) aloud += 1
    if (isWordThought)
      wordThought += `${thought.join('')}${piece.slice(0, Math.max(0, end.at + end.length - tail.length))}`
    thought = []
    tail = ''
    state = 'says'
    return true
  }

  function letThrough(): string {
    let said = ''
    let at = 0
    while (at < held.length) {
      // What follows a thought, or a mark at the beginning, begins with a word.
      if (!hasSaid && /\s/.test(held.charAt(at)) && (aloud > 0 || beganWith)) {
        at += 1
        continue
      }
      const found = find(at)
      if (found.kind === 'unsure') break
      if (found.kind === 'call') {
        state = 'calls'
        calls.push(held.slice(at))
        held = ''
        return said
      }
      if (found.kind === 'sign') {
        said += say(held.charAt(at))
        at += 1
        continue
      }
      if (found.kind === 'thought') {
        const piece = held.slice(at + found.text.length)
        state = 'thinks'
        closings = [found.mark.closes]
        endsBefore = found.mark.endsBefore ?? []
        isWordThought = found.mark.isWord === true
        thought = [found.text]
        beganWith ||= !hasSaid
        held = ''
        at = 0
        if (!think(piece)) return said
        continue
      }
      at += found.text.length
      if (found.kind === 'ornament') beganWith ||= !hasSaid
      else {
        aloud += 1
        said = ''
        hasSaid = false
        lastSign = ''
        code = createCodeWatch()
      }
    }
    held = held.slice(at)
    return said
  }

  return {
    take(piece) {
      if (state === 'calls') calls.push(piece)
      else if (state === 'thinks') return think(piece) ? letThrough() : ''
      else held += piece
      return state === 'says' ? letThrough() : ''
    },
    rest(isCut = false) {
      if (state === 'calls') return { shown: '', calls: calls.join('') }
      const all = `${thought.join('')}${held}`
      if (wordThought !== '' && !hasSaid && all.trim() === '') return { shown: wordThought, calls: '' }
      const isPart = held.length >= leastPart && callOpenings.some((mark) => mark.startsWith(held))
      if (state !== 'thinks') return isPart ? { shown: '', calls: held } : { shown: all, calls: '' }
      // No thought was begun by the template after all.
      if (closings === allClosings) return isCut ? { shown: '', calls: '' } : filterWhole(all, tools)
      // What nothing closes was spoken of, unless the text began with it. Some models call a tool without ending their thought.
      return hasSaid ? { shown: all, calls: '' } : { shown: '', calls: findLastCall(all), isThought: true }
    },
    thoughtsAloud: () => aloud,
  }
}

/** From the first mark of a call on that begins a line, in the last signs of a thought. */
function findLastCall(thought: string): string {
  const text = thought.slice(-mostCallChars)
  const starts = [...text.matchAll(/\n\s{0,8}(?=[<[])/g)].map((one) => one.index + one[0].length)
  const at = starts.find((from) => callOpenings.some((mark) => text.startsWith(mark, from)))
  return at === undefined ? '' : text.slice(at)
}
const mostCallChars = 16_000

function filterWhole(text: string, tools: readonly string[]): Rest {
  const filter = createMarkupFilter({ tools })
  const shown = filter.take(text)
  const rest = filter.rest()
  return { shown: shown + rest.shown, calls: rest.calls }
}
