// Facts about card entities of the simulated Feishu: streaming, its end by the server, numbers in order, and changes of single elements.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { card, startRig, type Rig } from './feishu-bot.ts'

const streamed = (text: string) => ({ ...card(text), config: { update_multi: true, streaming_mode: true } })

async function create(rig: Rig, json: object = streamed('…')): Promise<string> {
  const made = await rig.call('POST', '/cardkit/v1/cards', { type: 'card_json', data: JSON.stringify(json) })
  return z.looseObject({ card_id: z.string() }).parse(made).card_id
}

async function show(rig: Rig, json?: object): Promise<string> {
  const id = await create(rig, json)
  await rig.send('interactive', { type: 'card', data: { card_id: id } })
  return id
}

const write = (rig: Rig, id: string, content: string, sequence: number, more: object = {}) =>
  rig.call('PUT', `/cardkit/v1/cards/${id}/elements/answer/content`, { content, sequence, ...more })

const set = (rig: Rig, id: string, config: object, sequence: number) =>
  rig.call('PATCH', `/cardkit/v1/cards/${id}/settings`, { settings: JSON.stringify({ config }), sequence })

test('streams a text into a card until the bot closes the stream', async () => {
  await using rig = await startRig()
  const id = await show(rig)
  await write(rig, id, 'One', 1)
  expect(rig.feishu.visible(rig.group)).toMatchObject([{ text: 'One', isStreaming: true }])
  await write(rig, id, 'One two', 2)
  await set(rig, id, { streaming_mode: false }, 3)
  expect(rig.feishu.visible(rig.group)).toMatchObject([{ texts: ['…', 'One', 'One two'], isStreaming: false }])
  expect(await rig.refusal(write(rig, id, 'x', 4))).toMatchObject({ status: 400, code: 300_309 })
})

test('has its stream closed by the server after ten minutes: 200850 once, then 300309, until the bot opens it again', async () => {
  await using rig = await startRig()
  const id = await show(rig)
  rig.feishu.advance(600_001)
  expect(await rig.refusal(write(rig, id, 'x', 1))).toMatchObject({ code: 200_850 })
  for (const _ of [1, 2]) expect(await rig.refusal(write(rig, id, 'x', 1))).toMatchObject({ code: 300_309 })
  await set(rig, id, { streaming_mode: true }, 1)
  await write(rig, id, 'again', 2)
  expect(rig.feishu.visible(rig.group)).toMatchObject([{ texts: ['…', 'again'] }])
})

test('takes numbers in strict order, and each uuid once', async () => {
  await using rig = await startRig()
  const id = await show(rig)
  await write(rig, id, 'five', 5, { uuid: 'a' })
  expect(await rig.refusal(write(rig, id, 'x', 5))).toMatchObject({ code: 300_317 })
  expect(await rig.refusal(write(rig, id, 'x', 4))).toMatchObject({ code: 300_317 })
  expect(await rig.refusal(write(rig, id, 'x', 6, { uuid: 'a' }))).toMatchObject({ code: 200_770 })
  expect(await rig.refusal(write(rig, id, 'x', 0))).toMatchObject({ code: 99_992_402 })
  await write(rig, id, 'six', 6, { uuid: 'b' })
  expect(rig.feishu.visible(rig.group)).toMatchObject([{ text: 'six' }])
})

test('is sent once, as it is by then, and lives for fourteen days', async () => {
  await using rig = await startRig()
  const id = await create(rig)
  await write(rig, id, 'before', 1)
  await rig.send('interactive', { type: 'card', data: { card_id: id } })
  expect(rig.feishu.visible(rig.group)).toMatchObject([{ text: 'before' }])
  const again = rig.send('interactive', { type: 'card', data: { card_id: id } })
  expect(await rig.refusal(again)).toMatchObject({ code: 230_099 })
  expect(await rig.refusal(write(rig, '7', 'x', 2))).toMatchObject({ code: 200_740 })
  rig.feishu.advance(14 * 86_400_000 + 1000)
  expect(await rig.refusal(write(rig, id, 'x', 2))).toMatchObject({ code: 200_750 })
})

