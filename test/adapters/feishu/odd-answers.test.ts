// Whatever Feishu's address answers, on whichever route: it is an error of that request, told or waited out, and never an exception.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BegunRow } from '#queues/kernel/kernel.ts'
import type { ChannelDelivery } from '#queues/workers/channel-adapter.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import { ask, say, toAddress, toDelivery, until } from '#test/rig/channel-rig.ts'
import { oddAnswers, type OddAnswer } from '#test/rig/odd-answers.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import type { FeishuSimulator } from '#test/simulators/feishu/simulator.ts'
import { openFeishuRig, type FeishuRig } from './feishu-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

type Odd = OddAnswer & { readonly status?: number }
const json = 'application/json'
const page = '<html><body>Not here</body></html>'
/** What a gateway between Feishu and here answers with, and envelopes that hold nothing, or not what was asked for. */
const answers: readonly (readonly [string, Odd])[] = [
  ...oddAnswers,
  ['[]', { type: json, body: '[]' }],
  ['a code that is a word', { type: json, body: '{"code":"ok","msg":"success","data":{}}' }],
  ['a refusal whose code is a word', { status: 400, type: json, body: '{"code":"forbidden","msg":"no"}' }],
  ['a refusal that is null', { status: 400, type: json, body: 'null' }],
  ['a refusal that is half a JSON', { status: 400, type: json, body: '{"code":230002,"msg":"Bot can NOT be' }],
  ['a page with 404', { status: 404, type: 'text/html', body: page }],
  ['a page with 403', { status: 403, type: 'text/html', body: page }],
  ['a page with 503', { status: 503, type: 'text/html', body: page }],
  ['a JSON with 502', { status: 502, type: json, body: '{"code":1500,"msg":"internal error"}' }],
  ['an address elsewhere', { status: 302, type: 'text/html', body: page }],
]
/** Good for what only needs to be done. */
const empty: readonly (readonly [string, Odd])[] = [
  ['success without data', { type: json, body: '{"code":0,"msg":"success"}' }],
  ['success with data of null', { type: json, body: '{"code":0,"msg":"success","data":null}' }],
  ['success with a list', { type: json, body: '{"code":0,"msg":"success","data":[null]}' }],
  ['success with a text', { type: json, body: '{"code":0,"msg":"success","data":"ok"}' }],
]

/** The next answer on this route, as if the call had been carried out. */
function answerOnce(feishu: FeishuSimulator, route: string, odd: Odd): void {
  feishu.fault({ when: { route }, times: 1, fault: { kind: 'odd', accepted: true, ...odd } })
}

const signal = new AbortController().signal
let rows = 0
const row = (body: OutBody, replacesReceipt?: string): BegunRow => ({
  id: `row-${(rows += 1)}`,
  attempts: 1,
  cameAtMs: 0,
  body,
  ...(replacesReceipt === undefined ? {} : { replacesReceipt }),
})
type Case = {
  /** Calls the route about a message of the bot's in this conversation. */
  act(one: ChannelDelivery, conversation: ConversationId, receipt: string): Promise<unknown>
  readonly becomes: object
  /** The message to act on is a card that grows. */
  readonly isGrowing?: true
  /** An answer without data will do. */
  readonly isDone?: true
}
const unknown = { kind: 'unknown' }
const retry = { kind: 'retry' }
const partial = say('How it begins …', { partial: true })
const filed = say('all', { file: { name: 'notes.txt', caption: 'Here.', text: 'x' } })
const draft = (receipt: string) => ({ turn: `t-${(rows += 1)}`, text: 'more of it', message: { receipt, buttons: [] } })
const rest: Pick<Extract<OutBody, { kind: 'react' }>, 'v' | 'language' | 'answers'> = {
  v: 1,
  language: 'en',
  answers: [],
}
const sends: readonly (readonly [route: string, what: string, Case])[] = [
  [
    'createMessage',
    'a message',
    { act: (one, at) => one.deliver(toAddress(at), row(say('hi')), signal), becomes: unknown },
  ],
  ['createCard', 'a beginning', { act: (one, at) => one.deliver(toAddress(at), row(partial), signal), becomes: retry }],
  ['uploadFile', 'a file', { act: (one, at) => one.deliver(toAddress(at), row(filed), signal), becomes: retry }],
  [
    'patchMessage',
    'an edit',
    { act: (one, at, id) => one.deliver(toAddress(at), row(say('new'), id), signal), becomes: retry, isDone: true },
  ],
  [
    'getMessage',
    'buttons',
    {
      act: (one, at, id) =>
        one.deliver(toAddress(at), row({ ...rest, kind: 'unbutton', replaces: 'row-0' }, id), signal),
      becomes: unknown,
    },
  ],
  [
    'addReaction',
    'a reaction',
    {
      act: (one, at, id) =>
        one.deliver(toAddress(at), row({ ...rest, kind: 'react', messageId: id, emoji: '👍' }), signal),
      becomes: { kind: 'sent' },
      isDone: true,
    },
  ],
  [
    'updateCardContent',
    'a draft',
    {
      act: (one, at, id) => one.showDraft(toAddress(at), draft(id), signal),
      becomes: { kind: 'unclear' },
      isGrowing: true,
      isDone: true,
    },
  ],
  [
    'patchMessage',
    'a draft in a plain card',
    {
      act: (one, at, id) => one.showDraft(toAddress(at), draft(id), signal),
      becomes: { kind: 'unclear' },
      isDone: true,
    },
  ],
  [
    'updateCardSettings',
    'an end',
    {
      act: (one, at, id) => one.deliver(toAddress(at), row(say('The end.'), id), signal),
      becomes: retry,
      isGrowing: true,
      isDone: true,
    },
  ],
  [
    'updateCard',
    'the last text',
    {
      act: (one, at, id) => one.deliver(toAddress(at), row(say('The end.'), id), signal),
      becomes: retry,
      isGrowing: true,
      isDone: true,
    },
  ],
]

