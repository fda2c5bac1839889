// Asks in one go what many ask in the same turn of the event loop. For questions about one key of the whole fleet: under a flood they
// cost one command for dozens of messages, and alone nothing but that turn.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/**
 * A question is answered when its batch is; a batch that fails rejects all its questions. `ask` answers in the order asked. A batch comes
 * `toPaceMs()` after the last one at the earliest: under a flood batches are larger, and what comes after a rest does not wait.
 */
export function createBatch<Question, Answer>(
  most: number,
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  toPaceMs: () => number = () => 0,
): (question: Question) => Promise<Answer> {
  let open: { questions: Question[]; answers: Promise<readonly Answer[]> } | undefined
  let lastAtMs = -Infinity

  async function gather(questions: readonly Question[]): Promise<readonly Answer[]> {
    const restMs = lastAtMs + toPaceMs() - performance.now()
    await (restMs > 0 ? sleep(restMs) : nextTurn())
    lastAtMs = performance.now()
    if (open?.questions === questions) open = undefined
    return await ask(questions)
  }

  return async (question) => {
    if (!open || open.questions.length >= most) {
      const questions: Question[] = []
      open = { questions, answers: gather(questions) }
    }
    const { questions, answers } = open
    const index = questions.push(question) - 1
    const answer = (await answers)[index]
    if (answer === undefined) throw new Error(`Of ${questions.length} questions, number ${index + 1} was not answered.`)
    return answer
  }
}
