// Which tools stand in every prompt, by the size of the window alone: the list is part of the prefix that endpoints cache, so that it never changes
// from call to call or from depth to depth. What has no room is found by the tool `tool_search`. Pure.
import { BotError } from '#shared/errors.ts'
import type { ToolDefinition } from '#shared/feature/find-tools.ts'
import type { ToolRoom } from '#shared/model/tool-room.ts'
import { leastBudget, mostPrefix, toBudget } from './depth.ts'
import type { Estimate } from '#services/executor/state/history-item.ts'
import { measureSystem, measureTool } from './prompt.ts'

/** `tools`: those of the list, in the order of their features. */
export type Offer = { readonly tools: readonly ToolDefinition[]; readonly room: ToolRoom }

/** What each window shows of a list of tools; a fleet has few models. `prefixTokens`: the most that features put before them in each prompt. */
export function createOffers(
  estimate: Estimate,
  prefixTokens = 0,
): (windowTokens: number, shown: readonly ToolDefinition[]) => Offer {
  const known = new WeakMap<readonly ToolDefinition[], Map<number, Offer>>()
  return (windowTokens, shown) => {
    const ofList = known.get(shown) ?? new Map<number, Offer>()
    known.set(shown, ofList)
    const offer = ofList.get(windowTokens) ?? chooseOffer(shown, windowTokens, estimate, prefixTokens)
    ofList.set(windowTokens, offer)
    return offer
  }
}

/** How much history a prompt can carry beside all else: half a large window, and little of a small one. */
export function toMostHistory({ windowTokens, systemTokens, toolTokens }: ToolRoom): number {
  const beside = Math.floor(toBudget('standard', windowTokens) * 0.75) - systemTokens - toolTokens
  return Math.max(0, Math.min(Math.floor(windowTokens / 2), beside))
}

/** Beyond so many a model chooses badly. */
const mostListed = 20
/** Of the budget. A window of 4,096 has room for a reminder so. */
const mostShare = 0.35

/**
 * All tools where they take no more than their share; else the usual ones before the rare, as far as they fit beside those that find and call
 * the rest; else those alone that every list has. Throws BotError `config` where not even the system part fits.
 */
export function chooseOffer(
  all: readonly ToolDefinition[],
  windowTokens: number,
  estimate: Estimate,
  prefixTokens = 0,
): Offer {
  const budgetTokens = leastBudget(windowTokens)
  const systemTokens = measureSystem(estimate) + Math.min(prefixTokens, mostPrefix(windowTokens))
  if (systemTokens > budgetTokens) throw tooSmall(windowTokens, { systemTokens, budgetTokens })
  const most = Math.min(Math.floor(budgetTokens * mostShare), budgetTokens - systemTokens)
  const sum = (tools: readonly ToolDefinition[]): number =>
    tools.reduce((tokens, tool) => tokens + measureTool(tool, estimate), 0)
  const fits = (tools: readonly ToolDefinition[]): boolean => tools.length <= mostListed && sum(tools) <= most
  const own = all.filter(({ listing }) => listing !== 'search')
  const search = all.filter(({ listing }) => listing === 'search')
  const chosen = new Set(fits(own) ? own : fill(own, search, fits))
  const tools = all.filter((tool) => chosen.has(tool))
  const listed = own.filter((tool) => chosen.has(tool)).length
  const isSearched = search.some((tool) => chosen.has(tool))
  const others = own.length - listed
  return {
    tools,
    room: {
      windowTokens,
      systemTokens,
      toolTokens: sum(tools),
      listed,
      ...(isSearched ? { searched: others, left: 0 } : { searched: 0, left: others }),
    },
  }
}

function fill(
  own: readonly ToolDefinition[],
  search: readonly ToolDefinition[],
  fits: (tools: readonly ToolDefinition[]) => boolean,
): readonly ToolDefinition[] {
  const first = own.filter(({ listing }) => listing === 'always')
  const chosen = [...first, ...search]
  if (search.length === 0 || !fits(chosen)) return first.filter((_, i) => fits(first.slice(0, i + 1)))
  const rest = [
    ...own.filter(({ listing }) => listing === undefined),
    ...own.filter(({ listing }) => listing === 'rare'),
  ]
  const tooMuch = rest.findIndex((_, i) => !fits([...chosen, ...rest.slice(0, i + 1)]))
  return [...chosen, ...rest.slice(0, tooMuch < 0 ? rest.length : tooMuch)]
}

const tooSmall = (
  windowTokens: number,
  { systemTokens, budgetTokens }: { systemTokens: number; budgetTokens: number },
) =>
  new BotError(
    'config',
    `The model's window of ${windowTokens} tokens leaves ${budgetTokens} for a prompt, and the instructions alone take ${systemTokens}. Use a model with a larger window, or set FLOTILLA_CONTEXT_TOKENS to the window that it really has.`,
  )
