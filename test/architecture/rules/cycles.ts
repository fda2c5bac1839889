// No import cycles, and type imports count: a cycle of types is a cycle of ideas.
import { isCode, parseImports, resolveImport } from './source-file.ts'
import type { Rule } from './source-file.ts'

/** One sentence per cycle found by depth-first search; each edge is walked once. */
export const cycleRule: Rule = (files) => {
  const graph = new Map(
    files.filter(isCode).map((file) => {
      const targets = parseImports(file.text).map((specifier) => resolveImport(file, specifier))
      return [file.path, targets.filter((target) => target !== undefined)] as const
    }),
  )
  const found: string[] = []
  const finished = new Set<string>()

  function visit(node: string, trail: readonly string[]): void {
    const seenAt = trail.indexOf(node)
    if (seenAt >= 0) {
      found.push(`${node}: import cycle ${[...trail.slice(seenAt), node].join(' → ')}`)
      return
    }
    if (finished.has(node)) return
    for (const target of graph.get(node) ?? []) visit(target, [...trail, node])
    finished.add(node)
  }

  for (const node of graph.keys()) visit(node, [])
  return found
}
