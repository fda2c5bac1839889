// The tools of all features, and what a session shows of them. Those of a list that changes are kept with the session as they were at its first turn, so
// that the beginning of its prompts stays the same in each process; those that are constant are the same everywhere and are not kept.
import type { Feature } from '#shared/feature/feature.ts'
import { findTools, listsOf, toolDefinition, type ToolDefinition } from '#shared/feature/find-tools.ts'
import type { Tool } from '#shared/model/tool.ts'
import { readStored } from '#shared/stored-json.ts'

export type ToolLists = {
  /** All that may be called now, those of lists that change last. The same array as long as no list changes. */
  now(): readonly Tool[]
  find(name: string): { readonly feature: Feature; readonly found: Tool } | undefined
  /** Whether this process had it of a list that changes. */
  had(name: string): boolean
  /** What a session keeps; undefined where no list changes, or one is not known yet. */
  toKeep(): string | undefined
  /** What a session shows that kept this: the same array for the same. Throws BotError `store-corrupt` or `store-newer` for what cannot be read. */
  shown(kept: string | undefined): readonly ToolDefinition[]
}

/** Sessions that began before a list changed; more than these are read again for each turn. */
const mostRemembered = 16
const mostHad = 1000

export function createToolLists(
  features: readonly Feature[],
  onFailed: (feature: string, error: unknown) => void,
): ToolLists {
  const changes = features.some(({ tools }) => typeof tools === 'function')
  const had = new Set<string>()
  const read = new Map<string, readonly ToolDefinition[]>()
  const index = (lists: ReturnType<typeof listsOf>) => {
    const { constant, changing, isWhole, leftOut } = findTools(features, lists)
    for (const { feature, why } of leftOut) onFailed(feature, new Error(why))
    for (const { found } of changing) had.add(found.name)
    for (const name of had) if (had.size > mostHad) had.delete(name)
    const all = [...constant, ...changing]
    const byName = new Map(all.map(({ feature, found }) => [found.name, { feature, found }]))
    const kept = changes && isWhole ? `[${changing.map(({ told }) => told).join(',')}]` : undefined
    return { lists, constant: constant.map(({ found }) => found), all: all.map(({ found }) => found), byName, kept }
  }
  let known = index(listsOf(features, onFailed))
  const current = (): typeof known => {
    if (!changes) return known
    const lists = listsOf(features, onFailed)
    if (lists.some((list, i) => list !== known.lists[i])) known = index(lists)
    return known
  }
  return {
    now: () => current().all,
    find: (name) => current().byName.get(name),
    had: (name) => had.has(name),
    toKeep: () => current().kept,
    shown(kept) {
      const { constant, all, kept: own } = current()
      if (kept === undefined || kept === own) return all
      const found = read.get(kept) ?? readKept(constant, kept)
      read.delete(kept)
      read.set(kept, found)
      for (const text of read.keys()) if (read.size > mostRemembered) read.delete(text)
      return found
    },
  }
}

/** Another release may have made one of them constant. */
function readKept(constant: readonly Tool[], kept: string): readonly ToolDefinition[] {
  const names = new Set(constant.map(({ name }) => name))
  const others = readStored('list of tools', toolDefinition.array(), kept).filter(({ name }) => !names.has(name))
  return [...constant, ...others]
}
