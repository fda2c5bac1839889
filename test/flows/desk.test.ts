// What only people can tell, on the real processes: the scene on each channel (`desk-script.ts`), and a thumb that answers.
import { expect, test } from 'vitest'
import { until } from '#test/rig/fleet.ts'
import { hear, toRoom } from '#test/rig/chats/room.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { startCuriosity } from '#test/rig/curiosity.ts'
import { asks as asksPeople } from '#test/services/questions/question-stage.ts'
import { findPeople, findWaiting, playDesk } from './desk-script.ts'
import { planModel } from './planned-model.ts'
import { isBare, questionStages } from './questions-stage.ts'

test.each([
  ['telegram', 'en'],
  ['telegram', 'zh'],
  ['discord', 'en'],
  ['feishu', 'en'],
  ['web', 'en'],
  ['web', 'zh'],
  ['console', 'en'],
] as const)(
  'what only people can tell is asked alone, and known afterwards: %s, %s',
  { timeout: 40_000 },
  async (name, language) => {
    await using stage = await questionStages[name](language)
    await playDesk(stage)
    expect(stage.model.unplanned).toEqual([])
  },
)

test('a thumb on the card answers yes or no', { timeout: 60_000 }, async () => {
  await using platform = await startTelegram({ patienceMs: 20_000 })
  await using fleet = await startChatFleet([platform], { owner: 'Ann' })
  await using _ = startCuriosity(fleet)
  const model = planModel(fleet.model)
  const chat = platform.direct('Ann')
  const room = toRoom('Ann alone', chat)
  model.answers('Sticky notes. I assumed that the retro is online.')
  chat.ask('Ann', 'what do we need for the retro?')
  await hear(room, 'Sticky notes')
  const people = await findPeople({ fleet })
  await until(async () => (await findWaiting({ fleet }, people)).length === 1)
  chat.ask('Ann', '/questions now')
  const asked = await hear(room, (one) => one.text.includes('Is the retro online?') && !isBare(one), 'the question')
  await until(async () => (await fleet.runtime.kernel.findCards(chat.conversation, [])).cards.length > 0)
  chat.react('Ann', asked.id, '👎')
  await hear(room, 'Is the retro online? — No')
  expect(await findWaiting({ fleet }, people)).toEqual([])
})

test.each([
  ['telegram', 'Bob', 'maybe'],
  ['discord', 'Bob', 'yes, but the link is missing'],
  ['feishu', 'Bob', 'half of us are'],
  ['web', 'Ann', 'maybe'],
  ['console', 'Ann', 'no, we meet at the lake'],
] as const)(
  'any words that follow “Type an answer” are the answer to a yes or no, after a question that was first: %s',
  { timeout: 40_000 },
  async (name, who, words) => {
    await using stage = await questionStages[name]()
    await using _ = startCuriosity(stage.fleet)
    const { model, fleet } = stage
    const room = stage.hasOthers ? stage.direct(who) : await stage.open('Retro')
    model.answers('Sticky notes. I assumed that the retro is online.', asksPeople({ question: 'Who hosts?' }).toolCalls)
    await room.ask(who, 'what do we need for the retro?')
    await hear(room, 'Sticky notes')
    const people = await findPeople(stage)
    await until(async () => (await findWaiting(stage, people)).length === 1)
    await room.ask(who, 'and who is the host?')
    const first = await hear(room, (one) => one.text.includes('Who hosts?') && !isBare(one), 'the first question')
    await room.ask(who, '/questions now')
    await hear(room, 'I ask as soon as “Who hosts?” is answered.')
    model.answers('The host is Kim.')
    await room.ask(who, 'Kim', first.id)
    const asked = await hear(room, (one) => one.text.includes('Is the retro online?') && !isBare(one), 'the card')
    await room.press(who, asked.id, 'Type an answer')
    await hear(room, 'Write your answer in your next message')
    const isTyping = async (): Promise<boolean> => {
      const { cards } = await fleet.runtime.kernel.findCards(room.conversation, [])
      return cards.some(({ question }) => question.typing === true)
    }
    await until(isTyping)
    // They read it again first.
    await room.ask(who, '/questions')
    await hear(room, 'What waits for your answer in this chat:')
    await room.ask(who, words)
    await hear(room, `Is the retro online? — ${words}`)
    await hear(room, `You answered: “${words}”`)
    expect(await findWaiting(stage, people)).toEqual([])
  },
)
