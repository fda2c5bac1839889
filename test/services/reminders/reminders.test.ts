// Whole turns in memory: what is set, said, told, cancelled and forgotten, by people and by the model.
import { expect, test } from 'vitest'
import { deletion, toApply, wonPress } from '#test/rig/events.ts'
import { dayMs, hourMs, minuteMs, openReminders, secondMs } from './reminder-stage.ts'

const bob = 'web:bob'
const inGroup = { group: true, name: 'Ann' }

test('one is set, told once at its time, and gone', async () => {
  const { stage, remind, reminders } = openReminders()
  expect(await remind('in 20 minutes tea')).toBe('Reminder 1, Tue 24 Nov, 11:20 (Europe/Berlin): tea')
  expect(await stage.wait(19 * minuteMs)).toBe('')
  expect(await stage.wait(minuteMs + secondMs)).toBe('Reminder: tea')
  expect(await stage.wait(dayMs)).toBe('')
  expect((await reminders()).reminders).toEqual([])
})

test('the language is that in which it was set', async () => {
  const { stage, remind } = openReminders()
  expect(await remind('明天上午九点开会', { language: 'zh' })).toBe('提醒 1：11月25日周三 09:00（Europe/Berlin），开会')
  await stage.ask('Hello', { language: 'en' })
  expect(await stage.wait(22 * hourMs + secondMs)).toBe('提醒：开会')
})

test('what comes again arms itself anew, in the wall time of its zone', async () => {
  // The clocks go back on 25 October.
  const { stage, remind, reminders } = openReminders({ nowMs: Date.UTC(2026, 9, 23, 10) })
  expect(await remind('every day at 9:00 pills')).toBe(
    'Reminder 1, every day at 09:00 (Europe/Berlin): pills (first tomorrow)',
  )
  const told: string[] = []
  for (let hours = 0; hours < 96; hours++) {
    const said = await stage.wait(hourMs)
    if (said !== '') told.push(`${hours + 1} ${said}`)
  }
  // The night of the 25th has an hour more.
  expect(told).toEqual(['21', '46', '70', '94'].map((hours) => `${hours} Reminder: pills`))
  expect((await reminders()).reminders).toHaveLength(1)
})

test('a time that the night leaves out is told when it is set, and when it comes', async () => {
  const { stage, remind } = openReminders({ nowMs: Date.UTC(2026, 2, 28, 12) })
  expect(await remind('every day at 2:30 feed')).toContain('leave out 02:30: then I remind you at 03:00.')
  expect(await stage.wait(13 * hourMs + secondMs)).toBe('Reminder: feed (the clocks went forward and left out 02:30)')
  expect(await stage.wait(23.5 * hourMs)).toBe('Reminder: feed')
})

test('all that is overdue after an outage comes in one message, said late, and what comes again goes on', async () => {
  const { stage, remind, reminders, texts } = openReminders()
  await remind('in 20 minutes tea')
  await remind('in 30 minutes bread')
  await remind('every day at 12:00 lunch')
  await remind('tomorrow 15:00 later')
  const before = (await texts()).length
  expect(await stage.wait(6 * hourMs)).toBe(
    [
      'Reminders, late since I could not send before:',
      '- tea (due Tue 24 Nov, 11:20)',
      '- bread (due Tue 24 Nov, 11:30)',
      '- lunch (due Tue 24 Nov, 12:00)',
    ].join('\n'),
  )
  expect(await stage.wait(minuteMs)).toBe('')
  expect((await reminders()).reminders.map(({ text }) => text)).toEqual(['lunch', 'later'])
  expect(await stage.wait(19 * hourMs)).toBe('Reminder: lunch')
  expect(await stage.wait(3 * hourMs)).toContain('later')
  expect(await texts()).toHaveLength(before + 3)
})

test('days of an outage are one telling of what comes again', async () => {
  const { stage, remind } = openReminders()
  await remind('every day at 12:00 lunch')
  expect(await stage.wait(5 * dayMs)).toBe(
    'Reminder, late since I could not send before: lunch (due Tue 24 Nov, 12:00)',
  )
  expect(await stage.wait(hourMs + secondMs)).toBe('Reminder: lunch')
})

