// A text that a renderer fails at goes out as it stands, and no tree is too deep for those who walk it by calls within calls.
import type { Nodes } from 'mdast'
import { expect, test } from 'vitest'
import { parseMarkdown } from '#adapters/markup/markdown.ts'
import { orPlain } from '#adapters/markup/or-plain.ts'
import { toCardMarkdown } from '#adapters/markup/to-card.ts'
import { toDiscord } from '#adapters/markup/to-discord.ts'
import { toEntities } from '#adapters/markup/to-entities.ts'
import { toTerminal } from '#adapters/console/to-terminal.ts'

test('what overflows the stack while it is rendered is given as it stands', () => {
  const deep = (text: string, more: number): string => (text === 'bad' ? deep(text, more + 1) + more : text)
  const render = orPlain(deep, (text) => `plain ${text}`)
  expect([render('bad', 0), render('good', 0)]).toEqual(['plain bad', 'good'])
})

function depthOf(root: Nodes): number {
  let depth = 0
  for (let level: readonly Nodes[] = [root]; level.length > 0; depth++)
    level = level.flatMap((node) => ('children' in node ? node.children : []))
  return depth
}

test.each([
  ['*', '*'],
  ['**', '**'],
  ['~~', '~~'],
  ['*a ', ' b*'],
  ['**a ', ' b**'],
  ['![', '](a)'],
  ['[', '](a)'],
  ['> ', ''],
  ['- ', ''],
  ['1. > ', ''],
])('%s in itself is never a tree that is too deep, and everybody shows it', (opening, closing) => {
  for (const times of [30, 499]) {
    const text = `${'> '.repeat(30)}${opening.repeat(times)}x${closing.repeat(times)}`
    expect(depthOf(parseMarkdown(text))).toBeLessThanOrEqual(602)
    for (const shown of [toCardMarkdown(text), toDiscord(text), toEntities(text).text, toTerminal(text, 80)])
      expect(shown).toContain('x')
  }
})
