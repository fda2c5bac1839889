// Files of a task: those that it has now, each with what stands in it, and what differs between two points, line by line.
import { fold, make, once, read, readText, textOf } from './make.js'
import { filesOf } from './shape.js'
import { mark } from './mark.js'
import { toSize, words } from './words.js'

/** @import { Tools } from './page.js' */
/** @import { Point, Task, TreeFile } from './shape.js' */

/** @param {Task} task @param {Tools} tools */
export function drawFiles(task, tools) {
  const { language, kept, get, place } = tools
  const files = filesOf(task.files)
  if (files.length === 0) return make('p', { class: 'soft' }, words[language].noFiles)
  const one = (/** @type {TreeFile} */ { path, bytes, hash }) =>
    fold(
      { key: `file ${path}`, className: 'file', kept },
      [make('code', { dir: 'auto' }, path), make('span', { class: 'soft' }, toSize(bytes))],
      async () => {
        const answer = await once(kept, `file ${path} ${hash}`, () => get('file', { ...place, at: 'now', path }))
        const text = read(answer, 'text')
        return make('div', {}, ...mark(text, language), make('pre', { dir: 'auto' }, textOf(text)))
      },
    )
  return make('div', { class: 'files' }, ...files.map(one))
}

/** What differs between two points; without `after` from how it stands now. @param {{ before: Point | undefined, after: Point | 'now' }} between @param {Tools} tools */
export async function drawChanges({ before, after }, tools) {
  const { get, kept, place, language } = tools
  const said = words[language]
  const from = before ? String(before.at) : 'start'
  const to = after === 'now' ? 'now' : String(after.at)
  return await drawBetween({ from, to, none: said.noChanges }, { get, kept, place, language })
}

/** What a rollback to this point would do to the files. @param {Point} point @param {Tools} tools */
export const drawUndone = (point, tools) =>
  drawBetween({ from: 'now', to: String(point.at), none: words[tools.language].filesSame }, tools)

/** @param {{ from: string, to: string, none: string }} between @param {Pick<Tools, 'get' | 'kept' | 'place' | 'language'>} tools */
async function drawBetween({ from, to, none }, { get, kept, place, language }) {
  const said = words[language]
  // How it stands now changes as it works.
  const load = () => get('compare', { ...place, from, to })
  const answer = await (from === 'now' || to === 'now' ? load() : once(kept, `compare ${from} ${to}`, load))
  const changes = compare(filesOf(read(answer, 'before')), filesOf(read(answer, 'after')))
  if (changes.length === 0) return make('p', { class: 'soft' }, none)
  return make(
    'div',
    { class: 'files' },
    ...changes.map(({ path, how, bytes }) =>
      fold(
        { key: `diff ${from} ${to} ${path}`, className: `file ${how}`, kept },
        [
          make('code', { dir: 'auto' }, path),
          make('span', { class: 'how' }, said[how]),
          make('span', { class: 'soft' }, toSize(bytes)),
        ],
        async () => {
          const diff = await get('diff', { ...place, from, to, path })
          return make('div', {}, ...mark(diff, language), drawDiff(readText(diff, 'text')))
        },
      ),
    ),
  )
}

/** @typedef {{ path: string, how: 'added' | 'changed' | 'removed', bytes: number }} Change */

/** @param {readonly TreeFile[]} before @param {readonly TreeFile[]} after @returns {Change[]} */
function compare(before, after) {
  const old = new Map(before.map((file) => [file.path, file.hash]))
  const now = new Set(after.map(({ path }) => path))
  /** @type {Change[]} */
  const changes = []
  for (const { path, hash, bytes } of after) {
    const was = old.get(path)
    if (was === undefined) changes.push({ path, how: 'added', bytes })
    else if (was !== hash) changes.push({ path, how: 'changed', bytes })
  }
  for (const { path, bytes } of before) if (!now.has(path)) changes.push({ path, how: 'removed', bytes })
  return changes
}

/** @param {string} text hunks of a unified diff */
function drawDiff(text) {
  const lines = text.replace(/\n$/, '').split('\n')
  return make('pre', { class: 'diff' }, ...lines.map((line) => make('span', { class: toKind(line) }, `${line}\n`)))
}

/** @param {string} line */
const toKind = (line) =>
  line.startsWith('@@') ? 'place' : line.startsWith('+') ? 'plus' : line.startsWith('-') ? 'minus' : 'same'
