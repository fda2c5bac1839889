// Facts about the second simulated Feishu, with the real channel and Redis on the other side: what is said comes in, cards go out and grow, presses are
// answered, and it refuses what the first one refuses.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createFeishuChannel } from '#adapters/feishu/feishu-channel.ts'
import { unbutton } from '#shared/run/out-row.ts'
import { ask, openChannelRig, say, toAddress, toDelivery, until } from '#test/rig/channel-rig.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { readCard } from '#test/simulators/feishu-second/cards.ts'
import { decodeFrame, encodeFrame } from '#test/simulators/feishu-second/frames.ts'
import { startSecondFeishu } from '#test/simulators/feishu-second/platform.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

const signal = new AbortController().signal
const known = z.object({ openId: z.string(), dm: z.string() })
const visible = z.array(
  z.object({ id: z.string(), from: z.string(), text: z.string(), buttons: z.array(z.array(z.unknown())) }),
)

async function open() {
  const feishu = await startSecondFeishu({ port: 0, ladderMs: [300, 600, 1200], answerMs: 3000, pingSeconds: 120 })
  const rig = await openChannelRig(server)
  const { appId, appSecret, apiRoot: domain } = feishu
  const channel = createFeishuChannel(
    { appId, appSecret, domain, cardUpdates: 20, monthlyCalls: 0, backOff: { firstMs: 20, maxMs: 100 } },
    rig.deps,
  )
  const post = async (body: object): Promise<unknown> => {
    const reply = await fetch(`${domain}/__control`, { method: 'POST', body: JSON.stringify(body) })
    return z.object({ ok: z.literal(true), result: z.unknown().optional() }).parse(await reply.json()).result
  }
  const ledger = async () =>
    z
      .object({ connected: z.array(z.number()), connections: z.array(z.object({ kind: z.string() })) })
      .parse(await (await fetch(`${domain}/__ledger`)).json())
  rig.run(channel)
  await until(async () => ((await ledger()).connections.some(({ kind }) => kind === 'ping') ? true : undefined))
  const ada = known.parse(await post({ do: 'person', person: 'Ada' }))
  return {
    rig,
    channel,
    post,
    ada,
    here: `feishu:${ada.openId}`,
    async ofBot() {
      const reply: unknown = await (await fetch(`${domain}/__chat?chat=${ada.dm}`)).json()
      return z
        .object({ result: z.object({ visible }) })
        .parse(reply)
        .result.visible.filter(({ from }) => from === 'bot')
    },
    async [Symbol.asyncDispose]() {
      await rig.close()
      await feishu.close()
    },
  }
}

test('what is said comes in once, however often it is told, also under another id', async () => {
  await using room = await open()
  const type = 'im.message.receive_v1'
  await room.post({ do: 'double', type, isDoubled: true })
  await room.post({ do: 'say', person: 'Ada', chat: room.ada.dm, text: 'hello' })
  await room.post({ do: 'repeatAnew', type, isNewMessage: true })
  await room.post({ do: 'double', type, isDoubled: false })
  await room.post({ do: 'say', person: 'Ada', chat: room.ada.dm, text: 'after' })
  expect(await room.rig.waitForEvents(room.here, 2)).toMatchObject([{ text: 'hello', name: 'Ada' }, { text: 'after' }])
})

test('a card that asks is answered by its button, and the presser is told', async () => {
  await using room = await open()
  const question = ask(room.here)
  const button = { id: `${question.id}.redo`, label: 'Redo' }
  await room.rig.queue(room.here, [say('Shall I?', { buttons: [[button]] })], [question])
  await room.rig.deliver(room.channel, room.here)
  const [card] = await room.ofBot()
  const press = { do: 'press', person: 'Ada', chat: room.ada.dm, message: card?.id, button: 'Redo' }
  const token = z.string().parse(await room.post(press))
  expect(await room.rig.waitForEvents(room.here, 1)).toMatchObject([{ kind: 'answer', choice: 'redo' }])
  const pressed = z.object({ state: z.string(), toast: z.string().optional() })
  const told = await until(async () => {
    const { state, toast } = pressed.parse(await room.post({ do: 'pressed', token }))
    return state === 'answered' ? toast : undefined
  })
  expect(told).not.toBe('')
})

