// The arguments of `human_ask`: what the model is shown, and how they are read. What does not fit is told the model as its mistake.
import { z } from 'zod'
import { toLook, toPlainLine } from '#shared/feature/inert.ts'
import { urgency } from '#shared/run/question.ts'
import { expectations, longest, mostOptions } from './kept.ts'

const hourMs = 3_600_000
const mostHours = 30 * 24
const line = (most: number) =>
  z
    .string()
    .max(most)
    .refine((text) => toPlainLine(text, most) !== '', 'it says nothing')
const option = z.strictObject({
  label: line(longest.label),
  pros: z.string().max(longest.side).optional(),
  cons: z.string().max(longest.side).optional(),
})

const input = z
  .strictObject({
    kind: z.enum(['choice', 'knowledge', 'action']),
    question: line(longest.question),
    options: z.array(option).min(2).max(mostOptions).optional(),
    expects: z.enum(expectations).optional(),
    why: line(longest.why),
    otherwise: line(longest.otherwise),
    urgency: urgency.optional(),
    deadline_hours: z.number().min(1).max(mostHours).optional(),
    who: line(80).optional(),
    private: z.boolean().optional(),
  })
  .refine(
    ({ kind, options }) => (kind === 'choice') === (options !== undefined),
    'a choice has options, and nothing else has',
  )
  .refine(
    ({ options = [] }) =>
      options.every(({ label }) => toLook(label) !== '') &&
      new Set(options.map(({ label }) => toLook(label))).size === options.length,
    'the labels of two options look the same, or one says nothing',
  )
export type Wanted = z.infer<typeof input>

/** Throws a ZodError. */
export const readInput = (given: unknown): Wanted => input.parse(given)
export const toDeadlineMs = ({ deadline_hours: hours }: Wanted): number => (hours ?? 7 * 24) * hourMs

export const parameters = {
  type: 'object',
  additionalProperties: false,
  properties: {
    kind: {
      type: 'string',
      enum: ['choice', 'knowledge', 'action'],
      description: 'choose an option; tell something; do something outside',
    },
    question: { type: 'string', maxLength: longest.question },
    options: {
      type: 'array',
      minItems: 2,
      maxItems: mostOptions,
      items: {
        type: 'object',
        properties: {
          label: { type: 'string', maxLength: longest.label },
          pros: { type: 'string', maxLength: longest.side },
          cons: { type: 'string', maxLength: longest.side },
        },
        required: ['label'],
      },
    },
    expects: { type: 'string', enum: expectations },
    why: { type: 'string', maxLength: longest.why, description: 'why you ask' },
    otherwise: { type: 'string', maxLength: longest.otherwise, description: 'what you do if nobody answers' },
    urgency: { type: 'string', enum: urgency.options },
    deadline_hours: { type: 'number', minimum: 1, maximum: mostHours },
    who: { type: 'string', description: 'me (default), admins, anyone, or the name of somebody of this group' },
    private: { type: 'boolean', description: 'ask in their direct chat, not in the group' },
  },
  required: ['kind', 'question', 'why', 'otherwise'],
}
