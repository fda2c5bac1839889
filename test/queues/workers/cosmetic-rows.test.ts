// Facts about rows that nobody would miss: they go where there is room, hold up no answer, and are not tried again where the platform asks to wait.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unbutton, type OutBody } from '#shared/run/out-row.ts'
import type { SendLimits } from '#queues/fleet/send-budget.ts'
import { toCallKind } from '#queues/workers/call-kind.ts'
import { toBody } from '#test/rig/journal-entries.ts'
import { openStore, type Store } from '#test/rig/store.ts'
import { readStoredRows } from '#test/rig/stored-rows.ts'
import { conversation, createPlatform, openDesk, type Desk } from './delivery-desk.ts'

let store: Store
beforeAll(async () => void (store = await openStore()))
afterAll(() => store.stop())

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

test('what takes buttons away is left out where the chat has no room for it, and nobody is told', async () => {
  const desk = await openDesk(store)
  const platform = createPlatform({}, limitsOf({ cosmetics: [{ count: 1, perMs: 60_000 }] }))
  await put(desk, 'a', [off, off, toBody('the answer')])
  await desk.work(platform)
  expect(platform.sent).toEqual(['the answer', 'unbutton'])
  expect(await ends()).toMatchObject({ 'a-1': 'failed' })
  expect(desk.woken).toEqual([])
})

test('it waits for room that comes soon', async () => {
  const desk = await openDesk(store)
  const platform = createPlatform({}, limitsOf({ perChat: [{ count: 1, perMs: 1000 }] }))
  await put(desk, 'b', [toBody('the answer'), off])
  await desk.work(platform)
  expect(platform.sent).toEqual(['the answer'])
  expect(desk.woken).toEqual([expect.closeTo(1000, -3)])
})

test('where the platform asks to wait, it is not tried again, and answers are', async () => {
  const desk = await openDesk(store)
  const slow = async () => ({ kind: 'retry', afterMs: 10_000, reason: 'slow down', slowDown: 'chat' }) as const
  const platform = createPlatform({ unbutton: slow })
  await put(desk, 'c', [off])
  await desk.work(platform)
  expect(await ends()).toMatchObject({ 'c-0': 'failed' })
  expect(desk.woken).toEqual([])
  await put(desk, 'd', [toBody('the answer')])
  await desk.work(platform)
  expect(platform.sent).toEqual(['unbutton'])
  expect(desk.woken).toEqual([expect.closeTo(10_000, -3)])
})

test('a row counts as what carries it', () => {
  const kinds: readonly (readonly [OutBody, string | undefined])[] = [
    [toBody('new'), undefined],
    [toBody('changed'), '1'],
    [toBody('with a file', { file: { name: 'a.txt', text: 'x', caption: 'a file' } }), '1'],
    [off, '1'],
    [{ v: 1, kind: 'react', answers: [], language: 'en', messageId: 'm', emoji: '👍' }, undefined],
  ]
  expect(
    kinds.map(([body, receipt]) => toCallKind({ body, ...(receipt ? { replacesReceipt: receipt } : {}) })),
  ).toEqual(['send', 'edit', 'send', 'edit', 'reaction'])
})
