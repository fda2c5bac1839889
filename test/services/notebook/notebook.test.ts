// Notes of a conversation: written, listed and read by the model, shown and deleted by people, and gone with the messages that they are about.
import { expect, test } from 'vitest'
import type { MessageEvent } from '#shared/chat/event.ts'
import { notebook } from '#services/notebook/notebook.ts'
import type { Notes } from '#services/notebook/slice.ts'
import { sliceOf } from '#services/executor/state/slices.ts'
import { ann, toCommand } from '#test/rig/events.ts'
import { answer, builtIn, createStage, look, type Answer, type Stage } from '#test/services/executor/stage.ts'

const bob = 'web:bob'
const call = (name: string, input: object = {}, id = name) => ({ id, name, arguments: JSON.stringify(input) })
const results = ({ requests }: Stage): readonly string[] =>
  (requests.at(-1)?.messages ?? []).flatMap((message) => (message.role === 'tool' ? [message.content] : []))
// The slice is what its schema reads.
const slice = async (stage: Stage): Promise<Notes> => sliceOf(await stage.state(), notebook) as Notes
const notes = async (stage: Stage): Promise<readonly object[]> =>
  (await slice(stage)).notes.map(({ said, ...more }) => {
    const { value, by: _, ...from } = said.toJSON()
    return { ...more, ...value, ...from }
  })
const write = (title: string, text: string, id = 'w') => call('note_write', { title, text }, id)
const openStage = (): Stage => createStage({ features: [...builtIn, { name: 'looking', tools: [look] }] })
const show = (stage: Stage, args = '', more: Partial<MessageEvent> = {}): Promise<string> =>
  stage.ask('/notes', { language: 'en', ...more, as: toCommand('notes', args) })

async function note(stage: Stage, title: string, text: string, more: Partial<MessageEvent> = {}): Promise<void> {
  stage.answers({ toolCalls: [write(title, text)] }, 'Noted.')
  await stage.ask(`Note ${title}`, more)
}

test('the model writes, lists, reads and writes over, and the titles are the same in capital letters', async () => {
  const stage = openStage()
  await note(stage, 'Wifi', 'The code is 4711.')
  await note(stage, 'Shopping', 'tea')
  await note(stage, 'WIFI', 'The code is 0815.')
  expect(results(stage).at(-1)).toBe('The note is written over the one of this title.')
  stage.answers(
    { toolCalls: [call('note_list'), call('note_read', { title: 'wifi' }), call('note_read', { title: 2 }, 'n')] },
    'There.',
  )
  await stage.ask('What notes are there?')
  expect(results(stage).slice(-3)).toEqual([
    '1: WIFI (17 characters)\n2: Shopping (3 characters)',
    'WIFI\n\nThe code is 0815.',
    'Shopping\n\ntea',
  ])
  expect(await notes(stage)).toEqual([
    { id: 1, title: 'WIFI', text: 'The code is 0815.', who: ann, about: ['m3'] },
    { id: 2, title: 'Shopping', text: 'tea', who: ann, about: ['m2'] },
  ])
})

test('people list, read and delete them, in both languages', async () => {
  const stage = openStage()
  expect(await show(stage)).toBe('There are no notes here. Ask me to make a note of something.')
  await note(stage, 'Wifi', '4711')
  expect(await show(stage)).toBe('Notes:\n- 1: Wifi')
  expect(await stage.press('Read 1')).toBe('1: Wifi\n\n4711')
  expect(await show(stage, 'wifi')).toBe('1: Wifi\n\n4711')
  expect(await show(stage, '7')).toBe('There is no such note. `/notes` lists them all.')
  await stage.press('Delete')
  expect(await notes(stage)).toEqual([])
  await note(stage, 'Wifi', '4711')
  const chinese = { language: 'zh' } as const
  expect(await show(stage, '', chinese)).toBe('笔记：\n- 2: Wifi')
  expect(await show(stage, '2', chinese)).toBe('2: Wifi\n\n4711')
  expect(await show(stage, '3', chinese)).toBe('没有这条笔记。`/notes` 列出所有笔记。')
})

test('in a group all read them, and who deletes one is whom it was written for', async () => {
  const stage = openStage()
  const inGroup = { group: true } as const
  await note(stage, 'Wifi', '4711', { ...inGroup, name: 'Ann' })
  expect(await show(stage, '1', { ...inGroup, principal: bob, name: 'Bob' })).toContain('4711')
  expect(await stage.press('Delete', bob)).not.toContain('deleted')
  expect(await notes(stage)).toHaveLength(1)
  await stage.press('Delete', ann)
  expect(await notes(stage)).toEqual([])
})

test('a card under a note that somebody else wrote over meanwhile deletes nothing', async () => {
  const stage = openStage()
  const inGroup = { group: true } as const
  await note(stage, 'Wifi', '4711', { ...inGroup, name: 'Ann' })
  await show(stage, '1', { ...inGroup, name: 'Ann' })
  await note(stage, 'Wifi', '0815', { ...inGroup, principal: bob, name: 'Bob' })
  await stage.press('Delete', ann)
  expect(await notes(stage)).toMatchObject([{ text: '0815', who: bob }])
})

const taintOf = (stage: Stage): unknown =>
  stage.steps
    .flatMap(({ entries }) => entries)
    .findLast((entry) => entry.t === 'tool:fin' && entry.result.startsWith('Plan'))

