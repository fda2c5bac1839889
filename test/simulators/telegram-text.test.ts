// Facts about entities in the Telegram simulator: parse modes, given entities, and what Telegram finds by itself.
import { expect, test } from 'vitest'
import { detectEntities } from '#test/simulators/telegram/detect-entities.ts'
import { parseHtml } from '#test/simulators/telegram/parse-html.ts'
import { parseMarkdownV2 } from '#test/simulators/telegram/parse-markdown.ts'
import { refusalOf, startRig } from './telegram-bot.ts'

test('finds commands and mentions with UTF-16 offsets', () => {
  expect(detectEntities('😀 /stop@flotilla_bot now, @flotilla_bot')).toEqual([
    { type: 'bot_command', offset: 3, length: 18 },
    { type: 'mention', offset: 27, length: 13 },
  ])
})

test.each(['a/b', 'https://x.com/stop', '/停', 'me@example.com/x', '1/2', '</stop>'])(
  'finds no command in %s',
  (text) => {
    expect(detectEntities(text).filter((one) => one.type === 'bot_command')).toEqual([])
  },
)

test('finds links without the full stop after them', () => {
  expect(detectEntities('See https://example.com/a. Or www.example.org!')).toEqual([
    { type: 'url', offset: 4, length: 21 },
    { type: 'url', offset: 30, length: 15 },
  ])
})

test('turns HTML into entities', () => {
  expect(parseHtml('<b>a &lt; <i>b</i></b> <a href="https://x.test/?a=1&amp;b=2">c</a>')).toEqual({
    text: 'a < b c',
    entities: [
      { type: 'bold', offset: 0, length: 5 },
      { type: 'italic', offset: 4, length: 1 },
      { type: 'text_link', offset: 6, length: 1, url: 'https://x.test/?a=1&b=2' },
    ],
  })
})

test.each([
  ['<b>open', `Can't find end tag corresponding to start tag "b"`],
  ['a < b', 'Unsupported start tag "" at byte offset 2'],
  ['é<h1>x</h1>', 'Unsupported start tag "h1" at byte offset 2'],
  ['<b><i>x</b></i>', 'Unmatched end tag at byte offset 7, expected "</i>", found "</b>"'],
  ['x</b>', 'Unexpected end tag at byte offset 1'],
])('refuses the HTML %s', async (text, why) => {
  await using rig = await startRig()
  const refusal = await refusalOf(rig.api.sendMessage(7, text, { parse_mode: 'HTML' }))
  expect(refusal.description).toBe(`Bad Request: can't parse entities: ${why}`)
})

test('turns MarkdownV2 into entities', () => {
  const source = '*bold _both_* `co*de` [link](https://x.test/\\)) ||s|| 1\\.\n```ts\nlet a\n```'
  expect(parseMarkdownV2(source)).toEqual({
    text: 'bold both co*de link s 1.\nlet a\n',
    entities: [
      { type: 'bold', offset: 0, length: 9 },
      { type: 'italic', offset: 5, length: 4 },
      { type: 'code', offset: 10, length: 5 },
      { type: 'text_link', offset: 16, length: 4, url: 'https://x.test/)' },
      { type: 'spoiler', offset: 21, length: 1 },
      { type: 'pre', offset: 26, length: 6, language: 'ts' },
    ],
  })
})

test('makes one quotation of adjacent quoted lines', () => {
  expect(parseMarkdownV2('>a\n>b\nc')).toEqual({
    text: 'a\nb\nc',
    entities: [{ type: 'blockquote', offset: 0, length: 3 }],
  })
})

test.each([
  ['one. two', "Character '.' is reserved and must be escaped with the preceding '\\'"],
  ['*open', "Can't find end of Bold entity at byte offset 0"],
  ['a_b', "Can't find end of Italic entity at byte offset 1"],
  ['[x] y', "Can't find end of TextUrl entity at byte offset 0"],
])('refuses the MarkdownV2 %s', async (text, why) => {
  await using rig = await startRig()
  const refusal = await refusalOf(rig.api.sendMessage(7, text, { parse_mode: 'MarkdownV2' }))
  expect(refusal.description).toBe(`Bad Request: can't parse entities: ${why}`)
})

test.each([
  { offset: 0, length: 9 },
  { offset: -1, length: 2 },
  { offset: 3, length: 1 },
])('refuses the entity %j outside of or within a character', async (place) => {
  await using rig = await startRig()
  const entities = [{ type: 'bold' as const, ...place }]
  expect((await refusalOf(rig.api.sendMessage(7, 'ab😀cd', { entities }))).description).toContain('entity')
})

test('trims the text and moves its entities along', async () => {
  await using rig = await startRig()
  await rig.api.sendMessage(7, '\n\n a', { entities: [{ type: 'bold', offset: 3, length: 1 }] })
  expect(rig.telegram.visible(7)[1]).toMatchObject({ text: 'a', entities: [{ type: 'bold', offset: 0, length: 1 }] })
})
