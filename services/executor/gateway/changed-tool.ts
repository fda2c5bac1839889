// Calls of tools whose list changed since the session began: the model knows them as they were then, and they are made as they are now.
import type { TurnRun } from '#services/executor/turn/turn-run.ts'
import { failed, type ToolOutcome } from './gateway.ts'
import type { Begun } from './make-call.ts'

const mostSchemaChars = 2000

/** Of one that is gone the model is told so; of one that took no such arguments, what it takes now. */
export async function asItIsNow(
  { deps: { features }, engine }: Pick<TurnRun, 'deps' | 'engine'>,
  { call: { name }, isAgain }: Pick<Begun, 'call' | 'isAgain'>,
  make: () => Promise<ToolOutcome | undefined>,
): Promise<ToolOutcome | undefined> {
  const shown = engine.shown().find((one) => one.name === name)
  const tool = features.findTool(name)?.found
  if (!tool && (shown || features.tools.had(name))) return failed(toGone(name, isAgain))
  const outcome = await make()
  if (!outcome?.malformed || !tool || !shown) return outcome
  const present = JSON.stringify(tool.parameters)
  if (present === JSON.stringify(shown.parameters)) return outcome
  const text = present.slice(0, mostSchemaChars).toWellFormed()
  return { ...outcome, text: `${outcome.text}\nIt has changed since this session began. Its parameters now: ${text}` }
}

function toGone(name: string, isAgain: boolean): string {
  const lost = 'The worker was lost during this call; whether it took effect is unknown. Tell the person. '
  return `${isAgain ? lost : ''}"${name}" is not there any more. Do not call it again in this session; go on without it.`
}
