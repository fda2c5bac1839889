// Facts about the forms a text goes in: rich where a plain message would show it worse, one step down for a refusal of the form, and
// never in two forms after an answer that nobody knows.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unbutton } from '#shared/run/out-row.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { markdown } from '#test/adapters/markup/markdown-samples.ts'
import { runs } from '#test/rig/property-runs.ts'
import { say, toAddress, toDelivery } from '#test/rig/channel-rig.ts'
import { openTelegramRig, type RigOptions, type TelegramRig } from './telegram-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

async function openDirect(options: RigOptions = {}): Promise<TelegramRig> {
  const rig = await openTelegramRig(server, options)
  rig.telegram.sendText({ from: 7, text: 'hi' })
  return rig
}
const mine = (rig: TelegramRig, chat = 7) => rig.telegram.visible(chat).filter((one) => one.from === 'bot')
const calls = (rig: TelegramRig): string[] =>
  rig.telegram.ledger.entries.map(({ method }) => method).filter((method) => /^(send|edit)/.test(method))
const table = 'Before\n\n| name | what |\n|---|---|\n| a | **one** |'
const shownTable = 'Before\nname | what\na | one'
const plainTable = 'Before\n\nname │ what\n─────┼─────\na    │ one'
const long = `# Report\n\n${'word by word it grows. '.repeat(300)}`

test('a table goes as a rich message, with its buttons, in one request', async () => {
  await using rig = await openDirect()
  await rig.queue('telegram:7', [say(table, { buttons: [[{ id: 'x', label: 'Go' }]] })])
  await rig.deliver('telegram:7')
  expect(mine(rig)).toMatchObject([{ text: shownTable, isRich: true, buttons: [[{ text: 'Go', data: 'x' }]] }])
  expect(calls(rig)).toEqual(['sendRichMessage'])
})

test('in a group it replies, in its topic', async () => {
  await using rig = await openTelegramRig(server)
  rig.telegram.addBotToGroup({ chat: -200, by: 7, isForum: true })
  const topic = rig.telegram.createTopic({ chat: -200, by: 7, name: 'Plans' })
  const { message } = rig.telegram.sendText({ chat: -200, from: 7, text: 'a table?', topic })
  await rig.queue(`telegram:-200:${topic}`, [say(table, { replyTo: String(message) })])
  await rig.deliver(`telegram:-200:${topic}`)
  expect(mine(rig, -200)).toMatchObject([{ isRich: true, topic, replyTo: message }])
})

test.each(['plain', '# Title\n\n- [x] a\n  - b', '`code` and **bold**'])('%j goes as before', async (text) => {
  await using rig = await openDirect()
  await rig.queue('telegram:7', [say(text)])
  await rig.deliver('telegram:7')
  expect(calls(rig)).toEqual(['sendMessage'])
})

test('a long text with headings is one rich message instead of several plain ones', async () => {
  await using rig = await openDirect()
  await rig.queue('telegram:7', [say(long)])
  await rig.deliver('telegram:7')
  expect(mine(rig)).toHaveLength(1)
  expect(calls(rig)).toEqual(['sendRichMessage'])
})

test('a longer one goes in parts, in order, with the buttons under the last', async () => {
  await using rig = await openDirect()
  const words = Array.from({ length: 4000 }, (_, i) => `w${i}x`)
  const button = { id: 'x', label: 'Go' }
  await rig.queue('telegram:7', [say(`# Head\n\n${words.join(' ')}\n\n${table}`, { buttons: [[button]] })])
  await rig.deliver('telegram:7')
  expect(
    (
      mine(rig)
        .map((one) => one.text)
        .join(' ')
        .match(/w\d+x/g) ?? []
    ).join(' '),
  ).toBe(words.join(' '))
  expect(mine(rig).map((one) => one.buttons.length)).toEqual([...Array(mine(rig).length - 1).fill(0), 1])
  expect(mine(rig).at(-1)?.isRich).toBe(true)
  expect(rig.telegram.ledger.entries.filter((entry) => entry.outcome !== 'ok')).toEqual([])
})

