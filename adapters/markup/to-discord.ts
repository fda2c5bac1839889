// Renders Markdown as Discord's Markdown: what Discord shares with GFM stays markup, everything else is escaped to stand as written.
// A link never hides where it leads, nothing becomes a mention, a time stamp or a spoiler, and a fence is always closed.
// https://support.discord.com/hc/en-us/articles/210298617
import type { BlockContent, DefinitionContent, Link, List, ListItem, Nodes, PhrasingContent, RootContent } from 'mdast'
import { parseMarkdown } from './markdown.ts'
import { toTableText } from './table-text.ts'

/** Something a person can see. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u
/** Breaks a word that Discord would read as a sign, and shows nothing. */
const gap = '\u200b'
const maxHeading = 3

type Block = RootContent | BlockContent | DefinitionContent
type Source = (node: Nodes) => string

/** Never empty: what would show nothing is shown as it was written, or as an ellipsis. */
export function toDiscord(markdown: string): string {
  const source = markdown.toWellFormed()
  const sourceOf: Source = (node) => source.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0)
  const text = blocks(parseMarkdown(source).children, '\n\n', sourceOf)
  if (visible.test(text)) return text
  return visible.test(source) ? escapeDiscord(source) : '…'
}

/** A text that Discord shows as it is. */
export function escapeDiscord(text: string): string {
  return escapeInline(text).replaceAll(/^(\s*)(#|-|\+|>|\d+(?=[.)]))/gm, (_, blank: string, mark: string) =>
    /\d/.test(mark) ? `${blank}${mark}${gap}` : `${blank}\\${mark}`,
  )
}

function escapeInline(text: string): string {
  return text.replaceAll(/[\\*_~`|<>[\]]/g, String.raw`\$&`).replaceAll(/@(?=everyone|here|[&!]?\d)/gi, `@${gap}`)
}

function blocks(nodes: readonly Block[], between: string, sourceOf: Source): string {
  return nodes
    .map((node) => block(node, sourceOf))
    .filter((text) => text !== '')
    .join(between)
}

function block(node: Block, sourceOf: Source): string {
  switch (node.type) {
    case 'paragraph':
      return guardStarts(inline(node.children, sourceOf))
    case 'heading': {
      const words = inline(node.children, sourceOf).replaceAll(/\s*\n\s*/g, ' ')
      if (words.trim() === '') return ''
      return node.depth <= maxHeading ? `${'#'.repeat(node.depth)} ${words}` : wrap('**', words)
    }
    case 'list':
      return list(node, sourceOf)
    case 'blockquote':
      // Discord does not nest quotes.
      return node.children
        .map((child) => [child.type, block(child, sourceOf)] as const)
        .filter(([, text]) => text !== '')
        .map(([type, text]) => (type === 'blockquote' ? text : text.replaceAll(/^/gm, '> ')))
        .join('\n')
    case 'code': {
      const isLanguage = node.value !== '' && !node.meta && /^[\w+#.-]{1,32}$/.test(node.lang ?? '')
      const info = isLanguage ? '' : [node.lang, node.meta].filter(Boolean).join(' ')
      const said = info ? escapeDiscord(info) : ''
      if (!visible.test(node.value)) return said
      return `${said && `${said}\n`}${fence(node.value, isLanguage ? (node.lang ?? '') : '')}`
    }
    case 'table':
      return fence(toTableText(node.children.map((row) => row.children.map(plain))), '')
    case 'thematicBreak':
      return '———'
    case 'text':
    case 'strong':
    case 'emphasis':
    case 'delete':
    case 'inlineCode':
    case 'break':
    case 'link':
    case 'image':
    case 'listItem':
    case 'tableRow':
    case 'tableCell':
    case 'definition':
    case 'footnoteDefinition':
    case 'footnoteReference':
    case 'html':
    case 'imageReference':
    case 'linkReference':
    case 'yaml':
      return escapeDiscord(sourceOf(node))
    default:
      return node satisfies never
  }
}

function list(node: List, sourceOf: Source): string {
  return node.children
    .map((item, i) => {
      const [first = '', ...rest] = blocks(item.children, '\n', sourceOf).split('\n')
      return [`${marker(node, item, i)}${first}`, ...indent(rest, first.startsWith('```'))].join('\n')
    })
    .join(node.spread ? '\n\n' : '\n')
}

function marker(node: List, item: ListItem, i: number): string {
  if (typeof item.checked === 'boolean') return item.checked ? '☑ ' : '☐ '
  return node.ordered ? `${(node.start ?? 1) + i}. ` : '- '
}

/** What lies in a fence keeps its own indent. */
function indent(lines: readonly string[], startsInside: boolean): string[] {
  let inside = startsInside
  return lines.map((line) => {
    const isFence = line.startsWith('```')
    const text = inside || isFence ? line : `  ${line}`
    if (isFence) inside = !inside
    return text
  })
}

/** Lines of a paragraph that would begin a list, a heading or a quote. Only text is looked at: markup begins with other signs. */
function guardStarts(text: string): string {
  return text.replaceAll(/^(\s*)(#|-|\+|\d+(?=[.)]))/gm, (_, blank: string, mark: string) =>
    /\d/.test(mark) ? `${blank}${mark}${gap}` : `${blank}\\${mark}`,
  )
}

function inline(nodes: readonly PhrasingContent[], sourceOf: Source): string {
  // Backticks of neighbours must not add up to a fence.
  return nodes.reduce((text, node) => {
    const more = phrase(node, sourceOf)
    return text.endsWith('`') && more.startsWith('`') ? text + gap + more : text + more
  }, '')
}

function phrase(node: PhrasingContent, sourceOf: Source): string {
  switch (node.type) {
    case 'text':
      return escapeInline(node.value)
    case 'strong':
      return wrap('**', inline(node.children, sourceOf))
    case 'emphasis':
      return wrap('*', inline(node.children, sourceOf))
    case 'delete':
      return wrap('~~', inline(node.children, sourceOf))
    case 'inlineCode':
      return code(node.value)
    case 'break':
      return '\n'
    case 'link':
      return link(node, inline(node.children, sourceOf), node.children.map(plain).join(''))
    case 'image':
      return link(node, escapeInline(node.alt ?? ''), node.alt ?? '')
    case 'html':
    case 'footnoteReference':
    case 'imageReference':
    case 'linkReference':
      return escapeInline(sourceOf(node))
    default:
      return node satisfies never
  }
}

/** Marks around nothing, or inside blanks, would stand as signs. */
function wrap(mark: string, words: string): string {
  const [, before = '', inner = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(words) ?? []
  return inner === '' ? words : `${before}${mark}${inner}${mark}${after}`
}

/** More than one backtick in a row would open or end something. */
function code(value: string): string {
  const safe = value.replaceAll(/\s*\n\s*/g, ' ').replaceAll(/``+/g, (ticks) => ticks.replaceAll('`', 'ˋ'))
  if (safe.trim() === '') return value.trim() === '' ? '' : escapeInline(value)
  return safe.includes('`') ? `\`\` ${safe} \`\`` : `\`${safe}\``
}

function fence(value: string, language: string): string {
  const safe = value.replaceAll(/`{3,}/g, (ticks) => [...ticks].join(gap))
  return `\`\`\`${language}\n${safe}\n\`\`\``
}

function link({ url, title }: Pick<Link, 'url' | 'title'>, words: string, said: string): string {
  const target = URL.parse(url)
  const isWeb = target?.protocol === 'https:' || target?.protocol === 'http:'
  const shown = isWeb && !/[\s<>\\`]/.test(url) ? `<${url}>` : escapeInline(url)
  const name = title ? ` “${escapeInline(title)}”` : ''
  if (!visible.test(said) || isSame(said, url)) return (isWeb ? shown : words || shown) + name
  return `${words} (${shown})${name}`
}

function isSame(said: string, url: string): boolean {
  const bare = (text: string): string => text.replace(/^(https?:\/\/|mailto:)/, '').replace(/\/$/, '')
  return bare(said) === bare(url)
}

/** The words without any marks. */
function plain(node: Nodes): string {
  if ('value' in node) return node.value
  if (node.type === 'image') return `${node.alt ?? ''} (${node.url})`
  if (node.type === 'break') return ' '
  if (!('children' in node)) return ''
  const words = node.children.map(plain).join('')
  return node.type === 'link' && !isSame(words, node.url) ? `${words} (${node.url})` : words
}
