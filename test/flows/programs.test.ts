// What the sender's program tells with a message: its language answers commands, its zone sets reminders, until the person says otherwise.
import { expect, test } from 'vitest'
import { startFleet } from '#test/rig/fleet.ts'

const said = { slash: 'help', conversation: 'web:fresh' }

test('a new conversation of a Chinese page is answered in Chinese; what was chosen wins', async () => {
  await using fleet = await startFleet()
  expect((await fleet.ask('/help', { ...said, language: 'zh' })).text).toMatch(/命令/)
  await fleet.ask('/lang en', { ...said, slash: 'lang', language: 'zh' })
  expect((await fleet.ask('/help', { ...said, language: 'zh' })).text).not.toMatch(/\p{Script=Han}{4}/u)
})

test('a reminder is set by the zone of the browser at once; the zone that a person set wins', async () => {
  await using fleet = await startFleet()
  const tokyo = { slash: 'remind', zone: 'Asia/Tokyo' }
  expect((await fleet.ask('/remind tomorrow 9am tea', tokyo)).text).toContain('Asia/Tokyo')
  await fleet.ask('/zone Europe/Berlin', { slash: 'zone', zone: 'Asia/Tokyo' })
  expect((await fleet.ask('/remind tomorrow 10am milk', tokyo)).text).toContain('Europe/Berlin')
})
