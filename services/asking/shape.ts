// The shape of an answer: how the model is told of it, how its answer is read, and how it is told what is wrong. Answers are untrusted. Pure.
import { z } from 'zod'
import type { AskRequest } from '#shared/model/ask.ts'

/** All values that stand in a text and may be meant as its answer, the likeliest first; bounded in number and work. */
export type ReadValues = (text: string) => readonly unknown[]

type Read<T> = { readonly kind: 'read'; readonly value: T } | { readonly kind: 'misshaped'; readonly problem: string }

const mostProblemChars = 600
const mostAnswerChars = 4000

/** The shape stands behind the material, where models heed it most. */
export function toShaped(request: AskRequest, schema: z.ZodType): AskRequest {
  const { $schema: _, ...form } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const directive = `Answer with one JSON value of this JSON Schema, and with nothing else:\n${JSON.stringify(form)}`
  const last = request.messages.at(-1)
  if (last?.role !== 'user')
    return { ...request, messages: [...request.messages, { role: 'user', content: directive }] }
  const told = { ...last, content: `${last.content}\n\n---\n${directive}` }
  return { ...request, messages: [...request.messages.slice(0, -1), told] }
}

export function readShape<T>(readValues: ReadValues, schema: z.ZodType<T>, text: string): Read<T> {
  const tried = readValues(text).map((value) => schema.safeParse(value))
  const found = tried.find(({ success }) => success)
  if (found?.success) return { kind: 'read', value: found.data }
  const error = tried[0]?.error
  const problem = error ? z.prettifyError(error) : 'There is no JSON value in it.'
  return { kind: 'misshaped', problem: problem.slice(0, mostProblemChars).toWellFormed() }
}

/** The model sees its answer and what is wrong with it. */
export function toCorrected(request: AskRequest, answer: string, problem: string): AskRequest {
  const content = answer.slice(0, mostAnswerChars).toWellFormed()
  const correction = `That is not the JSON value that was asked for:\n${problem}\nAnswer again with the JSON value alone.`
  return {
    ...request,
    messages: [...request.messages, { role: 'assistant', content }, { role: 'user', content: correction }],
  }
}
