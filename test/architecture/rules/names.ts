// Where files may lie and what they may be called.
import { isCode, topFolder } from './source-file.ts'
import type { Rule } from './source-file.ts'

const topFolders = new Set(['.ci', 'adapters', 'infra', 'queues', 'services', 'shared', 'test'])
const rootFiles = new Set([
  '.dockerignore',
  '.gitignore',
  '.oxfmtrc.json',
  '.oxlintrc.json',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'README.zh.md',
  'flotilla.config.json',
  'knip.json',
  'package-lock.json',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
])
const maxFoldersBelowTop = 2
/** `test` mirrors the other folders, and so lies one deeper. */
const maxFoldersBelowTest = 3
/** Names that say nothing of what is inside. */
const emptyWords = /(^|-)(utils?|helpers?|common|managers?|misc|index)(-|$)/
const kebab =
  /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|config|d))?\.(ts|js|mjs|lua|css|html|json|md|svg|yaml|yml|png|ico|txt|jsonl|sh)$/
/** A bot of another language's SDK, by which a simulator is kept honest. */
const foreignBot = /^test\/simulators\/[a-z0-9]+(-[a-z0-9]+)*\.py$/
/** Names that a tool or a custom prescribes: `.zh.md` is the Chinese of the document beside it. */
const prescribed = /^(README(\.zh)?\.md|[a-z0-9]+(-[a-z0-9]+)*\.zh\.md|tsconfig\.json|Dockerfile|run)$/

export const placeRule: Rule = (files) =>
  files.flatMap((file) => {
    const folders = file.path.split('/').slice(0, -1)
    if (folders.length === 0)
      return rootFiles.has(file.path) ? [] : [`${file.path} is not among the files that belong in the root`]
    if (!topFolders.has(folders[0] ?? ''))
      return [`${file.path}: ${folders[0]}/ is not a top-level folder of this project`]
    const limit = folders[0] === 'test' ? maxFoldersBelowTest : maxFoldersBelowTop
    return folders.length - 1 > limit ? [`${file.path} lies deeper than ${limit} folders below ${folders[0]}/`] : []
  })

export const nameRule: Rule = (files) =>
  files.flatMap((file) => {
    if (!file.path.includes('/')) return []
    const parts = file.path.split('/')
    const name = parts.at(-1) ?? ''
    const stem = name.replace(/\..*$/, '')
    // A page's index.html is what a browser asks for; the word is refused as a module's name only.
    const empty = [...parts.slice(0, -1), stem].find(
      (part) => emptyWords.test(part) && !(part === 'index' && name.endsWith('.html')),
    )
    if (empty !== undefined) return [`${file.path}: "${empty}" says nothing of what is inside`]
    const folders = parts.slice(topFolder(file) === '.ci' ? 1 : 0, -1)
    const bent = folders.find((part) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(part))
    if (bent !== undefined) return [`${file.path}: folder "${bent}" is not kebab-case`]
    return kebab.test(name) || prescribed.test(name) || foreignBot.test(file.path)
      ? []
      : [`${file.path} is not kebab-case`]
  })

/** Every code file says first what it is. */
export const openingRule: Rule = (files) =>
  files
    .filter((file) => isCode(file) || file.path.endsWith('.lua'))
    .filter((file) => !/^(#!.*\n)?(\/\/|\/\*|--)/.test(file.text))
    .map((file) => `${file.path} does not open with a comment that says what it is`)
