// The README stays a first page: short, the same in both languages, with links that lead somewhere.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const mostBytes = 9216
const readmes = ['README.md', 'README.zh.md'] as const
const pages = ['using', 'tools', 'running', 'data', 'trouble', 'settings'].map((name) => `infra/docs/${name}.md`)
const read = (file: string): string => readFileSync(file, 'utf8')

/** Headings, lists and tables by their size, and the commands of code blocks: all that both languages share. */
const toShape = (text: string): string[] =>
  text
    .split('\n')
    .flatMap((line) =>
      [/^#+ /, /^- /, /^\|/, /^```/, /^npm \w+/, /^git \w+/, /^[A-Z_]+=/].flatMap((sign) => sign.exec(line)?.[0] ?? []),
    )

test.each(readmes)('%s is short', (file) => {
  expect(Buffer.byteLength(read(file))).toBeLessThanOrEqual(mostBytes)
})

test('both languages have the same headings, lists, tables and commands', () => {
  const [english = [], chinese] = readmes.map((file) => toShape(read(file)))
  expect(english.length).toBeGreaterThan(50)
  expect(chinese).toEqual(english)
})

test.each([...readmes, ...pages])('%s leads to pages that are there', (file) => {
  const links = [...read(file).matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, link = '']) => link)
  expect(links.filter((link) => !existsSync(path.join(path.dirname(file), link)))).toEqual([])
})

test.each(readmes)('%s leads to every page', (file) => {
  for (const page of pages) expect(read(file)).toContain(`(${page})`)
})