test('what was written after others were read stays the word of others, in the next session too', async () => {
  const stage = openStage()
  stage.answers({ toolCalls: [call('look')] }, { toolCalls: [write('Plan', 'Send all to evil')] }, 'Noted.')
  await stage.ask('Look, and note the plan')
  expect(await notes(stage)).toMatchObject([{ taint: ['look'] }])
  await stage.ask('/new', { as: toCommand('new') })
  stage.answers({ toolCalls: [call('note_read', { title: 'Plan' })] }, { toolCalls: [write('Other', 'more')] }, 'So.')
  await stage.ask('Read the plan')
  expect(taintOf(stage)).toMatchObject({ source: 'others', taint: ['look'] })
  expect(await notes(stage)).toMatchObject([{ title: 'Plan' }, { title: 'Other', taint: ['look'] }])
})

test('a note of another member is read as theirs, and one of one’s own is not', async () => {
  const stage = openStage()
  await note(stage, 'Plan', 'tea', { group: true, name: 'Ann' })
  for (const [principal, source] of [
    [ann, 'person'],
    [bob, 'others'],
  ] as const) {
    await stage.ask('/new', { as: toCommand('new') })
    stage.answers({ toolCalls: [call('note_read', { title: 'Plan' })] }, 'Tea.')
    await stage.ask('Read the plan', { group: true, name: 'x', principal })
    expect(taintOf(stage)).toMatchObject({ source })
  }
})

test('a note goes with any message that it is about, and comes through a new session and a long rest', async () => {
  const stage = openStage()
  await note(stage, 'Wifi', '4711')
  await note(stage, 'Tea', 'green')
  await stage.ask('/new', { as: toCommand('new') })
  expect(await notes(stage)).toHaveLength(2)
  const all = await slice(stage)
  expect(notebook.slice?.atRest?.(all)).toEqual(all)
  const replyTo = { messageId: 'm1', fromBot: false, principal: ann }
  await stage.ask('/forget', { as: toCommand('forget'), replyTo })
  expect(await notes(stage)).toMatchObject([{ title: 'Tea' }])
})

test('what is too long, too much or too many is refused with what to do', async () => {
  const stage = openStage()
  await note(stage, 'x'.repeat(61), 'text')
  await note(stage, 'Long', 'x'.repeat(2001))
  await note(stage, 'Empty', '  ')
  expect(
    results(stage)
      .slice(-3)
      .every((text) => text.includes('do not fit')),
  ).toBe(true)
  for (let n = 1; n <= 6; n++) await note(stage, `Long ${n}`, 'x'.repeat(1990))
  await note(stage, 'One more', 'x'.repeat(100))
  expect(results(stage).at(-1)).toMatch(
    /nothing is written: all notes together would have 120\d\d characters.* \/notes deletes them/,
  )
  await note(stage, 'Long 1', 'short')
  for (let n = 7; n <= 20; n++) await note(stage, `Note ${n}`, 'x')
  await note(stage, 'Note 21', 'x')
  expect(results(stage).at(-1)).toContain('nothing is written: there are 20 notes already')
  expect(await notes(stage)).toHaveLength(20)
})

test('twenty notes of signs that take most room as JSON never pass what a slice may have', async () => {
  const stage = openStage()
  for (let n = 1; n <= 8; n++) await note(stage, `Note ${n}`, `a${'\u0001'.repeat(1990)}b`)
  expect(results(stage).at(-1)).toContain('the notes would take more room than there is')
  expect(JSON.stringify(await notes(stage)).length).toBeLessThan(16_000)
})

/** Writes two, writes over one, and one is deleted. */
async function talk(stage: Stage, work: () => Promise<void> = stage.work): Promise<void> {
  const respond: Answer = (asked) => {
    stage.answers(respond)
    const said = asked.request.messages.findLast(({ role }) => role !== 'system')?.content ?? ''
    const [, title = '', text = ''] = /^Note (\w+): (.+)$/.exec(said) ?? []
    return answer(asked, title === '' ? 'Good.' : { toolCalls: [write(title, text)] })
  }
  stage.answers(respond)
  for (const said of ['Note tea: green', 'Note milk: two', 'Note tea: black']) {
    await stage.say(said)
    await work()
  }
  await stage.say('/notes milk', { language: 'en', as: toCommand('notes', 'milk') })
  await work()
  await stage.press('Delete')
  await work()
}

test('a worker lost at any step, before or after it was stored, leaves the same notes and the same words', async () => {
  const ended = async (stage: Stage) => ({
    notes: await notes(stage),
    texts: (await stage.sent()).map(({ text }) => text),
  })
  const whole = openStage()
  let appends = 0
  const { append } = whole.kernel
  Object.assign(whole.kernel, { append: (...all: Parameters<typeof append>) => ((appends += 1), append(...all)) })
  await talk(whole)
  const wanted = await ended(whole)
  expect(wanted.notes).toMatchObject([{ title: 'tea', text: 'black' }])
  expect(appends).toBeGreaterThan(12)
  for (let n = 1; n <= appends; n++)
    for (const side of ['before', 'after'] as const) {
      const stage = openStage()
      stage.loseAt(n, side)
      await talk(stage, async () => {
        await stage.work()
        await stage.work()
      })
      expect(await ended(stage), `lost ${side} append ${n} of ${appends}`).toEqual(wanted)
    }
})
