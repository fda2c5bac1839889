// What commands with `--jsonl` share: one JSON object a line from stdin, each answered in its place.
import process from 'node:process'
import { createInterface } from 'node:readline'
import type { z } from 'zod'

/** `error`: why it could not be read. */
export type AnsweredLine = { readonly out: string; readonly error?: string }

/**
 * Answers each line of stdin. One that cannot be read is told of there, stderr names it, the others go on, and in the end the code is 1. `usage` is told
 * where the arguments are others than `--jsonl`.
 */
export async function answerLines(
  args: readonly string[],
  usage: string,
  answer: (line: string, number: number) => AnsweredLine,
): Promise<number> {
  if (args[0] !== '--jsonl' || args.length > 1) {
    process.stderr.write(`${usage}\n`)
    return 2
  }
  let number = 0
  let code = 0
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    number += 1
    if (line.trim() === '') continue
    const { error, out } = answer(line, number)
    process.stdout.write(`${out}\n`)
    if (error === undefined) continue
    // In a terminal both are read: what is wrong is said once.
    process.stderr.write(`Line ${number} was not read: its "error" on stdout says why.\n`)
    code = 1
  }
  return code
}

/** Answers one line; one that cannot be read gives `{"error": …}` with its number, saying by `form` what to write instead. Never a throw. */
export function answerLine<T>(
  { line, number }: { readonly line: string; readonly number: number },
  { input, form }: { readonly input: z.ZodType<T>; readonly form: string },
  answer: (value: T) => unknown,
): AnsweredLine {
  const bad = (what: string): AnsweredLine => {
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
  if (read.success) return { out: JSON.stringify(answer(read.data)) }
  const [issue] = read.error.issues
  const where = issue === undefined || issue.path.length === 0 ? 'it' : `"${issue.path.join('.')}"`
  return bad(`${where} does not fit${issue === undefined ? '' : `: ${toPlain(issue)}`}; ${form}.`)
}

const kinds: Readonly<Record<string, string>> = {
  object: 'an object, {…}',
  array: 'a list, […]',
  string: 'text, "…"',
  boolean: 'true or false',
}

function toPlain(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `it must be ${issue.values.map((one) => JSON.stringify(one)).join(' or ')}`
  if (issue.code === 'invalid_format' && issue.format === 'datetime')
    return 'it must be a moment, such as "2026-01-31T08:00:00Z"'
  if (issue.code === 'too_small') return 'it is too short'
  if (issue.code === 'too_big') return 'it is too long'
  if (issue.code !== 'invalid_type') return 'it is something else than is expected'
  return issue.message.endsWith('received undefined')
    ? 'it is missing'
    : `it must be ${kinds[issue.expected] ?? issue.expected}`
}
