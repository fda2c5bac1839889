// What is forgotten in one chat is forgotten in each chat that words of it were taken to: a group's request on the card of an owner in private, and a
// private answer in the group that asked for it. Whatever is said and used there meanwhile, no key of Redis and no card that asks has the word afterwards.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listCommands } from '#infra/processes/features.ts'
import type { ModelAnswer } from '#test/simulators/model/script.ts'
import { startServiceSimulator, type ServiceSimulator } from '#test/simulators/services/simulator.ts'
import type { Seen, SimulatedChat } from '#test/rig/chats/chat.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startTelegram, type TelegramPlatform } from '#test/rig/chats/telegram-chat.ts'
import type { Fleet } from '#test/rig/fleet.ts'
import { findText } from '#test/rig/texts.ts'

const owners = ['Olga', 'Otto', 'Oda', 'Orla']
let service: ServiceSimulator
let telegram: TelegramPlatform
let fleet: Fleet
/** Olga and others own the bot; Ann, Bob and Chen are members of a group with it. They have spoken to it alone. Who says very much gets no answers, so others say it. */
let alone: Readonly<Record<'Olga' | 'Bob' | 'Chen', SimulatedChat>>

beforeAll(async () => {
  service = await startServiceSimulator()
  telegram = await startTelegram({ patienceMs: 20_000 })
  const env = {
    FLOTILLA_HTTP_HOSTS: `127.0.0.1:${service.port}+key`,
    FLOTILLA_ALLOW: '*',
    FLOTILLA_OWNERS: owners.map((who) => telegram.principal(who)).join(),
  }
  fleet = await startChatFleet([telegram], { env })
  fleet.model.decideBy(({ messages }) => ({ answer: decide(messages) }))
  alone = { Olga: telegram.direct('Olga'), Bob: telegram.direct('Bob'), Chen: telegram.direct('Chen') }
  for (const who of ['Olga', 'Bob', 'Chen'] as const) await alone[who].answerTo(who, '/status')
})
afterAll(async () => {
  await fleet[Symbol.asyncDispose]()
  await telegram[Symbol.asyncDispose]()
  await service.close()
})

const call = (name: string, input: object): ModelAnswer => ({
  kind: 'tools',
  calls: [{ id: `call_${name}`, name, arguments: JSON.stringify(input) }],
})
const reading = {
  session_search: { query: 'delete ask answer word' },
  note_list: {},
  note_read: { title: 't' },
  artifact_read: { name: 'message.1' },
  reminder_list: {},
  note_write: { title: 't', text: '?' },
  reminder_set: { when: 'in 300 minutes', text: '?' },
} as const

/** A model in nobody's hands: it repeats every word that it has, to whomever and in whatever it can. */
function decide(messages: readonly { readonly role: string; readonly content?: unknown }[]): ModelAnswer {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const asked = JSON.stringify(messages[at]?.content)
  const word = /CANARY\w+/.exec(JSON.stringify(messages.slice(at)))?.[0] ?? ''
  const tag = /tag\w+/.exec(asked)?.[0] ?? ''
  const isFirst = messages.slice(at + 1).every(({ role }) => role === 'system')
  if (isFirst && asked.includes('delete it'))
    return call('http_request', { method: 'DELETE', url: `${service.origin}/${tag}${word}` })
  const who = /ask (Bob|Chen)/.exec(asked)?.[1]
  if (isFirst && who)
    return call('human_ask', {
      kind: 'knowledge',
      question: `What is it ${tag}${word}?`,
      why: `w ${word}`,
      otherwise: `o ${word}`,
      who,
      private: true,
    })
  const tool = Object.entries(reading).find(([name]) => asked.includes(`use ${name}`))
  if (isFirst && tool) return call(tool[0], JSON.parse(JSON.stringify(tool[1]).replace('?', word)))
  return { kind: 'text', text: `Done ${word}` }
}

let groups = 0
async function openGroup(): Promise<SimulatedChat> {
  const group = telegram.group({ by: 'Olga', title: `Friends ${groups++}`, isBotAdmin: true })
  await group.until(() => group.said()[0])
  for (const who of ['Ann', 'Bob', 'Chen']) await group.answerTo(who, 'hello, who are you?')
  return group
}

