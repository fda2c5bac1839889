// The JSON values in a model's answer, with words, thoughts and code fences around them. Each try and the text are bounded. Pure.
import { parseJson } from '#shared/json.ts'
import { readJsonAt } from './read-json.ts'
import { readLoose } from './read-loose.ts'

const mostChars = 40_000
const mostTries = 24
const mostValues = 8
const fence = /```[\w-]{0,20}[ \t]{0,20}\r?\n?\s{0,20}(?=[[{])/g

/** The answer as a whole first, then what stands in code fences, then what stands between words, the last of them first. */
export function readAnswerValues(answer: string): readonly unknown[] {
  const whole = parseJson(answer)
  if (whole !== undefined) return [whole]
  const text = answer.slice(0, mostChars)
  const fenced = [...text.matchAll(fence)].map(({ index, 0: opens }) => index + opens.length)
  const values = [...readFrom(text, fenced), ...readFrom(text, openings(text))]
  return values.slice(0, mostValues)
}

function* openings(text: string): Generator<number> {
  for (let at = 0; at < text.length; at++) if (text[at] === '{' || text[at] === '[') yield at
}

/** What stands within a value that was read is no value of its own. */
function readFrom(text: string, starts: Iterable<number>): readonly unknown[] {
  const values: unknown[] = []
  let tries = 0
  let end = 0
  for (const at of starts) {
    if (at < end) continue
    if ((tries += 1) > mostTries) break
    const read = readJsonAt(text, at) ?? readLoose(text, at)
    if (!read) continue
    values.push(read.value)
    end = read.end
  }
  return values.toReversed()
}
