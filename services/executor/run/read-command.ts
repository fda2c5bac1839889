// Commands that change nothing: they are answered beside a turn that runs.
import { onlyReads } from '#shared/feature/rights.ts'
import type { QueuedEvent } from '#shared/run/step.ts'
import type { ExecutorDeps } from './deps.ts'

/** Whether it is a command that changes nothing. */
export function isReadCommand({ features }: Pick<ExecutorDeps, 'features'>, { decision }: QueuedEvent): boolean {
  if (decision?.act !== 'command') return false
  const known = features.findCommand(decision.command.name)
  return known !== undefined && onlyReads(known.found, decision.command.args)
}
