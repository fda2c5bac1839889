// A stop acts from ingest, past every queue.
import { expect, test } from 'vitest'
import { startFleet, until } from '#test/rig/fleet.ts'

test('/stop ends a stalled model call within a second, 100 times of 100', async () => {
  // Each call that is stopped is charged in full, which is more than a person may spend in a day.
  await using fleet = await startFleet({ env: { FLOTILLA_DAILY_TOKENS_PERSON: '1000000000' } })
  const tookMs: number[] = []
  for (let i = 0; i < 100; i++) {
    const conversation = `web:s${i % 10}`
    fleet.model.script({ when: { text: `stall ${i}` }, fault: { kind: 'stall', afterChunks: 1 } })
    const id = await fleet.tell(`stall ${i}`, { conversation })
    await until(() => fleet.model.ledger.counters.requests === i + 1)
    const askedAtMs = Date.now()
    const stop = await fleet.tell('/stop', { conversation, slash: 'stop' })
    const reply = await fleet.replyTo(stop, conversation)
    tookMs.push(Date.now() - askedAtMs)
    expect(reply.answers).toEqual([id, stop])
  }
  expect(Math.max(...tookMs)).toBeLessThanOrEqual(1000)
}, 60_000)

test('/stop works while the router is dead', async () => {
  await using fleet = await startFleet({ parts: ['executor'] })
  const router = fleet.startRouter()
  fleet.model.script({ when: { text: 'stall' }, fault: { kind: 'stall', afterChunks: 1 } })
  const id = await fleet.tell('stall')
  await until(() => fleet.model.ledger.entries.length === 1)
  await router.stop(0)
  const askedAtMs = Date.now()
  const stop = await fleet.tell('停止')
  const reply = await fleet.replyTo(stop)
  expect(Date.now() - askedAtMs).toBeLessThanOrEqual(1000)
  expect(reply.answers).toEqual([id, stop])
  fleet.startRouter()
  expect((await fleet.ask('which way now?')).text).toContain('echo: which way now?')
  expect((await fleet.said()).filter((said) => said.answers.includes(stop))).toHaveLength(1)
})

test('a stop by somebody else leaves the turn alone; by an administrator it ends it', async () => {
  await using fleet = await startFleet({ env: { FLOTILLA_ALLOW: '*' } })
  fleet.model.script({ when: { text: 'stall' }, fault: { kind: 'stall', afterChunks: 1 } })
  const id = await fleet.tell('stall', { principal: 'web:ann' })
  await until(() => fleet.model.ledger.entries.length === 1)
  const vain = await fleet.tell('/stop', { principal: 'web:bob', slash: 'stop' })
  expect((await fleet.replyTo(vain)).text).toContain('somebody else’s')
  const stop = await fleet.tell('/stop', { principal: 'web:eve', slash: 'stop', senderIsAdmin: true })
  const reply = await fleet.replyTo(id)
  expect(reply.answers).toEqual([id, stop])
})

test('a stop without words ends the turn alone: what it spares is answered, and nothing else is said', async () => {
  await using fleet = await startFleet()
  fleet.model.script({ when: { text: 'stall' }, fault: { kind: 'stall', afterChunks: 1 } })
  const first = await fleet.tell('stall')
  await until(() => fleet.model.ledger.entries.length === 1)
  const waiting = await fleet.tell('and this later?')
  await fleet.runtime.kernel.halt('web:room', 'web:owner', waiting)
  expect((await fleet.replyTo(first)).answers).toEqual([first])
  const reply = await fleet.replyTo(waiting)
  expect(reply.answers).toEqual([waiting])
  expect(reply.text).toContain('echo: and this later?')
  // With nothing to end it says nothing, and holds for nothing that comes.
  await fleet.runtime.kernel.halt('web:room', 'web:owner')
  expect((await fleet.ask('which way now?')).text).toContain('echo: which way now?')
  expect(await fleet.said()).toHaveLength(3)
})

test('drops what waited before the stop and says so', async () => {
  await using fleet = await startFleet()
  fleet.model.script({ when: { text: 'stall' }, fault: { kind: 'stall', afterChunks: 1 } })
  const first = await fleet.tell('stall')
  await until(() => fleet.model.ledger.entries.length === 1)
  const waiting = await fleet.tell('and this later?')
  const stop = await fleet.tell('/stop', { slash: 'stop' })
  expect((await fleet.replyTo(first)).answers).toContain(stop)
  expect((await fleet.replyTo(waiting)).text).toMatch(/[Ss]topped/)
  expect(fleet.model.ledger.entries).toHaveLength(1)
})
