// Facts about buttons and slash commands: one press wins, everyone is told the truth in time, a command is seen by the others.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Question } from '#shared/run/question.ts'
import { BotError } from '#shared/errors.ts'
import type { CallUnit } from '#queues/units.ts'
import { ask, say } from '#test/rig/channel-rig.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { openDiscordRig, type DiscordRig, type RigOptions } from './discord-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

type Card = { readonly question: Question; readonly message: string }

/** A question's card in a guild's channel, delivered. */
async function sendCard(rig: DiscordRig, owner?: Question['owner'], more: Partial<Question> = {}): Promise<Card> {
  const conversation = `discord:${rig.guild.channel}`
  const question = { ...ask(conversation, owner), ...more }
  const buttons = [
    [
      { id: `${question.id}.redo`, label: 'Redo' },
      { id: `${question.id}.leave`, label: 'Leave it' },
    ],
  ]
  await rig.queue(conversation, [say('Shall I?', { buttons })], [question])
  await rig.deliver(conversation)
  return { question, message: rig.discord.visible(rig.guild.channel).at(-1)?.id ?? '' }
}

type Pressing = { readonly by: string; readonly card: Card; readonly choice?: string }

function press(rig: DiscordRig, { by, card, choice = 'redo' }: Pressing): string {
  const button = `${card.question.id}.${choice}`
  return rig.discord.person(by).press(rig.guild.channel, card.message, button, { isForged: true })
}

/** What the presser is told; undefined when the card itself changed. */
async function answerTo(rig: DiscordRig, id: string): Promise<string | undefined> {
  await rig.discord.until(() => (rig.discord.interaction(id).state === 'answered' ? true : undefined))
  return rig.discord.interaction(id).answers.find(({ isEphemeral }) => isEphemeral)?.text
}

async function openRig(options?: RigOptions): Promise<DiscordRig> {
  const rig = await openDiscordRig(server, options)
  await rig.start()
  return rig
}

test('a press that wins becomes an answer, and the card shows no buttons any more', async () => {
  await using rig = await openRig()
  const card = await sendCard(rig)
  const id = press(rig, { by: 'Ada', card })
  expect(await answerTo(rig, id)).toBeUndefined()
  expect(rig.discord.interaction(id).type).toBe(7)
  expect(rig.discord.visible(rig.guild.channel).at(-1)).toMatchObject({ text: 'Shall I?', buttons: [] })
  const events = await rig.waitForEvents(`discord:${rig.guild.channel}`, 1)
  expect(events).toMatchObject([
    {
      kind: 'answer',
      principal: `discord:${rig.discord.person('Ada').id}`,
      choice: 'redo',
      payload: 'the corrected text',
    },
  ])
})

test('a card that its answer changes is left to it, and the answer names the message', async () => {
  await using rig = await openRig()
  const card = await sendCard(rig, '*', { card: 'row-1-0' })
  const id = press(rig, { by: 'Ada', card })
  expect(await answerTo(rig, id)).toBeUndefined()
  expect(rig.discord.interaction(id).type).toBe(6)
  expect(rig.discord.visible(rig.guild.channel).at(-1)?.buttons).toHaveLength(1)
  const [event] = await rig.waitForEvents(`discord:${rig.guild.channel}`, 1)
  expect(event).toMatchObject({ kind: 'answer', card: 'row-1-0', messageId: card.message, name: 'Ada' })
})

