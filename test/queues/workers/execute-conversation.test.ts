// How the executor's worker gives a conversation back: after a second claim, and when what is stored cannot be read.
import { afterEach, expect, test } from 'vitest'
import { toProcess } from '#queues/fleet/process-key.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { createGiveBack } from '#queues/workers/give-back.ts'
import { createCompany, type Visit } from '#queues/workers/company.ts'
import { executeConversation, type ExecuteDeps } from '#queues/workers/execute-conversation.ts'
import { BotError } from '#shared/errors.ts'
import { toPartition } from '#queues/partition.ts'
import { freshConversation, messageEvent, turnDecision } from '#test/contracts/kernel-fixtures.ts'
import { createStillLiveness } from '#test/rig/still-liveness.ts'
import { createMemoryKernel } from '#test/twins/memory-kernel.ts'

const leaseMs = 60_000
const gone = new Set<string>()
afterEach(() => gone.clear())

function bench(): {
  conversation: string
  kernel: ReturnType<typeof createMemoryKernel>
  say: (id: string) => Promise<void>
} {
  const kernel = createMemoryKernel(Date.now, (owner) => gone.has(toProcess(owner) ?? ''))
  const conversation = freshConversation('web')
  const say = async (id: string): Promise<void> => {
    await kernel.ingest({ event: messageEvent(conversation, id), dedupeKey: id, stop: 'none', echo: false })
    await kernel.route(conversation, (await kernel.inbox(conversation, 10)).routedSeq, [turnDecision])
  }
  return { conversation, kernel, say }
}

const neverAborted = new AbortController().signal
const passing: Visit = { find: () => ({ kind: 'ROOM' }), proved: () => {}, leave: () => {} }

/** As many processes died while they worked on it. */
async function startInVain(kernel: Kernel, conversation: string, times: number): Promise<void> {
  for (let start = 0; start < times; start++) {
    await kernel.claim(conversation, `w${start}`, 1)
    await expect.poll(async () => (await kernel.due(toPartition(conversation), 0)).length).toBe(1)
  }
}

const around = {
  hints: { inbound: async () => {}, outbound: async () => {}, execute: async () => {} },
  signals: { listen: () => () => {}, tell: () => {}, close: () => {} },
  liveness: createStillLiveness({ leaseMs }),
  giveBack: () => {},
  company: createCompany(),
  onLeft: (_: string, reason: string): void => {
    throw new Error(reason)
  },
}

test('gives the lease back after it claimed twice', async () => {
  const { conversation, kernel, say } = bench()
  await say('first')
  let rounds = 0
  const serve: ExecuteDeps['serve'] = async ({ claimed, store }) => {
    rounds += 1
    await store.append({ key: `step-${rounds}`, entries: [], consume: claimed.pending.map(({ seq }) => seq) })
    if (rounds === 1) await say('second')
    return 'EMPTY'
  }
  await executeConversation({ ...around, kernel, serve, onParked: () => {} }, conversation, AbortSignal.timeout(5000))
  expect(rounds).toBe(2)
  expect((await kernel.claim(conversation, 'someone else', leaseMs)).kind).toBe('CLAIMED')
})

test('parks a conversation whose snapshot nobody can read, and lets go of it', async () => {
  const { conversation, kernel, say } = bench()
  await say('first')
  const parked: string[] = []
  const serve = async (): Promise<never> => {
    throw new BotError('store-corrupt', 'CORRUPT The snapshot has an unknown shape or version.')
  }
  const onParked = (_: string, reason: string): void => void parked.push(reason)
  await executeConversation({ ...around, kernel, serve, onParked }, conversation, AbortSignal.timeout(5000))
  expect(parked).toEqual([expect.stringContaining('snapshot')])
  expect((await kernel.claim(conversation, 'someone else', leaseMs)).kind).toBe('PARKED')
  await kernel.unpark(conversation)
  expect((await kernel.claim(conversation, 'someone else', leaseMs)).kind).toBe('CLAIMED')
})

test('throws what is no corruption', async () => {
  const { conversation, kernel, say } = bench()
  await say('first')
  const serve = async (): Promise<never> => {
    throw new BotError('store-unavailable', 'gone', { retry: { afterMs: 1 } })
  }
  const working = executeConversation(
    { ...around, kernel, serve, onParked: () => {} },
    conversation,
    AbortSignal.timeout(5000),
  )
  await expect(working).rejects.toThrow('gone')
})

