// Questions of a feature answered by words, on each channel where one can reply: what is said in reply to a card, or alone with the bot, is an
// answer once, and otherwise a message as any.
import { expect, test } from 'vitest'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { until, type Fleet } from '#test/rig/fleet.ts'
import type { Effect } from '#shared/feature/effect.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { sampleFeature } from '#test/rig/sample-feature.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startDiscord } from '#test/rig/chats/discord-chat.ts'
import { startFeishu } from '#test/rig/chats/feishu-chat.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { textPlaces, type TextPlace } from './text-places.ts'

const features = [sampleFeature]
const { 'a terminal, by /forget last': _, ...places } = textPlaces

/** Asks what is to be noted; gives what a reply to the card names. */
async function dictate(place: TextPlace): Promise<string> {
  await until(async () => !(await place.shows('Nothing')))
  await place.say('/dictate')
  const card = await place.card('Nothing')
  await untilAsked(place.fleet, place.conversation)
  return card
}

/** A person is slower than the platform, which has yet to tell that it took the card. */
const untilAsked = async ({ runtime }: Fleet, conversation: string): Promise<unknown> =>
  await until(async () => (await runtime.kernel.findCards(conversation, [])).cards.length > 0)

test.concurrent.each(Object.entries(places))('%s', { timeout: 60_000 }, async (_name, open) => {
  await using place = await open({ features })
  const { fleet } = place

  // Any words in reply to the card, where the question takes words: no turn begins by them, and the card loses its buttons.
  const first = await dictate(place)
  const milk = await place.say('milk and “honey”', first)
  await place.hear('Noted: milk and “honey”')
  await until(async () => !(await place.shows('Nothing')))

  // An option in reply, in whatever width; its card says so.
  const second = await dictate(place)
  await place.say(' ｎｏｔｈｉｎｇ ', second)
  await place.hear('I note nothing.')

  // The label alone, and words that follow the question at once.
  await dictate(place)
  await place.say('nothing')
  await place.hear('I note nothing.', 2)
  await dictate(place)
  await place.say('bread')
  await place.hear('Noted: bread')
  expect(fleet.model.ledger.entries).toEqual([])

  // What comes later is a message; so is a reply to a card that was answered, and a command is a command.
  const last = await dictate(place)
  await place.say('/note salt', last)
  await place.hear(': salt')
  await place.say('what is pepper?')
  await place.hear('echo: what is pepper?')
  await place.say('what is tea?', second)
  await place.hear('what is tea?')
  expect(await place.shows('Nothing')).toBe(true)
  await place.say('NOTHING', last)
  await place.hear('I note nothing.', 3)

  // What was noted is about what was said, and is forgotten with it.
  const run = `${partitionPrefix(toPartition(place.conversation))}r:${place.conversation}`
  const noted = async (): Promise<string> => (await fleet.redis.admin.hget(run, 'f.notes')) ?? ''
  expect(await noted()).toMatch(/milk and “honey”.*bread.*salt/)
  await place.forget(milk)
  expect(await noted()).toContain('bread')
  expect(await noted()).not.toContain('honey')
})

test.each([
  ['Telegram', startTelegram],
  ['Discord', startDiscord],
  ['Feishu', startFeishu],
])('in a group on %s only a reply of who was asked answers', { timeout: 60_000 }, async (_name, start) => {
  await using platform = await start()
  await using fleet = await startChatFleet([platform], { features, owner: 'Olga' })
  const group = platform.group({ by: 'Olga', title: 'Kitchen' })
  await fleet.runtime.access.admit('chat', group.conversation, 'test')
  group.ask('Ada', '/dictate')
  const card = await group.hear('What should I note?')
  await untilAsked(fleet, group.conversation)
  // Bob's reply is a message to the bot; what Ada says to nobody is none.
  await group.replyTo(group.say('Bob', 'all of it', { replyTo: card.id }))
  group.say('Ada', 'nothing')
  group.say('Ada', 'Nothing', { replyTo: card.id })
  await group.hear('I note nothing.')
  expect(group.said().filter(({ text }) => text.includes('Noted'))).toEqual([])
})

