// Takes out of a model's text, while it comes, what belongs to the form of its template: thoughts, and calls of tools. Neither is shown. What an answer says
// of such marks in code stays, and so does a mark in a sentence that nothing closes.
import { isTalkBefore } from './call-words.ts'
import type { Mark } from './find-mark.ts'
import { callOpenings, thoughtMarks } from './markup.ts'
import { createSpokenText, type SpokenText } from './spoken-text.ts'
import { createThought, type Thought } from './thought.ts'

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

/** So much of a mark is no word. */
const leastPart = 4

type Filtering = {
  /** Not shown yet. */
  held: string
  state: 'says' | 'thinks' | 'calls'
  readonly calls: string[]
  readonly thought: Thought
  readonly spoken: SpokenText
  /** Whether a thought is all that there is so far. */
  beganWith: boolean
  aloud: number
}

/** With `beginsThinking` all is a thought until one ends; where none does, nothing was. `tools`: the names of those that may be called. */
export function createMarkupFilter({
  beginsThinking = false,
  tools = [],
}: { readonly beginsThinking?: boolean; readonly tools?: readonly string[] } = {}): MarkupFilter {
  const filtering: Filtering = {
    held: '',
    state: beginsThinking ? 'thinks' : 'says',
    calls: [],
    thought: createThought(beginsThinking),
    spoken: createSpokenText(tools),
    beganWith: beginsThinking,
    aloud: 0,
  }
  return {
    take(piece) {
      if (filtering.state === 'calls') filtering.calls.push(piece)
      else if (filtering.state === 'thinks') return think(filtering, piece) ? letThrough(filtering) : ''
      else filtering.held += piece
      return filtering.state === 'says' ? letThrough(filtering) : ''
    },
    rest: (isCut = false) => toRest(filtering, isCut, tools),
    thoughtsAloud: () => filtering.aloud,
  }
}

/** Adds to the thought; where it ends, what follows is held. */
function think(filtering: Filtering, piece: string): boolean {
  const after = filtering.thought.take(piece)
  if (after === undefined) return false
  filtering.held = after
  if (filtering.thought.isOfTemplate()) filtering.aloud += 1
  filtering.state = 'says'
  return true
}

/** Says of what is held all that may be said. */
function letThrough(filtering: Filtering): string {
  const { spoken, calls } = filtering
  let said = ''
  let at = 0
  while (at < filtering.held.length) {
    const { held } = filtering
    // What follows a thought, or a mark at the beginning, begins with a word.
    if (!spoken.hasSaid() && /\s/.test(held.charAt(at)) && (filtering.aloud > 0 || filtering.beganWith)) {
      at += 1
      continue
    }
    const found = spoken.find(held, at)
    if (found.kind === 'unsure') break
    if (found.kind === 'call') {
      filtering.state = 'calls'
      calls.push(held.slice(at))
      filtering.held = ''
      return said
    }
    if (found.kind === 'sign') {
      said += spoken.say(held.charAt(at))
      at += 1
      continue
    }
    if (found.kind === 'thought') {
      if (!openThought(filtering, found, at)) return said
      at = 0
      continue
    }
    at += found.text.length
    if (found.kind === 'ornament') filtering.beganWith ||= !spoken.hasSaid()
    else {
      filtering.aloud += 1
      said = ''
      spoken.forget()
    }
  }
  filtering.held = filtering.held.slice(at)
  return said
}

/** All that follows the mark is the thought's, until it ends. */
function openThought(filtering: Filtering, found: Extract<Mark, { kind: 'thought' }>, at: number): boolean {
  const piece = filtering.held.slice(at + found.text.length)
  filtering.state = 'thinks'
  filtering.thought.begin(found.mark, found.text)
  filtering.beganWith ||= !filtering.spoken.hasSaid()
  filtering.held = ''
  return think(filtering, piece)
}

function toRest({ held, state, calls, thought, spoken }: Filtering, isCut: boolean, tools: readonly string[]): Rest {
  if (state === 'calls') return { shown: '', calls: calls.join('') }
  const all = `${thought.text()}${held}`
  if (thought.wordText() !== '' && !spoken.hasSaid() && all.trim() === '')
    return { shown: thought.wordText(), calls: '' }
  const isPart = held.length >= leastPart && callOpenings.some((mark) => mark.startsWith(held))
  if (state !== 'thinks') return isPart ? { shown: '', calls: held } : { shown: all, calls: '' }
  // No thought was begun by the template after all.
  if (thought.isOfTemplate()) return isCut ? { shown: '', calls: '' } : filterWhole(all, tools)
  // What nothing closes was spoken of, unless the text began with it and says nothing of it. Some models call a tool without ending their thought.
  return spoken.hasSaid() || isSpokenOf(all)
    ? { shown: all, calls: '' }
    : { shown: '', calls: findLastCall(all), isThought: true }
}

/** Whether the words behind a mark, in the same line, speak of it. */
function isSpokenOf(text: string): boolean {
  const mark = thoughtMarks.find(({ opens }) => text.startsWith(opens))
  return mark !== undefined && speaksOfMark.test(text.slice(mark.opens.length, mark.opens.length + 200))
}
const speaksOfMark =
  /^[”"'’`)]{0,2}(?:[ \t]{0,4}(?:这个)?(?:标签|标记)?(?:(?:是|表示|代表|用于|用来)[^\n。]{0,30}(?:标签|标记|符号|记号|思考的))|[ \t]{1,4}(?:(?:is|are|was|isn['’]t) (?:an?|what|how|where|one|used|not|another|just|only|for|called|meant|my|part)\b|(?:is|was|are) [^\n]{0,60}\b(?:tag|mark|marker|token|element|word|keyword)s?\b|(?:means|begins|opens|starts|marks|denotes|stands for|comes from|tells|and|or|tags?|marks?|tokens?|elements?)\b)|[ \t]{0,4}[,，、])/

/** From the first mark of a call on that begins a line, in the last signs of a thought. */
function findLastCall(thought: string): string {
  const text = thought.slice(-mostCallChars)
  const starts = [...text.matchAll(/\n\s{0,8}(?=[<[])/g)].map((one) => one.index + one[0].length)
  const at = starts.find((from) => callOpenings.some((mark) => text.startsWith(mark, from)))
  // A thought quotes what it read as well.
  const isShown = at !== undefined && isTalkBefore(text.slice(text.lastIndexOf('\n\n', at - 3) + 1, at))
  return at === undefined || isShown ? '' : text.slice(at)
}
const mostCallChars = 16_000

function filterWhole(text: string, tools: readonly string[]): Rest {
  const filter = createMarkupFilter({ tools })
  const shown = filter.take(text)
  const rest = filter.rest()
  return { shown: shown + rest.shown, calls: rest.calls }
}
