// Which files a rollback changes, by name, so that nobody confirms it unknowingly.
import { toInertLine } from '#shared/feature/inert.ts'
import { rework, type Kept } from '#shared/feature/kept.ts'
import type { Language } from '#shared/chat/message.ts'
import { diffTrees } from '#services/tasks/files/diff.ts'
import { emptyTree, readTree, type Tree } from '#services/tasks/files/tree.ts'
import { pick } from '#services/tasks/words.ts'
import type { Work } from './work.ts'

const mostNamed = 8
const pathChars = 80

export type Trees = { readonly tree: Tree; readonly isThen: boolean }

/** The workspace as it is, and as it was then. */
export async function findTrees(work: Pick<Work, 'findArtifact' | 'slice' | 'keep'>, then: string) {
  const find = async (name: string, isThen: boolean): Promise<Kept<Trees>> => {
    const text = name === '' ? undefined : await work.findArtifact(name)
    return text
      ? rework(text, (one): Trees => ({ tree: readTree(one), isThen }))
      : rework(work.keep(''), (): Trees => ({ tree: emptyTree, isThen }))
  }
  return await Promise.all([find(work.slice.tree, false), find(then, true)])
}

/** Empty where nothing differs. */
export function tellFiles(trees: readonly Trees[], language: Language): readonly string[] {
  const of = (isThen: boolean): Tree => trees.find((one) => one.isThen === isThen)?.tree ?? emptyTree
  const { added, changed, removed } = diffTrees(of(true), of(false))
  const line = (paths: readonly string[], zh: string, en: string): readonly string[] =>
    paths.length === 0 ? [] : [`- ${pick(language, { zh, en })}${toNames(paths, language)}`]
  const lines = [
    ...line(
      added.map(({ path }) => path),
      '会搁置：',
      'set aside: ',
    ),
    ...line(
      changed.map(({ path }) => path),
      '会变回那时的：',
      'as they were then: ',
    ),
    ...line(
      removed.map(({ path }) => path),
      '会回来：',
      'back again: ',
    ),
  ]
  return lines.length === 0 ? [] : [lines.join('\n')]
}

function toNames(paths: readonly string[], language: Language): string {
  const named = paths.slice(0, mostNamed).map((path) => toInertLine(path, pathChars))
  const more = paths.length - named.length
  const rest = pick(language, { zh: ` 等 ${paths.length} 个`, en: ` and ${more} more` })
  return `${named.join(pick(language, { zh: '、', en: ', ' }))}${more > 0 ? rest : ''}`
}
