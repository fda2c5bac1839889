// A simpler prompt (seed 004 §3.2.3), for what the same prompt would lead to again: bytes that are no reply, a request that is refused, an answer
// without a word. Left out is what makes such prompts hard and the turn can do without: half of what was said before, the order to write a plan, and the
// tools that it has not used and that can be found by searching. The question, what the turn has done and its rules stay. Pure.
import type { ModelResult } from '#shared/model/model-port.ts'
import type { ToolDefinition } from '#shared/feature/find-tools.ts'
import { toExchanges } from '#services/executor/context/exchanges.ts'
import type { PromptInput } from '#services/executor/context/prompt.ts'
import type { OpenTurn } from '#services/executor/run/open-turn.ts'
import type { Engine, TurnRun } from '#services/executor/turn/turn-run.ts'

type Failure = Extract<ModelResult, { kind: 'failure' }>
type Reply = Extract<ModelResult, { kind: 'reply' }>

export const mayBeSimpler = ({ failure }: Failure): boolean => failure === 'malformed' || failure === 'bad-request'

/** One that was filtered is told so: to ask in another way is the person's. */
export const isEmpty = ({ text, toolCalls, finish }: Reply): boolean =>
  text.trim() === '' && toolCalls.length === 0 && finish !== 'filtered'

export function toSimpler<P extends Pick<PromptInput, 'state' | 'class'>>(
  { engine, turn }: Pick<TurnRun, 'engine' | 'turn'>,
  prompt: P,
): P & { readonly engine: Pick<Engine, 'offered' | 'assemble'> } {
  const said = toExchanges(prompt.state.history)
  // What a turn goes on with stands there: without it the model would do again what is done.
  const from = turn().start.response ? 0 : Math.floor(said.length / 2)
  const history = said.slice(from).flat()
  const offered = (windowTokens: number): readonly ToolDefinition[] => toFewer(engine, windowTokens, turn())
  return {
    ...prompt,
    state: { ...prompt.state, history },
    class: { ...prompt.class, complex: false },
    engine: { assemble: engine.assemble, offered },
  }
}

/** As many as usual where there is no way to find the others. */
function toFewer(
  { shown, offered }: TurnRun['engine'],
  windowTokens: number,
  { entries }: OpenTurn,
): readonly ToolDefinition[] {
  const tools = shown()
  if (!tools.some(({ listing }) => listing === 'search')) return offered(windowTokens)
  const used = new Set(entries.flatMap((entry) => (entry.t === 'tool:req' ? [entry.name] : [])))
  return tools.filter(({ name, listing }) => listing === 'always' || listing === 'search' || used.has(name))
}