test('a refused rich message goes with entities, and if those are refused too, plain', async () => {
  await using rig = await openDirect()
  const refuse = (method: string, description: string) =>
    rig.telegram.fault({ when: { method }, times: 1, fault: { kind: 'error', status: 400, description } })
  refuse('sendRichMessage', 'Bad Request: RICH_MESSAGE_TABLE_INVALID')
  await rig.queue('telegram:7', [say(table)])
  await rig.deliver('telegram:7')
  expect(mine(rig)).toMatchObject([{ text: plainTable, isRich: false }])
  refuse('sendRichMessage', 'Bad Request: RICH_MESSAGE_TABLE_INVALID')
  refuse('sendMessage', "Bad Request: can't parse entities")
  await rig.queue('telegram:7', [say(table)])
  await rig.deliver('telegram:7')
  expect(mine(rig).at(-1)).toMatchObject({ text: plainTable, entities: [] })
  expect(calls(rig)).toHaveLength(5)
})

test('a refused one that is too long for a text goes in parts', async () => {
  await using rig = await openDirect()
  rig.telegram.fault({ when: { method: 'sendRichMessage' }, fault: { kind: 'error', status: 400, description: 'no' } })
  await rig.queue('telegram:7', [say(long, { buttons: [[{ id: 'x', label: 'Go' }]] })])
  await rig.deliver('telegram:7')
  expect(mine(rig).map((one) => [one.isRich, one.buttons.length])).toEqual([
    [false, 0],
    [false, 1],
  ])
})

test('parts of refused parts lose their buttons like any message', async () => {
  await using rig = await openDirect()
  rig.telegram.fault({ when: { method: 'sendRichMessage' }, fault: { kind: 'error', status: 400, description: 'no' } })
  await rig.queue('telegram:7', [say(`${long}\n\n${long}\n\n## End\n\nend`, { buttons: [[{ id: 'x', label: 'Go' }]] })])
  await rig.deliver('telegram:7')
  expect(mine(rig).map((one) => one.buttons.length)).toEqual([...Array(mine(rig).length - 1).fill(0), 1])
  await rig.queue('telegram:7', [unbutton('row-1-0')])
  await rig.deliver('telegram:7')
  expect(mine(rig).flatMap((one) => one.buttons)).toEqual([])
})

test('a server without rich messages is asked once', async () => {
  await using rig = await openDirect()
  const description = 'Not Found: method not found'
  rig.telegram.fault({ when: { method: 'sendRichMessage' }, fault: { kind: 'error', status: 404, description } })
  await rig.queue('telegram:7', [say(table), say(table), say(long)])
  await rig.deliver('telegram:7')
  expect(mine(rig).map((one) => one.isRich)).toEqual([false, false, false, false])
  expect(rig.telegram.ledger.of('sendRichMessage')).toHaveLength(1)
})

test.each([
  ['a lost answer', { kind: 'no-answer', accepted: true }],
  ['a reset after it was taken', { kind: 'reset', accepted: true }],
  ['a 500', { kind: 'error', status: 500, description: 'Internal', accepted: true }],
] as const)('after %s it is unknown, and goes in no other form', async (_, fault) => {
  await using rig = await openDirect({ channel: { sendTimeoutMs: 400 } })
  rig.telegram.fault({ when: { method: 'sendRichMessage' }, times: 1, fault })
  await rig.queue('telegram:7', [say(table)])
  await rig.deliver('telegram:7')
  expect(calls(rig)).toEqual(['sendRichMessage'])
  expect(mine(rig)).toMatchObject([{ text: shownTable }])
  await rig.queue('telegram:7', [say('next')])
  await rig.deliver('telegram:7')
  expect(mine(rig).map((one) => one.text)).toEqual([shownTable, 'next', 'A message of mine may not have arrived.'])
})

test.each([
  ['blocked the bot', (rig: TelegramRig) => rig.telegram.block(7)],
  ['deleted the chat', (rig: TelegramRig) => rig.telegram.deleteChat(7)],
])('fails at the first request when the person has %s', async (_, leave) => {
  await using rig = await openDirect()
  leave(rig)
  await rig.queue('telegram:7', [say(table)])
  await rig.deliver('telegram:7')
  expect(calls(rig)).toEqual(['sendRichMessage'])
})

test('a 429 is waited out in the same form', async () => {
  await using rig = await openDirect()
  rig.telegram.fault({ when: { chat: 7 }, times: 1, fault: { kind: 'rate-limit', retryAfterS: 1 } })
  await rig.queue('telegram:7', [say(table)])
  await rig.deliver('telegram:7')
  expect(calls(rig)).toEqual(['sendRichMessage'])
  expect(rig.waits[0]).toBeGreaterThan(900)
})

