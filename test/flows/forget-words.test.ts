// /forget and words: what is kept that has to do with them is shown, and goes with the messages that said it once its person says so; on the real processes.
import { expect, test } from 'vitest'
import { ofAsked, ofPerson, type NewRecord } from '#shared/memory/record.ts'
import { until } from '#test/rig/fleet.ts'
import { remembered } from '#test/rig/remembered.ts'
import { findLeaks } from '#test/rig/texts.ts'
import { textPlaces, type TextPlace } from './text-places.ts'

const places = ['Telegram, by /forget', 'Discord, by /forget', 'the web, by the page’s button'] as const

test.concurrent.each(places)('asks first, and nothing is left of it: %s', { timeout: 90_000 }, async (name) => {
  await using place = await textPlaces[name]({})
  const { redis } = place.fleet
  await place.say('remember that my boat is called Zebrafinch')
  await place.hear('Kept as number 1')
  await place.say('remember that I live in Lyon')
  await place.hear('Kept as number 2')
  const owner = await findOwner(place)
  for (const text of ['How long is my boat Zebrafinch?', 'Which colour do you like?'])
    await place.fleet.runtime.memory.write(ofAsked(owner), waiting(text, { owner, conversation: place.conversation }))
  await place.say('/forget my boat')
  await place.hear('Shall I forget this?')
  await place.hear('one question that I meant to ask you')
  await place.press('Keep it')
  await place.hear('All right, it stays.')
  await place.say('/forget my boat')
  // On the page the first card stands in the stream, beside what took its place.
  await place.hear('Shall I forget this?', place.page ? 2 : 1)
  await place.press('Forget it')
  await place.hear('One thing is forgotten, with one question and one message that said so.')
  await until(async () => (await findLeaks(redis.admin, 'Zebrafinch')).length === 0)
  await place.say('/memory')
  await place.hear('I keep 1 thing')
  await place.say('/forget the weather')
  await place.hear('I keep nothing that has to do with that')
  const left = await place.fleet.runtime.memory.read(ofAsked(owner))
  expect(left !== 'same' && left.records.map(({ text }) => text)).toEqual(['Which colour do you like?'])
  expect(place.fleet.model.ledger.entries).toEqual([])
})

/** Whom the place belongs to. */
async function findOwner({ fleet }: TextPlace): Promise<string> {
  const [key = ''] = await until(async () => {
    const keys = await fleet.redis.admin.keys('*mr:user:*')
    return keys.length > 0 ? keys : undefined
  })
  return key.split('mr:user:')[1] ?? ''
}

type Where = { readonly owner: string; readonly conversation: string }

/** A question that waits for its person. */
const waiting = (text: string, { owner, conversation }: Where): NewRecord => ({
  id: `question-${text.length}`,
  kind: 'fact',
  speaker: owner,
  text,
  saidAt: Date.now(),
  status: 'unconfirmed',
  origin: 'inferred',
  from: [{ conversation, messages: ['q1'] }],
  asks: {
    kind: 'words',
    options: [],
    why: 'I was not sure.',
    changes: 'The plan.',
    assumed: 'Nothing.',
    key: text,
    in: conversation,
    session: 's1',
    group: false,
    worth: 0.7,
  },
})

test('all that is kept, or one of it, in Chinese', { timeout: 60_000 }, async () => {
  await using place = await textPlaces['Telegram, by /forget']({})
  for (const [at, text] of ['我住在里昂', '我喜欢喝茶', '我在学吉他'].entries()) {
    await place.say(`记住${text}`)
    await place.hear(`记住了，第 ${at + 1} 条`)
  }
  await place.say('/forget 全部')
  await place.hear('要忘掉这些吗？')
  await place.press('只忘 2')
  await place.hear('忘掉了 1 条，以及说出它们的 1 条消息。我不会再从别的话里推测出来')
  await place.say('/forget 全部')
  await place.press('全部忘掉（2）')
  await place.hear('忘掉了 2 条')
  await place.say('/memory')
  await place.hear('I keep nothing yet')
  expect(place.fleet.model.ledger.entries).toEqual([])
})

