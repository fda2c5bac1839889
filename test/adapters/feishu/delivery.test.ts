// Facts about what goes out: cards that fit and ping nobody, once however often they are tried, changed in their place, growing within
// the month's calls, and every refusal named.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unbutton } from '#shared/run/out-row.ts'
import type { BegunRow } from '#queues/kernel/kernel.ts'
import { say, toAddress, toDelivery, until } from '#test/rig/channel-rig.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { readStoredRows } from '#test/rig/stored-rows.ts'
import { openFeishuRig, type FeishuRig } from './feishu-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

type Room = { readonly rig: FeishuRig; readonly chat: string; readonly here: string } & AsyncDisposable

async function openRoom(options: Parameters<typeof openFeishuRig>[1] = {}): Promise<Room> {
  const rig = await openFeishuRig(server, options)
  const chat = rig.feishu.addGroup({ owner: 'Ada' })
  return { rig, chat, here: `feishu:${chat}`, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() }
}
/** A direct chat, where replies grow as cards that stream. */
async function openDirect(): Promise<Room> {
  const rig = await openFeishuRig(server)
  const { dm } = rig.feishu.person('Ada')
  return { rig, chat: dm, here: rig.direct('Ada'), [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() }
}
const ofBot = ({ rig, chat }: Room) => rig.feishu.visible(chat).filter(({ from }) => from === 'bot')
const shown = (room: Room): string[] => ofBot(room).map(({ text }) => text)
/** How a row ended, and why. */
async function ending({ here }: Room, row = 'row-1-0'): Promise<readonly [string, string]> {
  const found = (await readStoredRows(server.admin, here)).find(({ id }) => id === row)
  return [found?.fields['s'] ?? '', found?.fields['why'] ?? '']
}
const yes = [[{ id: 'p00-aaaaaaaaaaaaaaaaaaaaaa.yes', label: 'Yes' }]]

test('sends a card with its buttons, as a reply, pinging nobody', async () => {
  await using room = await openRoom()
  const { rig, chat, here } = room
  const question = rig.feishu.person('Ada').say(chat, 'who?')
  const text = `**You**, <at id=all></at> and [read](https://example.com/x) | \`<at id=all></at>\``
  await rig.queue(here, [say(text, { buttons: yes, replyTo: question })])
  await rig.deliver(here)
  expect(ofBot(room)).toMatchObject([{ type: 'interactive', replyTo: question, pings: [] }])
  expect(ofBot(room)[0]?.buttons[0]).toMatchObject([{ label: 'Yes', value: { button: yes[0]?.[0]?.id, to: here } }])
  expect(shown(room)[0]).toContain('[https://example.com/x](https://example.com/x)')
})

test('sends although the message it replies to was taken back', async () => {
  await using room = await openRoom()
  const { rig, chat, here } = room
  const ada = rig.feishu.person('Ada')
  const question = ada.say(chat, 'who?')
  ada.recall(chat, question)
  await rig.queue(here, [say('me', { replyTo: question })])
  await rig.deliver(here)
  expect(shown(room)).toEqual(['me'])
})

test('writes into topics, and to a person who never wrote', async () => {
  await using room = await openRoom()
  const { rig } = room
  const chat = rig.feishu.addGroup({ owner: 'Ada', isTopics: true })
  const opening = rig.feishu.person('Ada').say(chat, 'Plans')
  await rig.queue(`feishu:${chat}:${opening}`, [say('in the topic')])
  await rig.deliver(`feishu:${chat}:${opening}`)
  await rig.queue(rig.direct('Bo'), [say('between us')])
  await rig.deliver(rig.direct('Bo'))
  const [first, second] = rig.feishu.visible(chat)
  expect(second).toMatchObject({ text: 'in the topic', thread: first?.thread })
  expect(rig.feishu.visible(rig.feishu.person('Bo').dm)).toMatchObject([{ text: 'between us' }])
})

test('splits a long Chinese text into cards that Feishu takes, each with its code closed', async () => {
  await using room = await openRoom()
  const { rig, here } = room
  const code = Array.from({ length: 400 }, (_, i) => `const 行${i} = "${i}" // 说明说明说明说明`).join('\n')
  await rig.queue(here, [say(`看：\n\n\`\`\`ts\n${code}\n\`\`\`\n\n${'说'.repeat(9000)}`)])
  await rig.deliver(here)
  await rig.deliver(here)
  const parts = shown(room)
  expect(parts.length).toBeGreaterThan(1)
  for (const part of parts) expect((part.match(/```/g) ?? []).length % 2).toBe(0)
  expect(parts.join('').match(/const 行\d+/g)).toHaveLength(400)
  expect(parts.join('').match(/说/g)?.length).toBe(9000 + 400 * 4)
})

test('many buttons with long labels leave less to the text, and nothing is lost', async () => {
  await using room = await openRoom()
  const { rig, here } = room
  const id = (i: number) => `p00-aaaaaaaaaaaaaaaaaaaaaa.choice-${i}`
  const buttons = Array.from({ length: 20 }, (_, i) => [{ id: id(i), label: '好'.repeat(40) }])
  await rig.queue(here, [say('说'.repeat(6900), { buttons })])
  await rig.deliver(here)
  await rig.deliver(here)
  expect(shown(room).join('').match(/说/g)).toHaveLength(6900)
  expect(ofBot(room).at(-1)?.buttons.flat()).toHaveLength(20)
})

test('a card that is refused for its form goes as bare words', async () => {
  await using room = await openRoom()
  const { rig, here } = room
  rig.feishu.fault({
    when: { route: 'createMessage' },
    times: 1,
    fault: { kind: 'error', code: 230_099, message: 'bad card' },
  })
  await rig.queue(here, [say('**all** of it', { buttons: yes })])
  await rig.deliver(here)
  expect(ofBot(room)).toMatchObject([{ text: '**all** of it', buttons: [[{ label: 'Yes' }]] }])
})

test('what is lost on its way back is shown once', async () => {
  await using room = await openRoom()
  const { rig, here } = room
  rig.feishu.fault({ when: { route: 'createMessage' }, times: 1, fault: { kind: 'reset', accepted: true } })
  await rig.queue(here, [say('once')])
  await rig.deliver(here)
  await until(async () => {
    await rig.deliver(here)
    return rig.feishu.ledger.of('createMessage').length > 1 ? true : undefined
  })
  expect(shown(room)).toEqual(['once'])
})

test('changes a card in its place, and takes its buttons away without knowing its text', async () => {
  await using room = await openRoom()
  const { rig, here } = room
  const [row = ''] = await rig.queue(here, [say('first', { buttons: yes })])
  await rig.deliver(here)
  await rig.queue(here, [unbutton(row)])
  await rig.deliver(here)
  expect(ofBot(room)).toMatchObject([{ text: 'first', buttons: [] }])
  await rig.queue(here, [say('second', { replaces: row })])
  await rig.deliver(here)
  expect(ofBot(room)).toMatchObject([{ text: 'second' }])
})

test('a card that is too old, or was taken away, is sent anew', async () => {
  await using room = await openRoom()
  const { rig, here } = room
  const [row = ''] = await rig.queue(here, [say('first')])
  await rig.deliver(here)
  rig.feishu.advance(15 * 86_400_000)
  await rig.queue(here, [say('second', { replaces: row })])
  await rig.deliver(here)
  expect(shown(room)).toEqual(['first', 'second'])
})

test('a file stands under its caption', async () => {
  await using room = await openRoom()
  const { rig, here } = room
  await rig.queue(here, [say('all of it', { file: { name: 'notes.txt', caption: 'Here.', text: '第 "1"\n' } })])
  await rig.deliver(here)
  expect(ofBot(room)).toMatchObject([
    { text: 'Here.', type: 'interactive' },
    { type: 'file', files: [{ name: 'notes.txt', text: '第 "1"\n' }] },
  ])
})

test('an app that may upload no files says the text instead', async () => {
  await using room = await openRoom()
  const { rig, here } = room
  rig.feishu.deny('im:resource', 'im:resource:upload')
  await rig.queue(here, [say('all of it', { file: { name: 'notes.txt', caption: 'Here.', text: 'x' } })])
  await rig.deliver(here)
  await rig.deliver(here)
  expect(shown(room)).toEqual(['all of it'])
})

const signal = new AbortController().signal
const beginning = (attempts = 1): BegunRow => ({
  id: 'turn-first',
  attempts,
  cameAtMs: 0,
  body: say('How it begins', { buttons: yes, partial: true }),
})

test('a reply grows as a streaming card, ends as a plain one, and takes six changes at most', async () => {
  await using room = await openDirect()
  const { rig, here } = room
  const delivery = toDelivery(rig.channel)
  const begun = await delivery.deliver(toAddress(here), beginning(), signal)
  if (begun.kind !== 'sent') throw new Error(`It was ${begun.kind}.`)
  expect(ofBot(room)).toMatchObject([{ isStreaming: true, buttons: [[{ label: 'Yes' }]] }])
  const { receipt } = begun
  const draft = (text: string) => ({ turn: 't', text, message: { receipt, buttons: yes } })
  expect(await delivery.showDraft(toAddress(here), draft('How it begins and **goes** on'), signal)).toEqual({
    kind: 'shown',
  })
  expect(ofBot(room)).toMatchObject([{ text: 'How it begins and **goes**', isStreaming: true }])
  expect(await delivery.showDraft(toAddress(here), draft('more'), signal)).toMatchObject({ kind: 'refused' })
  for (let turn = 0; turn < 20; turn++) {
    await delivery.showDraft(toAddress(here), { ...draft(`more ${turn}`), turn: 'u' }, signal)
  }
  const end: BegunRow = {
    id: 'turn-end',
    attempts: 1,
    cameAtMs: 0,
    body: say('The end.', { replaces: 'turn-first' }),
    replacesReceipt: receipt,
  }
  expect(await delivery.deliver(toAddress(here), end, signal)).toMatchObject({ kind: 'sent' })
  expect(ofBot(room)).toMatchObject([{ text: 'The end.', isStreaming: false, buttons: [] }])
})

test('in a group a reply that grows costs one call for its beginning and one for its end', async () => {
  await using room = await openRoom()
  const { rig, here } = room
  const delivery = toDelivery(rig.channel)
  const begun = await delivery.deliver(toAddress(here), beginning(), signal)
  if (begun.kind !== 'sent') throw new Error(`It was ${begun.kind}.`)
  expect(ofBot(room)).toMatchObject([{ text: 'How it begins …', isStreaming: false, buttons: [[{ label: 'Yes' }]] }])
  const body = say('The end.', { replaces: 'turn-first' })
  const end: BegunRow = { id: 'turn-end', attempts: 1, cameAtMs: 0, body, replacesReceipt: begun.receipt }
  expect(await delivery.deliver(toAddress(here), end, signal)).toMatchObject({ kind: 'sent' })
  expect(ofBot(room)).toMatchObject([{ text: 'The end.', buttons: [] }])
  const routes = rig.feishu.ledger.entries.map(({ route }) => route).filter((route) => route !== 'getTenantToken')
  expect(routes).toEqual(['createMessage', 'patchMessage'])
})

test('buttons below a reply that has grown go when they have had their day, all of them, and again harms nothing', async () => {
  await using room = await openDirect()
  const { rig, here } = room
  const delivery = toDelivery(rig.channel)
  const begun = await delivery.deliver(toAddress(here), beginning(), signal)
  if (begun.kind !== 'sent') throw new Error(`It was ${begun.kind}.`)
  const end: BegunRow = {
    id: 'turn-end',
    attempts: 1,
    cameAtMs: 0,
    body: say('The end.', { replaces: 'turn-first', buttons: [...yes, [{ id: `${yes[0]?.[0]?.id}2`, label: 'No' }]] }),
    replacesReceipt: begun.receipt,
  }
  const ended = await delivery.deliver(toAddress(here), end, signal)
  if (ended.kind !== 'sent') throw new Error(`It was ${ended.kind}.`)
  expect(ofBot(room)[0]?.buttons).toHaveLength(2)
  const off: BegunRow = {
    id: 'off',
    attempts: 1,
    cameAtMs: 0,
    body: unbutton('turn-end'),
    replacesReceipt: ended.receipt,
  }
  for (const channel of [rig.channel, rig.another({})]) {
    expect(await toDelivery(channel).deliver(toAddress(here), off, signal)).toMatchObject({ kind: 'sent' })
    expect(ofBot(room)).toMatchObject([{ text: 'The end.', buttons: [] }])
  }
})

test('an answer that grew is changed by its card, where its message takes no change', async () => {
  await using room = await openDirect()
  const { rig, here } = room
  const delivery = toDelivery(rig.channel)
  const begun = await delivery.deliver(toAddress(here), beginning(), signal)
  if (begun.kind !== 'sent') throw new Error(`It was ${begun.kind}.`)
  const change = (text: string, replacesReceipt: string): BegunRow => {
    return { id: `row-${text}`, attempts: 1, cameAtMs: 0, body: say(text, { replaces: 'x' }), replacesReceipt }
  }
  const ended = await delivery.deliver(toAddress(here), change('The end.', begun.receipt), signal)
  if (ended.kind !== 'sent') throw new Error(`It was ${ended.kind}.`)
  const refusal = {
    kind: 'error',
    code: 230_054,
    message: 'This operation is not supported for this message type.',
  } as const
  rig.feishu.fault({ when: { route: 'patchMessage' }, fault: refusal })
  expect(await delivery.deliver(toAddress(here), change('Shorter.', ended.receipt), signal)).toEqual(ended)
  expect(shown(room)).toEqual(['Shorter.'])
})

test('a stream that Feishu closed goes on as a plain card, also in a process with a clock behind', async () => {
  await using room = await openDirect()
  const { rig, here } = room
  const delivery = toDelivery(rig.channel)
  const begun = await delivery.deliver(toAddress(here), beginning(), signal)
  if (begun.kind !== 'sent') throw new Error(`It was ${begun.kind}.`)
  const { receipt } = begun
  const draft = (turn: string, text: string) => ({ turn, text, message: { receipt, buttons: yes } })
  await delivery.showDraft(toAddress(here), draft('t', 'grown once '), signal)
  const behind = toDelivery(rig.another({}))
  expect(await behind.showDraft(toAddress(here), draft('t', 'grown by another'), signal)).toEqual({ kind: 'shown' })
  expect(ofBot(room)).toMatchObject([{ text: 'grown by', isStreaming: true }])
  rig.feishu.advance(11 * 60_000)
  expect(await delivery.showDraft(toAddress(here), draft('later', 'grown late'), signal)).toEqual({ kind: 'shown' })
  expect(ofBot(room)).toMatchObject([{ text: 'grown late', buttons: [[{ label: 'Yes' }]] }])
})

test('a beginning that is sent a second time is a plain card, and ends in its place', async () => {
  await using room = await openDirect()
  const { rig, here } = room
  const delivery = toDelivery(rig.channel)
  rig.feishu.fault({ when: { route: 'createMessage' }, times: 1, fault: { kind: 'reset', accepted: true } })
  expect(await delivery.deliver(toAddress(here), beginning(), signal)).toMatchObject({ kind: 'unknown' })
  const again = await delivery.deliver(toAddress(here), beginning(2), signal)
  if (again.kind !== 'sent') throw new Error(`It was ${again.kind}.`)
  const end: BegunRow = {
    id: 'turn-end',
    attempts: 1,
    cameAtMs: 0,
    body: say('The end.'),
    replacesReceipt: again.receipt,
  }
  expect(await delivery.deliver(toAddress(here), end, signal)).toMatchObject({ kind: 'sent' })
  expect(shown(room)).toEqual(['The end.'])
})

test.each([
  ['the bot is put out', (room: Room) => room.rig.feishu.removeBot(room.chat, 'Ada'), /not in the group/],
  ['the group is dissolved', (room: Room) => room.rig.feishu.disband(room.chat, 'Ada'), /dissolved|not in the group/],
  [
    'a permission is missing',
    (room: Room) => room.rig.feishu.deny('im:message', 'im:message:send', 'im:message:send_as_bot'),
    /lacks the permission im:message/,
  ],
  ['the month is used up', (room: Room) => room.rig.feishu.changeApp({ quotaPerMonth: 1 }), /calls of this month/],
] as const)('where %s, it fails with the reason', async (_, spoil, reason) => {
  await using room = await openRoom()
  const { rig, here } = room
  await rig.queue(here, [say('warm'), say('lost')])
  await rig.queue(rig.direct('Ada'), [say('x')])
  await rig.deliver(rig.direct('Ada'))
  spoil(room)
  await rig.deliver(here)
  expect(await ending(room)).toMatchObject(['failed', expect.stringMatching(reason)])
})

test('that the calls of the month are used up is told in the same words for every chat', async () => {
  await using room = await openRoom()
  const { rig, here } = room
  await rig.queue(here, [say('lost')])
  await rig.queue(rig.direct('Ada'), [say('lost too')])
  rig.feishu.changeApp({ quotaPerMonth: 0 })
  for (const one of [here, rig.direct('Ada')]) await rig.deliver(one)
  expect(rig.said).toHaveLength(2)
  expect(new Set(rig.said).size).toBe(1)
  expect(rig.said[0]).toMatch(/^The tenant has used up its calls/)
})

test('while the app is switched off a row waits, and that is told', async () => {
  await using room = await openRoom()
  const { rig, here } = room
  rig.feishu.changeApp({ isEnabled: false })
  await rig.queue(here, [say('later')])
  await rig.deliver(here)
  expect(rig.waits.at(-1)).toBeGreaterThan(20_000)
  expect(rig.said).toEqual([expect.stringContaining('The app is switched off')])
})

test('where Feishu asks to wait, it waits as long as it asks', async () => {
  await using room = await openRoom()
  const { rig, here } = room
  rig.feishu.fault({ when: { route: 'createMessage' }, times: 1, fault: { kind: 'rate-limit', resetS: 2 } })
  await rig.queue(here, [say('patient')])
  await rig.deliver(here)
  expect(rig.waits.at(-1)).toBeGreaterThan(1900)
  expect(rig.feishu.ledger.of('createMessage').filter(({ isDuringWait }) => isDuringWait)).toEqual([])
})

test('a wait that Feishu never asks for is not believed', async () => {
  await using room = await openRoom()
  const { rig, here } = room
  rig.feishu.fault({ when: { route: 'createMessage' }, times: 1, fault: { kind: 'rate-limit', resetS: 999_999_999 } })
  await rig.queue(here, [say('patient')])
  await rig.deliver(here)
  expect(rig.waits.at(-1)).toBeGreaterThan(60_000)
  expect(rig.waits.at(-1)).toBeLessThan(180_000)
})

test.each([
  ['an hour behind', -3_600_000],
  ['an hour ahead', 3_600_000],
  ['ten years behind', -10 * 365 * 86_400_000],
])('a reply grows and ends though the clock of one of two processes is %s', async (_, offMs) => {
  await using room = await openRoom({ simulator: { limits: 'off' } })
  const { rig, here } = room
  const at = toAddress(here)
  const right = toDelivery(rig.channel)
  const wrong = toDelivery(rig.another({}, { now: () => Date.now() + offMs }))
  const begun = await right.deliver(at, beginning(), signal)
  if (begun.kind !== 'sent') throw new Error(`It was ${begun.kind}.`)
  const { receipt } = begun
  const draft = (turn: string) => ({ turn, text: `grown in ${turn} `, message: { receipt, buttons: yes } })
  for (const [one, turn] of [
    [right, 'a'],
    [wrong, 'b'],
    [right, 'c'],
    [wrong, 'd'],
  ] as const) {
    expect(await one.showDraft(at, draft(turn), signal)).toEqual({ kind: 'shown' })
    expect(shown(room)).toEqual([`grown in ${turn}`])
  }
  const body = say('The end.', { replaces: 'turn-first' })
  const end: BegunRow = { id: 'turn-end', attempts: 1, cameAtMs: 0, body, replacesReceipt: receipt }
  expect(await right.deliver(at, end, signal)).toMatchObject({ kind: 'sent' })
  expect(ofBot(room)).toMatchObject([{ text: 'The end.', isStreaming: false, buttons: [] }])
  expect(rig.feishu.ledger.entries.length).toBeLessThan(24)
})
