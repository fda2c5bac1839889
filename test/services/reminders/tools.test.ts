// The reminders as tools: what the model reads of them is what happened. And the same end when the worker is lost at any step.
import { expect, test } from 'vitest'
import { toCommand } from '#test/rig/events.ts'
import type { ModelResult } from '#shared/model/model-port.ts'
import { answer, type Answer } from '#test/services/executor/stage.ts'
import { hourMs, minuteMs, openReminders, secondMs, type ReminderStage } from './reminder-stage.ts'

const call = (name: string, input: unknown = {}, id = name) => ({ id, name, arguments: JSON.stringify(input) })
/** What the model read of its calls, as of the last request. */
const results = ({ stage }: ReminderStage): readonly string[] =>
  (stage.requests.at(-1)?.messages ?? []).flatMap((message) => (message.role === 'tool' ? [message.content] : []))

test('the model sets, lists and cancels, and reads what it did', async () => {
  const opened = openReminders()
  const { stage, reminders } = opened
  stage.answers(
    {
      toolCalls: [
        call('reminder_set', { when: 'tomorrow 9am', text: 'water the plants' }, 'a'),
        call('reminder_set', { when: 'every weekday 9:00', text: 'stand-up' }, 'b'),
        call('reminder_set', { when: 'tomorrow at 9:00', text: 'water the plants' }, 'c'),
        call('reminder_list', {}, 'd'),
        call('reminder_cancel', { id: 2 }, 'e'),
        call('reminder_cancel', { id: 2 }, 'f'),
      ],
    },
    'Done.',
  )
  await stage.ask('Remind me')
  expect(results(opened)).toEqual([
    'Reminder 1, Wed 25 Nov, 09:00 (Europe/Berlin): water the plants',
    'Reminder 2, every weekday at 09:00 (Europe/Berlin): stand-up (first tomorrow)',
    'That is set already, as reminder 1, Wed 25 Nov, 09:00 (Europe/Berlin): water the plants',
    expect.stringMatching(/1: Wed 25 Nov, 09:00 \(Europe\/Berlin\): water the plants\n.*2: every weekday at 09:00/s),
    'Reminder 2 is cancelled.',
    expect.stringContaining('Nothing is cancelled: this person has no reminder 2 here.'),
  ])
  const { reminders: left } = await reminders()
  expect(left).toMatchObject([{ text: 'water the plants', about: ['m1'] }])
  expect(await stage.wait(22 * hourMs + secondMs)).toBe('Reminder: water the plants')
})

test('who has none is told so', async () => {
  const opened = openReminders()
  opened.stage.answers({ toolCalls: [call('reminder_list')] }, 'None.')
  await opened.stage.ask('What reminders do I have?')
  expect(results(opened)).toEqual(['This person has no reminders in this conversation.'])
})

test('what cannot be set is told to the model with what to write instead', async () => {
  const opened = openReminders()
  opened.stage.answers(
    {
      toolCalls: [
        call('reminder_set', { when: 'some day', text: 'tea' }, 'a'),
        call('reminder_set', { when: 'tomorrow 9am tea', text: 'milk' }, 'b'),
        call('reminder_set', { when: 'yesterday', text: 'tea' }, 'c'),
        call('reminder_set', { when: 'tomorrow' }, 'd'),
      ],
    },
    'Sorry.',
  )
  await opened.stage.ask('Remind me')
  const [unread, two, past, broken] = results(opened)
  expect(unread).toMatch(/^No reminder is set\. I find no time[^]*You wrote: `some day tea`$/)
  expect(two).toContain('holds more than a time')
  expect(past).toContain('That time has passed')
  expect(broken).toContain('The arguments of "reminder_set" do not fit')
  expect((await opened.reminders()).reminders).toEqual([])
})

test('without a zone the tool asks the person and says that nothing is set yet', async () => {
  const opened = openReminders({ zone: '' })
  const { stage, reminders } = opened
  stage.answers({ toolCalls: [call('reminder_set', { when: 'tomorrow', text: '9am run' })] }, 'Choose your zone.')
  await stage.ask('Remind me')
  expect(results(opened)[0]).toMatch(/^Not set yet: .* A card asks them/)
  expect((await reminders()).reminders).toEqual([])
  expect(await stage.press('Berlin')).toBe('Reminder 1, Wed 25 Nov, 09:00 (Europe/Berlin): 9am run')
})

/** One set by each means, one after a card; all are told, one comes again, one is cancelled. */
async function talk(opened: ReminderStage): Promise<void> {
  const { stage, zones } = opened
  const respond: Answer = (asked): Promise<ModelResult> | ModelResult => {
    stage.answers(respond)
    const said = asked.request.messages.findLast(({ role }) => role !== 'system')?.content ?? ''
    const set = call('reminder_set', { when: 'in 40 minutes', text: 'bread' })
    return answer(asked, said.includes('Bake') ? { toolCalls: [set] } : 'Good.')
  }
  stage.answers(respond)
  const finish = async (saying: Promise<unknown>): Promise<void> => {
    await saying
    await stage.work()
    await stage.work()
  }
  const command = (name: string, args: string): Promise<string> =>
    stage.ask(`/${name} ${args}`, { language: 'en', as: toCommand(name, args) })
  await finish(command('remind', 'in 20 minutes tea'))
  await finish(stage.ask('Bake bread'))
  zones.clear()
  await finish(command('remind', 'every day at 12:00 lunch'))
  await finish(stage.press('Berlin'))
  await finish(command('remind', 'in 3 hours never'))
  await finish(command('reminders', ''))
  await finish(stage.press('Cancel 4'))
  await finish(stage.wait(21 * minuteMs))
  await finish(stage.wait(3 * hourMs))
  await finish(stage.wait(secondMs))
  await finish(stage.wait(22 * hourMs))
  await finish(stage.wait(secondMs))
}

const ended = async ({ texts, reminders }: ReminderStage) => {
  const { last, reminders: left } = await reminders()
  // How late the machine was is not what counts.
  return { texts: await texts(), last, left: left.map(({ text, kind, every }) => ({ text, kind, every })) }
}

test('a worker lost at any step, before or after it was stored, leaves the same end: each is told once', async () => {
  const whole = openReminders()
  let appends = 0
  const { append } = whole.stage.kernel
  Object.assign(whole.stage.kernel, { append: (...all: Parameters<typeof append>) => ((appends += 1), append(...all)) })
  await talk(whole)
  const wanted = await ended(whole)
  const told = wanted.texts.filter((text) => /^Reminders?(?::|, late)/.test(text))
  expect(told.slice(1)).toEqual([
    'Reminder: tea',
    expect.stringContaining('- bread (due Tue 24 Nov, 11:40)\n- lunch (due Tue 24 Nov, 12:00)'),
    expect.stringContaining('lunch (due Wed 25 Nov, 12:00)'),
  ])
  expect(wanted.left).toEqual([{ text: 'lunch', kind: 'daily', every: '0 12 * * *' }])
  expect(appends).toBeGreaterThan(12)
  for (let n = 1; n <= appends; n++)
    for (const side of ['before', 'after'] as const) {
      const opened = openReminders()
      opened.stage.loseAt(n, side)
      await talk(opened)
      expect(await ended(opened), `lost ${side} append ${n} of ${appends}`).toEqual(wanted)
    }
})
