// The steps of a task from top to bottom: what was planned, what is done, what is at work now, and what was set aside. Each opens to what was to be done, what
// was done, what came of it and which files it changed.
import { drawChanges } from './files.js'
import { fold, make, once, read, textOf } from './make.js'
import { mark } from './mark.js'
import { say, toCount, toSpan, words } from './words.js'

/** @import { Tools } from './page.js' */
/** @import { Call, Log, Output, Point, Step, Task } from './shape.js' */

/** @param {Task} task @param {Tools} tools */
export function drawTimeline(task, tools) {
  const said = words[tools.language]
  const steps = task.steps?.value ?? []
  const logs = task.logs.map(({ value }) => value)
  const own = steps.map((step) => logs.filter((log) => isOf(log, step, task)))
  const known = new Set(own.flat())
  const planning = logs.filter(({ what }) => what === 'plan')
  const undone = logs.filter(({ what }) => what === 'undo')
  const ending = logs.filter(({ what }) => what === 'result')
  const aside = logs.filter((log) => log.what === 'step' && !known.has(log))
  const isPlanning = task.isAtWork && task.phase === 'plan'
  const isEnding = task.isAtWork && task.phase === 'result'
  const isDone = task.state === 'COMPLETED'
  const all = make(
    'ol',
    { class: 'timeline' },
    ...(planning.length > 0 || isPlanning
      ? [
          node({ key: 'plan', status: isPlanning ? 'running' : 'done', title: said.planning }, planning, {
            task,
            tools,
          }),
        ]
      : []),
    ...steps.map((step, at) => drawStep(step, own[at] ?? [], { task, tools })),
    ...(undone.length > 0
      ? [
          node(
            {
              key: 'undo',
              status: task.isAtWork && task.phase === 'undo' ? 'running' : 'done',
              title: said.takingBack,
            },
            undone,
            { task, tools },
          ),
        ]
      : []),
    ...(ending.length > 0 || isEnding || isDone
      ? [
          node(
            { key: 'result', status: isEnding ? 'running' : isDone ? 'done' : 'pending', title: said.result },
            ending,
            {
              task,
              tools,
              ...(isDone ? { output: { number: 0, generation: task.generation } } : {}),
            },
          ),
        ]
      : []),
  )
  if (aside.length === 0) return [all]
  const others = make('ol', { class: 'timeline' }, ...drawAside(aside, task, tools))
  return [all, make('p', { class: 'soft' }, said.asideNote), others]
}

/** @param {Log} log @param {Step} step @param {Task} task */
const isOf = ({ what, number, generation }, { id, output }, task) =>
  what === 'step' && number === id && generation === (output?.generation ?? task.generation)

/** @param {Step} step @param {Log[]} logs @param {{ task: Task, tools: Tools }} where */
function drawStep(step, logs, { task, tools }) {
  const said = words[tools.language]
  const { number, title, status, isNow, isCheckpoint, writesOutside, waitsFor } = step
  const isWaiting = task.waits === 'checkpoint' && task.outlook.step === number
  const notes = [
    ...(isCheckpoint ? [said.checkpoint] : []),
    ...(writesOutside ? [said.outside] : []),
    ...(waitsFor.length > 0 ? [said.waitsFor(waitsFor.join(', '))] : []),
  ]
  return node(
    {
      key: `step ${step.id}`,
      status: isNow ? 'running' : isWaiting ? 'waits' : status,
      title: `${number}. ${title}`,
      notes,
    },
    logs,
    { task, tools, step, ...(step.output ? { output: step.output } : {}) },
  )
}

/**
 * @param {{ key: string, status: string, title: string, notes?: string[] }} face @param {Log[]} logs
 * @param {{ task: Task, tools: Tools, step?: Step, output?: Output }} about
 */
function node({ key, status, title, notes = [] }, logs, { task, tools, step, output }) {
  const { language, kept } = tools
  const said = words[language]
  const name =
    status === 'waits' ? say(said.states, 'VERIFYING') : status === 'aside' ? said.isAside : say(said.statuses, status)
  const running = status === 'running' ? task.running?.value : undefined
  const facts = [
    make('span', { class: 'status' }, name),
    ...toFacts(logs, language),
    ...(running ? [make('span', { 'data-since': String(running.begunAt), 'data-said': said.running('{}') })] : []),
    ...(running && running.tokens > 0 ? [make('span', {}, toCount(running.tokens, language))] : []),
    ...(status === 'waits' && task.endsAt
      ? [make('span', { 'data-until': String(task.endsAt), 'data-said': said.left('{}') })]
      : []),
    ...notes.map((note) => make('span', { class: 'remark' }, note)),
  ]
  const summary = [make('span', { class: 'step-name', dir: 'auto' }, title), make('span', { class: 'facts' }, ...facts)]
  const inside = () => fillStep(logs, { task, tools, step, output, running })
  return make(
    'li',
    { class: `node ${status === 'waits' ? 'is-waiting' : status}` },
    fold({ key, className: 'step', kept }, summary, inside),
  )
}