test('messages of a group stay, and of many records some are offered at a time', { timeout: 60_000 }, async () => {
  await using place = await textPlaces['the web, by the page’s button']({})
  const { memory, kernel } = place.fleet.runtime
  const scope = ofPerson('web:owner')
  const told = { speaker: 'web:owner' } as const
  await memory.write(
    scope,
    remembered('The retro is in the garden', { conversation: 'telegram:-5', message: '7' }, told),
  )
  await place.say('/forget retro')
  await place.hear('Messages in a group or in another chat stay')
  await place.press('Forget it')
  await place.hear('One thing is forgotten.')
  expect(await memory.find(scope, [1])).toEqual([])
  // Nobody told the group to forget anything.
  expect(await kernel.inbox('telegram:-5', 10)).toMatchObject({ events: [] })
  for (let nth = 0; nth < 60; nth += 1)
    await memory.write(
      scope,
      remembered(
        `Fact ${'abcdefghij'[nth % 10]}${nth} holds`,
        { conversation: place.conversation, message: `x${nth}` },
        told,
      ),
    )
  await place.say('/forget all')
  await place.hear('10 more fit: say it again for those.')
  await place.press('Forget all 50')
  await place.hear('50 things are forgotten')
  await until(async () => {
    const read = await memory.read(scope)
    return read !== 'same' && read.count === 10
  })
})

test(
  'guesses of the graph and exchanges of the log go by their words, and what was forgotten is not noticed again',
  {
    timeout: 90_000,
  },
  async () => {
    await using place = await textPlaces['Telegram, by /forget']({})
    const { memory, graph } = place.fleet.runtime
    const { admin } = place.fleet.redis
    place.fleet.model.script({ answer: { kind: 'text', text: 'A fine name.' } })
    const asked = await place.say('Our cottage in Zebrafinch has a new roof, what do you say?')
    await place.hear('A fine name.')
    const me = { name: 'Ada', type: 'person', principal: 'telegram:1001' } as const
    const common = { speaker: 'telegram:1001', saidAt: Date.now(), confidence: 0.9, kind: 'fact' } as const
    const from = [{ conversation: place.conversation, messages: ['999'] }]
    await graph.write(ofPerson('telegram:1001'), {
      id: 'b1',
      from,
      items: [
        { ...common, entity: me, key: 'has a cottage in', value: 'Zebrafinch' },
        { ...common, entity: me, key: 'plays', value: 'chess' },
      ],
    })
    await place.fleet.runtime.memoryLog.add(place.conversation, {
      v: 1,
      id: 't1',
      at: Date.now(),
      asked: 'Our cottage in Zebrafinch has a new roof, what do you say?',
      answered: 'A fine name.',
      tools: [],
      tookMs: 10,
      messages: [asked],
    })
    await place.say('/forget Zebrafinch')
    await place.hear('one guess about people and things, found in what was said')
    await place.hear('one exchange of this chat in the last 30 days where these words stand')
    await place.press('Forget it')
    await place.hear('One guess is forgotten, with ')
    await until(async () => (await findLeaks(admin, 'Zebrafinch')).length === 0)
    expect((await graph.readAll(ofPerson('telegram:1001'))).map(({ key }) => key)).toEqual(['plays'])
    await place.say('remember that my boat is called Marzipan')
    await place.hear('Kept as number 1')
    await place.say('/forget 1')
    await place.hear('Number 1 is forgotten.')
    const hint = remembered('My boat Marzipan needs paint', { conversation: place.conversation, message: '77' })
    expect(
      await memory.write(ofPerson('telegram:1001'), { ...hint, status: 'unconfirmed', origin: 'inferred' }),
    ).toEqual({ kind: 'gone' })
  },
)

test.each([
  ['remember that I live at 5 Harbour Road', 'forget my address', 'Shall I forget this?', '5 Harbour Road'],
  ['记住我住在海港路5号', '忘掉我的地址', '要忘掉这些吗？', '海港路5号'],
])('an address by its name, in plain words: %s', { timeout: 60_000 }, async (told, wish, asked, part) => {
  await using place = await textPlaces['Telegram, by /forget']({})
  await place.say(told)
  await place.hear(part)
  await place.say(wish)
  await place.hear(asked)
  expect(place.fleet.model.ledger.entries).toEqual([])
})
