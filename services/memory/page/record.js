// One record: its words, what is known of it, and what may be done with it. Forgetting asks once.
import { button, make } from './make.js'
import { isDone } from './shape.js'
import { say, words } from './words.js'

/** @import { ShownRecord } from './shape.js' */
/** @import { Language } from './words.js' */
/** @typedef {{ language: Language, post(path: string, body?: Record<string, unknown>): Promise<unknown>, tell(text: string): void }} RecordTools */

/** @param {ShownRecord} record @param {RecordTools} tools */
export function drawRecord(record, tools) {
  const place = make('li', { class: 'record', 'data-label': record.label })
  show(place, record, tools)
  return place
}

/** @param {HTMLElement} place @param {ShownRecord} record @param {RecordTools} tools */
function show(place, record, tools) {
  const text = words[tools.language]
  place.classList.toggle('old', record.isOld)
  const deeds = make('p', { class: 'deeds' })
  if (!record.isConfirmed) deeds.append(button(text.confirm, () => act('confirm', {})))
  if (!record.isOld) deeds.append(button(text.edit, () => edit(place, record, tools)))
  deeds.append(button(record.isPinned ? text.unpin : text.pin, () => act('pin', { pinned: !record.isPinned })))
  const groups = record.isForGroups ? text.notInGroups : text.inGroups
  if (!record.label.startsWith('g')) deeds.append(button(groups, () => act('groups', { allowed: !record.isForGroups })))
  deeds.append(button(text.forget, ask))
  const said = make('p', { class: 'said', dir: 'auto' }, record.text)
  place.replaceChildren(said, ...reasons(record, text), facts(record, tools.language), deeds)

  function ask() {
    const sure = button(text.really, () => act('forget', {}), 'danger')
    deeds.replaceChildren(
      sure,
      button(text.keep, () => show(place, record, tools)),
    )
    sure.focus()
  }

  /** @param {string} path @param {Record<string, unknown>} more */
  const act = (path, more) => perform(place, tools, { path, body: { label: record.label, id: record.id, ...more } })
}

/** Of what was settled: why, and where it holds. @param {ShownRecord} record @param {import('./words.js').Words} text */
function reasons({ anchor }, text) {
  const { why, context, until, tags = [] } = anchor ?? {}
  const lines = [
    ...(why ? [text.why(why)] : []),
    ...(context ? [text.context(context)] : []),
    ...(until ? [text.until(until)] : []),
    ...(tags.length > 0 ? [text.tags(tags)] : []),
  ]
  return lines.map((line) => make('p', { class: 'soft', dir: 'auto' }, line))
}

/** @param {ShownRecord} record @param {Language} language */
function facts({ label, kind, saidAt, isPinned, isForGroups, isConfirmed, isOld, by, uses, from }, language) {
  const text = words[language]
  const day = new Date(saidAt).toLocaleDateString(language === 'zh' ? 'zh-CN' : 'en-GB', { dateStyle: 'medium' })
  const notes = [
    text.label.replace('%n', label),
    say(text.kindOf, kind),
    day,
    ...(label.startsWith('g') ? [text.forAll] : []),
    ...(by === undefined ? [] : [text.by(by)]),
    ...(isPinned ? [text.pinned] : []),
    ...(isForGroups ? [text.forGroups] : []),
    ...(isConfirmed ? [] : [text.unconfirmed]),
    ...(isOld ? [text.old] : []),
    ...(uses > 0 ? [text.used(uses)] : []),
  ]
  const line = make('p', { class: 'facts' }, ...notes.map((note) => make('span', {}, note)))
  for (const { channel, href } of from) {
    const where = channel === 'web' ? text.from : text.fromChannel(say(text.channels, channel))
    const target = channel === 'web' ? '_self' : '_blank'
    line.append(href ? make('a', { href, target, rel: 'noopener noreferrer' }, where) : make('span', {}, where))
  }
  return line
}

/** @param {HTMLElement} place @param {ShownRecord} record @param {RecordTools} tools */
function edit(place, record, tools) {
  const text = words[tools.language]
  const field = make('textarea', { rows: '2', maxlength: '1000', 'aria-label': text.edit, dir: 'auto' })
  field.value = record.text
  const save = () =>
    perform(place, tools, { path: 'edit', body: { label: record.label, id: record.id, text: field.value } })
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      show(place, record, tools)
    }
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
      event.preventDefault()
      void save()
    }
  })
  const deeds = make('p', { class: 'deeds' }, button(text.save, save, 'main'))
  deeds.append(button(text.cancel, () => show(place, record, tools)))
  place.replaceChildren(field, deeds)
  field.focus()
}

/** @param {HTMLElement} place @param {RecordTools} tools @param {{ path: string, body: Record<string, unknown> }} deed */
async function perform(place, tools, { path, body }) {
  const text = words[tools.language]
  try {
    const done = await tools.post(path, body)
    if (!isDone(done)) throw new Error('The answer has another shape.')
    if (done.why) return tools.tell(say(done.why, tools.language))
    if (done.record) show(place, done.record, tools)
    else place.replaceChildren(make('p', { class: 'soft' }, text.forgotten))
    tools.tell(done.kind === 'changed' ? text.changed : '')
  } catch (failure) {
    tools.tell(failure instanceof Error ? failure.message : String(failure))
  }
}
