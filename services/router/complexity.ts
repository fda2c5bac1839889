// A message is complex when any one configured condition holds. No model call; pure.
import { anyOf, compilePatterns } from './pattern-source.ts'
import { isLongerThan } from './normalise.ts'
import type { RoutingConfig } from './patterns.ts'

/** Builds the detector; `text` is the normalised message, `raw` the message as sent, for its length. */
export function createComplexity(
  config: RoutingConfig['complexity_detector'],
): (raw: string, text: string, previousReply: string) => boolean {
  const hasSteps = compilePatterns(config.step_keywords)
  const domains = Object.values(config.multi_tool_domains)
    .filter((words) => words.length > 0)
    .map((words) => new RegExp(anyOf(words), 'u'))
  const markers =
    config.continuation_markers.length === 0 ? undefined : new RegExp(anyOf(config.continuation_markers), 'u')
  return (raw, text, previousReply) =>
    config.enabled &&
    (isLongerThan(raw, config.message_length_threshold) ||
      hasSteps(text) ||
      domains.filter((domain) => domain.test(text)).length >= config.multi_tool_threshold ||
      (markers?.test(previousReply) ?? false))
}
