// One call of a tool within a turn: announced in the journal, made, and its result journaled.
import type { ToolCall } from '#shared/model/model-port.ts'
import type { Tool } from '#shared/model/tool.ts'
import type { JournalEntry } from '#shared/run/journal.ts'
import { runTool, type ToolOutcome } from './gateway.ts'
import { stepsDone } from './open-turn.ts'
import type { Outcome, TurnRun } from './turn-run.ts'

const maxResultChars = 20_000
const crashed: ToolOutcome = {
  ok: false,
  result:
    'The worker crashed during this call. Whether it took effect is unknown; it was not repeated. Tell the person.',
}

export async function useTool(run: TurnRun, tools: readonly Tool[], call: ToolCall): Promise<Outcome> {
  const step = stepsDone(run.turn()) - 1
  const key = `${run.start.turn}/tool/${step}/${call.id}`
  const begunBefore = run.turn().entries.some((entry) => entry.t === 'tool:req' && entry.key === key)
  const tool = tools.find(({ name }) => name === call.name)
  if (!begunBefore) {
    const asked: JournalEntry = { ...run.stamp(), t: 'tool:req', step, callId: call.id, name: call.name, key }
    const refusal = await run.save({ key: `${key}/req`, entries: [asked] })
    if (refusal) return refusal
  }
  const outcome = begunBefore && tool?.onCrash === 'ask' ? crashed : await make(run, { tool, call, key })
  // It was interrupted; the next move says what becomes of the turn.
  if (!outcome) return undefined
  const done: JournalEntry = { ...run.stamp(), t: 'tool:fin', step, callId: call.id, ...outcome }
  return await run.save({ key: `${key}/fin`, entries: [done], progress: true })
}

/** Makes the call; undefined when the turn was interrupted meanwhile. */
async function make(
  { deps, place, start, interrupted }: TurnRun,
  { tool, call, key }: { readonly tool: Tool | undefined; readonly call: ToolCall; readonly key: string },
): Promise<ToolOutcome | undefined> {
  const { conversation } = place
  const context = { conversation, principal: start.principal, idempotencyKey: `${conversation}/${key}` }
  const gate = { tools: tool ? [tool] : [], mayUse: deps.mayUse, maxResultChars, timeoutMs: deps.toolTimeoutMs }
  return await runTool(gate, call, context, interrupted).catch(() => undefined)
}