test('takes its start back when it lost the lease, or when the store was away', async () => {
  const { conversation, kernel, say } = bench()
  await say('first')
  const attempts: number[] = []
  const serve: ExecuteDeps['serve'] = async ({ claimed }, signal) => {
    attempts.push(claimed.attempts)
    if (attempts.length % 2) throw new BotError('store-unavailable', 'gone', { retry: { afterMs: 1 } })
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return 'LEFT'
  }
  const losing: ExecuteDeps['kernel'] = { ...kernel, renew: async () => ({ kind: 'LOST' }) }
  for (let start = 0; start < 8; start++) {
    const working = executeConversation(
      { ...around, liveness: createStillLiveness({ leaseMs: 40 }), kernel: losing, serve, onParked: () => {} },
      conversation,
      AbortSignal.timeout(5000),
    )
    await working.catch(() => {})
    await expect.poll(async () => (await kernel.due(toPartition(conversation), 0)).length).toBe(1)
  }
  expect(attempts).toEqual(Array.from({ length: 8 }, () => 1))
})

test('runs what may kill its process in ever smaller company, and counts none that waits', async () => {
  let nowMs = Date.now()
  const kernel = createMemoryKernel(() => nowMs)
  const company = createCompany()
  const names = Array.from({ length: 20 }, () => freshConversation('web'))
  for (const name of names) {
    await kernel.ingest({ event: messageEvent(name, '1'), dedupeKey: '1', stop: 'none', echo: false })
    await kernel.route(name, 0, [turnDecision])
  }
  const most: number[] = []
  for (let life = 1; life <= 6; life++) {
    let running = 0
    let mostRunning = 0
    const begun = new Set<string>()
    const serve: ExecuteDeps['serve'] = async ({ address: conversation, claimed }) => {
      // Whatever waits for its turn has not been counted by this life.
      expect(claimed.attempts).toBe(life)
      begun.add(conversation)
      running += 1
      mostRunning = Math.max(mostRunning, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      throw new Error('its own doing')
    }
    // A process that dies says nothing more.
    const dying = { ...kernel, leave: async () => {} }
    const deps = { ...around, company, kernel: dying, serve, onParked: () => {} }
    while (begun.size < names.length) {
      const waiting = names.filter((name) => !begun.has(name))
      await Promise.allSettled(waiting.map((name) => executeConversation(deps, name, neverAborted)))
    }
    most.push(mostRunning)
    nowMs += leaseMs + 1
  }
  expect(most).toEqual([20, 20, 16, 4, 1, 1])
})

test('counts no start of what fails while its process lives, and looks at it again later and later', async () => {
  const { conversation, kernel, say } = bench()
  await say('first')
  const attempts: number[] = []
  const serve: ExecuteDeps['serve'] = async ({ claimed }) => {
    attempts.push(claimed.attempts)
    throw new BotError('internal', 'Redis refused it')
  }
  const deps = { ...around, kernel, serve, onParked: () => {} }
  for (let start = 0; start < 8; start++)
    await expect(executeConversation(deps, conversation, neverAborted)).rejects.toThrow('Redis refused it')
  expect(attempts).toEqual(Array.from({ length: 8 }, () => 1))
  expect(await kernel.sweep(toPartition(conversation), 0)).toMatchObject({ work: 1, due: [] })
})

test('puts off what finds no room: it holds no lease, and is due again later', async () => {
  const { conversation, kernel, say } = bench()
  await say('first')
  await startInVain(kernel, conversation, 4)
  const served: number[] = []
  const serve: ExecuteDeps['serve'] = async ({ claimed }) => {
    served.push(claimed.attempts)
    return 'EMPTY'
  }
  const full: ExecuteDeps['company'] = {
    enter: async () => ({ ...passing, find: () => ({ kind: 'FULL', afterMs: 900 }) }),
  }
  const deps = { ...around, kernel, serve, onParked: () => {} }
  await executeConversation({ ...deps, company: full }, conversation, neverAborted)
  expect(served).toEqual([])
  expect(await kernel.due(toPartition(conversation), 0)).toEqual([])
  const claimed = await kernel.claim(conversation, 'another process', leaseMs)
  expect(claimed).toMatchObject({ kind: 'CLAIMED', attempts: 5 })
})

test('gives the room back as soon as a suspect got on', async () => {
  const { conversation, kernel, say } = bench()
  await say('first')
  await startInVain(kernel, conversation, 4)
  const company = createCompany()
  let asked: unknown
  const serve: ExecuteDeps['serve'] = async ({ claimed, store }) => {
    await store.append({ key: 'step', entries: [], progress: true })
    const next = await company.enter(neverAborted)
    asked = next?.find(claimed.attempts)
    next?.leave()
    throw new Error('its own doing')
  }
  const working = executeConversation(
    { ...around, company, kernel, serve, onParked: () => {} },
    conversation,
    neverAborted,
  )
  await expect(working).rejects.toThrow('its own doing')
  expect(asked).toMatchObject({ kind: 'ROOM' })
})

/** A turn that waits until its run is left, and what became of it. */
async function serveUntilLeft(
  conversation: string,
  deps: Pick<ExecuteDeps, 'kernel' | 'liveness' | 'giveBack'>,
  meanwhile: () => Promise<void> | void,
): Promise<'left' | 'kept'> {
  let end: 'left' | 'kept' = 'kept'
  const serve: ExecuteDeps['serve'] = async (_run, signal) => {
    await meanwhile()
    await new Promise((resolve) => setTimeout(resolve, 20))
    if (signal.aborted) end = 'left'
    return 'LEFT'
  }
  await executeConversation({ ...around, ...deps, serve, onParked: () => {} }, conversation, neverAborted)
  return end
}

test('goes on after its process was away where nobody took the conversation, and leaves it where another one did', async () => {
  const liveness = createStillLiveness()
  const givenBack: string[] = []
  const giveBack = (_: string, owner: string): void => void givenBack.push(owner)
  const one = bench()
  await one.say('first')
  const kept = await serveUntilLeft(one.conversation, { kernel: one.kernel, liveness, giveBack }, () =>
    liveness.happen('lapsed'),
  )
  expect([kept, liveness.lost(), givenBack.length]).toEqual(['kept', 0, 0])
  const other = bench()
  await other.say('first')
  const left = await serveUntilLeft(other.conversation, { kernel: other.kernel, liveness, giveBack }, async () => {
    const taking: Kernel = { ...other.kernel }
    const [due] = await taking.due(toPartition(other.conversation), 0, ['still'])
    expect(due?.what).toBe('run')
    gone.add('still')
    await taking.claim(other.conversation, '@here/1', leaseMs)
    liveness.happen('lapsed')
  })
  expect([left, liveness.lost()]).toEqual(['left', 1])
  expect(await other.kernel.renew(other.conversation, '@here/1', leaseMs)).toMatchObject({ kind: 'OK' })
})

test('leaves its run when Redis was silent for long, and gives back the lease that it may still have', async () => {
  const liveness = createStillLiveness()
  const { conversation, kernel, say } = bench()
  await say('first')
  const leases = createGiveBack(kernel)
  const left = await serveUntilLeft(conversation, { kernel, liveness, giveBack: leases.giveBack }, () =>
    liveness.happen('silent'),
  )
  expect(left).toBe('left')
  await leases.stop(5000)
  expect((await kernel.claim(conversation, 'someone else', leaseMs)).kind).toBe('CLAIMED')
})

test('gives back a lease whose claim, or whose end, no answer told of', async () => {
  const { conversation, kernel, say } = bench()
  await say('first')
  const leases = createGiveBack(kernel)
  const away = new BotError('store-unavailable', 'away', { retry: { afterMs: 1 } })
  const deaf: Kernel = {
    ...kernel,
    async claim(...all) {
      await kernel.claim(...all)
      throw away
    },
  }
  const deps = { ...around, giveBack: leases.giveBack, onParked: () => {} }
  const serve = async (): Promise<'LEFT'> => 'LEFT'
  await expect(executeConversation({ ...deps, kernel: deaf, serve }, conversation, neverAborted)).rejects.toThrow(
    'away',
  )
  expect((await kernel.claim(conversation, 'someone else', leaseMs)).kind).toBe('HELD')
  await leases.stop(5000)
  expect((await kernel.claim(conversation, 'someone else', 1)).kind).toBe('CLAIMED')
  await new Promise((resolve) => setTimeout(resolve, 5))
  const unheard: Kernel = {
    ...kernel,
    release: async () => {
      throw away
    },
  }
  await expect(executeConversation({ ...deps, kernel: unheard, serve }, conversation, neverAborted)).rejects.toThrow()
  await leases.stop(5000)
  expect((await kernel.claim(conversation, 'someone else', leaseMs)).kind).toBe('CLAIMED')
})
