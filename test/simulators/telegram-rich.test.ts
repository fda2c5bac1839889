// The simulated Telegram's rich messages: blocks are checked for shape and limits, and shown as a person reads them.
import { expect, test } from 'vitest'
import { readBlocks } from '#test/simulators/telegram/rich-blocks.ts'
import { refusalOf, startRig } from './telegram-bot.ts'

const paragraph = (text: unknown) => ({ type: 'paragraph', text })
const nest = (levels: number): object =>
  levels === 1 ? paragraph('deep') : { type: 'blockquote', blocks: [nest(levels - 1)] }
const cells = (columns: number) => [
  Array.from({ length: columns }, () => ({ text: 'x', align: 'left', valign: 'top' })),
]

test('shows blocks as a person reads them', async () => {
  await using rig = await startRig()
  await rig.api.sendRichMessage(7, {
    skip_entity_detection: true,
    blocks: [
      { type: 'heading', text: 'Plan', size: 2 },
      { type: 'paragraph', text: ['see ', { type: 'url', text: 'this', url: 'https://a.example' }, ' @admin'] },
      { type: 'list', items: [{ blocks: [{ type: 'paragraph', text: 'a' }], value: 3 }] },
      { type: 'table', cells: [[{ text: 'h', is_header: true, align: 'left', valign: 'top' }]] },
    ],
  })
  expect(rig.telegram.visible(7)[1]).toMatchObject({
    text: 'Plan\nsee this @admin\n3. a\nh',
    isRich: true,
    entities: [{ type: 'text_link', offset: 9, length: 4, url: 'https://a.example' }],
  })
})

test('finds mentions in the text unless told not to', async () => {
  await using rig = await startRig()
  await rig.api.sendRichMessage(7, { blocks: [{ type: 'paragraph', text: 'hi @admin' }] })
  expect(rig.telegram.visible(7)[1]?.entities).toMatchObject([{ type: 'mention' }])
})

test('fetches media', () => {
  const photo = { type: 'photo', photo: { type: 'photo', media: 'https://a.example/p.png' } }
  expect(readBlocks([photo], false).media).toEqual(['https://a.example/p.png'])
})

test.each([
  ['an unknown block', [{ type: 'marquee', text: 'x' }]],
  ['an unknown mark', [paragraph({ type: 'blink', text: 'x' })]],
  ['nothing', []],
  ['an empty block', [paragraph(' ')]],
  ['a list without items', [{ type: 'list', items: [] }]],
  ['a cell without alignment', [{ type: 'table', cells: [[{ text: 'x' }]] }]],
  ['rows of different lengths', [{ type: 'table', cells: [...cells(1), ...cells(2)] }]],
  ['a link that is none', [paragraph({ type: 'url', text: 'x', url: 'javascript:alert(1)' })]],
  ['17 levels', [nest(17)]],
  ['501 blocks', Array.from({ length: 501 }, () => paragraph('x'))],
  ['21 columns', [{ type: 'table', cells: cells(21) }]],
  ['32,769 characters', [paragraph('x'.repeat(32_769))]],
  ['half a character', [paragraph('\ud800')]],
  ['the place-holder of a draft', [{ type: 'thinking', text: 'x' }]],
])('refuses %s', (_, blocks) => {
  expect(() => readBlocks(blocks, false)).toThrow('Bad Request')
})

test.each([
  ['16 levels', [nest(16)]],
  ['500 blocks', Array.from({ length: 500 }, () => paragraph('x'))],
  ['20 columns', [{ type: 'table', cells: cells(20) }]],
  ['32,768 characters', [paragraph('x'.repeat(32_768))]],
])('takes %s', (_, blocks) => {
  expect(readBlocks(blocks, false).text).not.toBe('')
})

test('an edit makes a message rich or plain, and refuses what changes nothing', async () => {
  await using rig = await startRig()
  await rig.api.sendMessage(7, 'x')
  const blocks = { blocks: [{ type: 'paragraph' as const, text: 'y' }] }
  await rig.api.editMessageText(7, 2, blocks)
  expect(rig.telegram.visible(7)[1]).toMatchObject({ text: 'y', isRich: true })
  expect((await refusalOf(rig.api.editMessageText(7, 2, blocks))).description).toContain('not modified')
  await rig.api.editMessageText(7, 2, 'z')
  expect(rig.telegram.visible(7)[1]).toMatchObject({ text: 'z', isRich: false })
})
