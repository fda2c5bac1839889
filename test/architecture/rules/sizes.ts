// Small files and a small executor, by line counts that fail the build (infra/decisions/090, 091).
import { countLines, isCode, topFolder } from './source-file.ts'
import type { Rule, SourceFile } from './source-file.ts'

const maxLines = 300
const maxTestLines = 500
const maxSharedLines = 200
const room = 'services/executor/'
/** The most lines of code of all its folders; a decision says why it is raised. */
export const mostExecutorLines = 7600
const maxSharedShare = 0.15
/** Below this size a share says nothing. */
const shareCountsFromLines = 3000

export const fileSizeRule: Rule = (files) =>
  files.filter(isCounted).flatMap((file) => {
    const limit = topFolder(file) === 'test' ? maxTestLines : topFolder(file) === 'shared' ? maxSharedLines : maxLines
    const lines = countLines(file.text)
    return lines > limit ? [`${file.path} has ${lines} lines; at most ${limit}`] : []
  })

export const executorSizeRule: Rule = (files) => {
  const code = files.filter((file) => isCounted(file) && file.path.startsWith(room))
  const lines = code.reduce((total, file) => total + countCode(file.text), 0)
  return lines > mostExecutorLines ? [`${room} has ${lines} lines of code; at most ${mostExecutorLines}`] : []
}

export const sharedShareRule: Rule = (files) => {
  const source = files.filter((file) => isCounted(file) && topFolder(file) !== 'test')
  const all = sum(source)
  const shared = sum(source.filter((file) => topFolder(file) === 'shared'))
  if (all < shareCountsFromLines || shared <= all * maxSharedShare) return []
  return [`shared/ has ${shared} of ${all} lines; at most ${maxSharedShare * 100} %`]
}

/** Lines that say something: not blank, not a comment, not an import. */
function countCode(text: string): number {
  return text.split('\n').filter((line) => !/^\s*(?:$|\/\/|--|\/?\*|import )/.test(line)).length
}

function isCounted(file: SourceFile): boolean {
  return isCode(file) || file.path.endsWith('.lua')
}

function sum(files: readonly SourceFile[]): number {
  return files.reduce((total, file) => total + countLines(file.text), 0)
}
