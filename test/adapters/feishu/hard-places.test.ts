// Facts about places that take less than others: topics that have lost their beginning, chats without cards, tables that are too long, and messages
// that somebody took back or is pressing on.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPace } from '#adapters/feishu/pace.ts'
import { toCardMarkdown } from '#adapters/markup/to-card.ts'
import { unbutton } from '#shared/run/out-row.ts'
import type { BegunRow } from '#queues/kernel/kernel.ts'
import { say, toAddress, toDelivery, until } from '#test/rig/channel-rig.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { openFeishuRig, type FeishuRig } from './feishu-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

const signal = new AbortController().signal
const yes = [[{ id: 'p00-aaaaaaaaaaaaaaaaaaaaaa.yes', label: 'Yes' }]]
const begin: BegunRow = {
  id: 'turn-first',
  attempts: 1,
  cameAtMs: 0,
  body: say('How it begins', { buttons: yes, partial: true }),
}
const toEnd = (receipt: string, text = 'The end.'): BegunRow => ({
  id: 'turn-end',
  attempts: 1,
  cameAtMs: 0,
  body: say(text, { replaces: 'turn-first', buttons: yes }),
  replacesReceipt: receipt,
})
async function sent(rig: FeishuRig, here: string, row: BegunRow): Promise<string> {
  const outcome = await toDelivery(rig.channel).deliver(toAddress(here), row, signal)
  if (outcome.kind !== 'sent') throw new Error(`It was ${outcome.kind}.`)
  return outcome.receipt
}
const ofBot = (rig: FeishuRig, chat: string) => rig.feishu.visible(chat).filter(({ from }) => from === 'bot')

test('in a topic whose first message is gone, what answers nobody follows the last message there', async () => {
  await using rig = await openFeishuRig(server)
  const chat = rig.feishu.addGroup({ owner: 'Ada', isTopics: true })
  const ada = rig.feishu.person('Ada')
  const root = ada.say(chat, 'Plans')
  const thread = rig.feishu.visible(chat)[0]?.thread
  const question = ada.say(chat, 'which?', { thread })
  ada.recall(chat, root)
  const here = `feishu:${chat}:${root}`
  await rig.queue(here, [say('one', { replyTo: question }), say('two')])
  await rig.deliver(here)
  expect(ofBot(rig, chat)).toMatchObject([
    { text: 'one', thread },
    { text: 'two', thread },
  ])
})

test('a chat that takes no cards is written to in plain words, also when they change', async () => {
  await using rig = await openFeishuRig(server)
  const chat = rig.feishu.addGroup({ owner: 'Ada' })
  const here = `feishu:${chat}`
  rig.feishu.setCardless(chat, true)
  await rig.queue(here, [say('**Shall** I?', { buttons: yes })])
  await rig.deliver(here)
  const receipt = await sent(rig, here, begin)
  await sent(rig, here, toEnd(receipt))
  expect(ofBot(rig, chat)).toMatchObject([
    { type: 'post', text: '**Shall** I?\n\n[Yes]' },
    { type: 'post', text: 'The end.\n\n[Yes]' },
  ])
})

const toTable = (rows: number): string =>
  `| n |\n|---|\n${Array.from({ length: rows }, (_, i) => `| ${i} |`).join('\n')}\n`

test('a table of more rows than a card takes goes on in another one', async () => {
  await using rig = await openFeishuRig(server)
  const chat = rig.feishu.addGroup({ owner: 'Ada' })
  const markdown = toCardMarkdown(toTable(120))
  expect(markdown.match(/\| :-- \|/g)).toHaveLength(3)
  await rig.queue(`feishu:${chat}`, [say(`**Squares**\n\n${toTable(120)}`)])
  await rig.deliver(`feishu:${chat}`)
  expect(ofBot(rig, chat)[0]?.text).toContain('**Squares**\n\n| n |')
  expect(ofBot(rig, chat)[0]?.text).toContain('| 119 |')
})

test('where a card is refused for its tables, they become text in columns, and the rest keeps its marks', async () => {
  await using rig = await openFeishuRig(server)
  const chat = rig.feishu.addGroup({ owner: 'Ada' })
  const message =
    'Failed to create card content, ext=ErrCode: 11310; ErrMsg: card table number over limit; ErrorValue: table; '
  rig.feishu.fault({ when: { route: 'createMessage' }, times: 1, fault: { kind: 'error', code: 230_099, message } })
  await rig.queue(`feishu:${chat}`, [say(`**Squares**\n\n${toTable(2)}`)])
  await rig.deliver(`feishu:${chat}`)
  expect(ofBot(rig, chat)[0]?.text).toBe('**Squares**\n\n```\nn\n─\n0\n1\n```')
})

