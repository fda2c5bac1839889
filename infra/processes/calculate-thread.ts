// The thread in which expressions are worked out.
import { evaluate } from '#infra/arithmetic/evaluate.ts'
import { toWorked } from '#infra/arithmetic/open-calculator.ts'
import { serveQueries } from '#queues/query-thread.ts'

serveQueries({
  open: () => ({ answer: (expression: string) => toWorked(evaluate, expression) }),
})
