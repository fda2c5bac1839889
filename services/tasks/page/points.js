// The points that a task can go back to, each with what that would set aside.
import { drawUndone } from './files.js'
import { fold, make, read, readText } from './make.js'
import { words } from './words.js'

/** @import { Tools } from './page.js' */
/** @import { Point, Task } from './shape.js' */

/** The newest first. @param {Task} task @param {Tools} tools */
export function drawPoints(task, tools) {
  const said = words[tools.language]
  return make(
    'div',
    { class: 'points' },
    ...task.points.toReversed().map((point) => drawPoint(point, task, tools)),
    ...(isOver(task) ? [] : [make('p', { class: 'soft' }, said.how)]),
  )
}

/** @param {Task} task */
const isOver = ({ state }) => state === 'COMPLETED' || state === 'ERROR'

/** @param {Point} point @param {Task} task @param {Tools} tools */
function drawPoint(point, task, tools) {
  const { language, kept } = tools
  const said = words[language]
  const { step, generation, isHere, isAside } = point
  const name = step === 0 ? said.beginning : said.step(step)
  const title = isAside ? undefined : task.steps?.value.find(({ number }) => number === step)?.title
  const state = isHere ? said.here : isAside ? said.isAside : ''
  const summary = [
    make('span', {}, name),
    ...(title ? [make('span', { class: 'soft', dir: 'auto' }, title)] : []),
    make('span', { class: 'soft' }, said.version(generation)),
    ...(state ? [make('span', { class: isHere ? 'pill executing' : 'pill' }, state)] : []),
  ]
  if (isHere) return make('div', { class: 'point here' }, ...summary)
  return fold({ key: `point ${point.at}`, className: isAside ? 'point aside' : 'point', kept }, summary, () =>
    fillPoint(point, task, tools),
  )
}

/** @param {Point} point @param {Task} task @param {Tools} tools */
async function fillPoint(point, task, tools) {
  const said = words[tools.language]
  const begun = (task.steps?.value ?? []).filter(
    ({ number, status }) => number > point.common && status !== 'pending' && status !== 'blocked',
  )
  const [files, outside] = await Promise.all([drawUndone(point, tools), drawOutside(point, tools)])
  return make(
    'div',
    {},
    ...(begun.length === 0
      ? [make('p', {}, said.undoesNothing)]
      : [
          make('h4', {}, said.undoes),
          make('ul', {}, ...begun.map(({ number, title }) => make('li', { dir: 'auto' }, `${number}. ${title}`))),
        ]),
    make('h4', {}, said.filesThen),
    files,
    ...outside,
  )
}

/** What was changed outside since then: a rollback takes back what it can. @param {Point} point @param {Tools} tools */
async function drawOutside({ at, outside }, { get, place, language }) {
  if (outside === 0) return []
  const said = words[language]
  const writes = toList(read(await get('outside', { ...place, at: String(at) }), 'writes'))
  const all = writes.flatMap((one) => toList(read(one, 'value')))
  /** @param {string} title @param {readonly unknown[]} some */
  const list = (title, some) =>
    some.length === 0 ? [] : [make('h4', {}, title), make('ul', { class: 'writes' }, ...some.map(drawWrite))]
  return [
    ...list(
      said.takesBack,
      all.filter((one) => read(one, 'undo') !== undefined),
    ),
    ...list(
      said.stands,
      all.filter((one) => read(one, 'undo') === undefined),
    ),
  ]
}

/** @param {unknown} write */
const drawWrite = (write) =>
  make('li', { dir: 'auto' }, make('code', {}, readText(write, 'name')), ` ${readText(write, 'what')}`)

/** @param {unknown} value @returns {readonly unknown[]} */
const toList = (value) => (Array.isArray(value) ? value : [])
