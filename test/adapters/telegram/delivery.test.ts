// Facts about delivery to Telegram: each row is one message, in order, at most once; what is not known is told.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OutBody } from '#shared/run/out-row.ts'
import { readStoredRows } from '#test/rig/stored-rows.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { markdown } from '#test/adapters/markup/markdown-samples.ts'
import { runs } from '#test/rig/property-runs.ts'
import { say, toAddress, toDelivery } from '#test/rig/channel-rig.ts'
import { openTelegramRig, type RigOptions, type TelegramRig } from './telegram-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

/** A rig in which person 7 has written, so that the bot may answer. */
async function openDirect(options: RigOptions = {}): Promise<TelegramRig> {
  const rig = await openTelegramRig(server, options)
  rig.telegram.sendText({ from: 7, text: 'hi' })
  return rig
}
const botTexts = (rig: TelegramRig, chat = 7): string[] =>
  rig.telegram
    .visible(chat)
    .filter((one) => one.from === 'bot')
    .map((one) => one.text)
const sends = (rig: TelegramRig): number => rig.telegram.ledger.of('sendMessage').length
const stateOf = async (row: string): Promise<string | null> => {
  return (await readStoredRows(server.admin)).find(({ id }) => id === row)?.fields['s'] ?? null
}
/** Moves the waiting head row's time here, as the clock would. */
const hurry = async (row: string): Promise<void> => {
  const [key = ''] = await server.admin.keys(`*:${row}`)
  await server.admin.hset(key, 'nb', '0')
}
const noticeId = async (): Promise<string> => {
  const [key = ''] = await server.admin.keys('*:notice-*')
  return key.slice(key.indexOf('notice-'))
}

test('sends rows in order, each once, without link preview', async () => {
  await using rig = await openDirect()
  await rig.queue('telegram:7', [say('one https://a.example'), say('two'), say('three')])
  await rig.deliver('telegram:7')
  await rig.deliver('telegram:7')
  expect(botTexts(rig)).toEqual(['one https://a.example', 'two', 'three'])
  expect(rig.telegram.visible(7).filter((one) => one.from === 'bot' && one.hasLinkPreview)).toEqual([])
})

test('leaks nothing through link previews or images', async () => {
  await using rig = await openDirect()
  const canary = 'https://evil.example/x?k=canary'
  await rig.queue('telegram:7', [say(`${canary} [here](${canary}) ![pic](${canary}) <img src="${canary}">`)])
  await rig.deliver('telegram:7')
  expect(sends(rig)).toBe(1)
  expect(rig.telegram.unfurled()).toEqual([])
})

test('shows Markdown as entities', async () => {
  await using rig = await openDirect()
  await rig.queue('telegram:7', [say('# Title\n\n**bold** and `code`')])
  await rig.deliver('telegram:7')
  const entities = rig.telegram.visible(7).at(-1)?.entities
  expect(entities?.map(({ type, offset, length }) => [type, offset, length])).toEqual([
    ['bold', 0, 5],
    ['bold', 7, 4],
    ['code', 16, 4],
  ])
})

test('sends a long text in parts that all fit, in order, with the buttons under the last', async () => {
  await using rig = await openDirect()
  const words = Array.from({ length: 3000 }, (_, i) => `word${i}`)
  await rig.queue('telegram:7', [say(words.join(' '), { buttons: [[{ id: 'x', label: 'Go' }]] })])
  await rig.deliver('telegram:7')
  const parts = rig.telegram.visible(7).filter((one) => one.from === 'bot')
  expect(parts.length).toBeGreaterThan(4)
  expect(parts.map((one) => one.text).join(' ')).toBe(words.join(' '))
  expect(parts.map((one) => one.buttons.length)).toEqual([...Array(parts.length - 1).fill(0), 1])
})

test('goes on with the part that failed and repeats none before it', async () => {
  await using rig = await openDirect()
  rig.telegram.fault({ when: { text: 'part-two' }, times: 1, fault: { kind: 'rate-limit', retryAfterS: 1 } })
  await rig.queue('telegram:7', [say(`${'a'.repeat(4000)}\n\npart-two ${'b'.repeat(4000)}`)])
  await rig.deliver('telegram:7')
  expect(botTexts(rig)).toHaveLength(1)
  await new Promise((resolve) => setTimeout(resolve, 1100))
  await rig.deliver('telegram:7')
  expect(botTexts(rig).map((text) => text.slice(0, 8))).toEqual(['aaaaaaaa', 'part-two'])
})

