// What a running turn reads of its mailbox: one reading at a time, however many signals come.
import { setImmediate as tick } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createMailbox, type Mailbox } from '#services/executor/mailbox.ts'
import type { Waiting } from '#shared/run/step.ts'
import { messageEvent } from '#test/contracts/kernel-fixtures.ts'

const nothing = { routedSeq: 0, stops: {}, isCongested: false }
const toWaiting = (routedSeq: number): Waiting => ({
  ...nothing,
  routedSeq,
  events: [{ seq: routedSeq, event: messageEvent('web:a', routedSeq) }],
})

function open(): { mailbox: Mailbox; signal(): void; readings: ReturnType<typeof Promise.withResolvers<Waiting>>[] } {
  const readings: ReturnType<typeof Promise.withResolvers<Waiting>>[] = []
  let signal = (): void => {}
  const store = {
    append: () => Promise.reject(new Error('A mailbox writes nothing.')),
    pending() {
      const reading = Promise.withResolvers<Waiting>()
      readings.push(reading)
      return reading.promise
    },
    findEvent: async () => undefined,
    draft() {},
    findDraft: async () => undefined,
    onNews(callback: () => void) {
      signal = callback
      return () => {}
    },
    newQuestionId: () => '',
  }
  const mailbox = createMailbox(store, { ...nothing, pending: [] }, 200)
  return { mailbox, readings, signal: () => signal() }
}

test('a thousand signals while it reads are one more reading', async () => {
  const { mailbox, signal, readings } = open()
  const seen: number[] = []
  mailbox.onNews(() => seen.push(...mailbox.waiting().map((item) => item.seq)))
  signal()
  await expect.poll(() => readings.length).toBe(1)
  for (let n = 0; n < 1000; n++) signal()
  readings[0]?.resolve(toWaiting(1))
  await expect.poll(() => readings.length).toBe(2)
  readings[1]?.resolve(toWaiting(1001))
  await expect.poll(() => seen).toEqual([1, 1001])
  await mailbox.refresh()
  expect(readings.length).toBe(2)
})

test('a reading that failed is made again by whoever asks next', async () => {
  const { mailbox, signal, readings } = open()
  signal()
  await expect.poll(() => readings.length).toBe(1)
  readings[0]?.reject(new Error('Redis is away.'))
  await tick()
  const again = mailbox.refresh()
  await expect.poll(() => readings.length).toBe(2)
  readings[1]?.resolve(toWaiting(7))
  await again
  expect(mailbox.find(7)?.id).toBe(messageEvent('web:a', 7).id)
})
