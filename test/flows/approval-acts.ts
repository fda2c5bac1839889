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

/** Whether the model reads of one denied call, and why. */
const readsWhy = ({ model, words }: QuestionStage, reason: string): boolean =>
  model
    .prompt()
    .split('\n')
    .some((line) => words.denial.test(line) && line.includes(reason))

/** What an owner had read elsewhere may have led to the call: they are asked themselves, and it is made once. */
const once: Act = async (stage) => {
  const { model, hasOthers, told, ledger, words } = stage
  const { once: said, buttons } = words
  const [from, heard] = [ledger.effects.length, ledger.requests.length]
  const room = await stage.open(words.titles.once)
  model.answers([read(stage)], [pay(stage, 36, said.what)])
  await room.ask('Ann', said.wish)
  const asked = await card(stage, room, words.heads.one)
  for (const part of ['http_request', said.effect, '"euros": 36', said.others])
    ok(asked.text.includes(part), `the card does not say "${part}": ${asked.text}`)
  ok(said.by.test(asked.text), asked.text)
  deepEqual(labels(asked), [buttons.once, buttons.deny])
  if (hasOthers) equal(await room.press('Bob', asked.id, buttons.once), told.forbidden)
  deepEqual(paid(stage, from), [])
  model.answers(said.end)
  equal(await room.press('Ann', asked.id, buttons.once), told.won)
  await hear(room, said.end)
  const ended = await when(room, asked.id, isBare)
  ok(ended.text.includes(words.states.once), ended.text)
  ok(ended.text.includes(words.approved(hasOthers ? '`Ann`' : words.you)), ended.text)
  deepEqual(
    ledger.requests.slice(heard).map(({ method }) => method),
    ['GET', 'POST'],
  )
  deepEqual(paid(stage, from), [JSON.stringify({ euros: 36, what: said.what })])
}

/** A reply to the card denies it, and the model reads why. */
const denied: Act = async (stage) => {
  const { model, ledger, words } = stage
  const { denied: said } = words
  const from = ledger.effects.length
  const room = await stage.open(words.titles.denied)
  model.answers([read(stage)], [pay(stage, 500, said.what)])
  await room.ask('Ann', said.wish)
  const asked = await card(stage, room, words.heads.one)
  model.answers(said.end)
  await room.say('Ann', said.reason, asked.id)
  await hear(room, said.end)
  const ended = await when(room, asked.id, isBare)
  ok(ended.text.includes(words.states.denied) && ended.text.includes(said.reason), ended.text)
  ok(readsWhy(stage, said.reason), model.prompt().slice(-600))
  deepEqual(paid(stage, from), [])
}

/** An owner who is asked for a member denies in words, alone with the bot; the member's group has the reason. Only where there are others. */
const deniedByOwner: Act = async (stage) => {
  const { model, hasOthers, ledger, words } = stage
  if (!hasOthers) return
  const { deniedByOwner: said } = words
  const from = ledger.effects.length
  const [room, alone] = [await stage.open(words.titles.deniedByOwner), stage.direct('Ann')]
  model.answers([pay(stage, 90, said.what)])
  await room.ask('Bob', said.wish)
  await hear(room, words.askedInPrivate)
  const asked = await card(stage, alone, words.heads.one)
  ok(asked.text.includes('Bob') && asked.text.includes(`"${said.what}"`), asked.text)
  model.answers(said.end)
  await alone.say('Ann', said.reason, asked.id)
  await hear(room, said.end)
  const ended = await when(alone, asked.id, isBare)
  ok(ended.text.includes(words.states.denied) && ended.text.includes(said.ended), ended.text)
  ok(readsWhy(stage, said.reason), model.prompt().slice(-600))
  deepEqual(paid(stage, from), [])
}

/** Who has no right to a tool has an owner asked, alone with the bot; for good, until it is taken back. Only where there are others. */
const forGood: Act = async (stage) => {
  const { model, hasOthers, ledger, words } = stage
  if (!hasOthers) return
  const { forGood: said, buttons } = words
  const from = ledger.effects.length
  const [room, alone] = [await stage.open(words.titles.forGood), stage.direct('Ann')]
  const call = pay(stage, 4, said.what)
  const wish = async (): Promise<void> => void (await room.ask('Bob', said.wish))
  model.answers([call])
  await wish()
  await hear(room, words.askedInPrivate)
  const asked = await card(stage, alone, words.heads.one)
  ok(asked.text.includes('Bob') && asked.text.includes(`"${said.what}"`), asked.text)
  deepEqual(labels(asked), [buttons.once, buttons.deny, buttons.always])
  model.answers(said.end)
  equal(await alone.press('Ann', asked.id, buttons.always), stage.told.won)
  await hear(room, said.end)
  const ended = await when(alone, asked.id, isBare)
  ok(ended.text.includes(words.states.always), ended.text)
  equal(paid(stage, from).length, 1)
  await again(stage, room, { call, wish })
  equal(paid(stage, from).length, 2)

  await room.ask('Ann', '/tools')
  const list = await hear(room, said.listed)
  ok(list.text.includes(said.covered), list.text)
  await room.ask('Ann', '/tools revoke 1')
  await hear(room, said.takenBack)
  await room.ask('Ann', '/new')
  model.answers([call])
  await wish()
  const new2 = await card(stage, alone, words.heads.one)
  model.answers(said.refused)
  equal(await alone.press('Ann', new2.id, buttons.deny), stage.told.won)
  await hear(room, said.refused)
  equal(paid(stage, from).length, 2)
}