test.each(sends)(
  '%s for %s: nobody takes an odd answer for success',
  async (route, _, { act, becomes, ...how }) => {
    await using rig = await openFeishuRig(server, { simulator: { limits: 'off' } })
    const { feishu } = rig
    // Only there an answer grows as a card that streams.
    const conversation = rig.direct('Ada')
    const delivery = toDelivery(rig.channel)
    for (const [name, odd] of [...answers, ...(how.isDone ? [] : empty)]) {
      const first = say('card', how.isGrowing ? { partial: true } : { buttons: [[{ id: 'p00-x.y', label: 'Yes' }]] })
      const begun = await delivery.deliver(toAddress(conversation), row(first), signal)
      if (begun.kind !== 'sent') throw new Error(`It was ${begun.kind}.`)
      const { receipt } = begun
      answerOnce(feishu, route, odd)
      expect(await act(delivery, conversation, receipt), name).toMatchObject(becomes)
      expect(feishu.ledger.of(route).at(-1)?.outcome, name).toBe('lost')
    }
  },
  20_000,
)

test('a reply that was answered with a page is sent again, and shown once', async () => {
  await using rig = await openFeishuRig(server)
  const chat = rig.feishu.addGroup({ owner: 'Ada' })
  const conversation = `feishu:${chat}`
  const question = rig.feishu.person('Ada').say(chat, 'who?')
  answerOnce(rig.feishu, 'replyMessage', { type: 'text/html', body: page })
  await rig.queue(conversation, [say('hi', { replyTo: question })])
  await until(async () => {
    await rig.deliver(conversation)
    return rig.feishu.ledger.of('replyMessage').length > 1 ? true : undefined
  })
  expect(rig.feishu.visible(chat).filter(({ text }) => text === 'hi')).toHaveLength(1)
})

test.each(['getTenantToken', 'getBot'])(
  '%s: receiving waits out odd answers',
  async (route) => {
    await using rig = await openFeishuRig(server)
    const all = [...answers, ...empty]
    for (const [, odd] of all) answerOnce(rig.feishu, route, odd)
    await rig.start()
    rig.feishu.person('Ada').say(rig.feishu.person('Ada').dm, 'hello')
    expect(await rig.waitForEvents(rig.direct('Ada'), 1)).toMatchObject([{ text: 'hello' }])
    expect(rig.feishu.ledger.of(route).length).toBeGreaterThan(all.length)
    expect(rig.said[0]).toContain('FEISHU_DOMAIN')
  },
  20_000,
)

const reply = async (rig: FeishuRig): Promise<void> => {
  const chat = rig.feishu.addGroup({ owner: 'Ada' })
  // Asked about once.
  const ada = rig.feishu.person(`Ada ${chat}`)
  const first = ada.say(chat, 'one')
  ada.say(chat, '@Flotilla two', { replyTo: first })
  expect(await rig.waitForEvents(`feishu:${chat}`, 2)).toMatchObject([{ text: 'one' }, { text: 'two' }])
}

test.each(['getUser', 'getMessage', 'getChat'])(
  '%s: what is said is stored, whatever is answered about it',
  async (route) => {
    await using rig = await openFeishuRig(server, { simulator: { limits: 'off' } })
    await rig.start()
    const all = [...answers, ...empty]
    for (const [, odd] of all) {
      answerOnce(rig.feishu, route, odd)
      await reply(rig)
    }
    expect(rig.feishu.ledger.of(route).filter(({ outcome }) => outcome === 'lost')).toHaveLength(all.length)
    expect(rig.ignored).toEqual([])
  },
  60_000,
)

test.each(['getUser', 'getChat', 'getMessage', 'patchMessage'])(
  '%s: a press counts whatever is answered',
  async (route) => {
    await using rig = await openFeishuRig(server, { simulator: { limits: 'off' } })
    await rig.start()
    for (const [name, odd] of [...answers, ...empty]) {
      const chat = rig.feishu.addGroup({ owner: 'Ada' })
      const conversation = `feishu:${chat}`
      const question = ask(conversation)
      await rig.queue(
        conversation,
        [say('?', { buttons: [[{ id: `${question.id}.redo`, label: 'Redo' }]] })],
        [question],
      )
      await rig.deliver(conversation)
      answerOnce(rig.feishu, route, odd)
      const token = rig.feishu.person(`Ada ${name}`).press(chat, rig.feishu.visible(chat).at(-1)?.id ?? '', 'Redo')
      expect(await rig.waitForEvents(conversation, 1), name).toMatchObject([{ kind: 'answer' }])
      expect(
        (await rig.feishu.until(() => [rig.feishu.pressed(token)].find(({ state }) => state !== 'waiting'))).error,
      ).toBeUndefined()
    }
  },
  60_000,
)
