// What a call of the model is made of: the tools that its depth allows, the room that the model's window leaves, and the prompt within it. Pure.
import type { Depth } from '#shared/chat/decision.ts'
import { modelOf, type ModelRole } from '#shared/model/model-port.ts'
import type { Tool } from '#shared/model/tool.ts'
import { depthDecision, toMostTokens } from '#services/executor/context/depth.ts'
import type { Prompt, PromptInput } from '#services/executor/context/prompt.ts'
import type { ExecutorDeps } from '#services/executor/deps.ts'
import type { Engine } from '#services/executor/turn-run.ts'

export type Prepared = {
  readonly prompt: Prompt
  readonly tools: readonly Tool[]
  readonly maxOutputTokens: number
  /** What the prompt may have. */
  readonly budgetTokens: number
}

/** `most` tokens of prompt, where the usual ones were too many. */
export function preparePrompt(
  { model, estimate }: Pick<ExecutorDeps, 'model' | 'estimate'>,
  engine: Pick<Engine, 'tools' | 'assemble'>,
  {
    role,
    most,
    ...asked
  }: Omit<PromptInput, 'tools' | 'budgetTokens' | 'estimate'> & {
    readonly role: ModelRole
    readonly most?: number | undefined
  },
): Prepared {
  const { depth } = asked.class
  const { contextTokens } = modelOf(model, role)
  const maxOutputTokens = toMostTokens(depthDecision(depth).maxTokens, contextTokens)
  const tools = offered(engine.tools, depth)
  const budgetTokens = most ?? Math.floor(contextTokens * 0.75) - maxOutputTokens
  const prompt = engine.assemble({ ...asked, tools, budgetTokens, estimate })
  return { prompt, tools, maxOutputTokens, budgetTokens }
}

/** In a light turn the model is offered only tools that read. */
export const offered = (tools: readonly Tool[], depth: Depth): readonly Tool[] =>
  depthDecision(depth).useTools ? tools : tools.filter(({ effect }) => effect === 'read')
