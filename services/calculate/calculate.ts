// The tool `calculate`: exact decimal arithmetic, so that the model need not do sums in its head. What reads and works out an expression is a
// port: it may take its time or fail, and never stops whoever asks.
import { z } from 'zod'
import type { Capability } from '#shared/feature/capability.ts'
import type { Feature } from '#shared/feature/feature.ts'

/** The value as text; rejects with what is wrong with the expression, or when it takes too long. */
export type Calculate = (expression: string) => Promise<string>

const mostChars = 300
const asked = z.object({ expression: z.string() })

export const calculateCapability: Capability<{ readonly tools: { readonly calculate: Calculate } }> = {
  create: ({ tools }) => createCalculate(tools.calculate),
}

export function createCalculate(calculate: Calculate): Feature {
  return {
    name: 'calculate',
    tools: [
      {
        name: 'calculate',
        summary: { zh: '精确计算。', en: 'Calculates exactly.' },
        description: 'Works out arithmetic: + - * / % ^, sqrt, ln, sin (radians), factorial, comb, pi …',
        parameters: {
          type: 'object',
          properties: { expression: { type: 'string', maxLength: mostChars } },
          required: ['expression'],
        },
        effect: 'read',
        onCrash: 'rerun',
        listing: 'always',
        async run(input) {
          const { expression } = asked.parse(input)
          if (expression.length > mostChars)
            throw new Error(`the expression is longer than ${mostChars} characters. Work it out in parts.`)
          return { text: await calculate(expression), source: 'own' }
        },
      },
    ],
  }
}
