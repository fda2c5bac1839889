// What a new person says of their memory in plain words, without any command: on the real processes.
import { expect, test } from 'vitest'
import { ofPerson } from '#shared/memory/record.ts'
import { until } from '#test/rig/fleet.ts'
import { textPlaces } from './text-places.ts'

const scope = ofPerson('web:owner')

test.each([
  [
    'English',
    {
      keep: 'remember that I live in Lyon',
      kept: 'Kept as number 1',
      known: 'what do you know about me?',
      listed: 'I keep 1 thing.',
      allow: 'Allow in groups',
      hide: 'please don’t tell the group where I live',
      hidden: 'in groups I do not use this any more',
      ask: 'Where do I live?',
      wrong: 'that is wrong',
      correct: 'Correct',
      forget: 'forget where I live',
      asked: 'Shall I forget this?',
      yes: 'Forget it',
      gone: 'One thing is forgotten',
    },
  ],
  [
    'Chinese',
    {
      keep: '记住我住在里昂',
      kept: '记住了，第 1 条',
      known: '你记得我什么',
      listed: '记住了 1 条。',
      allow: '允许在群里用',
      hide: '别告诉群里我住在哪里',
      hidden: '在群里不再用这些',
      ask: '我住在哪里？',
      wrong: '不对，你记错了',
      correct: '改正',
      forget: '忘掉我住在里昂',
      asked: '要忘掉这些吗？',
      yes: '忘掉',
      gone: '忘掉了 1 条',
    },
  ],
] as const)('%s', { timeout: 60_000 }, async (_, words) => {
  await using place = await textPlaces['the web, by the page’s button']({})
  const { memory } = place.fleet.runtime
  const { ledger } = place.fleet.model
  place.fleet.model.script({ answer: { kind: 'text', text: 'I will see.' } })
  const groups = async (): Promise<true | undefined> => (await memory.find(scope, [1]))[0]?.groups
  await place.say(words.keep)
  await place.hear(words.kept)
  await place.say(words.known)
  await place.hear(words.listed)
  await place.press('1')
  await until(() => place.shows(words.allow))
  await place.press(words.allow)
  await until(async () => (await groups()) === true)
  await place.say(words.hide)
  await place.hear(words.hidden)
  expect(await groups()).toBeUndefined()
  expect(ledger.entries).toEqual([])

  // Of an answer that was given nothing of memory it is a message as any other.
  await place.say(words.wrong)
  await place.hear('I will see.')
  expect(JSON.stringify(ledger.entries.at(-1)?.messages)).toContain(words.wrong)
  await place.say('/new')
  for (
    let times = 2;
    !JSON.stringify(ledger.entries.at(-1)?.messages).includes(
      words.kept === 'Kept as number 1' ? 'I live in Lyon' : '我住在里昂',
    );
    times += 1
  ) {
    await place.say(words.ask)
    await place.hear('I will see.', times)
    expect(times).toBeLessThan(7)
  }
  const asked = ledger.entries.length
  await place.say(words.wrong)
  await until(() => place.shows(words.correct))
  expect(ledger.entries).toHaveLength(asked)

  await place.say(words.forget)
  await place.hear(words.asked)
  await place.press(words.yes)
  await place.hear(words.gone)
  expect(await memory.find(scope, [1])).toEqual([])
  // Nothing is kept of it: the same words are for the model.
  await place.say(words.forget)
  await until(() => ledger.entries.length > asked)
})

test.each([
  [
    'English',
    {
      keep: 'remember that I live at 5 Harbour Road',
      kept: 'Kept as number 1',
      wrong: "that's wrong, I live at 7 Mill Lane",
      offered: 'Shall I correct it to: “I live at 7 Mill Lane”?',
      leave: 'Leave it',
      left: 'I leave it as it is',
      correct: 'Correct',
      corrected: 'Corrected, number 2',
      text: 'I live at 7 Mill Lane',
      look: 'my address is wrong',
      found: '1 thing found for “my address”',
      other: "that's wrong, the meeting is at 7",
    },
  ],
  [
    'Chinese',
    {
      keep: '记住我住在磨坊路3号',
      kept: '记住了，第 1 条',
      wrong: '不对，我住在磨坊路7号',
      offered: '要改成这样吗？“我住在磨坊路7号”',
      leave: '不改',
      left: '好，不改',
      correct: '改正',
      corrected: '改好了，第 2 条',
      text: '我住在磨坊路7号',
      look: '我的地址不对',
      found: '与“我的地址”有关的 1 条',
      other: '不对，会议是七点',
    },
  ],
] as const)('the right words, said at once, are offered for the record: %s', { timeout: 60_000 }, async (_, words) => {
  await using place = await textPlaces['the web, by the page’s button']({})
  const { memory } = place.fleet.runtime
  const { ledger } = place.fleet.model
  place.fleet.model.script({ answer: { kind: 'text', text: 'I will see.' } })
  // Nothing is kept of it yet: it is a message as any other.
  await place.say(words.wrong)
  await place.hear('I will see.')
  await place.say(words.keep)
  await place.hear(words.kept)
  await place.say(words.wrong)
  await place.hear(words.offered)
  await place.press(words.leave)
  await place.hear(words.left)
  expect((await memory.find(scope, [1]))[0]?.text).toBe(words.keep.replace(/^(?:remember that |记住)/u, ''))
  await place.say(words.wrong)
  await place.hear(words.offered, 2)
  const asked = ledger.entries.length
  await place.press(words.correct)
  await place.hear(words.corrected)
  expect(await memory.find(scope, [1])).toEqual([])
  expect((await memory.find(scope, [2]))[0]?.text).toBe(words.text)
  await place.say(words.look)
  await place.hear(words.found)
  expect(ledger.entries).toHaveLength(asked)
  await place.say(words.other)
  await until(() => ledger.entries.length > asked)
})

