// What a call of the model is made of: the tools that its window has room for, what the window leaves to the prompt, and the prompt within that. Pure.
import type { Classification } from '#shared/chat/decision.ts'
import { modelOf, type ModelRole, type ToolSchema } from '#shared/model/model-port.ts'
import { depthDecision, isSmall, toAim, toBudget, toMostTokens } from '#services/executor/context/depth.ts'
import { cutMessages, type Limit } from '#services/executor/context/long-messages.ts'
import type { Prompt, PromptInput } from '#services/executor/context/prompt.ts'
import type { TurnFacts } from '#services/executor/context/turn-facts.ts'
import { toAnchor } from '#services/executor/planning/anchor.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import type { ConversationState } from '#services/executor/state/state.ts'
import type { Engine } from '#services/executor/turn/turn-run.ts'

export type Prepared = {
  readonly prompt: Prompt
  readonly tools: readonly ToolSchema[]
  readonly maxOutputTokens: number
  /** What the prompt may have. */
  readonly budgetTokens: number
}

/** What a prompt is asked for with. `items` are whole. */
export type Asked = Pick<PromptInput, 'state' | 'principal' | 'class' | 'items' | 'clock' | 'anchor'> & {
  readonly turn: string
  readonly role: ModelRole
  /** Tokens of prompt, where the usual ones were too many. */
  readonly most?: number | undefined
}

/** As the next step of a turn asks. */
export function toAsked(facts: TurnFacts, state: ConversationState): Asked {
  const { turn: open, items, instructed: language } = facts
  const { principal, clock, turn, role = 'main', class: found } = open.start
  return {
    state: { ...state, session: { ...state.session, language } },
    principal,
    class: found,
    items,
    clock,
    anchor: toAnchor(open, () => facts.text, language),
    turn,
    role,
  }
}

export function preparePrompt(
  deps: Pick<ExecutorDeps, 'model' | 'estimate'>,
  engine: Pick<Engine, 'offered' | 'assemble'>,
  { turn, role, most, ...asked }: Asked,
): Prepared {
  const { depth } = asked.class
  const { contextTokens } = modelOf(deps.model, role)
  const maxOutputTokens = toMostTokens(depthDecision(depth).maxTokens, contextTokens)
  const tools = engine.offered(contextTokens)
  const budgetTokens = most ?? toBudget(depth, contextTokens)
  const items = cutMessages(turn, asked.items, messageLimit(deps, { class: asked.class, role }))
  const prompt = engine.assemble({
    ...asked,
    items,
    tools,
    budgetTokens,
    aimTokens: toAim(depth, contextTokens),
    stateFirst: isSmall(contextTokens),
    estimate: deps.estimate,
  })
  const cut = prompt.cut || items.some((item, i) => item !== asked.items[i])
  return { prompt: { ...prompt, cut }, tools, maxOutputTokens, budgetTokens }
}

/** One message above a quarter of the prompt is cut. */
export const messageLimit = (
  { model, estimate }: Pick<ExecutorDeps, 'model' | 'estimate'>,
  { class: found, role = 'main' }: { readonly class: Classification; readonly role?: ModelRole | undefined },
): Limit => ({ most: Math.floor(toBudget(found.depth, modelOf(model, role).contextTokens) / 4), estimate })