/** The keys that hold the word, once what is under way has come to rest. Only ids of events that were seen may name it. */
async function keysWith(word: string): Promise<readonly string[]> {
  for (let tries = 0; ; tries += 1) {
    const left = (await findText(fleet.redis.admin, word)).filter((key) => !/bull/.test(key))
    if (left.length === 0 || tries === 60) return left
    await sleep(50)
  }
}
/** Every command that shows something, by somebody who may use all, and every tool that reads or keeps something. */
async function sayAll(group: SimulatedChat, who: keyof typeof alone, isWide: boolean): Promise<void> {
  if (!isWide) return
  const last = new Set(['new', 'forget', 'stop', 'start', 'allow', 'quiet'])
  for (const { name } of listCommands().filter(({ name: one }) => !last.has(one))) {
    await alone[who].answerTo(who, `/${name}`)
    await group.answerTo(owners[groups % owners.length] ?? '', `/${name}`)
  }
  for (const name of Object.keys(reading)) await group.answerTo('Ann', `please use ${name}`)
}

/** What is asked of somebody alone is on its way there. */
const ends: readonly [how: string, end: (card: Seen, word: string) => Promise<unknown>][] = [
  ['while it waits', async () => undefined],
  [
    'approved',
    async (card) => {
      for (const label of ['Approve', 'Yes, do it']) {
        const { buttons } = await alone.Olga.when(card.id, ({ buttons: shown }) =>
          shown.flat().some((one) => one.label.startsWith(label)),
        )
        const button = buttons.flat().find((one) => one.label.startsWith(label))
        alone.Olga.press('Olga', card.id, button?.label ?? '')
      }
      await alone.Olga.when(card.id, ({ buttons }) => buttons.length === 0)
    },
  ],
]

test.each(ends)('a request in a group leaves an owner’s chat: %s', async (how, end) => {
  const word = `CANARYcard${ends.findIndex(([one]) => one === how)}`
  const group = await openGroup()
  const request = group.ask('Ann', `please delete it ${word}`)
  const card = await alone.Olga.hear(word)
  await end(card, word)
  if (how !== 'while it waits') await group.hear('Done')
  await sayAll(group, 'Olga', how === 'while it waits')
  await group.answerTo('Ann', '/forget', { replyTo: request })
  if (how === 'while it waits')
    expect((await alone.Olga.when(card.id, ({ buttons }) => buttons.length === 0)).text).toBe(
      'What this card was about is forgotten, and nothing was done.',
    )
  expect(await keysWith(word)).toEqual([])
})

test('an owner’s reason for a no leaves the group once it is forgotten in their chat', async () => {
  const word = 'CANARYreason'
  const group = await openGroup()
  group.ask('Ann', 'please delete it, tagreason')
  const card = await alone.Olga.hear('tagreason')
  const no = alone.Olga.say('Olga', `no, because of ${word}`, { replyTo: card.id })
  await group.hear(word)
  await alone.Olga.answerTo('Olga', '/forget', { replyTo: no })
  expect(await keysWith(word)).toEqual([])
})

test('a question in private leaves the person’s chat once what it is about is forgotten in the group', async () => {
  const word = 'CANARYquestion'
  const group = await openGroup()
  const request = group.ask('Ann', `please ask Chen about ${word}`)
  const card = await alone.Chen.hear(word)
  await sayAll(group, 'Chen', true)
  await group.answerTo('Ann', '/forget', { replyTo: request })
  expect((await alone.Chen.when(card.id, ({ buttons }) => buttons.length === 0)).text).toBe(
    'What this card was about is forgotten, and nothing was done.',
  )
  expect(await keysWith(word)).toEqual([])
})

test.each(['/forget', 'a deletion'])('a private answer leaves the group by %s in the person’s chat', async (by) => {
  const word = `CANARYanswer${by.length}`
  const group = await openGroup()
  group.ask('Ann', `please ask Bob tag${by.length}`)
  const card = await alone.Bob.hear(`What is it tag${by.length}`)
  const answer = alone.Bob.say('Bob', `it is ${word}`, { replyTo: card.id })
  await group.hear(word)
  await sayAll(group, 'Bob', by === '/forget')
  if (by === '/forget') await alone.Bob.answerTo('Bob', '/forget', { replyTo: answer })
  else
    await fleet.send({
      v: 1,
      kind: 'delete',
      id: `gone-${word.length}`,
      conversation: alone.Bob.conversation,
      principal: telegram.principal('Bob'),
      at: Date.now(),
      messageId: answer,
    })
  expect(await keysWith(word)).toEqual([])
})
