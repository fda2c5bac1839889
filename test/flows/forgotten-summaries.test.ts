// On the real fleet: what a session is summed up to, what was asked for before that, and its originals go with the messages that they were made of.
import { expect, test } from 'vitest'
import { deletion } from '#test/rig/events.ts'
import { startFleet, until, type Fleet } from '#test/rig/fleet.ts'
import type { ModelRule } from '#test/simulators/model/script.ts'
import { findLeaks, findText } from '#test/rig/texts.ts'

const canary = 'zebrafinch'
const room = 'web:room'
const env = { FLOTILLA_HISTORY_TOKENS: '1500', FLOTILLA_LEASE_MS: '2000' }
const flush = '没有就只写 NONE'
const summary = '压缩成一份摘要'

/** Whatever is summed up, the word stays in it. */
async function open(...first: readonly ModelRule[]): Promise<Fleet> {
  const fleet = await startFleet({ env })
  for (const rule of first) fleet.model.script(rule)
  for (const part of [flush, summary])
    fleet.model.script({
      when: { pattern: `${canary}[^]*${part}` },
      answer: { kind: 'text', text: `- has a ${canary}` },
    })
  fleet.model.script({ when: { text: flush }, answer: { kind: 'text', text: 'NONE' } })
  fleet.model.script({ when: { text: summary }, answer: { kind: 'text', text: 'nothing of it' } })
  return fleet
}
const asked = (fleet: Fleet, part: string): number =>
  fleet.model.ledger.entries.filter(({ messages }) => JSON.stringify(messages.at(-1)).includes(part)).length

/** Talks until a session was summed up so many times. */
async function talk(fleet: Fleet, times: number, from: string): Promise<void> {
  for (let n = 0; asked(fleet, summary) < times; n++) {
    await fleet.ask(`${from} ${n} ${'and so on '.repeat(20)}`, { messageId: `${from}-${n}` })
    const before = Date.now()
    await until(() => asked(fleet, summary) >= times || Date.now() - before > 300)
  }
}
const forget = async (fleet: Fleet, messageId: string): Promise<void> => {
  await fleet.send(
    deletion(messageId, { id: `gone-${messageId}`, conversation: room, principal: 'web:owner', at: Date.now() }),
  )
  await fleet.ask('/status', { slash: 'status' })
}

test('what was forgotten after two summaries stands nowhere any more', async () => {
  await using fleet = await open()
  await fleet.ask(`I have a ${canary}.`, { messageId: 'm-bird' })
  await talk(fleet, 2, 'then')
  await until(async () => (await fleet.runtime.kernel.listArtifacts(room)).length > 3)
  expect((await findText(fleet.redis.admin, canary)).length).toBeGreaterThan(2)
  await forget(fleet, 'm-bird')
  expect(await findText(fleet.redis.admin, canary)).toEqual([])
  expect(await findLeaks(fleet.redis.admin, canary)).toEqual([])
}, 60_000)

test('what is forgotten while it is summed up stands nowhere any more', async () => {
  const fault = { kind: 'stall', afterChunks: 1 } as const
  await using fleet = await open({
    when: { text: flush },
    times: 1,
    fault,
    answer: { kind: 'text', text: `- ${canary}` },
  })
  await fleet.ask(`I have a ${canary}.`, { messageId: 'm-bird' })
  for (let n = 0; asked(fleet, flush) === 0; n++) {
    await fleet.ask(`then ${n} ${'and so on '.repeat(20)}`, { messageId: `t-${n}` })
    const before = Date.now()
    await until(() => asked(fleet, flush) > 0 || Date.now() - before > (n < 4 ? 0 : 2500))
  }
  // Whoever speaks or deletes does not wait for it.
  const at = Date.now()
  await forget(fleet, 'm-bird')
  expect((await fleet.ask('and now?')).text).toContain('and now?')
  expect(Date.now() - at).toBeLessThan(10_000)
  expect(await findLeaks(fleet.redis.admin, canary)).toEqual([])
}, 60_000)
