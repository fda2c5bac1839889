// The tree as the rules see it: a list of paths and texts, so that a rule runs on the real files and on planted ones alike.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** `path` is relative to the root, with forward slashes. */
export type SourceFile = { readonly path: string; readonly text: string }

/** A rule returns one sentence per breach, beginning with the path. */
export type Rule = (files: readonly SourceFile[]) => string[]

export const layers = ['infra', 'adapters', 'queues', 'services', 'shared'] as const

/** What git tracks or would track, without binary files. */
export function readTree(root: string): SourceFile[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
  })
  return [...new Set(listed.split('\0'))]
    .filter((name) => name !== '' && existsSync(path.join(root, name)))
    .map((name) => ({ path: name, text: readFileSync(path.join(root, name), 'utf8') }))
    .filter((file) => !file.text.includes('\0'))
}

export function isCode(file: SourceFile): boolean {
  return /\.(ts|js|mjs)$/.test(file.path)
}

export function topFolder(file: SourceFile): string {
  return file.path.split('/')[0] ?? ''
}

/** The specifiers that a file imports, types and JSDoc imports included, in order. */
export function parseImports(text: string): string[] {
  const statement = /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/gm
  const bare = /^\s*import\s*['"]([^'"]+)['"]/gm
  const call = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g
  return [statement, bare, call].flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? ''))
}

/** The imported file's path, or undefined for a package. */
export function resolveImport(from: SourceFile, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1)
  return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(from.path), specifier) : undefined
}

export function countLines(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length
}
