// Reminders on a real Redis, where people write: set, listed, told, cancelled and forgotten; after an outage all that is due comes at once.
import { expect, test } from 'vitest'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { until } from '#test/rig/fleet.ts'
import { findLeaks } from '#test/rig/texts.ts'
import { textPlaces, type TextPlace } from './text-places.ts'

const { 'a terminal, by /forget last': _, 'Discord, by deletion': __, ...places } = textPlaces

const keyOf = (place: TextPlace, kind: 'r' | 't'): string =>
  `${partitionPrefix(toPartition(place.conversation))}${kind}:${place.conversation}`
const held = async (place: TextPlace): Promise<string> =>
  (await place.fleet.redis.admin.hget(keyOf(place, 'r'), 'f.reminders')) ?? ''
const timers = async (place: TextPlace): Promise<readonly string[]> =>
  (await place.fleet.redis.admin.hkeys(keyOf(place, 't'))).filter((name) => name.startsWith('reminders.due.'))

test.concurrent.each(Object.entries(places))('%s', { timeout: 60_000 }, async (_name, open) => {
  await using place = await open({})
  const { redis } = place.fleet

  // The zone is asked once, and what was asked for goes on.
  const milk = await place.say('/remind tomorrow 9am zebrafinch')
  await place.hear('I need to know your time zone')
  // Among others words are an answer in reply to the card only.
  if (place.conversation.startsWith('web:')) await place.say('I am in Munich')
  else await place.press('Berlin')
  await place.hear('Reminder 1,')
  await place.say('/remind every weekday 9:00 stand-up')
  await place.hear('Reminder 2, every weekday at 09:00 (Europe/Berlin): stand-up')

  // One comes; it is asked for in words, and no model sets it.
  await place.say('Remind me in 2 seconds to tea')
  await place.hear('Reminder 3,')
  await place.hear('Reminder: tea')
  expect(await held(place)).not.toContain('tea')

  // One is cancelled, with its timer.
  await place.say('/reminders')
  await place.hear('Reminders:')
  await place.press('Cancel 2')
  await place.hear('Reminder 2 is cancelled.')
  expect(await held(place)).not.toContain('stand-up')
  expect(await timers(place)).toEqual(['reminders.due.1'])

  // One goes with its message, and stands nowhere but where a text that was said may.
  await place.forget(milk)
  await until(async () => (await timers(place)).length === 0)
  expect(await held(place)).not.toContain('zebrafinch')
  expect(await findLeaks(redis.admin, 'zebrafinch')).toEqual([])
})

test.concurrent.each(['Telegram, by /forget', 'the web, by the page’s button'] as const)(
  'a reminder that waits for the zone is set by /zone as well: %s',
  { timeout: 60_000 },
  async (name) => {
    await using place = await textPlaces[name]({})
    await place.say('/remind tomorrow 9am bread')
    await place.hear('I need to know your time zone')
    await place.say('/zone')
    await place.hear('I do not know your time zone yet')
    await place.say('/zone Lyon')
    await place.hear('Your time zone: Europe/Paris')
    await place.hear('Reminder 1,')
    expect(await timers(place)).toEqual(['reminders.due.1'])
  },
)

test('after an outage all that is due comes in one message', { timeout: 60_000 }, async () => {
  await using place = await textPlaces['the web, by the page’s button']({ parts: ['router'] })
  const { fleet } = place
  const executor = await fleet.startExecutor()
  for (const [n, what] of ['tea', 'bread', 'soup'].entries()) {
    await place.say(`/remind in 4 seconds ${what}`)
    await place.hear(`Reminder ${n + 1},`)
  }
  await executor.stop(100)
  await until(async () => (await timers(place)).length === 0)
  await fleet.startExecutor()
  await place.hear('Reminders:')
  await place.hear('soup', 2)
  await until(async () => !(await held(place)).includes('tea'))
  // Each was told once: when it was set, and when it came.
  const said = (await fleet.said(place.conversation)).map(({ text }) => text).join('\n')
  expect(said.match(/tea|bread|soup/g)).toEqual(['tea', 'bread', 'soup', 'tea', 'bread', 'soup'])
})