test('an answer grows in its card, ends there, and loses its buttons', async () => {
  await using room = await open()
  const delivery = toDelivery(room.channel)
  const buttons = [[{ id: 'p00-aaaaaaaaaaaaaaaaaaaaaa.yes', label: 'Yes' }]]
  const first = { id: 'turn-first', attempts: 1, cameAtMs: 0, body: say('It begins', { buttons, partial: true }) }
  const begun = await delivery.deliver(toAddress(room.here), first, signal)
  if (begun.kind !== 'sent') throw new Error(`It was ${begun.kind}.`)
  const message = { receipt: begun.receipt, buttons }
  const draft = { turn: 't', text: 'It begins and goes on ', isGrowing: true, message } as const
  expect(await delivery.showDraft(toAddress(room.here), draft, signal)).toEqual({ kind: 'shown' })
  expect(await room.ofBot()).toMatchObject([{ text: 'It begins and goes on' }])
  const body = say('The end.', { replaces: 'turn-first', buttons })
  const end = { id: 'turn-end', attempts: 1, cameAtMs: 0, body, replacesReceipt: begun.receipt }
  const ended = await delivery.deliver(toAddress(room.here), end, signal)
  if (ended.kind !== 'sent') throw new Error(`It was ${ended.kind}.`)
  const row = { id: 'off', attempts: 1, cameAtMs: 0, body: unbutton('turn-end'), replacesReceipt: ended.receipt }
  await delivery.deliver(toAddress(room.here), row, signal)
  expect(await room.ofBot()).toMatchObject([{ text: 'The end.', buttons: [] }])
})

test('an answer that breaks off half way leaves nobody knowing, and the message is shown once', async () => {
  await using room = await open()
  await room.post({ do: 'fault', rule: { when: { route: 'createMessage' }, times: 1, fault: { kind: 'half' } } })
  const row = { id: 'half', attempts: 1, cameAtMs: 0, body: say('Whole or not') }
  const deliver = () => toDelivery(room.channel).deliver(toAddress(room.here), row, signal)
  expect(await deliver()).toMatchObject({ kind: 'unknown' })
  expect(await deliver()).toMatchObject({ kind: 'sent' })
  expect(await room.ofBot()).toMatchObject([{ text: 'Whole or not' }])
})

test.each([
  ['an unknown property', { tag: 'markdown', content: 'x', colour: 'red' }, 'unknown property'],
  ['an unknown element', { tag: 'note' }, 'unsupported tag'],
  ['fifty rows', { tag: 'markdown', content: `| a |\n|---|\n${'| 1 |\n'.repeat(50)}` }, 'element exceeds the limit'],
  ['six tables', { tag: 'markdown', content: '| a |\n|---|\n| 1 |\n\n'.repeat(6) }, 'table number over limit'],
  ['a bad id', { tag: 'markdown', content: 'x', element_id: '1st' }, 'elementID format error'],
])('refuses %s in a card', (_, element, words) => {
  expect(() => readCard({ schema: '2.0', config: { update_multi: true }, body: { elements: [element] } })).toThrow(
    words,
  )
})

test('a frame is read as it was written, and half of one is refused', () => {
  const headers = { type: 'event', message_id: 'ä'.repeat(100) }
  const frame = {
    seqId: 300,
    logId: 2 ** 40,
    service: 33_554_678,
    method: 1,
    headers,
    payload: Buffer.alloc(70_000, 7),
  }
  const bytes = encodeFrame(frame)
  expect(decodeFrame(bytes)).toEqual(frame)
  expect(() => decodeFrame(bytes.subarray(0, -1))).toThrow('ends too soon')
})