test('without a zone it is said how long it is until then', async () => {
  const { remind } = openReminders({ zone: '' })
  expect(await remind('in 45 seconds egg')).toBe('Reminder 1, in 45 seconds: egg')
  expect(await remind('in 1 hour 30 minutes bread')).toBe('Reminder 2, in 1 hour 30 minutes: bread')
  expect(await remind('两天后 浇花', { language: 'zh' })).toBe('提醒 3：2 天后，浇花')
})

test('a time with its own zone is set in that, also where the person has another or none', async () => {
  const { remind } = openReminders()
  expect(await remind('tomorrow 9:00 UTC+8 call')).toBe('Reminder 1, Wed 25 Nov, 09:00 (+08:00): call')
  expect(await remind('every weekday 9:00 New York time stand-up')).toContain(
    'every weekday at 09:00 (America/New_York): stand-up',
  )
  expect(await openReminders({ zone: '' }).remind('tomorrow 9:00 UTC call')).toContain('Wed 25 Nov, 09:00 (UTC): call')
})

test('a time that needs a zone asks for it once, and then goes on', async () => {
  const { stage, remind, zones, reminders } = openReminders({ zone: '' })
  expect(await remind('in 20 minutes tea')).toBe('Reminder 1, in 20 minutes: tea')
  expect(await remind('tomorrow 9am call `Bob`')).toMatch(
    /^To set `tomorrow 9am call Bob ?` I need to know your time zone\. Choose one/,
  )
  expect((await reminders()).reminders).toHaveLength(1)
  expect(await stage.press('Berlin')).toBe('Reminder 2, Wed 25 Nov, 09:00 (Europe/Berlin): call `Bob`')
  expect([...zones.values()]).toEqual(['Europe/Berlin'])
  expect(await remind('tomorrow 10am walk')).toMatch(/^Reminder 3, Wed 25 Nov, 10:00/)
})

test.each([
  ['en', 'tomorrow 9am call Bob', "I'm in Lyon", 'Reminder 1, Wed 25 Nov, 09:00 (Europe/Paris): call Bob'],
  ['zh', '明天上午9点 给小李打电话', '我在里昂', '提醒 1：11月25日周三 09:00（Europe/Paris），给小李打电话'],
] as const)('a zone in words sets it and the reminder that waited: %s', async (language, wish, words, said) => {
  const { stage, remind, zones, reminders } = openReminders({ zone: '' })
  await remind(wish, { language })
  const [asked] = stage.steps.flatMap(({ questions = [] }) => questions)
  const answer = async (typed: string, id: string): Promise<string | undefined> => {
    await stage.put(
      wonPress({ id, about: 'reminders.zone', choice: '', words: typed, said: true, payload: asked?.payload ?? '' }),
      toApply('answer'),
    )
    await stage.work()
    return (await stage.sent()).at(-1)?.text
  }
  expect(asked).toMatchObject({ kind: 'reminders.zone', words: true })
  expect(await answer('Atlantis', 'a1')).toMatch(
    language === 'zh' ? /^我不知道那是哪个时区。/ : /^I do not know the time zone of that\./,
  )
  expect(await answer('I was so tired today that I slept', 'a2')).toBe('ok')
  expect((await reminders()).reminders).toEqual([])
  expect(await answer(words, 'a3')).toBe(said)
  expect([...zones.values()]).toEqual(['Europe/Paris'])
})

test.each([['never mind'], ['Atlantis', 'Lemuria']])('what waited is given back to who says %s', async (...said) => {
  const { stage, remind, reminders } = openReminders({ zone: '' })
  await remind('tomorrow 9am one')
  for (const [n, words] of said.entries()) {
    const payload = stage.steps.flatMap(({ questions = [] }) => questions).at(-1)?.payload ?? ''
    const answer = { id: `a${n}`, about: 'reminders.zone', choice: '', words, said: true, payload } as const
    await stage.put(wonPress(answer), toApply('answer'))
    await stage.work()
  }
  expect((await stage.sent()).at(-1)?.text).toContain('`/remind tomorrow 9am one`')
  expect((await reminders()).reminders).toEqual([])
})

test('what waited for a zone is given back when nobody says it, or another request takes its place', async () => {
  const { stage, remind, texts } = openReminders({ zone: '' })
  await remind('tomorrow 9am one')
  await remind('tomorrow 9am two')
  await stage.wait(secondMs)
  expect(await texts()).toContainEqual(expect.stringContaining('`/remind tomorrow 9am one`'))
  await stage.wait(61 * dayMs)
  expect((await texts()).at(-1)).toContain('`/remind tomorrow 9am two`')
})

