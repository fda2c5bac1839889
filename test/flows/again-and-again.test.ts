// What one person can do again and again, for free (an owner, for others are not answered so often): edits, menus and exports leave one question or file each, however many there were.
import { expect, test } from 'vitest'
import { startFleet, until } from '#test/rig/fleet.ts'

const times = 30

test('edits, menus and exports leave nothing that grows', { timeout: 60_000 }, async () => {
  await using fleet = await startFleet({ env: { FLOTILLA_OWNERS: 'telegram:7' } })
  const conversation = 'telegram:7'
  const from = { conversation, principal: conversation }
  let told = 0
  const done = async (): Promise<unknown> =>
    await until(async () => {
      const { routedSeq, events } = await fleet.runtime.kernel.pending(conversation, 0)
      return routedSeq === told && events.length === 0
    })
  const countQuestions = async (): Promise<number> => (await fleet.redis.admin.keys('*:q:*')).length
  await fleet.tell('what is one?', { ...from, messageId: '5' })
  told++
  await done()
  const before = await countQuestions()

  for (let i = 0; i < times; i++) {
    const edit = { v: 1, kind: 'edit', id: `edit-${i}`, messageId: '5', text: `what is ${i}?`, group: false } as const
    await fleet.send({ ...edit, ...from, at: Date.now() })
    // Each question but the last ends for the next one, which is an event too.
    told += i === 0 ? 1 : 2
  }
  await done()
  expect(await countQuestions()).toBe(before + 1)

  for (let i = 0; i < times; i++) {
    await fleet.tell('/config', { ...from, slash: 'config' })
    told += i === 0 ? 1 : 2
  }
  await done()
  // The buttons under the first answer are gone by then.
  expect(await countQuestions()).toBeLessThanOrEqual(before + 2)

  for (let i = 0; i < times; i++) {
    await fleet.tell('/export', { ...from, slash: 'export' })
    told++
  }
  await done()
  const rows = await Promise.all((await fleet.redis.admin.keys('*:o:*')).map((key) => fleet.redis.admin.hget(key, 'b')))
  expect(rows.filter((body) => body?.includes('"file":{'))).toHaveLength(1)
})
