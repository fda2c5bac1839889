// Works out expressions in a thread of its own: whatever an expression does to it, nothing else of the process waits or ends. The thread is
// started by the first expression.
import type { Calculate } from '#services/calculate/calculate.ts'
import { openQueryThread, type QueryThread } from '#queues/query-thread.ts'

export type Calculator = { readonly calculate: Calculate; close(): Promise<void> }

type Worked = { readonly value: string } | { readonly wrong: string }

const mostMs = 1000

export function openCalculator(script: URL, onEnd: (error: unknown) => void): Calculator {
  let thread: QueryThread<string, Worked> | undefined
  return {
    async calculate(expression) {
      thread ??= openQueryThread({ script, data: {}, mostMs, onEnd })
      const worked = await thread.run(expression)
      if (!worked) throw new Error('it takes too long. Work it out in smaller parts.')
      if ('wrong' in worked) throw new Error(worked.wrong)
      return worked.value
    },
    close: async () => await thread?.close(),
  }
}

/** What the thread does with an expression. Never throws. */
export function toWorked(evaluate: (expression: string) => string, expression: string): Worked {
  try {
    return { value: evaluate(expression) }
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) }
  }
}
