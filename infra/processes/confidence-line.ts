// One line of `flotilla confidence --jsonl`: JSON in, JSON out, never a throw. Pure.
import { z } from 'zod'
import { findMark } from '#services/confidence/confidence.ts'
import { judge } from '#services/confidence/judge.ts'

/** Further keys are ignored, so that a labelled set can be piped in as it is. */
const input = z.object({
  question: z.string(),
  answer: z.string(),
  tools: z.array(z.object({ name: z.string(), ok: z.boolean() })).nullish(),
  facts: z.array(z.string()).nullish(),
})

const form =
  'write {"question": string, "answer": string, "tools": [{"name": string, "ok": boolean}], "facts"?: [string]}'

/** `error`: why it could not be read. */
export type JudgedLine = { readonly out: string; readonly error?: string }

/** Judges one line; one that cannot be read gives `{"error": …}` with its number, saying what to write instead. */
export function confidenceLine(line: string, number: number): JudgedLine {
  const bad = (what: string): JudgedLine => {
    const error = `Line ${number}: ${what}`
    return { out: JSON.stringify({ error }), error }
  }
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return bad(`it is not JSON; ${form} on one line.`)
  }
  const read = input.safeParse(value)
  if (!read.success) {
    const issue = read.error.issues[0]
    const where = issue === undefined || issue.path.length === 0 ? 'it' : `"${issue.path.join('.')}"`
    return bad(`${where} does not fit (${issue?.message ?? 'unknown'}); ${form}.`)
  }
  const { question, answer, tools, facts } = read.data
  const judged = { question, answer, tools: tools ?? [], facts: facts ?? [] }
  const { confidence, rule, reason } = judge(judged)
  const mark = findMark(judged, /\p{Script=Han}/u.test(question) ? 'zh' : 'en')
  return { out: JSON.stringify({ confidence, reason: `${reason} (${rule})`, ...(mark ? { mark } : {}) }) }
}
