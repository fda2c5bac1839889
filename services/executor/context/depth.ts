// What each depth allows, and why. Pure.
import { depths, type Classification, type Depth } from '#shared/chat/decision.ts'
import type { ToolEffect } from '#shared/model/tool.ts'

/** `maxTokens` is per reply, for `deep` per step, and what the model is told to aim at. `useTools` and `checkpoints` allow, they do not oblige. */
export type DepthDecision = {
  readonly level: Depth
  readonly reason: string
  readonly maxTokens: number
  readonly useTools: boolean
  readonly checkpoints: boolean
}

const table: Readonly<Record<Depth, DepthDecision>> = {
  light: { level: 'light', reason: '社交礼节或显式简洁请求', maxTokens: 150, useTools: false, checkpoints: false },
  standard: { level: 'standard', reason: '常规查询或任务', maxTokens: 800, useTools: true, checkpoints: false },
  deep: { level: 'deep', reason: '复杂任务或显式详细请求', maxTokens: 2000, useTools: true, checkpoints: true },
}

/** The table's row for `depth`. */
export function depthDecision(depth: Depth): DepthDecision {
  return table[depth]
}

/** Where an answer is cut: at three times its aim, for models count their tokens badly, and at a quarter of a small window. */
export function toMostTokens(aimTokens: number, windowTokens: number): number {
  return Math.min(3 * aimTokens, Math.floor(windowTokens / 4))
}

/** The most tokens of a prompt: what a window leaves beside the answer, less a quarter of it, since nobody counts tokens exactly. */
export function toBudget(depth: Depth, windowTokens: number): number {
  return Math.floor(windowTokens * 0.75) - toMostTokens(table[depth].maxTokens, windowTokens)
}

/** The budget at the depth that leaves the least. */
export const leastBudget = (windowTokens: number): number =>
  Math.min(...depths.map((depth) => toBudget(depth, windowTokens)))

/** What the model is told to aim at, where a small window cuts answers sooner than the depth would: so that they end by themselves. */
export const toAim = (depth: Depth, windowTokens: number): number => {
  const { maxTokens } = table[depth]
  return Math.min(maxTokens, Math.floor(toMostTokens(maxTokens, windowTokens) * 0.75))
}

/** Why a turn may not use a tool, as the model is told; undefined where it may. The list of tools is the same at every depth. */
export function refuseByDepth(
  { type, depth }: Pick<Classification, 'type' | 'depth'>,
  effect: ToolEffect,
): string | undefined {
  if (table[depth].useTools) return undefined
  if (type === 'social') return 'this is a courtesy, which needs no tools. Just answer.'
  if (effect === 'read') return undefined
  return 'the answer is to be short, and then only tools that read are used. Tell the person to ask again without wishing for a short answer, or to send /depth standard.'
}

/**
 * Such windows have small models, which write on what stands last: there that is the question, and the state of things stands before it. One of
 * 1.5 billion parameters in a window of 16,000 repeated the state.
 */
export const isSmall = (windowTokens: number): boolean => windowTokens <= 32_768

/** What features may put at the beginning of each prompt of a session, tokens, all of them together. */
export const mostPrefix = (windowTokens: number): number => Math.floor(leastBudget(windowTokens) / 8)
/** What they may add to its end. */
export const mostTail = (depth: Depth, windowTokens: number): number => Math.floor(toBudget(depth, windowTokens) / 4)
