// What became of the tools of a turn, as far as it tells how much an answer may be relied on. Pure.
import type { Refused } from '#shared/run/approval.ts'

export type UsedTool = { readonly name: string; readonly ok: boolean; readonly refused?: Refused }

/**
 * `none`: no tool was used, or only such as know nothing of the matter. `mended`: what failed was done by a later call after all.
 * `partly`: some of it failed for good.
 */
export type ToolOutcome = 'none' | 'worked' | 'mended' | 'partly' | 'failed'

/** Tells the time or calculates: no source for anything else. */
const trivial = /^(?:time|clock|date|now|calc|math|convert)|_(?:time|clock|now)$/iu
/** Only looks something up; of two such one may stand in for the other. */
const reading =
  /search|fetch|browse|read|look|query|get|list|find|weather|forecast|info|status|check|track|price|rate|quote|news|page|web|time|date|calc|show|count|balance/iu

export const isReading = ({ name }: UsedTool): boolean => reading.test(name)

/** Those that failed and were not made good: neither by the same tool nor, of a tool that reads, by another one after it. */
export function findFailed(tools: readonly UsedTool[]): readonly UsedTool[] {
  return tools.filter((tool, at) => {
    if (tool.ok) return false
    const later = tools.slice(at + 1).filter(({ ok }) => ok)
    return !later.some((other) => other.name === tool.name || (isReading(tool) && isSource(other) && isReading(other)))
  })
}

/** `isSimple`: the question is one that a clock or a calculator can answer. */
export function toOutcome(all: readonly UsedTool[], isSimple: () => boolean): ToolOutcome {
  if (all.length === 0) return 'none'
  const tools = isSimple() ? all : all.filter((tool) => isSource(tool) || !tool.ok)
  if (tools.length === 0) return 'none'
  if (tools.every(({ ok }) => !ok)) return 'failed'
  if (findFailed(tools).length > 0) return 'partly'
  return tools.every(({ ok }) => ok) ? 'worked' : 'mended'
}

const isSource = ({ name }: UsedTool): boolean => !trivial.test(name)
