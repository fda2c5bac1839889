// What a task says is delivered where its conversation is now; where that can be written to no more, the task is told that its questions are off.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toTask } from '#shared/chat/address.ts'
import type { Append } from '#shared/run/step.ts'
import { createChatBook } from '#queues/fleet/chat-book.ts'
import {
  ann,
  artifact,
  askedQuestion,
  deliverMany,
  mustClaim,
  row,
  signalTo,
  step,
} from '#test/contracts/kernel-fixtures.ts'
import { openStore, type Store } from '#test/rig/store.ts'
import { conversation, createPlatform, openDesk, textOf } from './delivery-desk.ts'

let store: Store
beforeAll(async () => void (store = await openStore({ patienceMs: 200 })))
afterAll(() => store.stop())

const task = toTask(conversation, 1)
async function append(address: string, more: Partial<Append>): Promise<void> {
  const { epoch } = await mustClaim(store.kernel, address)
  await store.kernel.append(address, epoch, step(`k-${JSON.stringify(more).length}`, more))
  await store.kernel.release(address, 'w1', epoch, true)
}

test('goes to the chat that its conversation moved to', async () => {
  const desk = await openDesk(store)
  await append(conversation, { signals: [signalTo(conversation, task, 'begin', { begins: [] })] })
  await createChatBook(store.call).move(conversation, 'telegram:-100')
  await append(task, { rows: [row('t1', 'of the task')], artifacts: [artifact('plan')] })
  const sent: unknown[] = []
  const platform = createPlatform(
    {},
    {
      async deliver(address, { body }) {
        sent.push([address.conversation, address.standing?.current, textOf(body)])
        return { kind: 'sent', receipt: '1' }
      },
    },
  )
  await desk.work(platform)
  expect(sent).toEqual([[conversation, 'telegram:-100', 'of the task']])
  // Its mailbox stays under the id that the chat began with.
  expect((await store.kernel.pending(task, 0)).events).toHaveLength(1)
})

test('is told that its questions are off where nothing can be sent any more, and so is its conversation', async () => {
  const desk = await openDesk(store)
  await append(conversation, { signals: [signalTo(conversation, task, 'begin', { begins: [] })] })
  const deadline = { deadlineMs: 60_000, asker: ann } as const
  const ask = (): Partial<Append> => {
    const question = { ...askedQuestion(conversation), ...deadline }
    const body = { ...row(question.id).body, buttons: [[{ id: `${question.id}.0`, label: 'Yes' }]] }
    return { questions: [question], rows: [{ ...row(question.id), body }] }
  }
  await append(task, { ...ask(), consume: [1] })
  await append(conversation, ask())
  await desk.work(createPlatform())
  await createChatBook(store.call).close(conversation, 'blocked')
  await append(task, { rows: [row('more', 'more')] })
  await desk.work(createPlatform())
  const told = (await store.kernel.pending(task, 0)).events.map(({ event }) => event)
  expect(told).toMatchObject([{ kind: 'expired', why: 'cancelled', principal: ann }])
  await deliverMany(store.kernel, conversation, 1)
  expect((await store.kernel.pending(conversation, 0)).events[0]?.event).toMatchObject({ why: 'cancelled' })
})
