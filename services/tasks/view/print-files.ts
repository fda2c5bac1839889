// The files of a task in a chat: their list, one of them, or all. Pure. Names and texts are anybody's words: they are shown inert, or between fences.
import type { Language } from '#shared/chat/message.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import { mostFileChars } from '#services/tasks/files/tell-file.ts'
import { totalBytes, type Tree } from '#services/tasks/files/tree.ts'
import { pick, toName } from '#services/tasks/words.ts'
import { toSize } from './print-words.ts'

const nameChars = 120
const mostListed = 60

export function printFiles(tree: Tree, number: number, language: Language): string {
  const name = `**${toName(number, language)}**`
  if (tree.length === 0) return `${name} · ${pick(language, { zh: '还没有文件。', en: 'There are no files yet.' })}`
  const head = pick(language, {
    zh: `${tree.length} 个文件，共 ${toSize(totalBytes(tree))}`,
    en: `${tree.length} ${tree.length === 1 ? 'file' : 'files'}, ${toSize(totalBytes(tree))}`,
  })
  const more = tree.length - mostListed
  const how = pick(language, {
    zh: `\`/task ${number} files 文件名\` 给出一个文件，\`/task ${number} files all\` 给出全部。`,
    en: `\`/task ${number} files <name>\` gives one file, \`/task ${number} files all\` gives all.`,
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
