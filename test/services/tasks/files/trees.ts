// What tests of the workspace have in common.
import { expect } from 'vitest'
import { emptyTree, type Tree } from '#services/tasks/files/tree.ts'
import { writeFile, type Changed } from '#services/tasks/files/write-file.ts'

export function done(changed: Changed): Extract<Changed, { kind: 'done' }> {
  if (changed.kind === 'refused') throw new Error(changed.why)
  return changed
}

export const whyOf = (changed: Changed): string => (changed.kind === 'refused' ? changed.why : 'it is done')

export const treeOf = (files: Readonly<Record<string, string>>): Tree =>
  Object.entries(files).reduce((tree, [path, text]) => done(writeFile(tree, { path, text })).tree, emptyTree)

/** It is refused by a sentence that says so, and whoever asked has what they had. */
export function expectRefused(tree: Tree, change: (tree: Tree) => Changed, why: string): void {
  const before = JSON.stringify(tree)
  expect(whyOf(change(tree))).toContain(why)
  expect(JSON.stringify(tree)).toBe(before)
}
