// Says how a tree of Flotilla is built, in a few numbers: `node test/architecture/figures.ts [root]`. The rules hold these numbers; this shows them, of any
// commit that is checked out somewhere.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { floors } from '#test/architecture/rules/floors.ts'
import {
  countLines,
  isCode,
  layers,
  parseImports,
  readTree,
  resolveImport,
  topFolder,
} from '#test/architecture/rules/source-file.ts'

const executor = 'services/executor'
const root = path.resolve(process.argv[2] ?? '.')
const files = readTree(root).filter(
  (file) => layers.some((layer) => layer === topFolder(file)) && (isCode(file) || file.path.endsWith('.lua')),
)
const code = files.filter(isCode)

/** Between folders, each once, with how many imports it stands for. */
const arrows = new Map<string, number>()
for (const file of code) {
  const own = path.posix.dirname(file.path)
  for (const specifier of parseImports(file.text)) {
    const target = resolveImport(file, specifier)
    if (target === undefined) continue
    const folder = path.posix.dirname(target)
    if (folder !== own) arrows.set(`${own} ${folder}`, (arrows.get(`${own} ${folder}`) ?? 0) + 1)
  }
}
const isWithin = (folder: string): boolean => folder === executor || folder.startsWith(`${executor}/`)
const ends = (arrow: string): readonly [string, string] => {
  const [from = '', to = ''] = arrow.split(' ')
  return [from, to]
}
const inside = [...arrows.keys()].filter((arrow) => ends(arrow).every(isWithin))
const floorOf = (folder: string): number => floors.indexOf(folder.slice(executor.length + 1).split('/')[0] ?? '')
/** Where the folders are not those of the list, arrows that some order of the folders cannot have point down. */
const isListed = inside.every((arrow) => ends(arrow).every((folder) => floorOf(folder) >= 0))
const up = inside.filter((arrow) => {
  const [from, to] = ends(arrow)
  return isListed ? floorOf(to) > floorOf(from) : arrows.has(`${to} ${from}`)
})
const mutual = [...arrows.keys()].filter((arrow) => {
  const [from, to] = ends(arrow)
  return from < to && arrows.has(`${to} ${from}`)
})

const found = z.object({ diagnostics: z.array(z.unknown()) })
/** Functions over 60 lines, counted whole. */
function countLong(): number {
  const folder = mkdtempSync(path.join(tmpdir(), 'figures-'))
  const config = path.join(folder, 'oxlint.json')
  const rule = ['error', { max: 60, skipBlankLines: false, skipComments: false }]
  writeFileSync(
    config,
    JSON.stringify({ categories: { correctness: 'off' }, rules: { 'max-lines-per-function': rule } }),
  )
  try {
    const said = execFileSync('oxlint', ['-c', config, '--format', 'json', ...layers], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    return found.parse(JSON.parse(said)).diagnostics.length
  } catch (error) {
    const said = error instanceof Error && 'stdout' in error ? String(error.stdout) : ''
    return found.parse(JSON.parse(said)).diagnostics.length
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const most = code.map((file) => new Set(parseImports(file.text)).size)
const lines = (all: typeof files): number => all.reduce((sum, { text }) => sum + countLines(text), 0)
const figures = {
  files: files.length,
  lines: lines(files),
  executorLines: lines(files.filter(({ path: name }) => name.startsWith(`${executor}/`))),
  executorFolders: new Set(inside.flatMap(ends)).size,
  executorArrows: inside.length,
  [isListed ? 'executorArrowsUp' : 'executorArrowsInPairs']: up.length,
  executorPairs: mutual.filter((arrow) => ends(arrow).every(isWithin)).length,
  otherPairs: mutual.filter((arrow) => !ends(arrow).every(isWithin)).length,
  functionsOver60: countLong(),
  importsOver25: most.filter((count) => count > 25).length,
  mostImports: Math.max(...most),
}
process.stdout.write(`${JSON.stringify(figures, undefined, 2)}\n`)
