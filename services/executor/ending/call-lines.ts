// The calls of a turn as lines for who looks at it: what each came to, in its first line, and how long it took. Pure.
import type { CallLine } from '#shared/feature/left.ts'
import type { OpenTurn } from '#services/executor/run/open-turn.ts'
import { workOf } from '#services/executor/context/marks.ts'

const mostHeadChars = 160

/** In the order in which the model wrote them. Of a turn on what was answered in private no words are told. */
export function callLinesOf(turn: OpenTurn): readonly CallLine[] {
  const { entries, start } = turn
  const { tools } = workOf(turn)
  if (tools.length === 0) return tools
  const asked = entries.flatMap((entry) =>
    entry.t === 'llm:fin' ? entry.toolCalls.map(({ id }) => ({ step: entry.step, id })) : [],
  )
  return tools.map((one, at) => {
    const call = asked[at]
    const isOf = (entry: { readonly step: number; readonly callId: string }): boolean =>
      entry.step === call?.step && entry.callId === call.id
    const begun = entries.find((entry) => entry.t === 'tool:req' && isOf(entry))
    const done = entries.findLast((entry) => entry.t === 'tool:fin' && isOf(entry))
    if (done?.t !== 'tool:fin') return one
    const head = start.for === undefined ? toHead(done.result) : ''
    return {
      ...one,
      // A person is asked first: nothing was made of it yet.
      ...(done.awaits === undefined ? {} : { unmade: true as const }),
      ...(head === '' ? {} : { head }),
      ...(begun ? { ms: Math.max(0, done.at - begun.at) } : {}),
    }
  })
}

function toHead(result: string): string {
  const line = result
    .slice(0, 4 * mostHeadChars)
    .split('\n')
    .find((one) => one.trim() !== '')
  return (line ?? '').trim().slice(0, mostHeadChars).toWellFormed()
}