test('a growing answer that somebody took back is not shown again', async () => {
  await using rig = await openFeishuRig(server)
  const chat = rig.feishu.addGroup({ owner: 'Ada' })
  const here = `feishu:${chat}`
  rig.feishu.deny('cardkit:card:write')
  const receipt = await sent(rig, here, begin)
  rig.feishu.person('Ada').recall(chat, receipt)
  expect(await sent(rig, here, toEnd(receipt))).toBe(receipt)
  expect(ofBot(rig, chat)).toEqual([])
})

test('a card on which somebody presses takes the next text, and stays the same card', async () => {
  await using rig = await openFeishuRig(server)
  const chat = rig.feishu.person('Ada').dm
  const here = rig.direct('Ada')
  const delivery = toDelivery(rig.channel)
  const receipt = await sent(rig, here, begin)
  const pressed = { kind: 'error', code: 200_810, message: 'The card is in an ongoing interaction' } as const
  rig.feishu.fault({ when: { route: 'updateCardContent' }, times: 1, fault: pressed })
  const draft = (turn: string) => ({ turn, text: 'How it begins and goes on ', message: { receipt, buttons: yes } })
  expect(await delivery.showDraft(toAddress(here), draft('t'), signal)).toMatchObject({ kind: 'refused' })
  expect(await delivery.showDraft(toAddress(here), draft('u'), signal)).toEqual({ kind: 'shown' })
  expect(ofBot(rig, chat)).toMatchObject([{ text: 'How it begins and goes on', isStreaming: true, jumps: 0 }])
})

test.each([300_313, 300_314])(
  'buttons under an answer that grew go without reading it, and end with %i',
  async (code) => {
    await using rig = await openFeishuRig(server)
    const chat = rig.feishu.person('Ada').dm
    const here = rig.direct('Ada')
    const ended = await sent(rig, here, toEnd(await sent(rig, here, begin)))
    expect(ofBot(rig, chat)[0]?.buttons).toHaveLength(1)
    const row: BegunRow = { id: 'off', attempts: 1, cameAtMs: 0, body: unbutton('turn-end'), replacesReceipt: ended }
    const missing = { kind: 'error', code, message: 'not find elementID' } as const
    await toDelivery(rig.another()).deliver(toAddress(here), row, signal)
    rig.feishu.fault({ when: { route: 'deleteCardElement' }, fault: missing })
    expect(await toDelivery(rig.channel).deliver(toAddress(here), row, signal)).toMatchObject({ kind: 'sent' })
    expect(ofBot(rig, chat)[0]?.buttons).toHaveLength(0)
    expect(rig.feishu.ledger.of('getMessage')).toEqual([])
  },
)

test('while an answer is thought about, the question shows that it is written, where calls have no limit', async () => {
  await using rig = await openFeishuRig(server, { channel: { monthlyCalls: 0 } })
  const ada = rig.feishu.person('Ada')
  const question = ada.say(ada.dm, 'how?')
  const here = rig.direct('Ada')
  const reactions = () => rig.feishu.visible(ada.dm).find(({ id }) => id === question)?.reactions
  const wait = { turn: 't', text: '', asks: question }
  await toDelivery(rig.channel).showDraft(toAddress(here), wait, signal)
  await until(async () => (reactions()?.['Typing'] ? true : undefined))
  const body = say('So.', { answers: [`fs:${question}`] })
  await sent(rig, here, { id: 'turn-end', attempts: 1, cameAtMs: 0, body })
  await until(async () => (reactions()?.['Typing'] ? undefined : true))
  await toDelivery(rig.another({ monthlyCalls: 10_000 })).showDraft(toAddress(here), wait, signal)
  expect(rig.feishu.ledger.of('addReaction')).toHaveLength(1)
})

test.each([
  [4, false, 61_000, [0, 7.5, 21.2, 39]],
  [18, false, 61_000, undefined],
])('%i changes are spread over a minute', (most, isEndless, untilMs, wanted) => {
  let nowMs = 0
  const pace = createPace({ most, isEndless, now: () => nowMs })
  const at: number[] = []
  for (; nowMs < untilMs; nowMs += 100) if (pace.take('t') === 0) at.push(nowMs / 1000)
  expect(at).toHaveLength(most)
  if (wanted) expect(at.map((one, i) => Math.abs(one - (wanted[i] ?? 0)) < 0.3)).toEqual(wanted.map(() => true))
  else expect(Math.max(...at.map((one, i) => one - (at[i - 1] ?? 0)))).toBeLessThan(6)
})

test('where calls have no limit it goes on for as long as the answer grows', () => {
  let nowMs = 0
  const pace = createPace({ most: 4, isEndless: true, now: () => nowMs })
  const at: number[] = []
  for (; nowMs < 200_000; nowMs += 100) if (pace.take('t') === 0) at.push(nowMs)
  expect(at.filter((one) => one > 60_000).length).toBeGreaterThan(20)
})