/** The same once more, in a conversation that has read nothing of others: nobody is asked. */
async function again(
  { model, direct, words }: QuestionStage,
  room: Room,
  { call, wish }: { readonly call: Call; wish(): Promise<void> },
): Promise<void> {
  const cards = (await direct('Ann').seen()).length
  await room.ask('Ann', '/new')
  model.answers([call], words.forGood.again)
  await wish()
  await hear(room, words.forGood.again)
  equal((await direct('Ann').seen()).length, cards, 'an owner was asked again')
}

/** A press after words that the bot has not read yet: the card comes again with them. */
const stale: Act = async (stage) => {
  const { model, told, ledger, words } = stage
  const { stale: said, buttons } = words
  const from = ledger.effects.length
  const room = await stage.open(words.titles.stale)
  model.answers([read(stage)], [pay(stage, 100, said.what)])
  await room.ask('Ann', said.wish)
  const asked = await card(stage, room, words.heads.one)
  model.hold('slow')
  model.answers(said.known)
  const before = model.asked()
  await room.ask('Ann', said.doubt)
  await until(() => model.asked() > before)
  equal(await room.press('Ann', asked.id, buttons.once), told.stale)
  deepEqual(paid(stage, from), [])
  model.open('slow')
  await hear(room, said.known)
  const repeated = await card(stage, room, said.since)
  ok(repeated.text.includes(said.doubt), repeated.text)
  await when(room, asked.id, isBare)
  model.answers(said.end)
  equal(await room.press('Ann', repeated.id, buttons.deny), told.won)
  await hear(room, said.end)
  deepEqual(paid(stage, from), [])
}

/** Four calls of one step on one card, each decided for itself. */
const four: Act = async (stage) => {
  const { model, told, ledger, words } = stage
  const { four: said, buttons: named, states, heads } = words
  const from = ledger.effects.length
  const room = await stage.open(words.titles.four)
  const calls = said.whats.map((what, n) => pay(stage, 5 * (n + 1), what))
  model.answers([read(stage)], calls)
  await room.ask('Ann', said.wish)
  const asked = await card(stage, room, heads.four)
  const row = (n: number): string[] => [`${n}. ${named.once}`, `${n}. ${named.deny}`]
  deepEqual(labels(asked), [...row(1), ...row(2), ...row(3), ...row(4), named.allOnce, named.denyAll])
  const decide = async (label: string): Promise<void> =>
    equal(await room.press('Ann', (await card(stage, room, heads.four)).id, label), told.won)
  const shown = (what: string): Promise<unknown> =>
    hear(room, ({ text, buttons }) => text.includes(what) && buttons.length > 0, what)
  await decide(`4. ${named.deny}`)
  await shown(states.denied)
  await decide(`1. ${named.once}`)
  await shown(states.once)
  deepEqual(paid(stage, from), [])
  await decide(`3. ${named.deny}`)
  await hear(
    room,
    ({ text, buttons }) => text.split(` · ${states.denied}`).length === 3 && buttons.length > 0,
    'two denied',
  )
  model.answers(said.end)
  await decide(`2. ${named.once}`)
  await hear(room, said.end)
  const ended = await hear(room, ({ text, buttons }) => text.includes(heads.four) && buttons.length === 0, 'the end')
  equal(ended.text.split(` · ${states.once}`).length, 3, ended.text)
  equal(ended.text.split(` · ${states.denied}`).length, 3, ended.text)
  ok(ended.text.includes(said.ended(stage.hasOthers ? '`Ann`' : words.you)), ended.text)
  deepEqual(paid(stage, from), [
    JSON.stringify({ euros: 10, what: said.whats[1] }),
    JSON.stringify({ euros: 5, what: said.whats[0] }),
  ])
}

export const approvalActs: Readonly<Record<string, Act>> = { once, denied, deniedByOwner, forGood, stale, four }
