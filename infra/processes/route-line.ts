// One line of `flotilla route --jsonl`: JSON in, JSON out, never a throw. Pure.
import { z } from 'zod'
import type { Classify } from '#services/router/classify.ts'

// Further keys are ignored, so that a labelled set can be piped in as it is.
const lineInput = z.object({
  text: z.string(),
  previousReply: z.string().nullish(),
  openQuestion: z.string().nullish(),
})

/** Classifies one JSONL line; a line that cannot be read gives `{"error": …}` saying what to write instead. */
export function routeLine(classify: Classify, line: string): string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return JSON.stringify({ error: 'This line is not JSON; write one object a line, as {"text": "hello"}.' })
  }
  const input = lineInput.safeParse(value)
  if (!input.success) {
    const issue = input.error.issues[0]
    const where = issue === undefined || issue.path.length === 0 ? 'The line' : `"${issue.path.join('.')}"`
    const expected = 'write {"text": string, "previousReply"?: string, "openQuestion"?: string}'
    return JSON.stringify({ error: `${where} does not fit (${issue?.message ?? 'unknown'}); ${expected}.` })
  }
  const { text, previousReply, openQuestion } = input.data
  const found = classify({
    text,
    ...(typeof previousReply !== 'string' ? {} : { previousReply }),
    ...(typeof openQuestion !== 'string' ? {} : { openQuestion }),
  })
  return JSON.stringify({ type: found.type, depth: found.depth, complex: found.complex, rule: found.rule })
}