test.each([
  ['schema 1.0', { elements: [] }, 200_220],
  ['a card that is not shared', { ...card('x'), config: { update_multi: false } }, 300_302],
  ['an unknown property', { ...card('x'), colour: 'red' }, 200_220],
  ['more than 30 KB', card('字'.repeat(10_300)), 200_860],
])('refuses %s', async (_, json, code) => {
  await using rig = await startRig()
  expect(await rig.refusal(create(rig, json))).toMatchObject({ status: 400, code })
})

test('streams only into texts that are there', async () => {
  await using rig = await startRig()
  const id = await show(rig, {
    ...streamed('x'),
    body: {
      elements: [
        { tag: 'hr', element_id: 'line' },
        { tag: 'div', text: { tag: 'plain_text', content: 'x', element_id: 'plain' } },
      ],
    },
  })
  const put = (element: string) =>
    rig.call('PUT', `/cardkit/v1/cards/${id}/elements/${element}/content`, { content: 'y', sequence: 1 })
  expect(await rig.refusal(put('nothing'))).toMatchObject({ code: 300_313 })
  expect(await rig.refusal(put('line'))).toMatchObject({ code: 300_310 })
  await put('plain')
  expect(rig.feishu.visible(rig.group)).toMatchObject([{ text: '---\ny' }])
})

test('changes ten times a second at most', async () => {
  await using rig = await startRig()
  const id = await show(rig)
  for (let n = 1; n <= 10; n++) await write(rig, id, String(n), n)
  expect(await rig.refusal(write(rig, id, 'x', 11))).toMatchObject({ status: 429, code: 99_991_400 })
  rig.feishu.advance(1000)
  await write(rig, id, '11', 11)
  expect(rig.feishu.visible(rig.group)).toMatchObject([{ text: '11' }])
})

test('adds, replaces, patches and deletes elements, and everything', async () => {
  await using rig = await startRig()
  const id = await show(rig, card('x'))
  const path = `/cardkit/v1/cards/${id}`
  const more = (name: string) => ({ tag: 'markdown', content: name, element_id: name })
  await rig.call('POST', `${path}/elements`, { type: 'append', elements: JSON.stringify([more('b')]), sequence: 1 })
  const before = { type: 'insert_before', target_element_id: 'b', elements: JSON.stringify([more('a')]), sequence: 2 }
  await rig.call('POST', `${path}/elements`, before)
  await rig.call('PUT', `${path}/elements/b`, { element: JSON.stringify(more('c')), sequence: 3 })
  await rig.call('PATCH', `${path}/elements/a`, { partial_element: '{"content":"A"}', sequence: 4 })
  await rig.call('DELETE', `${path}/elements/answer`, { sequence: 5 })
  expect(rig.feishu.visible(rig.group)).toMatchObject([{ text: 'A\nc' }])
  await rig.call('PUT', path, { card: { type: 'card_json', data: JSON.stringify(card('new')) }, sequence: 6 })
  expect(rig.feishu.visible(rig.group)).toMatchObject([{ text: 'new' }])
})

test('cannot be changed by the answer to a press while it is streamed, nor by the bot before that answer', async () => {
  await using rig = await startRig()
  const id = await show(rig, { ...card('ask', 'Go'), config: { update_multi: true, streaming_mode: true } })
  const during: unknown[] = []
  await using bot = await rig.connect({
    types: ['card.action.trigger'],
    handle: async () => {
      during.push(await rig.refusal(write(rig, id, 'x', 1)))
      return { card: { type: 'raw', data: card('answered') } }
    },
  })
  const [shown] = rig.feishu.visible(rig.group)
  const token = rig.ann.press(rig.group, shown?.id ?? '', 'Go')
  await rig.feishu.until(() => [rig.feishu.pressed(token)].find(({ state }) => state === 'answered'))
  expect(during).toMatchObject([{ code: 200_810 }])
  expect(rig.feishu.visible(rig.group)).toMatchObject([{ texts: ['ask'] }])
  expect(bot.events).toHaveLength(1)
})

test('writes letter by letter only what continues the text before', async () => {
  await using rig = await startRig()
  const id = await show(rig)
  await write(rig, id, '… One', 1)
  expect(rig.feishu.visible(rig.group)).toMatchObject([{ jumps: 0 }])
  await write(rig, id, 'One two', 2)
  expect(rig.feishu.visible(rig.group)).toMatchObject([{ jumps: 1 }])
})
