// Who may run beside whom: the one alone has its process for itself, and those that wait hold nothing.
import { getEventListeners } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createCompany, type Company, type Visit } from '#queues/workers/company.ts'

const neverAborted = new AbortController().signal
const aloneFrom = 5

async function enter(company: Company): Promise<Visit> {
  const visit = await company.enter(neverAborted)
  if (!visit) throw new Error('Nobody told it to stop.')
  return visit
}

/** What has happened once all that can go on has gone on. */
async function isDone(promise: Promise<unknown> | undefined): Promise<boolean> {
  let done = false
  void promise?.then(() => (done = true))
  await new Promise((resolve) => setImmediate(resolve))
  return done
}

const calmOf = (visit: Visit): Promise<void> | undefined => {
  const permit = visit.find(aloneFrom)
  return permit.kind === 'ROOM' ? permit.calm : undefined
}

test('begins alone when all that began before has ended, of whatever suspicion', async () => {
  const company = createCompany()
  const first = await enter(company)
  first.find(1)
  const suspect = await enter(company)
  suspect.find(3)
  const alone = await enter(company)
  const calm = calmOf(alone)
  first.leave()
  expect(await isDone(calm)).toBe(false)
  suspect.leave()
  expect(await isDone(calm)).toBe(true)
})

test('lets nobody in beside it until it got on or ended', async () => {
  const company = createCompany()
  for (const end of ['proved', 'leave'] as const) {
    const alone = await enter(company)
    await calmOf(alone)
    const next = company.enter(neverAborted)
    expect(await isDone(next)).toBe(false)
    alone[end]()
    const visit = await next
    visit?.leave()
    alone.leave()
  }
})

test('remembers nobody who waited', async () => {
  const company = createCompany()
  const alone = await enter(company)
  await calmOf(alone)
  const { signal } = new AbortController()
  const waiting = [company.enter(signal), company.enter(signal)]
  alone.leave()
  for (const visit of await Promise.all(waiting)) visit?.leave()
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('takes what has run for long for harmless, and has nobody wait for it longer', async () => {
  const company = createCompany(5)
  const long = await enter(company)
  long.find(1)
  const alone = await enter(company)
  await calmOf(alone)
  const next = await enter(company)
  next.leave()
  // The late end of the first one opens no other door.
  const again = await enter(company)
  expect(again.find(aloneFrom).kind).toBe('FULL')
})

test('puts others off one after another, each a little later, and no later than a minute', async () => {
  const company = createCompany()
  const visits = await Promise.all(Array.from({ length: 400 }, async () => await enter(company)))
  const afterMs = visits
    .map((visit) => visit.find(4))
    .flatMap((permit) => (permit.kind === 'FULL' ? [permit.afterMs] : []))
  expect(afterMs.length).toBe(396)
  expect(afterMs.slice(0, 3).every((ms) => ms > 0 && ms <= 1000)).toBe(true)
  expect(Math.max(...afterMs)).toBe(60_000)
  expect(afterMs.toSorted((a, b) => a - b)).toEqual(afterMs)
})

test('puts nobody off for longer because the clock was set back', async () => {
  const company = createCompany()
  const visits = await Promise.all(Array.from({ length: 8 }, async () => await enter(company)))
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  for (const visit of visits.slice(0, 6)) visit.find(4)
  vi.setSystemTime(Date.now() - 3_600_000)
  const permit = visits[6]?.find(4)
  expect(permit?.kind === 'FULL' && permit.afterMs).toBeLessThan(5000)
})

test('sends those at the door away when the process stops', async () => {
  const company = createCompany()
  const alone = await enter(company)
  await calmOf(alone)
  const stopping = new AbortController()
  const waiting = company.enter(stopping.signal)
  stopping.abort()
  expect(await waiting).toBeUndefined()
})