test('sends a text once more without entities when they are refused', async () => {
  await using rig = await openDirect()
  rig.telegram.fault({
    when: { method: 'sendMessage' },
    times: 1,
    fault: { kind: 'error', status: 400, description: "Bad Request: can't parse entities: unsupported" },
  })
  await rig.queue('telegram:7', [say('**bold**')])
  await rig.deliver('telegram:7')
  expect(rig.telegram.visible(7).at(-1)).toMatchObject({ text: 'bold', entities: [] })
  expect(sends(rig)).toBe(2)
})

test('waits as long as Telegram asks and sends then, once', async () => {
  await using rig = await openDirect()
  rig.telegram.fault({ when: { chat: 7 }, times: 1, fault: { kind: 'rate-limit', retryAfterS: 1 } })
  await rig.queue('telegram:7', [say('patient')])
  await rig.deliver('telegram:7')
  await rig.deliver('telegram:7')
  expect(sends(rig)).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 1100))
  await rig.deliver('telegram:7')
  expect(botTexts(rig)).toEqual(['patient'])
  expect(sends(rig)).toBe(2)
})

test('tries again when Telegram was not reached at all', async () => {
  await using rig = await openDirect({ channel: { apiRoot: 'http://127.0.0.1:1' } })
  await rig.queue('telegram:7', [say('hello')])
  await rig.deliver('telegram:7')
  expect(await stateOf('row-1-0')).toBe('queued')
})

test.each([
  ['a lost answer', { kind: 'no-answer', accepted: true }],
  ['a reset after it was taken', { kind: 'reset', accepted: true }],
  ['a 500', { kind: 'error', status: 500, description: 'Internal', accepted: true }],
  ['a 502 page', { kind: 'bad-gateway', accepted: true }],
] as const)('does not repeat a send after %s, and tells the person with a way to see it again', async (_, fault) => {
  await using rig = await openDirect({ channel: { sendTimeoutMs: 400 } })
  rig.telegram.fault({ when: { method: 'sendMessage' }, times: 1, fault })
  await rig.queue('telegram:7', [say('fragile')])
  await rig.deliver('telegram:7')
  expect(await stateOf('row-1-0')).toBe('unknown')
  expect(botTexts(rig)).toEqual(['fragile'])
  await hurry(await noticeId())
  await rig.deliver('telegram:7')
  expect(botTexts(rig)).toEqual(['fragile', 'A message of mine may not have arrived.'])
  const [button] = rig.telegram.visible(7).at(-1)?.buttons.flat() ?? []
  expect(button?.text).toBe('Show again')
  rig.run()
  const { id } = rig.telegram.press({
    from: 7,
    message: rig.telegram.visible(7).at(-1)?.id ?? 0,
    data: button?.data ?? '',
  })
  expect((await rig.telegram.until(() => rig.telegram.pressAnswer(id))).text).toBe('Got it.')
  const events = await rig.waitForEvents('telegram:7', 2)
  expect(events[1]).toMatchObject({ kind: 'answer', choice: 'show' })
  expect(JSON.stringify(events[1])).toContain('fragile')
})

test('the next delivery is followed by what is told of the doubtful one', async () => {
  await using rig = await openDirect()
  rig.telegram.fault({ when: { text: 'fragile' }, times: 1, fault: { kind: 'reset', accepted: false } })
  await rig.queue('telegram:7', [say('脆弱 fragile', { language: 'zh' }), say('next')])
  await rig.deliver('telegram:7')
  expect(botTexts(rig)).toEqual(['next', '我有一条消息可能没有送达。'])
})

test.each([
  ['blocked the bot', (rig: TelegramRig) => rig.telegram.block(7), 403],
  ['deleted the chat', (rig: TelegramRig) => rig.telegram.deleteChat(7), 400],
])('fails once when the person has %s', async (_, leave, status) => {
  await using rig = await openDirect()
  leave(rig)
  await rig.queue('telegram:7', [say('gone')])
  await rig.deliver('telegram:7')
  await rig.deliver('telegram:7')
  expect(rig.telegram.ledger.of('sendMessage').map((entry) => entry.status)).toEqual([status])
  expect(await stateOf('row-1-0')).toBe('failed')
})

test('replies to the asked message in groups, and sends although it was deleted', async () => {
  await using rig = await openTelegramRig(server)
  rig.telegram.addBotToGroup({ chat: -100, by: 7 })
  const { message } = rig.telegram.sendText({ from: 7, chat: -100, text: 'question' })
  await rig.queue('telegram:-100', [say('answer', { replyTo: String(message) }), say('too late', { replyTo: '999' })])
  await rig.deliver('telegram:-100')
  const answers = rig.telegram.visible(-100).filter((one) => one.from === 'bot')
  expect(answers.map((one) => [one.text, one.replyTo])).toEqual([
    ['answer', message],
    ['too late', undefined],
  ])
})