test('follows a group that became a supergroup', async () => {
  await using rig = await openTelegramRig(server)
  rig.telegram.addBotToGroup({ chat: -100, by: 7, type: 'group' })
  rig.telegram.upgradeGroup({ chat: -100, to: -1000, by: 7 })
  await rig.queue('telegram:-100', [say(table)])
  await rig.deliver('telegram:-100')
  expect(mine(rig, -1000)).toMatchObject([{ isRich: true }])
  expect(calls(rig)).toEqual(['sendRichMessage', 'sendRichMessage'])
})

test('a message that grew becomes rich by an edit, a rich one plain, and one that is gone is sent anew', async () => {
  await using rig = await openDirect()
  await rig.queue('telegram:7', [say('first')])
  await rig.deliver('telegram:7')
  const replace = async (text: string) => {
    await rig.queue('telegram:7', [say(text, { replaces: 'row-1-0' })])
    await rig.deliver('telegram:7')
  }
  await replace(table)
  await replace(table)
  expect(mine(rig)).toMatchObject([{ text: shownTable, isRich: true, edits: 1 }])
  await replace('plain again')
  expect(mine(rig)).toMatchObject([{ text: 'plain again', isRich: false }])
  rig.telegram.remove({ chat: 7, message: 2 })
  await replace(table)
  expect(mine(rig)).toMatchObject([{ text: shownTable, isRich: true, edits: 0 }])
})

test('an old server that misses the text in an edit gets it', async () => {
  await using rig = await openDirect()
  await rig.queue('telegram:7', [say('first')])
  await rig.deliver('telegram:7')
  const description = 'Bad Request: message text is empty'
  rig.telegram.fault({
    when: { method: 'editMessageText', text: 'blocks' },
    fault: { kind: 'error', status: 400, description },
  })
  await rig.queue('telegram:7', [say(table, { replaces: 'row-1-0' }), say(table)])
  await rig.deliver('telegram:7')
  expect(mine(rig)).toMatchObject([
    { text: plainTable, isRich: false },
    { text: plainTable, isRich: false },
  ])
  expect(calls(rig)).toEqual(['sendMessage', 'editMessageText', 'editMessageText', 'sendMessage'])
})

test('a draft that holds a table is a rich one, before it a plain one, and both end with the message', async () => {
  await using rig = await openDirect()
  const show = (text: string) =>
    toDelivery(rig.channel).showDraft(toAddress('telegram:7'), { turn: 't1', text }, new AbortController().signal)
  await show('Before\n\n| name')
  expect(rig.telegram.drafts(7)).toEqual(['Before\n\n| name'])
  expect(await show(table)).toEqual({ kind: 'shown' })
  expect(rig.telegram.drafts(7)).toEqual([shownTable])
  rig.telegram.fault({
    when: { method: 'sendRichMessageDraft' },
    fault: { kind: 'error', status: 404, description: 'Not Found: method not found' },
  })
  expect(await show(`${table} more`)).toEqual({ kind: 'shown' })
  expect(await show(`${table} more and more`)).toEqual({ kind: 'shown' })
  expect(rig.telegram.ledger.of('sendRichMessageDraft')).toHaveLength(2)
  await rig.queue('telegram:7', [say(table)])
  await rig.deliver('telegram:7')
  expect(rig.telegram.drafts(7)).toEqual([])
})

test(
  'sends any Markdown with a table at the first try, and fetches, hides and pings nothing',
  { timeout: 60_000 },
  async () => {
    await using rig = await openDirect()
    await fc.assert(
      fc.asyncProperty(markdown, async (text) => {
        const row = {
          id: 'x',
          body: say(`${text}\n\n| h |\n|---|\n| ${text.replaceAll('\n', ' ')} @admin |`),
          attempts: 1,
          cameAtMs: 0,
        }
        const outcome = await toDelivery(rig.channel).deliver(
          toAddress('telegram:7'),
          row,
          new AbortController().signal,
        )
        expect(outcome.kind).toBe('sent')
      }),
      runs(150),
    )
    expect(rig.telegram.ledger.entries.filter((entry) => entry.outcome !== 'ok')).toEqual([])
    expect(rig.telegram.unfurled()).toEqual([])
    expect(mine(rig).filter((one) => one.isRich).length).toBeGreaterThan(50)
    const types = mine(rig).flatMap((one) => (one.isRich ? one.entities.map(({ type }) => type) : []))
    expect(types.filter((type) => !['bold', 'italic', 'strikethrough', 'code', 'text_link'].includes(type))).toEqual([])
  },
)
