// What goes wrong on demand: a rule names routes, and how often. The first rule that fits and is not used up is taken.
import { z } from 'zod'

export const rule = z.strictObject({
  when: z.strictObject({ route: z.union([z.string(), z.array(z.string())]), chat: z.string().optional() }),
  times: z.number().int().positive().optional(),
  /** The call takes effect so much later. */
  delayMs: z.number().optional(),
  /** It waits at the gate of this name, before or after it takes effect. */
  gate: z.strictObject({ name: z.string(), at: z.enum(['before', 'after']) }).optional(),
  fault: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('rate-limit'), resetS: z.number() }),
      z.strictObject({ kind: z.literal('chat-limit') }),
      z.strictObject({ kind: z.literal('error'), code: z.number(), message: z.string() }),
      /** With `accepted` the call takes effect, and only its answer is lost. */
      z.strictObject({ kind: z.enum(['bad-gateway', 'no-answer', 'reset']), accepted: z.boolean().default(false) }),
      /** The right answer, cut off in its middle. */
      z.strictObject({ kind: z.literal('half'), accepted: z.literal(true).default(true) }),
    ])
    .optional(),
})
export type Rule = z.infer<typeof rule>

export type Faults = {
  add(given: Rule): void
  clear(): void
  take(route: string, chat: string | undefined): Rule | undefined
  /** Resolves when the gate is open. */
  pass(gate: string): Promise<void>
  open(gate: string): void
}

export function createFaults(): Faults {
  const rules: { readonly rule: Rule; left: number }[] = []
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const gateOf = (name: string): PromiseWithResolvers<void> => {
    const found = gates.get(name) ?? Promise.withResolvers<void>()
    gates.set(name, found)
    return found
  }
  return {
    add: (given) => void rules.push({ rule: given, left: given.times ?? Infinity }),
    clear: () => void rules.splice(0),
    take(route, chat) {
      const found = rules.find(({ rule: { when }, left }) => {
        const isHere = when.chat === undefined || when.chat === chat
        return left > 0 && [when.route].flat().includes(route) && isHere
      })
      if (found) found.left -= 1
      return found?.rule
    },
    pass: (gate) => gateOf(gate).promise,
    open: (gate) => gateOf(gate).resolve(),
  }
}
