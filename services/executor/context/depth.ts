// What each depth allows, and why. Pure.
import type { Depth } from '#shared/chat/decision.ts'

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

/** How much of the window a prompt may have, beside the answer. */
export function toPromptTokens(depth: Depth, windowTokens: number): number {
  return Math.floor(windowTokens * 0.75) - toMostTokens(depthDecision(depth).maxTokens, windowTokens)
}
