// A model whose every answer was written for it beforehand, in order; what it was asked is looked at afterwards.
import type { ModelAnswer } from '#test/simulators/model/script.ts'
import type { ModelSimulator } from '#test/simulators/model/simulator.ts'

export type Call = { readonly name: string; readonly arguments: string }

export type PlannedModel = {
  /** Adds answers: a text, or the calls of one step. */
  answers(...planned: readonly (string | readonly Call[])[]): void
  /** Adds one of a text with calls behind it. */
  says(text: string, calls: readonly Call[]): void
  /** Once it has given all that is planned it fails whatever is asked, until it is back. */
  goAway(): void
  comeBack(): void
  /** The next answer waits until `open`. */
  hold(gate: string): void
  open(gate: string): void
  /** How often it was asked. */
  asked(): number
  /** All of the newest prompt, as one text. */
  prompt(): string
  /** Of answers that nobody had planned, what was asked. */
  readonly unplanned: readonly string[]
  /** How many of its answers are still to come. */
  left(): number
}

export function planModel(model: ModelSimulator): PlannedModel {
  const planned: ModelAnswer[] = []
  const unplanned: string[] = []
  let isAway = false
  let gate: string | undefined
  let calls = 0
  const toCalls = (all: readonly Call[]) => all.map((call) => ({ ...call, id: `call_${++calls}` }))
  model.decideBy(({ messages }) => {
    const answer = planned.shift()
    if (!answer && isAway) return { answer: { kind: 'error', status: 503 } }
    if (!answer) unplanned.push(JSON.stringify(messages.at(-1)?.content).slice(-400))
    const held = gate
    gate = undefined
    return {
      answer: answer ?? { kind: 'text', text: 'Nobody planned this.' },
      ...(held ? { gate: { name: held } } : {}),
    }
  })
  return {
    answers(...more) {
      for (const one of more)
        planned.push(typeof one === 'string' ? { kind: 'text', text: one } : { kind: 'tools', calls: toCalls(one) })
    },
    says: (text, called) => void planned.push({ kind: 'tools', text, calls: toCalls(called) }),
    goAway: () => void (isAway = true),
    comeBack: () => void (isAway = false),
    hold: (name) => void (gate = name),
    open: (name) => model.open(name),
    asked: () => model.ledger.entries.length,
    prompt: () =>
      (model.ledger.entries.at(-1)?.messages ?? [])
        .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
        .join('\n'),
    unplanned,
    left: () => planned.length,
  }
}
