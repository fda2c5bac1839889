// The list of tasks: each as a card that opens it, with how it stands, how far it is and what it has cost.
import { make, textOf } from './make.js'
import { say, toCount, words } from './words.js'

/** @import { Tools } from './page.js' */
/** @import { ListedTask } from './shape.js' */

/** @param {{ tasks: ListedTask[] }} said @param {Tools} tools */
export function drawList({ tasks }, tools) {
  const said = words[tools.language]
  if (tasks.length === 0) return make('p', { class: 'soft' }, said.none)
  return make('ul', { class: 'task-list' }, ...tasks.map((task) => make('li', {}, drawOne(task, tools))))
}

/** @param {ListedTask} task @param {Tools} tools */
function drawOne(task, { language, choose }) {
  const said = words[language]
  const { conversation, number, state, done, all, tokens, begunAt } = task
  const key = `${conversation}#${number}`
  const name = make(
    'button',
    { type: 'button', class: 'task-name', 'data-key': key, dir: 'auto' },
    toShort(textOf(task.title)) || `#${number}`,
  )
  name.addEventListener('click', () => choose({ conversation, number: String(number) }))
  return make(
    'article',
    { class: 'task-card' },
    make(
      'div',
      { class: 'task-head' },
      make('span', { class: 'soft' }, `#${number}`),
      name,
      pill(state, isAsking(task), said),
    ),
    ...(all > 0 ? [bar(done, all)] : []),
    make(
      'p',
      { class: 'facts' },
      ...(all > 0 ? [make('span', {}, `${done}/${all}`)] : []),
      make('span', {}, toCount(tokens, language)),
      make('span', { 'data-since': String(begunAt), 'data-said': said.asked('{}') }),
      toConversation(conversation, said.conversation),
    ),
  )
}

/** The list keeps one character more than it shows. */
const titleChars = 60
/** @param {string} title */
const toShort = (title) => (title.length > titleChars ? `${title.slice(0, titleChars).trimEnd()}…` : title)

/** How it stands; `waits`: it goes on once people have done something. @param {string} state @param {boolean} waits @param {typeof words['en']} said */
export const pill = (state, waits, { states, waiting }) =>
  waits && state !== 'VERIFYING'
    ? make('span', { class: 'pill verifying' }, waiting)
    : make('span', { class: `pill ${state.toLowerCase()}` }, say(states, state))

/** @param {ListedTask} task */
const isAsking = ({ state, waits }) =>
  waits !== 'nothing' && state !== 'PAUSED' && state !== 'COMPLETED' && state !== 'ERROR'

/** @param {string} conversation @param {string} label */
export const toConversation = (conversation, label) =>
  make('a', { href: `#${conversation.replace('web:', '')}`, 'data-key': `conversation ${conversation}` }, label)

/** @param {number} done @param {number} all */
export function bar(done, all) {
  const inner = make('progress', { class: 'task-bar', max: String(all), value: String(done) })
  inner.setAttribute('aria-label', `${done}/${all}`)
  return inner
}
