// How much a file and a folder may know of others: a file imports few modules, and hardly two folders import each other.
import path from 'node:path'
import { isCode, parseImports, resolveImport, topFolder } from './source-file.ts'
import type { Rule, SourceFile } from './source-file.ts'

/** Modules that a file imports, packages and types included. */
const mostImports = 25
/** Over the whole tree, without the executor, whose folders have an order of their own. */
export const mostPairs = 5
const ordered = 'services/executor'

export const importCountRule: Rule = (files) =>
  files.filter(isSource).flatMap((file) => {
    const count = new Set(parseImports(file.text)).size
    return count > mostImports ? [`${file.path} imports ${count} modules; at most ${mostImports}`] : []
  })

/** One sentence for each pair, once there are too many. */
export const pairRule: Rule = (files) => {
  const edges = new Set(files.filter(isSource).flatMap((file) => toEdges(file)))
  const pairs = [...edges].filter((edge) => {
    const [from = '', to = ''] = edge.split(' ')
    return from < to && edges.has(`${to} ${from}`)
  })
  if (pairs.length <= mostPairs) return []
  return pairs.map((pair) => `${pair.replace(' ', ' and ')} import each other; of such pairs at most ${mostPairs}`)
}

/** The folders that a file imports from, each as its own folder and that one. */
function toEdges(file: SourceFile): string[] {
  const own = path.posix.dirname(file.path)
  return parseImports(file.text).flatMap((specifier) => {
    const target = resolveImport(file, specifier)
    const folder = target === undefined ? own : path.posix.dirname(target)
    return folder === own || (isOrdered(own) && isOrdered(folder)) ? [] : [`${own} ${folder}`]
  })
}

function isOrdered(folder: string): boolean {
  return folder === ordered || folder.startsWith(`${ordered}/`)
}

function isSource(file: SourceFile): boolean {
  return isCode(file) && topFolder(file) !== 'test' && !/\.test\.[jt]s$/.test(file.path)
}
