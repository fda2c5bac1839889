// What people see of a text on each channel, once its own Markdown or entities are read as that platform reads them.
import { stripVTControlCharacters } from 'node:util'
import { toTerminal } from '#adapters/console/to-terminal.ts'
import { toCardMarkdown } from '#adapters/markup/to-card.ts'
import { toDiscord } from '#adapters/markup/to-discord.ts'
import { toEntities } from '#adapters/markup/to-entities.ts'
import { gap } from '#adapters/markup/phrase-marks.ts'
import { toRich } from '#adapters/markup/to-rich.ts'
import { createPageReader } from '#adapters/web/page-blocks.ts'

const page = createPageReader({ prepare: () => false, highlight: () => undefined })

export const channels = [
  ['telegram', (source: string) => toEntities(source).text],
  ['telegram, rich', (source: string) => collect(toRich(source, 0) ?? toEntities(source).text)],
  ['discord', (source: string) => shownOnDiscord(toDiscord(source))],
  ['feishu', (source: string) => shownOnFeishu(toCardMarkdown(source))],
  ['terminal', (source: string) => stripVTControlCharacters(toTerminal(source, 10_000)).replaceAll(/^│ /gm, '')],
  ['page', (source: string) => collect(page.read(source))],
] as const

/** Escapes lose their backslash, other marks are eaten. Code stays. */
function shownOnDiscord(text: string): string {
  const tokens = /```[^\n]*\n([\s\S]*?)\n[ >]*```|``? ?([^`]+?) ?``?|\\([\s\S])|<(https?:[^>\n]*)>|[*_~]+|^> /gm
  return text.replaceAll(tokens, (_, ...found: readonly unknown[]) => firstText(found)).replaceAll(gap, '')
}

function shownOnFeishu(text: string): string {
  const tokens = /```[^\n]*\n([\s\S]*?)\n[ >]*```|`([^`]+)`|&#(\d+);|\]\([^)\n]*\)|[*_~$\\[\]]+|^> /gm
  return text
    .replaceAll(tokens, (_, ...found: readonly unknown[]) => {
      const code = found[2]
      return typeof code === 'string' ? String.fromCodePoint(Number(code)) : firstText(found)
    })
    .replaceAll(gap, '')
}

const firstText = (found: readonly unknown[]): string => {
  const [first] = found.slice(0, 4).filter((one) => typeof one === 'string')
  return first ?? ''
}

const texts = new Set(['value', 'text', 'target', 'mark'])

/** The texts of a tree, each once and with the numbers of lists: a formula's TeX and a link's address stand in its text. */
function collect(tree: unknown): string {
  if (typeof tree === 'string') return tree
  if (Array.isArray(tree)) return tree.map(collect).join('')
  if (typeof tree !== 'object' || tree === null) return ''
  if ('items' in tree && Array.isArray(tree.items) && 'start' in tree && typeof tree.start === 'number') {
    const { start, items } = tree
    return items.map((item: object, i) => `${'mark' in item ? '' : `${start + i}. `}${collect(item)}`).join('\n')
  }
  if ('kind' in tree && tree.kind === 'break') return '\n'
  if ('kind' in tree && tree.kind === 'code' && 'language' in tree) return collect(Object.values(tree).slice(1))
  const number = 'value' in tree && typeof tree.value === 'number' ? `${tree.value}. ` : ''
  const own = Object.entries(tree).filter(([name, value]) => typeof value !== 'string' || texts.has(name))
  return `${number}${own.map(([name, value]) => (name === 'mark' ? `${value} ` : collect(value))).join('')}`
}
