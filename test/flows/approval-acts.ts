// The acts in which something outside is changed: people approve the calls of a service, or deny them, and the service's ledger counts each once.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { labels } from '#test/rig/chats/chat.ts'
import { hear, when, type Room } from '#test/rig/chats/room.ts'
import { until } from '#test/rig/fleet.ts'
import type { Call } from './planned-model.ts'
import { card, isBare, type Act, type QuestionStage } from './questions-stage.ts'

const request = ({ ledger }: QuestionStage, method: string, path: string, body?: object): Call => ({
  name: 'http_request',
  arguments: JSON.stringify({ method, url: `${ledger.origin}${path}`, ...(body ? { body } : {}) }),
})
const read = (stage: QuestionStage): Call => request(stage, 'GET', '/purse')
export const pay = (stage: QuestionStage, euros: number, what: string): Call =>
  request(stage, 'POST', '/purse', { euros, what })

/** What took effect since `from`, sorted: calls of one step are made at once. */
export const paid = ({ ledger }: QuestionStage, from: number): readonly string[] =>
  ledger.effects
    .slice(from)
    .map(({ body }) => JSON.stringify(body))
    .toSorted()

/** What an owner had read elsewhere may have led to the call: they are asked themselves, and it is made once. */
const once: Act = async (stage) => {
  const { model, hasOthers, told, ledger } = stage
  const [from, heard] = [ledger.effects.length, ledger.requests.length]
  const room = await stage.open('Approved once')
  model.answers([read(stage)], [pay(stage, 36, 'three ferry tickets')])
  await room.ask('Ann', 'Read the purse, then pay the ferry')
  const asked = await card(stage, room, 'A call needs approval')
  for (const part of ['http_request', 'changes things outside', '"euros": 36', 'others wrote'])
    ok(asked.text.includes(part), `the card does not say "${part}": ${asked.text}`)
  deepEqual(labels(asked), ['Once', 'Deny'])
  if (hasOthers) equal(await room.press('Bob', asked.id, 'Once'), told.forbidden)
  deepEqual(paid(stage, from), [])
  model.answers('The ferry is paid: 36 €.')
  equal(await room.press('Ann', asked.id, 'Once'), told.won)
  await hear(room, 'The ferry is paid')
  const ended = await when(room, asked.id, isBare)
  ok(ended.text.includes('approved once'), ended.text)
  ok(ended.text.includes(`Decided by ${hasOthers ? '`Ann`' : 'you'}.`), ended.text)
  deepEqual(
    ledger.requests.slice(heard).map(({ method }) => method),
    ['GET', 'POST'],
  )
  deepEqual(paid(stage, from), ['{"euros":36,"what":"three ferry tickets"}'])
}

/** A reply to the card denies it, and the model reads why. */
const denied: Act = async (stage) => {
  const { model, ledger } = stage
  const from = ledger.effects.length
  const room = await stage.open('Denied with a reason')
  model.answers([read(stage)], [pay(stage, 500, 'a hotel')])
  await room.ask('Ann', 'Read the purse, then pay for the night')
  const asked = await card(stage, room, 'A call needs approval')
  model.answers('Then I look for the hut instead.')
  await room.say('Ann', 'Too much, take the hut', asked.id)
  await hear(room, 'Then I look for the hut')
  const ended = await when(room, asked.id, isBare)
  ok(ended.text.includes('denied') && ended.text.includes('Too much, take the hut'), ended.text)
  ok(/Denied, not to be made: 1 http_request .*Too much, take the hut/.test(model.prompt()), model.prompt().slice(-600))
  deepEqual(paid(stage, from), [])
}

/** An owner who is asked for a member denies in words, alone with the bot; the member's group has the reason. Only where there are others. */
const deniedByOwner: Act = async (stage) => {
  const { model, hasOthers, ledger } = stage
  if (!hasOthers) return
  const from = ledger.effects.length
  const [room, alone] = [await stage.open('Denied by an owner'), stage.direct('Ann')]
  model.answers([pay(stage, 90, 'a kite')])
  await room.ask('Bob', 'Pay me a kite')
  await hear(room, 'I have asked one in private')
  const asked = await card(stage, alone, 'A call needs approval')
  ok(asked.text.includes('Bob') && asked.text.includes('"a kite"'), asked.text)
  model.answers('Ann says that there is no wind until Friday, so I have not paid it.')
  await alone.say('Ann', 'No wind until Friday', asked.id)
  await hear(room, 'no wind until Friday')
  const ended = await when(alone, asked.id, isBare)
  ok(ended.text.includes('denied') && ended.text.includes('No wind until Friday'), ended.text)
  ok(/Denied, not to be made: 1 http_request .*No wind until Friday/.test(model.prompt()), model.prompt().slice(-600))
  deepEqual(paid(stage, from), [])
}