test.each([
  ['', 'Write the time and then the text'],
  ['water the plants', 'I find no time'],
  ['today 9am tea', 'That time has passed'],
  ['2029-01-01 9:00 tea', 'more than a year ahead'],
  ['cron 0 0 29 2 * tea', 'more than a year ahead'],
  ['tomorrow 9am', 'what am I to remind you of'],
  [`tomorrow 9am ${'x'.repeat(201)}`, 'at most 200 characters'],
])('/remind %s says what to write instead, and what was typed', async (typed, part) => {
  const { remind, reminders } = openReminders()
  const said = await remind(typed)
  expect(said).toContain(part)
  expect(said).toContain(typed)
  expect((await reminders()).reminders).toEqual([])
})

test('the same reminder is not set twice', async () => {
  const { remind, reminders } = openReminders()
  await remind('tomorrow 9am tea')
  expect(await remind('tomorrow at 9:00 tea')).toBe(
    'That is set already, as reminder 1, Wed 25 Nov, 09:00 (Europe/Berlin): tea',
  )
  expect((await reminders()).reminders).toHaveLength(1)
})

test('a person has fifty at most, and a chat as many as there is room for', async () => {
  const { remind, reminders } = openReminders()
  for (let n = 1; n <= 50; n++) await remind(`in ${n} days task ${n}`)
  expect(await remind('in 3 hours one more')).toContain('You have 50 reminders here already')
  expect((await reminders()).reminders).toHaveLength(50)
  const long = openReminders()
  let said = ''
  for (let n = 1; n <= 50 && !said.includes('no more room'); n++)
    said = await long.remind(`in ${n} days ${'"'.repeat(200)}`)
  expect(said).toContain('There is no more room for reminders in this chat')
  expect((await long.reminders()).reminders.length).toBeGreaterThan(20)
  expect(JSON.stringify(await long.reminders()).length).toBeLessThan(15_001)
})

test('they are listed by time, ten at once, and cancelled by a button', async () => {
  const { stage, remind, list, reminders } = openReminders()
  expect(await list()).toContain('There are no reminders here')
  for (let n = 12; n >= 1; n--) await remind(`in ${n} days task ${n}`)
  const first = await list()
  expect(first).toContain('Reminders (1–10 / 12):\n- 12: Wed 25 Nov, 11:00 (Europe/Berlin): task 1\n')
  expect(first).not.toContain('task 11')
  const card = (await stage.sent()).at(-1)
  expect(card?.buttons?.flat().map(({ label }) => label)).toContain('Cancel 12')
  expect(card?.about).toEqual(expect.arrayContaining(['m4', 'm13']))
  const after = await stage.press('Cancel 12')
  expect(after).toMatch(/^Reminder 12 is cancelled\.\n\nReminders \(1–10 \/ 11\):\n- 11: /)
  expect(after).toContain('task 11')
  expect(await stage.press('Cancel 11')).toMatch(/^Reminder 11 is cancelled\.\n\nReminders:\n- 10: /)
  expect((await reminders()).reminders.map(({ text }) => text)).not.toContain('task 2')
  expect(await stage.wait(2 * dayMs + secondMs)).toBe('')
  await list()
  await remind('in 30 days again')
  await list()
  expect(await stage.press('More')).toContain('- 13: Sat 26 Dec')
  expect(await stage.press('Cancel 13')).toBe('Reminder 13 is cancelled.')
})

test.each([
  ['en', 'tomorrow 9am water', 'Reminders:\n- 1: Wed 25 Nov, 09:00 (Europe/Berlin): water', 'Cancel 1'],
  ['zh', '明天上午9点 浇花', '提醒：\n- 1: 11月25日周三 09:00（Europe/Berlin）: 浇花', '取消 1'],
] as const)(
  'the list and its buttons are one message, which goes with what it repeats: %s',
  async (language, wish, text, label) => {
    const { stage, remind, list } = openReminders()
    await remind(wish, { language })
    const before = (await stage.sent()).length
    expect(await list('', { language })).toBe(text)
    const sent = (await stage.sent()).slice(before)
    expect(sent).toMatchObject([{ about: expect.arrayContaining(['m1']), buttons: [[{ label }]] }])
    await stage.put(deletion('m1'), toApply('delete'))
    await stage.work()
    expect(await stage.press(label)).toBe('UNKNOWN')
  },
)

