// One rule of the judge: what it says of an answer, and of which answers.
import type { Matter } from './matter.ts'

export const confidences = ['high', 'medium', 'low'] as const
export type Confidence = (typeof confidences)[number]

/** `rule` names the verdict that fits, `reason` says it. */
export type Judgement = { readonly confidence: Confidence; readonly rule: string; readonly reason: string }

export type Verdict = Judgement & { readonly fits: (matter: Matter) => boolean }

export const verdict = (
  confidence: Confidence,
  rule: string,
  reason: string,
  fits: (matter: Matter) => boolean,
): Verdict => ({ confidence, rule, reason, fits })
