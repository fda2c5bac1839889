// The files of a task in a chat: their list, one of them, or all. Pure. Names and texts are anybody's words: they are shown inert, or between fences.
import type { Language } from '#shared/chat/message.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import type { OutFile } from '#shared/run/out-row.ts'
import { totalBytes, type Tree } from '#services/tasks/files/tree.ts'
import { pick, toName } from '#services/tasks/words.ts'
import { toSize } from './print-words.ts'

const nameChars = 120
const mostListed = 60
/** Some eight messages of a chat, where it can show no file. */
const mostChatChars = 30_000
const mostFileChars = 1_000_000

export function printFiles(tree: Tree, number: number, language: Language): string {
  const name = `**${toName(number, language)}**`
  if (tree.length === 0) return `${name} · ${pick(language, { zh: '还没有文件。', en: 'There are no files yet.' })}`
  const head = pick(language, {
    zh: `${tree.length} 个文件，共 ${toSize(totalBytes(tree))}`,
    en: `${tree.length} ${tree.length === 1 ? 'file' : 'files'}, ${toSize(totalBytes(tree))}`,
  })
  const more = tree.length - mostListed
  const how = pick(language, {
    zh: `\`/task ${number} files\` 加上文件名给出这个文件，加上 \`all\` 给出全部。`,
    en: `\`/task ${number} files\` with a name gives that file, with \`all\` all of them.`,
  })
  return [
    `${name} · ${head}`,
    [
      ...tree.slice(0, mostListed).map(({ path, bytes }) => `- ${toInertLine(path, nameChars)} · ${toSize(bytes)}`),
      ...(more > 0 ? [pick(language, { zh: `- ……还有 ${more} 个`, en: `- … ${more} more` })] : []),
    ].join('\n'),
    how,
  ].join('\n\n')
}

/** A text as a file, and as a message for who is shown none. */
export function toFileMessage(
  { path, text, caption }: { readonly path: string; readonly text: string; readonly caption: string },
  language: Language,
): { readonly text: string; readonly file: OutFile } {
  const whole = text.slice(0, mostFileChars).toWellFormed()
  const shown = whole.slice(0, mostChatChars).toWellFormed()
  const cut =
    shown.length < text.length
      ? pick(language, { zh: `（前 ${shown.length} 个字符）`, en: ` (its first ${shown.length} characters)` })
      : ''
  const longest = Math.max(3, ...(shown.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return {
    text: [`${caption}${cut}`, `${fence}\n${shown}\n${fence}`].join('\n\n'),
    file: { name: toFileName(path), caption, text: whole },
  }
}

/** As platforms take it: its last part, in letters of ASCII, digits, points, `_` and `-`. */
function toFileName(path: string): string {
  const last = path.split('/').at(-1) ?? ''
  const name = last.replaceAll(/[^\w.-]/g, '_').slice(-64)
  return /[A-Za-z0-9]/.test(name) ? name : 'file.txt'
}

/** All of them under headings, as far as they fit; `left`: how many do not. */
export function joinFiles(files: readonly { readonly path: string; readonly text: string }[]): {
  readonly text: string
  readonly left: number
} {
  const parts: string[] = []
  let room = mostFileChars
  for (const { path, text } of files) {
    const part = `===== ${path} =====\n${text}${text.endsWith('\n') || text === '' ? '' : '\n'}\n`
    if (part.length > room) break
    parts.push(part)
    room -= part.length
  }
  return { text: parts.join(''), left: files.length - parts.length }
}
