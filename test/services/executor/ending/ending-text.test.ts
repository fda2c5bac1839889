// What is said of a turn that ends, and what is remembered of it.
import { expect, test } from 'vitest'
import type { MessageEvent } from '#shared/chat/event.ts'
import type { JournalEntry } from '#shared/run/journal.ts'
import { describeEnding, type EndedTurn } from '#services/executor/ending/ending-text.ts'
import { courtesy, endingText } from '#services/executor/run/texts.ts'
import type { HistoryItem } from '#services/executor/state/history-item.ts'
import { message } from '#test/rig/events.ts'
import { call, done, openTurn, wrote } from '#test/rig/journal-entries.ts'

const question: HistoryItem = { role: 'user', source: 'person', text: 'Why?' }
const answer = (text: string): HistoryItem => ({ role: 'assistant', source: 'own', text })

type Given = Partial<Omit<EndedTurn, 'turn'>> & {
  readonly entries?: readonly JournalEntry[]
  readonly items?: readonly HistoryItem[]
  readonly event?: Partial<MessageEvent>
  readonly language?: 'zh' | 'en'
}
function end({ entries = [], items = [question], event = {}, language = 'en', ...more }: Given) {
  const ended: EndedTurn = { turn: openTurn(...entries), ending: 'answered', written: '', cut: false, ...more }
  return describeEnding(ended, items, { events: [message({ text: 'Why?', ...event })], language })
}

test('a whole answer is said and remembered as it is', () => {
  const items = [question, answer('Because.')]
  expect(end({ entries: [wrote('  Because.\n')], items })).toEqual({
    text: 'Because.',
    items,
    unfinished: false,
    hasReply: true,
  })
})

test('an answer without a word is told of, and can be gone on with no more than answered', () => {
  const told = end({ entries: [wrote('  ')], items: [question, answer('')] })
  expect(told).toMatchObject({ unfinished: false, hasReply: false })
  expect(told.text).toBe('(The model ended without an answer. That is not about your words: /retry asks again.)')
  expect(end({ entries: [wrote('', { broke: 'length' })] }).text).toBe(told.text)
})

test('an answer that was cut is marked for the person and for the model, and can be gone on with', () => {
  const told = end({ entries: [wrote('Because', { broke: 'length' })], items: [question, answer('Because')] })
  const mark = 'This answer reached its length limit and was cut here. Say “go on” and I continue.'
  expect(told).toEqual({
    text: `Because\n\n(${mark})`,
    items: [question, answer(`Because\n\n[${mark}]`)],
    unfinished: true,
    hasReply: true,
  })
})

