// One line of `flotilla confidence --jsonl`: JSON in, JSON out, never a throw. Pure.
import { z } from 'zod'
import { answerLine, type AnsweredLine } from './json-lines.ts'
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

export const confidenceLine = (line: string, number: number): AnsweredLine =>
  answerLine({ line, number }, { input, form }, ({ question, answer, tools, facts }) => {
    const judged = { question, answer, tools: tools ?? [], facts: facts ?? [] }
    const { confidence, rule, reason } = judge(judged)
    const mark = findMark(judged, /\p{Script=Han}/u.test(question) ? 'zh' : 'en')
    return { confidence, reason: `${reason} (${rule})`, ...(mark ? { mark } : {}) }
  })