test('of twenty people who press at once one wins, and nineteen are told so', async () => {
  await using rig = await openRig()
  const card = await sendCard(rig)
  const ids = Array.from({ length: 20 }, (_, i) => press(rig, { by: `Person ${i}`, card }))
  const answers = await Promise.all(ids.map((id) => answerTo(rig, id)))
  const [winner] = await rig.waitForEvents(`discord:${rig.guild.channel}`, 1)
  expect(answers.filter((text) => text === undefined)).toHaveLength(1)
  const notice = `Already answered by <@${winner?.principal.slice('discord:'.length)}>: Redo`
  expect(answers.filter((text) => text === notice || text === notice.replace('Redo', 'redo'))).toHaveLength(19)
  expect(await rig.events(`discord:${rig.guild.channel}`)).toHaveLength(1)
  const types = ids.map((id) => rig.discord.interaction(id).type)
  expect(types.toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual([...Array.from({ length: 19 }, () => 4), 7])
})

test("somebody else's button, and a forged one, are refused to the presser alone", async () => {
  await using rig = await openRig()
  const card = await sendCard(rig, 'discord:4711')
  expect(await answerTo(rig, press(rig, { by: 'Ada', card }))).toBe('This button is not for you.')
  expect(await answerTo(rig, press(rig, { by: 'Ada', card, choice: 'delete' }))).toBe(
    'This message is out of date: its buttons no longer work.',
  )
  const forged = rig.discord.person('Ada').press(rig.guild.channel, card.message, 'nonsense', { isForged: true })
  expect(await answerTo(rig, forged)).toBe('This message is out of date: its buttons no longer work.')
  expect(rig.discord.visible(rig.guild.channel, 'Bo').filter(({ isEphemeral }) => isEphemeral)).toEqual([])
  expect(await rig.events(`discord:${rig.guild.channel}`)).toEqual([])
})

test('while Redis is slow a press is put off in time, and told afterwards to the presser alone', async () => {
  let isSlow = false
  const back = Promise.withResolvers<void>()
  const wrapUnits =
    (call: CallUnit): CallUnit =>
    async (name, key, args) => {
      if (name === 'resolve' && isSlow) await back.promise
      return call(name, key, args)
    }
  // With the real delay: the simulator refuses what comes after 3 s, as Discord does.
  await using rig = await openRig({ wrapUnits })
  const card = await sendCard(rig)
  isSlow = true
  const [first, second] = [press(rig, { by: 'Ada', card }), press(rig, { by: 'Bo', card })]
  await rig.discord.until(() => (rig.discord.interaction(second).type === 6 ? true : undefined))
  expect(rig.discord.interaction(first).type).toBe(6)
  back.resolve()
  const told = await rig.discord.until(() => [first, second].flatMap((id) => rig.discord.interaction(id).answers)[0])
  expect(told).toMatchObject({ isEphemeral: true, text: expect.stringContaining('Already answered by') })
  await rig.discord.until(() => (rig.discord.visible(rig.guild.channel)[0]?.buttons.length === 0 ? true : undefined))
})

test('a press while Redis is away is not lost: it counts when Redis is back', async () => {
  let isDown = false
  const wrapUnits =
    (call: CallUnit): CallUnit =>
    async (name, key, args) => {
      if (isDown && name === 'resolve')
        throw new BotError('store-unavailable', 'Redis is away.', { retry: { afterMs: 1 } })
      return call(name, key, args)
    }
  await using rig = await openRig({ wrapUnits, channel: { putOffMs: 50 } })
  const card = await sendCard(rig)
  isDown = true
  const id = press(rig, { by: 'Ada', card })
  await rig.discord.until(() => (rig.discord.interaction(id).type === 6 ? true : undefined))
  isDown = false
  expect(await rig.waitForEvents(`discord:${rig.guild.channel}`, 1)).toMatchObject([{ kind: 'answer' }])
  await rig.discord.until(() => (rig.discord.visible(rig.guild.channel)[0]?.buttons.length === 0 ? true : undefined))
})

test('after a quarter of an hour a press counts all the same, and the bot itself takes the buttons off', async () => {
  let isDown = false
  const wrapUnits =
    (call: CallUnit): CallUnit =>
    async (name, key, args) => {
      if (isDown && name === 'resolve')
        throw new BotError('store-unavailable', 'Redis is away.', { retry: { afterMs: 1 } })
      return call(name, key, args)
    }
  const tokenMs = 300
  await using rig = await openRig({ wrapUnits, channel: { putOffMs: 50 }, simulator: { interactionTokenMs: tokenMs } })
  const card = await sendCard(rig)
  isDown = true
  const [first, second] = [press(rig, { by: 'Ada', card }), press(rig, { by: 'Bo', card })]
  await rig.discord.until(() => (rig.discord.interaction(second).type === 6 ? true : undefined))
  await new Promise((resolve) => setTimeout(resolve, tokenMs))
  isDown = false
  expect(await rig.waitForEvents(`discord:${rig.guild.channel}`, 1)).toMatchObject([{ kind: 'answer' }])
  await rig.discord.until(() => (rig.discord.visible(rig.guild.channel)[0]?.buttons.length === 0 ? true : undefined))
  const late = await rig.discord.ledger.waitFor(
    ({ route, status }) => route === 'createFollowUp' && status !== undefined,
  )
  expect(late.status).toBe(401)
  expect([first, second].flatMap((id) => rig.discord.interaction(id).answers)).toEqual([])
})

test('a press answered too late or by another process still loses its buttons', async () => {
  await using rig = await openRig()
  const card = await sendCard(rig)
  const late = { kind: 'error', status: 404, code: 10_062, message: 'Unknown interaction' } as const
  rig.discord.fault({ when: { route: 'answerInteraction' }, times: 1, fault: late })
  press(rig, { by: 'Ada', card })
  await rig.discord.until(() => (rig.discord.visible(rig.guild.channel)[0]?.buttons.length === 0 ? true : undefined))
  expect(rig.said).toEqual([])
})

test('buttons of a question that is no longer known go when one of them is pressed', async () => {
  await using rig = await openRig()
  const conversation = `discord:${rig.guild.channel}`
  const button = { id: 'p00-aaaaaaaaaaaaaaaaaaaaaa.yes', label: 'Yes' }
  await rig.queue(conversation, [say('A week ago', { buttons: [[button]] })])
  await rig.deliver(conversation)
  const message = rig.discord.visible(rig.guild.channel).at(-1)?.id ?? ''
  const id = rig.discord.person('Ada').press(rig.guild.channel, message, 'Yes')
  expect(await answerTo(rig, id)).toBe('This message is out of date: its buttons no longer work.')
  await rig.discord.until(() => (rig.discord.visible(rig.guild.channel)[0]?.buttons.length === 0 ? true : undefined))
})

const commands = [
  { name: 'depth', help: { en: 'How thorough', zh: '多详细' } },
  { name: 'start', help: { en: 'Begin', zh: '开始' } },
]

test('slash commands are registered only when they changed', async () => {
  await using rig = await openDiscordRig(server, { commands })
  const stop = await rig.start()
  expect(rig.discord.commands().map(({ name }) => name)).toEqual(['depth', 'start'])
  await stop()
  rig.discord.ledger.clear()
  rig.run(rig.another())
  await rig.discord.ledger.waitForGateway(({ kind }) => kind === 'resume')
  expect(rig.discord.ledger.of('putCommands')).toEqual([])
})

test('a slash command becomes a message with its command, and the others see what was asked', async () => {
  await using rig = await openRig({ commands })
  const { channel } = rig.guild
  const ada = rig.discord.person('Ada')
  const id = ada.slash(channel, 'depth', { text: 'deep' })
  expect(await rig.waitForEvents(`discord:${channel}`, 1)).toMatchObject([
    { kind: 'message', text: '/depth deep', command: { name: 'depth', args: 'deep' }, addressed: true },
  ])
  await rig.discord.until(() => (rig.discord.interaction(id).state === 'answered' ? true : undefined))
  expect(rig.discord.visible(channel).at(-1)).toMatchObject({ from: 'bot', text: '/depth deep' })
})

test('a code behind /start is not shown to the others', async () => {
  await using rig = await openRig({ commands })
  const id = rig.discord.person('Ada').slash(rig.guild.channel, 'start', { text: 'secret-code' })
  await rig.discord.until(() => (rig.discord.interaction(id).state === 'answered' ? true : undefined))
  expect(rig.discord.visible(rig.guild.channel).at(-1)?.text).toBe('/start')
})