test('in a group each has their own; owners and administrators cancel any', async () => {
  const { stage, remind, list, zones } = openReminders()
  zones.set(bob, 'America/New_York')
  await remind('tomorrow 9am from Ann', inGroup)
  await remind('tomorrow 9am from Bob', { ...inGroup, principal: bob, name: 'Bob' })
  expect(await list('', inGroup)).toContain('from Ann')
  const bobs = await list('', { ...inGroup, principal: bob })
  expect(bobs).toContain('- 2: Wed 25 Nov, 09:00 (America/New_York): from Bob')
  expect(bobs).not.toContain('from Ann')
  expect(await stage.press('Cancel 2', 'web:eve')).not.toContain('cancelled')
  expect(await list('all', { ...inGroup, principal: bob })).toContain('Only owners and admins')
  expect(await list('all', { ...inGroup, principal: bob, senderIsAdmin: true })).toContain('Ann — Wed 25 Nov, 09:00')
  expect(await stage.press('Cancel 1', bob)).toMatch(/^Reminder 1 is cancelled\.\n\nReminders:\n- 2: Bob — /)
  expect(await stage.wait(27 * hourMs + minuteMs)).toBe('')
  expect(await stage.wait(hourMs)).toBe('Bob, reminder: from Bob')
})

test('it is addressed to who set it, and two people’s are told apart in one message', async () => {
  const { stage, remind, zones } = openReminders()
  zones.set(bob, 'Asia/Shanghai')
  await remind('in 20 minutes tea', inGroup)
  await remind('20分钟后 喝茶', { ...inGroup, principal: bob, name: '小波', language: 'zh' })
  expect(await stage.wait(hourMs)).toBe(
    'Ann, reminder, late since I could not send before: tea (due Tue 24 Nov, 11:20)\n\n' +
      '小波，提醒（来晚了，之前没能发出）：喝茶（原定 11月24日周二 18:20）',
  )
})

test('each is told once where the clock of Redis is ahead', async () => {
  const { stage, remind, fallBehind } = openReminders()
  await remind('in 20 minutes tea')
  await remind('every day at 11:30 lunch')
  fallBehind(30_000)
  expect(await stage.wait(20 * minuteMs + secondMs)).toBe('Reminder: tea')
  expect(await stage.wait(10 * minuteMs)).toBe('Reminder: lunch')
  expect(await stage.wait(hourMs)).toBe('')
  expect(await stage.wait(23 * hourMs)).toBe('Reminder: lunch')
})

test('one goes with the message that it is about, and its timer says nothing', async () => {
  const { stage, remind, reminders } = openReminders()
  await remind('in 20 minutes tea')
  await remind('every day at 12:00 lunch')
  await stage.put(deletion('m1'), toApply('delete'))
  await stage.work()
  expect((await reminders()).reminders.map(({ text }) => text)).toEqual(['lunch'])
  expect(await stage.wait(21 * minuteMs)).toBe('')
  await stage.wait(hourMs)
  await stage.put(deletion('m2', { id: 'gone2' }), toApply('delete'))
  await stage.work()
  expect((await reminders()).reminders).toEqual([])
  expect(await stage.wait(2 * dayMs)).toBe('')
})

test('another’s reminder that was told in the same message goes on when the first one is forgotten', async () => {
  const { stage, remind, reminders } = openReminders()
  await remind('every day at 11:30 tea')
  await remind('every day at 12:00 lunch')
  await stage.wait(3 * hourMs)
  await stage.put(deletion('m1'), toApply('delete'))
  await stage.work()
  expect((await reminders()).reminders.map(({ text }) => text)).toEqual(['lunch'])
  expect(await stage.wait(22 * hourMs + minuteMs)).toBe('Reminder: lunch')
})

test('reminders stay through a new session and long silence', async () => {
  const { stage, remind, reminders } = openReminders()
  await remind('in 90 days tea')
  await stage.wait(60 * dayMs)
  expect((await reminders()).reminders).toHaveLength(1)
  expect(await stage.wait(30 * dayMs + secondMs)).toBe('Reminder: tea')
})