/** Who has no right to a tool has an owner asked, alone with the bot; for good, until it is taken back. Only where there are others. */
const forGood: Act = async (stage) => {
  const { model, hasOthers, ledger } = stage
  if (!hasOthers) return
  const from = ledger.effects.length
  const [room, alone] = [await stage.open('By an owner, for a member'), stage.direct('Ann')]
  const call = pay(stage, 4, 'an ice cream')
  const wish = async (): Promise<void> => void (await room.ask('Bob', 'Pay me an ice cream'))
  model.answers([call])
  await wish()
  await hear(room, 'I have asked one in private')
  const asked = await card(stage, alone, 'A call needs approval')
  ok(asked.text.includes('Bob') && asked.text.includes('"an ice cream"'), asked.text)
  deepEqual(labels(asked), ['Once', 'Deny', 'Always here'])
  model.answers('There you are: 4 € for an ice cream.')
  equal(await alone.press('Ann', asked.id, 'Always here'), stage.told.won)
  await hear(room, 'There you are')
  const ended = await when(alone, asked.id, isBare)
  ok(ended.text.includes('approved here for good'), ended.text)
  equal(paid(stage, from).length, 1)
  await again(stage, room, { call, wish })
  equal(paid(stage, from).length, 2)

  await room.ask('Ann', '/tools')
  const list = await hear(room, 'Approved here for good by an owner')
  ok(list.text.includes('/purse` and what is below it'), list.text)
  await room.ask('Ann', '/tools revoke 1')
  await hear(room, 'Taken back: 1')
  await room.ask('Ann', '/new')
  model.answers([call])
  await wish()
  const new2 = await card(stage, alone, 'A call needs approval')
  model.answers('Ann does not want it.')
  equal(await alone.press('Ann', new2.id, 'Deny'), stage.told.won)
  await hear(room, 'Ann does not want it')
  equal(paid(stage, from).length, 2)
}

/** The same once more, in a conversation that has read nothing of others: nobody is asked. */
async function again(
  { model, direct }: QuestionStage,
  room: Room,
  { call, wish }: { readonly call: Call; wish(): Promise<void> },
): Promise<void> {
  const cards = (await direct('Ann').seen()).length
  await room.ask('Ann', '/new')
  model.answers([call], 'Another one, as before.')
  await wish()
  await hear(room, 'Another one, as before')
  equal((await direct('Ann').seen()).length, cards, 'an owner was asked again')
}

/** A press after words that the bot has not read yet: the card comes again with them. */
const stale: Act = async (stage) => {
  const { model, told, ledger } = stage
  const from = ledger.effects.length
  const room = await stage.open('A stale press')
  model.answers([read(stage)], [pay(stage, 100, 'a taxi')])
  await room.ask('Ann', 'Read the purse, then pay the taxi')
  const asked = await card(stage, room, 'A call needs approval')
  model.hold('slow')
  model.answers('It was 10 €, I believe; I ask again.')
  const before = model.asked()
  await room.ask('Ann', 'wait, was it 10 or 100?')
  await until(() => model.asked() > before)
  equal(await room.press('Ann', asked.id, 'Once'), told.stale)
  deepEqual(paid(stage, from), [])
  model.open('slow')
  await hear(room, 'It was 10 €')
  const repeated = await card(stage, room, 'You have said since this card')
  ok(repeated.text.includes('wait, was it 10 or 100?'), repeated.text)
  await when(room, asked.id, isBare)
  model.answers('Then the taxi is not paid.')
  equal(await room.press('Ann', repeated.id, 'Deny'), told.won)
  await hear(room, 'the taxi is not paid')
  deepEqual(paid(stage, from), [])
}

/** Four calls of one step on one card, each decided for itself. */
const four: Act = async (stage) => {
  const { model, told, ledger } = stage
  const from = ledger.effects.length
  const room = await stage.open('Four calls')
  const calls = ['bread', 'cheese', 'wine', 'a tent'].map((what, n) => pay(stage, 5 * (n + 1), what))
  model.answers([read(stage)], calls)
  await room.ask('Ann', 'Read the purse, then buy what we need')
  const asked = await card(stage, room, '4 calls need approval')
  const row = (n: number): string[] => [`${n}. Once`, `${n}. Deny`]
  deepEqual(labels(asked), [...row(1), ...row(2), ...row(3), ...row(4), 'All once', 'Deny all'])
  const decide = async (label: string): Promise<void> =>
    equal(await room.press('Ann', (await card(stage, room, '4 calls need approval')).id, label), told.won)
  const shown = (what: string): Promise<unknown> =>
    hear(room, ({ text, buttons }) => text.includes(what) && buttons.length > 0, what)
  await decide('4. Deny')
  await shown('denied')
  await decide('1. Once')
  await shown('approved once')
  deepEqual(paid(stage, from), [])
  await decide('3. Deny')
  await hear(room, ({ text, buttons }) => text.split('denied').length === 3 && buttons.length > 0, 'two denied')
  model.answers('Bread and cheese are bought.')
  await decide('2. Once')
  await hear(room, 'Bread and cheese')
  const ended = await hear(room, ({ text, buttons }) => text.includes('4 calls') && buttons.length === 0, 'the end')
  equal(ended.text.split('approved once').length, 3, ended.text)
  equal(ended.text.split('denied').length, 3, ended.text)
  deepEqual(paid(stage, from), ['{"euros":10,"what":"cheese"}', '{"euros":5,"what":"bread"}'])
}

export const approvalActs: Readonly<Record<string, Act>> = { once, denied, deniedByOwner, forGood, stale, four }