test('an answer that was filtered is marked, with or without a word of it, and cannot be gone on with', () => {
  const told = end({ entries: [wrote('Well', { broke: 'filtered' })], items: [question, answer('Well')] })
  expect(told.text).toMatch(/^Well\n\n\(The model service’s content filter/)
  expect(told.unfinished).toBe(false)
  const empty = end({ entries: [wrote('', { broke: 'filtered' })], items: [question, answer('')] })
  expect(empty.text).toMatch(/^The model service’s content filter/)
  expect(empty.items.at(-1)?.text).toMatch(/^\[The model service’s/)
})

test('a mark is put under an answer of the bot alone', () => {
  const items = [question]
  expect(end({ entries: [wrote('', { broke: 'filtered' })], items }).items).toEqual(items)
})

test('what was written after the last whole step goes before what that step said', () => {
  const told = end({ ending: 'stopped', entries: [wrote('First.')], written: ' Second ' })
  expect(told.text).toBe('Second\n\n(Stopped.)')
  expect(told.items).toEqual([question, { role: 'assistant', source: 'own', text: 'Second\n\n[Stopped.]' }])
  expect(end({ ending: 'stopped', entries: [wrote('First.')], written: ' ' }).text).toBe('First.\n\n(Stopped.)')
  expect(end({ ending: 'stopped' }).items.at(-1)?.text).toBe('[Stopped.]')
})

test('a step whose calls have no result is left out, and what it said stays', () => {
  const calling: HistoryItem = { role: 'assistant', source: 'own', text: 'I look.', toolCalls: [call('a')] }
  const items = [question, answer('First.'), calling]
  const told = end({ ending: 'stopped', entries: [wrote('I look.', { toolCalls: [call('a')] })], items })
  expect(told.items).toEqual([
    question,
    answer('First.'),
    { role: 'assistant', source: 'own', text: 'I look.\n\n[Stopped.]' },
  ])
})

test('a step whose calls all have results stays whole, and its words are not said twice', () => {
  const items: HistoryItem[] = [
    question,
    { role: 'assistant', source: 'own', text: 'I look.', toolCalls: [call('a')] },
    { role: 'tool', source: 'others', callId: 'a', text: 'found a' },
  ]
  const told = end({ ending: 'stopped', entries: [wrote('I look.', { toolCalls: [call('a')] }), done(0, 'a')], items })
  expect(told.items).toEqual([...items, { role: 'assistant', source: 'own', text: '[Stopped.]' }])
})

test.each([
  ['model-failed', true],
  ['limit:steps', true],
  ['limit:wall-time', true],
  ['stopped', false],
  ['suspended', false],
  ['over-budget', false],
] as const)('a turn that ended %s: what was written can be gone on with: %j', (ending, unfinished) => {
  expect(end({ ending, written: 'Because' })).toMatchObject({ unfinished, hasReply: true })
  expect(end({ ending })).toMatchObject({ unfinished: false, hasReply: false })
})

test('a model that broke off says so under what it wrote, one that wrote nothing says why', () => {
  expect(end({ ending: 'model-failed', failure: 'auth', written: 'Because' }).text).toMatch(
    /^Because\n\n\(The model broke/,
  )
  expect(end({ ending: 'model-failed', failure: 'auth' }).text).toMatch(/^The model service refused my key/)
  expect(end({ ending: 'model-failed', failure: 'bad-request' }).text).toMatch(/^The model service refused this/)
  expect(end({ ending: 'model-failed', failure: 'timeout' }).text).toMatch(/^The model is not answering/)
})

test('in the middle of work a model that fails sends nobody to begin anew; how it goes on is asked by a card', () => {
  const entries = [wrote('', { toolCalls: [call('a')] }), done(0, 'a')]
  const midway = { ending: 'model-failed', failure: 'timeout', entries } as const
  expect(end(midway).text).toBe('The model is not answering; I tried several times.')
  expect(end({ ...midway, written: 'Because' }).text).not.toContain('/retry')
  expect(end({ ...midway, failure: 'auth' }).text).toMatch(/^The model service refused my key/)
  expect(end({ ending: 'model-failed', failure: 'timeout' }).text).toContain('/retry')
})

test('calls that wait for an approval are named so, and what could not be asked too', () => {
  expect(end({ ending: 'suspended', isAwaiting: true }).text).toBe('I need an approval before I go on.')
  expect(end({ ending: 'suspended', isAwaiting: true, isUnasked: true }).text).toContain('I could not ask anybody')
})

test('a budget that is used up names the command to those who may raise it', () => {
  expect(end({ ending: 'over-budget', raise: '/budget chat 9' }).text).toContain('`/budget chat 9`')
  expect(end({ ending: 'over-budget' }).text).toContain('ask the owner')
})

test('in a Chinese conversation the mark is Chinese, in its own brackets', () => {
  expect(end({ ending: 'stopped', written: '因为', language: 'zh' }).text).toBe('因为\n\n（已停止。）')
})

test('what was not read is told under the answer: the middle of a long message, a file', () => {
  const entries = [wrote('Because.')]
  const tooLong = '(Your message was too long; I read its beginning and its end.)'
  const files = '(I cannot open attachments yet; this answers the text only.)'
  expect(end({ entries, cut: true }).text).toBe(`Because.\n\n${tooLong}`)
  expect(end({ entries, event: { truncated: true } }).text).toBe(`Because.\n\n${tooLong}`)
  expect(end({ entries, event: { media: [{ kind: 'photo' }] } }).text).toBe(`Because.\n\n${files}`)
  expect(end({ entries, event: { media: [] } }).text).toBe('Because.')
  expect(end({ entries, cut: true, event: { media: [{ kind: 'photo' }] } }).text).toBe(
    `Because.\n\n${tooLong}\n\n${files}`,
  )
})

test.each([
  ['```\na', '```\na\n```'],
  ['```js\na\n```', '```js\na\n```'],
  ['```\na\n``` js', '```\na\n``` js\n```'],
  ['````\n```\na', '````\n```\na\n````'],
  ['```\na\n````', '```\na\n````'],
  ['~~~\n```\na', '~~~\n```\na\n~~~'],
  ['So:\n   ```\na', 'So:\n   ```\na\n```'],
  ['So:\n    ```\na', 'So:\n    ```\na'],
  ['``a', '``a'],
  ['```a``` b', '```a``` b'],
  ['```\n```a``` b', '```\n```a``` b\n```'],
  ['```\na\n```\n~~~\nb', '```\na\n```\n~~~\nb\n~~~'],
])('code that was never closed is closed before the mark: %j', (written, closed) => {
  expect(end({ ending: 'stopped', written }).text).toBe(`${closed}\n\n(Stopped.)`)
})

test('half a character that was cut off is not sent', () => {
  const told = end({ ending: 'stopped', written: 'a\ud83d' })
  expect(told.text).toBe('a\ufffd\n\n(Stopped.)')
  expect(told.items.at(-1)?.text.isWellFormed()).toBe(true)
})

test('an ending that no text is known of is told by its name', () => {
  expect(endingText('limit:patience', 'en')).toBe('limit:patience')
  expect(endingText('set-aside', 'en')).toMatch(/^I failed on this message/)
})

test.each([
  ['thx', 'You are welcome.'],
  ['THANKS', 'You are welcome.'],
  ['see you', 'Goodbye!'],
  ['goodnight', 'Goodbye!'],
  ['good evening', 'Hello! What can I do for you?'],
  ['hey', 'Hello! What can I do for you?'],
  ['while', 'Got it.'],
  ['how are you?', 'I am well, thank you for asking! What can I do for you?'],
  ["Hi, how's it going", 'I am well, thank you for asking! What can I do for you?'],
  ['最近怎么样', 'I am well, thank you for asking! What can I do for you?'],
  ['are you there?', 'Yes, I am here. What can I do for you?'],
  ['在吗', 'Yes, I am here. What can I do for you?'],
  ['I love you', 'Thank you, that is lovely to hear!'],
  ['我爱你', 'Thank you, that is lovely to hear!'],
  ['happy birthday!', 'Thank you, and all the best to you!'],
  ['不好意思', 'No problem.'],
  ['show', 'Got it.'],
])('the courtesy %j is answered in kind', (text, told) => {
  expect(courtesy(text, 'en')).toBe(told)
})