const toPay = (text: string): Effect => ({
  kind: 'ask',
  question: 'pay',
  text,
  options: [[{ id: 'yes', label: 'Pay' }]],
  payload: '',
  stales: true,
})
const guard: Feature = {
  name: 'guard',
  commands: [
    {
      name: 'pay',
      help: { zh: '付款', en: 'pay' },
      run: async () => [toPay('Pay it?')],
    },
  ],
  questions: {
    pay: {
      answer: async () => [{ kind: 'send', text: 'Paid.', inPlace: true }],
      expired: async ({ unread }) => [toPay(`You wrote: “${unread?.text}”. Pay it?`)],
    },
  },
}

test(
  'an approval comes again with what its person said since, once the bot has read it',
  { timeout: 60_000 },
  async () => {
    await using telegram = await startTelegram()
    await using fleet = await startChatFleet([telegram], { features: [guard] })
    const chat = telegram.direct('Ada')
    chat.ask('Ada', '/pay')
    const card = await chat.hear('Pay it?')
    await untilAsked(fleet, chat.conversation)
    fleet.model.script({
      when: { text: 'wait' },
      chunkDelayMs: 50,
      answer: { kind: 'text', text: 'I wait. '.repeat(20) },
    })
    chat.ask('Ada', 'wait, is it 10 or 100?')
    await fleet.model.ledger.waitFor(() => true)
    for (let n = 0; n < 2; n++)
      expect(await chat.press('Ada', card.id, 'Pay').notice()).toBe(
        'Something was said that I had not read, so nothing is done yet: I read it, then ask again below.',
      )
    await chat.hear('I wait. I wait.')
    const again = await chat.hear('You wrote: “wait, is it 10 or 100?”. Pay it?')
    await until(() => chat.seen().find(({ id }) => id === card.id)?.buttons.length === 0)
    expect(await chat.press('Ada', again.id, 'Pay').notice()).toBe('Got it.')
    await chat.hear('Paid.')
  },
)

test.each([
  ['deleted', undefined],
  ['corrected', 'a robin'],
])('words that are %s while they wait are not acted on as they were', { timeout: 60_000 }, async (_name, now) => {
  await using platform = await startDiscord({ patienceMs: 30_000 })
  await using fleet = await startChatFleet([platform], { owner: 'Ada', features })
  const chat = platform.direct('Ada')
  const { kernel } = fleet.runtime
  const waits = async (kind: string): Promise<unknown> =>
    await until(async () =>
      (await kernel.pending(chat.conversation, 0)).events.some(({ event }) => event.kind === kind),
    )
  chat.say('Ada', '/dictate')
  const card = await chat.hear('What should I note?')
  await untilAsked(fleet, chat.conversation)
  // A command is first, so that what comes next is not taken for the answer.
  chat.say('Ada', '/note x')
  await chat.hear('x')
  fleet.model.script({ gate: { name: 'slow' } })
  chat.say('Ada', 'something slow')
  await until(() => fleet.model.ledger.entries.length > 0)
  const said = chat.say('Ada', 'a zebrafinch', { replyTo: card.id })
  await waits('answer')
  const ada = platform.discord.person('Ada')
  if (now === undefined) ada.delete(ada.dm, said)
  else chat.edit('Ada', said, now)
  await waits(now === undefined ? 'delete' : 'edit')
  fleet.model.open('slow')
  if (now === undefined) await until(() => chat.seen().find(({ id }) => id === card.id)?.buttons.length === 0)
  else await chat.hear(`Noted: ${now}`)
  await chat.answerTo('Ada', 'what is one?')
  expect(chat.said().filter(({ text }) => text.includes('zebrafinch'))).toEqual([])
})