test('answers in the topic it was asked in', async () => {
  await using rig = await openTelegramRig(server)
  rig.telegram.addBotToGroup({ chat: -200, by: 7, isForum: true })
  const topic = rig.telegram.createTopic({ chat: -200, by: 7, name: 'Plans' })
  await rig.queue(`telegram:-200:${topic}`, [say('here')])
  await rig.deliver(`telegram:-200:${topic}`)
  expect(rig.telegram.visible(-200).at(-1)).toMatchObject({ text: 'here', topic })
})

test('follows a group that became a supergroup', async () => {
  await using rig = await openTelegramRig(server)
  rig.telegram.addBotToGroup({ chat: -100, by: 7, type: 'group' })
  rig.telegram.upgradeGroup({ chat: -100, to: -1000, by: 7 })
  await rig.queue('telegram:-100', [say('still here')])
  await rig.deliver('telegram:-100')
  expect(botTexts(rig, -1000)).toEqual(['still here'])
})

test('reacts to a message, and a refused reaction is no trouble', async () => {
  await using rig = await openDirect()
  const react: Extract<OutBody, { kind: 'react' }> = {
    v: 1,
    kind: 'react',
    messageId: '1',
    emoji: '👍',
    answers: [],
    language: 'en',
  }
  await rig.queue('telegram:7', [react, { ...react, messageId: '999' }, say('after')])
  await rig.deliver('telegram:7')
  expect(rig.telegram.visible(7)[0]?.reaction).toBe('👍')
  expect(botTexts(rig)).toEqual(['after'])
})

test('replaces an earlier message by an edit, and an edit that changes nothing is fine', async () => {
  await using rig = await openDirect()
  await rig.queue('telegram:7', [say('first')])
  await rig.deliver('telegram:7')
  await rig.queue('telegram:7', [say('second', { replaces: 'row-1-0' }), say('second', { replaces: 'row-1-0' })])
  await rig.deliver('telegram:7')
  expect(botTexts(rig)).toEqual(['second'])
  expect(await stateOf('row-2-1')).toBe('sent')
})

test('sends anew what it cannot edit any more', async () => {
  await using rig = await openDirect()
  await rig.queue('telegram:7', [say('first')])
  await rig.deliver('telegram:7')
  rig.telegram.remove({ chat: 7, message: 2 })
  await rig.queue('telegram:7', [say('second', { replaces: 'row-1-0' })])
  await rig.deliver('telegram:7')
  expect(botTexts(rig)).toEqual(['second'])
})

test('a plan whose message is gone is not sent anew, and nobody is told', async () => {
  await using rig = await openDirect()
  await rig.queue('telegram:7', [say('plan', { plan: true })])
  await rig.deliver('telegram:7')
  rig.telegram.remove({ chat: 7, message: 2 })
  await rig.queue('telegram:7', [say('plan done', { plan: true, replaces: 'row-1-0' }), say('answer')])
  await rig.deliver('telegram:7')
  expect(botTexts(rig)).toEqual(['answer'])
  expect(await stateOf('row-2-0')).toBe('sent')
})

test('no reason that is kept names the token', async () => {
  await using rig = await openDirect({ channel: { sendTimeoutMs: 400 } })
  for (const fault of [{ kind: 'reset' }, { kind: 'no-answer' }, { kind: 'bad-gateway' }] as const) {
    rig.telegram.fault({ when: { method: 'sendMessage' }, times: 1, fault })
    await rig.queue('telegram:7', [say('x')])
    await rig.deliver('telegram:7')
  }
  for (const key of await server.admin.keys('*:o:*')) {
    expect(JSON.stringify(await server.admin.hgetall(key))).not.toContain('simulated-token')
  }
})

test('sends any Markdown at the first try', async () => {
  await using rig = await openDirect()
  await fc.assert(
    fc.asyncProperty(markdown, async (text) => {
      const row = { id: 'x', body: say(text), attempts: 1, cameAtMs: 0 }
      const outcome = await toDelivery(rig.channel).deliver(toAddress('telegram:7'), row, new AbortController().signal)
      expect(outcome.kind).toBe('sent')
    }),
    runs(150),
  )
  expect(rig.telegram.ledger.entries.filter((entry) => entry.outcome !== 'ok')).toEqual([])
}, 60_000)
