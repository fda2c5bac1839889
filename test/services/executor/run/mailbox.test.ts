// What a running turn reads of its mailbox: one reading at a time, however many signals come.
import { setImmediate as tick } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createMailbox, type Mailbox } from '#services/executor/run/mailbox.ts'
import type { Waiting } from '#shared/run/step.ts'
import { messageEvent } from '#test/contracts/kernel-fixtures.ts'

const nothing = { routedSeq: 0, stops: {}, isCongested: false }
const toWaiting = (routedSeq: number): Waiting => ({
  ...nothing,
  routedSeq,
  events: [{ seq: routedSeq, event: messageEvent('web:a', routedSeq) }],
})

type Opened = {
  readonly mailbox: Mailbox
  signal(): void
  isOpen(): boolean
  readonly readings: ReturnType<typeof Promise.withResolvers<Waiting>>[]
}

function open({
  full = 200,
  ...claimed
}: Partial<Parameters<typeof createMailbox>[1]> & { full?: number } = {}): Opened {
  const readings: Opened['readings'] = []
  let listener: (() => void) | undefined
  const store = {
    append: () => Promise.reject(new Error('A mailbox writes nothing.')),
    pending() {
      const reading = Promise.withResolvers<Waiting>()
      readings.push(reading)
      return reading.promise
    },
    findEvent: async () => undefined,
    findArtifact: async () => undefined,
    listArtifacts: async () => [],
    draft() {},
    findDraft: async () => undefined,
    onNews(callback: () => void) {
      listener = callback
      return () => (listener = undefined)
    },
    newQuestionId: () => '',
  }
  const mailbox = createMailbox(store, { ...nothing, pending: [], ...claimed }, full)
  return { mailbox, readings, signal: () => listener?.(), isOpen: () => listener !== undefined }
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

test('nothing is read anew until something may have changed', async () => {
  const { mailbox, readings } = open()
  await mailbox.refresh()
  mailbox.noticeRouted(0)
  await mailbox.refresh()
  expect(readings).toHaveLength(0)
  mailbox.noticeRouted(1)
  const again = mailbox.refresh()
  await expect.poll(() => readings.length).toBe(1)
  readings[0]?.resolve(toWaiting(1))
  await again
  mailbox.noticeRouted(1)
  await mailbox.refresh()
  expect(readings).toHaveLength(1)
})

test('a page that is full is followed by another reading, one that is not is all', async () => {
  const { mailbox, readings } = open({ full: 1, pending: toWaiting(1).events })
  const first = mailbox.refresh()
  await expect.poll(() => readings.length).toBe(1)
  readings[0]?.resolve(toWaiting(2))
  await first
  const second = mailbox.refresh()
  await expect.poll(() => readings.length).toBe(2)
  readings[1]?.resolve({ ...nothing, events: [] })
  await second
  await mailbox.refresh()
  expect(readings).toHaveLength(2)
})

test('what was routed later than a reading says is not forgotten by it', async () => {
  const { mailbox, readings, signal } = open()
  signal()
  await expect.poll(() => readings.length).toBe(1)
  readings[0]?.resolve(toWaiting(5))
  await tick()
  signal()
  await expect.poll(() => readings.length).toBe(2)
  readings[1]?.resolve(toWaiting(3))
  await tick()
  mailbox.noticeRouted(5)
  await mailbox.refresh()
  expect(readings).toHaveLength(2)
})

test('what waits is found by its seq, beside others or among them, until it is dropped', () => {
  const pending = [1, 2, 3].flatMap((seq) => toWaiting(seq).events)
  const { mailbox } = open({ pending })
  const seqs = (items: readonly { readonly seq: number }[]): readonly number[] => items.map(({ seq }) => seq)
  expect(seqs(mailbox.waiting())).toEqual([1, 2, 3])
  expect(seqs(mailbox.waitingBeside([2]))).toEqual([1, 3])
  expect(seqs(mailbox.taken([3, 1, 9]))).toEqual([1, 3])
  expect(mailbox.known([2, 9])).toEqual([{ seq: 2, id: pending[1]?.event.id }])
  expect(mailbox.find(9)).toBeUndefined()
  mailbox.drop([1, 3])
  expect(seqs(mailbox.waiting())).toEqual([2])
})

test('a stop holds for the person who said it, and one for all holds for everybody', async () => {
  const { mailbox, readings, signal } = open()
  expect(mailbox.stopSeq('web:a')).toBe(0)
  signal()
  await expect.poll(() => readings.length).toBe(1)
  readings[0]?.resolve({ ...nothing, events: [], stops: { 'web:a': 4, '*': 3 } })
  await tick()
  expect(mailbox.stops()).toEqual({ 'web:a': 4, '*': 3 })
  expect(mailbox.stopSeq('web:a')).toBe(4)
  expect(mailbox.stopSeq('web:b')).toBe(3)
})

test('that no answer can be sent is looked at again before it is said, that one can is not', async () => {
  expect(await open().mailbox.isCongested()).toBe(false)
  const { mailbox, readings } = open({ isCongested: true })
  const asked = mailbox.isCongested()
  await expect.poll(() => readings.length).toBe(1)
  readings[0]?.resolve({ ...nothing, events: [], isCongested: true })
  expect(await asked).toBe(true)
  const again = mailbox.isCongested()
  await expect.poll(() => readings.length).toBe(2)
  readings[1]?.resolve({ ...nothing, events: [] })
  expect(await again).toBe(false)
})

test('who no longer listens hears nothing, and a closed mailbox takes no signals', async () => {
  const { mailbox, readings, signal, isOpen } = open()
  let heard = 0
  const forget = mailbox.onNews(() => (heard += 1))
  forget()
  signal()
  await expect.poll(() => readings.length).toBe(1)
  readings[0]?.resolve(toWaiting(1))
  await tick()
  expect(heard).toBe(0)
  mailbox.close()
  expect(isOpen()).toBe(false)
})
