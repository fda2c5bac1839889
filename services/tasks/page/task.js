// One task: how it stands, its steps as a timeline, its files, and the points that it can go back to.
import { drawFiles } from './files.js'
import { bar, pill, toConversation } from './list.js'
import { fold, make, textOf } from './make.js'
import { mark } from './mark.js'
import { drawPoints } from './points.js'
import { drawTimeline } from './timeline.js'
import { say, toCount, toSpan, words } from './words.js'

/** @import { Tools } from './page.js' */
/** @import { Task } from './shape.js' */

/** @param {Task} task @param {Tools} tools */
export function drawTask(task, tools) {
  const { language, choose } = tools
  const said = words[language]
  const back = make('button', { type: 'button', class: 'quiet back', 'data-key': 'back' }, `← ${said.all}`)
  back.addEventListener('click', () => choose(undefined))
  const title = textOf(task.order).trim().split('\n', 1)[0]?.slice(0, 120) ?? ''
  const steps = task.steps?.value ?? []
  const done = steps.filter(({ status }) => status === 'done' || status === 'skipped').length
  return make(
    'div',
    { class: 'one-task' },
    back,
    make(
      'header',
      { class: 'task-head' },
      make('span', { class: 'soft' }, `#${task.number}`),
      make('h2', { dir: 'auto' }, title || `#${task.number}`),
      pill(task.state, task.outlook.kind === 'waits', said),
    ),
    ...(steps.length > 0 ? [bar(done, steps.length)] : []),
    drawFacts(task, tools, done),
    drawOutlook(task, tools),
    ...(task.order ? [drawOrder(task, tools)] : []),
    section(said.timeline, ...drawTimeline(task, tools)),
    section(said.files, drawFiles(task, tools)),
    ...(task.points.length > 0 ? [section(said.points, drawPoints(task, tools))] : []),
  )
}

/** @param {string} title @param {...Node} parts */
const section = (title, ...parts) => make('section', {}, make('h3', {}, title), ...parts)

/** @param {Task} task @param {Tools} tools @param {number} done */
function drawFacts({ steps, tokens, workMs, begunAt, conversation }, { language }, done) {
  const said = words[language]
  return make(
    'p',
    { class: 'facts' },
    ...(steps ? [make('span', {}, `${done}/${steps.value.length}`)] : []),
    make('span', {}, toCount(tokens, language)),
    make('span', {}, said.worked(toSpan(workMs, language))),
    make('span', { 'data-since': String(begunAt), 'data-said': said.asked('{}') }),
    toConversation(conversation, said.conversation),
  )
}

/** Why it stands where it stands, and what comes next. @param {Task} task @param {Tools} tools */
function drawOutlook({ outlook, endsAt, steps, state }, { language }) {
  const said = words[language]
  const waits = outlook.kind === 'waits'
  const why = waits ? say(said.waits, outlook.waits ?? '') : say(said.ends, outlook.kind)
  const isOver = state === 'COMPLETED' || state === 'ERROR'
  const isPaused = outlook.kind === 'paused'
  const isStuck = waits && outlook.waits === 'recovery'
  const next =
    isOver || isStuck
      ? undefined
      : steps?.value.find(
          ({ status }) => status === 'pending' || status === 'blocked' || (isPaused && status === 'running'),
        )
  const lines = [
    ...(why ? [make('p', {}, why)] : []),
    ...(waits && endsAt
      ? [make('p', { class: 'soft', 'data-until': String(endsAt), 'data-said': said.leftWhole('{}') })]
      : []),
    ...(next ? [make('p', { class: 'soft', dir: 'auto' }, said.next(next.number, next.title))] : []),
  ]
  return make('div', { class: waits ? 'outlook is-waiting' : 'outlook' }, ...lines)
}

/** @param {Task} task @param {Tools} tools */
function drawOrder({ order }, { language, kept }) {
  const said = words[language]
  return fold({ key: 'order', className: 'order', kept }, [said.order, ...mark(order, language)], () =>
    make('p', { class: 'text', dir: 'auto' }, textOf(order)),
  )
}
