// Facts about rows that nobody would miss: they go where there is room and hold up no answer. Buttons go in the end, and reactions at once or not at all.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unbutton, type OutBody } from '#shared/run/out-row.ts'
import type { SendLimits } from '#queues/fleet/send-budget.ts'
import { toCallKind } from '#queues/workers/call-kind.ts'
import { until } from '#test/rig/channel-rig.ts'
import { toBody } from '#test/rig/journal-entries.ts'
import { openStore, type Store } from '#test/rig/store.ts'
import { readStoredRows } from '#test/rig/stored-rows.ts'
import { conversation, createPlatform, openDesk, type Desk, type Platform } from './delivery-desk.ts'

let store: Store
beforeAll(async () => void (store = await openStore()))
afterAll(() => store.stop())

/** Comes back until so much was sent. */
const workUntilSent = async (desk: Desk, platform: Platform, rows: number): Promise<unknown> =>
  await until(async () => {
    await desk.work(platform)
    return platform.sent.length >= rows ? true : undefined
  })

const off = unbutton('card', 'their message')

async function put({ kernel }: Desk, key: string, bodies: readonly OutBody[]): Promise<void> {
  const claimed = await kernel.claim(conversation, 'run', 60_000)
  if (claimed.kind !== 'CLAIMED') throw new Error(claimed.kind)
  const rows = bodies.map((body, i) => ({ id: `${key}-${i}`, body, expiresInMs: 600_000 }))
  await kernel.append(conversation, claimed.epoch, { key, entries: [], rows, folds: true })
}
const ends = async (): Promise<Readonly<Record<string, string | undefined>>> =>
  Object.fromEntries(
    (await readStoredRows(store.server.admin, conversation)).map(({ id, fields }) => [id, fields['s']]),
  )

const limitsOf = (more: Partial<SendLimits>) => ({
  limits: (chat: string): SendLimits => ({ bot: 'telegram:1', chat, perBot: [], perChat: [], cosmetics: [], ...more }),
})

const react: OutBody = { v: 1, kind: 'react', answers: [], language: 'en', messageId: 'm', emoji: '👍' }

test('a reaction is left out where the chat has no room for it, and nobody is told', async () => {
  const desk = await openDesk(store)
  const platform = createPlatform({}, limitsOf({ cosmetics: [{ count: 1, perMs: 60_000 }] }))
  await put(desk, 'a', [react, react, toBody('the answer')])
  await desk.work(platform)
  expect(platform.sent).toEqual(['the answer', 'react'])
  expect(await ends()).toMatchObject({ 'a-1': 'failed' })
  expect(desk.woken).toEqual([])
})

test('what takes buttons away waits for room, and answers go before it meanwhile', async () => {
  const desk = await openDesk(store)
  const platform = createPlatform({}, limitsOf({ cosmetics: [{ count: 1, perMs: 4000 }] }))
  await put(desk, 'a', [off, off])
  await desk.work(platform)
  expect(platform.sent).toEqual(['unbutton'])
  expect(desk.woken).toEqual([expect.closeTo(4280, -3)])
  await put(desk, 'b', [toBody('the answer')])
  await desk.work(platform)
  expect(platform.sent).toEqual(['unbutton', 'the answer'])
  await workUntilSent(desk, platform, 3)
  expect(platform.sent).toEqual(['unbutton', 'the answer', 'unbutton'])
})

test('it waits for room that comes soon', async () => {
  const desk = await openDesk(store)
  const platform = createPlatform({}, limitsOf({ perChat: [{ count: 1, perMs: 1000 }] }))
  await put(desk, 'b', [toBody('the answer'), off])
  await desk.work(platform)
  expect(platform.sent).toEqual(['the answer'])
  expect(desk.woken).toEqual([expect.closeTo(1000, -3)])
})

test('where the platform asks to wait, it is tried again when that is over, and answers go before it', async () => {
  const desk = await openDesk(store)
  const answers = ['slow-down', 'ok']
  const platform = createPlatform(
    {
      unbutton: async () =>
        answers.shift() === 'ok'
          ? { kind: 'sent', receipt: '' }
          : { kind: 'retry', afterMs: 2000, reason: 'slow down', slowDown: 'chat' },
    },
    limitsOf({}),
  )
  await put(desk, 'c', [off])
  await desk.work(platform)
  expect(desk.woken).toEqual([expect.closeTo(2000, -3)])
  await put(desk, 'd', [toBody('the answer')])
  await desk.work(platform)
  expect(platform.sent).toEqual(['unbutton'])
  await workUntilSent(desk, platform, 3)
  expect(platform.sent).toEqual(['unbutton', 'the answer', 'unbutton'])
})

test('where the platform asks to wait, a reaction is not tried again', async () => {
  const desk = await openDesk(store)
  const slow = async () => ({ kind: 'retry', afterMs: 10_000, reason: 'slow down', slowDown: 'chat' }) as const
  await put(desk, 'e', [react])
  await desk.work(createPlatform({ react: slow }))
  expect(await ends()).toMatchObject({ 'e-0': 'failed' })
  expect(desk.woken).toEqual([])
})

test('a row counts as what carries it', () => {
  const kinds: readonly (readonly [OutBody, string | undefined])[] = [
    [toBody('new'), undefined],
    [toBody('changed'), '1'],
    [toBody('with a file', { file: { name: 'a.txt', text: 'x', caption: 'a file' } }), '1'],
    [off, '1'],
    [react, undefined],
  ]
  expect(
    kinds.map(([body, receipt]) => toCallKind({ body, ...(receipt ? { replacesReceipt: receipt } : {}) })),
  ).toEqual(['send', 'edit', 'send', 'edit', 'reaction'])
})
