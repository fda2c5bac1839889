// Small files and small core rooms, by line counts that fail the build (infra/decisions/004).
import { countLines, isCode, topFolder } from './source-file.ts'
import type { Rule, SourceFile } from './source-file.ts'

const maxLines = 300
const maxTestLines = 500
const maxSharedLines = 200
/** The most lines of code of each core room. */
export const coreRooms = {
  'services/router/': 1059,
  'services/executor/': 960,
  'services/executor/asking/': 220,
  'services/executor/compaction/': 328,
  'services/executor/context/': 656,
  'services/executor/effects/': 600,
  'services/executor/ending/': 600,
  'services/executor/failing/': 67,
  'services/executor/gateway/': 803,
  'services/executor/later/': 315,
  'services/executor/marks/': 63,
  'services/executor/model/': 355,
  'services/executor/offer/': 64,
  'services/executor/planning/': 247,
  'services/executor/shown/': 62,
  'services/executor/state/': 653,
  'queues/kernel/': 1590,
}
const maxSharedShare = 0.15
/** Below this size a share says nothing. */
const shareCountsFromLines = 3000

export const fileSizeRule: Rule = (files) =>
  files.filter(isCounted).flatMap((file) => {
    const limit = topFolder(file) === 'test' ? maxTestLines : topFolder(file) === 'shared' ? maxSharedLines : maxLines
    const lines = countLines(file.text)
    return lines > limit ? [`${file.path} has ${lines} lines; at most ${limit}`] : []
  })

export const coreSizeRule: Rule = (files) =>
  Object.entries(coreRooms).flatMap(([room, limit]) => {
    const isWithin = ({ path }: SourceFile): boolean => path.startsWith(room) && !isInner(path, room)
    const code = files.filter((file) => isCounted(file) && isWithin(file))
    const lines = code.reduce((total, file) => total + countCode(file.text), 0)
    return lines > limit ? [`${room} has ${lines} lines of code; at most ${limit}`] : []
  })

/** Whether a file of this room is counted in a room of its own within it. */
function isInner(path: string, room: string): boolean {
  return Object.keys(coreRooms).some((inner) => inner !== room && inner.startsWith(room) && path.startsWith(inner))
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