test.each([
  [
    'English',
    {
      that: 'forget that',
      which: 'Which thing?',
      keep: ['remember that my cat is called Momo', 'remember that my salary is 4200 euros'],
      kept: 'Kept as number',
      number: 'forget number 1',
      forget: 'delete what you know about my cat',
      asked: 'Shall I forget this?',
      stay: 'Keep it',
      stays: 'it stays',
      undo: 'Undo',
      yes: 'Forget it',
      gone: 'One thing is forgotten',
      look: 'what do you know about my salary?',
      found: '1 thing found for “my salary”',
      hide: "don't tell the group about my salary",
      untold: 'In groups I tell nothing of this:',
    },
  ],
  [
    'Chinese',
    {
      that: '忘掉这个',
      which: '是哪一件？',
      keep: ['记住我的猫叫咪咪', '记住我的工资是每月9000元'],
      kept: '记住了，第',
      number: '忘掉第1条',
      forget: '删掉你知道的关于我的猫的事',
      asked: '要忘掉这些吗？',
      stay: '留着',
      stays: '都留着',
      undo: '撤销',
      yes: '忘掉',
      gone: '忘掉了 1 条',
      look: '关于我的工资你知道什么？',
      found: '与“我的工资”有关的 1 条',
      hide: '别在群里说我的工资',
      untold: '在群里我不会说这些：',
    },
  ],
] as const)('what came last is forgotten, or what is named: %s', { timeout: 60_000 }, async (_, words) => {
  await using place = await textPlaces['Telegram, by /forget']({})
  const { ledger } = place.fleet.model
  const [cat, salary] = words.keep.map((one) => one.replace(/^(?:remember that |记住)/u, ''))
  const newest = async (): Promise<string> => (await place.said()).at(-1) ?? ''
  await place.say(words.that)
  await place.hear(words.which)
  const first = await place.say(words.keep[0])
  await place.hear(words.kept)
  const card = await place.card(words.undo)
  await place.say(words.keep[1])
  await place.hear(words.kept, 2)
  let times = 0
  const asks = async (said: string, wanted: string | undefined, replyTo?: string): Promise<void> => {
    times += 1
    await place.say(said, replyTo)
    await place.hear(words.asked)
    expect(await newest()).toContain(wanted)
    await place.press(words.stay)
    await place.hear(words.stays, times)
  }
  await asks(words.that, salary)
  await asks(words.that, cat, card)
  await asks(words.that, cat, first)
  await asks(words.number, cat)
  await place.say(words.look)
  await place.hear(words.found)
  await place.say(words.hide)
  await place.hear(words.untold)
  expect(await newest()).toContain(salary)
  expect(await newest()).not.toContain(cat)
  await place.say(words.forget)
  await place.hear(words.asked)
  expect(await newest()).toContain(cat)
  await place.press(words.yes)
  await place.hear(words.gone)
  expect(ledger.entries).toEqual([])
  // Nothing is kept of it any more: it is a message as any other.
  place.fleet.model.script({ answer: { kind: 'text', text: 'I will see.' } })
  await place.say(words.forget)
  await place.hear('I will see.')
})

test.each([
  ['stop remembering things', 'Paused: in all chats', 'remember again', 'I notice again what you say'],
  ['别再记了', '暂停了：在所有聊天里', '可以再记了', '恢复了'],
] as const)('%s', { timeout: 60_000 }, async (stop, paused, again, resumed) => {
  await using place = await textPlaces['Discord, by /forget']({})
  const { ledger } = place.fleet.model
  await place.say(stop)
  await place.hear(paused)
  await place.say(again)
  await place.hear(resumed)
  expect(ledger.entries).toEqual([])
})

test('in reply to an answer, that one is meant', { timeout: 60_000 }, async () => {
  await using place = await textPlaces['Telegram, by /forget']({})
  const { ledger } = place.fleet.model
  place.fleet.model.script({ answer: { kind: 'text', text: 'I will see.' } })
  await place.say('remember that my boat is called Zebrafinch')
  await place.hear('Kept as number 1')
  await place.say('/new')
  // A prompt goes without memory where that takes too long, as on a busy machine.
  let times = 0
  while (!(await place.shows('Sources'))) {
    times += 1
    await place.say('What is the name of my boat?')
    await place.hear('I will see.', times)
    expect(times).toBeLessThan(6)
  }
  const answer = await place.card('Sources')
  await place.say('What is one and one?')
  await place.hear('I will see.', times + 1)
  const asked = ledger.entries.length
  await place.say('that is wrong', answer)
  await until(() => place.shows('Correct'))
  await place.say('forget that', answer)
  await place.hear('For this answer the model was given', 2)
  expect(ledger.entries).toHaveLength(asked)
})