/** @param {Log[]} logs @param {'zh' | 'en'} language */
function toFacts(logs, language) {
  if (logs.length === 0) return []
  const ms = logs.reduce((sum, { begunAt, endedAt }) => sum + endedAt - begunAt, 0)
  const tokens = logs.reduce((sum, log) => sum + log.tokens, 0)
  const facts = [toSpan(ms, language), toCount(tokens, language)]
  return [...facts, ...(logs.length > 1 ? [words[language].tries(logs.length)] : [])].map((fact) =>
    make('span', {}, fact),
  )
}

/**
 * @param {Log[]} logs
 * @param {{ task: Task, tools: Tools, step: Step | undefined, output: Output | undefined, running: { calls: Call[], left: number } | undefined }} about
 */
async function fillStep(logs, { task, tools, step, output, running }) {
  const said = words[tools.language]
  const parts = make('div')
  if (step) parts.append(make('h4', {}, said.todo), make('p', { class: 'text', dir: 'auto' }, step.task))
  const turns = [...logs, ...(running ? [running] : [])]
  if (turns.length > 0) parts.append(make('h4', {}, said.journal), ...turns.map((turn) => drawCalls(turn, tools)))
  if (output) parts.append(make('h4', {}, said.came), await drawOutput(output, tools))
  const [before, after] = step && output ? findPoints(task.points, step, output) : []
  if (after) parts.append(make('h4', {}, said.changes), await drawChanges({ before, after }, tools))
  return parts
}

/** Where it stood before the step, and after it. @param {Point[]} points @param {Step} step @param {Output} output @returns {[Point | undefined, Point | undefined]} */
function findPoints(points, { number }, { generation }) {
  const after = points.findLast((point) => point.step === number && point.generation === generation)
  const before = after && points.findLast(({ at, step }) => at < after.at && step === number - 1)
  return [before, after]
}

/** @param {{ calls: Call[], left: number, ending?: string }} turn @param {Tools} tools */
function drawCalls({ calls, left, ending }, { language }) {
  const said = words[language]
  if (calls.length === 0) return make('p', { class: 'soft' }, said.noCalls)
  return make(
    'ul',
    { class: 'calls' },
    ...(left > 0 ? [make('li', { class: 'soft' }, said.more(left))] : []),
    ...calls.map(({ name, how, head, ms }) =>
      make(
        'li',
        { class: how },
        make('code', {}, name),
        ...(ms === undefined ? [] : [make('span', { class: 'soft' }, toSpan(ms, language))]),
        ...(head ? [make('span', { class: 'head', dir: 'auto' }, head)] : []),
      ),
    ),
    ...(ending && ending !== 'answered' && ending !== 'suspended'
      ? [make('li', { class: 'failed' }, make('span', { class: 'head' }, ending))]
      : []),
  )
}

/** @param {Output} output @param {Tools} tools */
async function drawOutput({ number, generation }, { get, kept, place, language }) {
  const query = { ...place, id: String(number), generation: String(generation) }
  const answer = await once(kept, `step ${number} ${generation}`, () => get('step', query))
  const [text, parts] = [read(answer, 'text'), read(answer, 'parts')]
  /** @type {unknown[]} */
  const list = Array.isArray(parts) ? parts : []
  const all = [...list, text].filter((one) => textOf(one) !== '')
  if (all.length === 0) return make('p', { class: 'soft' }, words[language].gone)
  return make(
    'div',
    {},
    ...all.flatMap((one) => [...mark(one, language), make('p', { class: 'text', dir: 'auto' }, textOf(one))]),
  )
}

/** By plan, the newest last. @param {Log[]} logs @param {Task} task @param {Tools} tools */
function drawAside(logs, task, tools) {
  const said = words[tools.language]
  /** @type {Map<string, Log[]>} */
  const groups = new Map()
  for (const log of logs) {
    const key = `${log.generation} ${log.number}`
    groups.set(key, [...(groups.get(key) ?? []), log])
  }
  return [...groups].map(([key, some]) => {
    const [generation = 0, number = 0] = key.split(' ').map(Number)
    const same = task.steps?.value.find(({ id }) => id === number)
    const title = same ? `${same.number}. ${same.title}` : said.stepName(number)
    const notes = [said.version(generation)]
    return node({ key: `aside ${key}`, status: 'aside', title, notes }, some, {
      task,
      tools,
      output: { number, generation },
    })
  })
}
