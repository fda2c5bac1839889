// The scene of the desk: two answers leave two questions, one card steps through both where their person is alone, and what was answered is known afterwards;
// in a group what its person says so of.
import { equal, ok } from 'node:assert/strict'
import { ofAsked, type MemoryRecord } from '#shared/memory/record.ts'
import type { Language } from '#shared/chat/message.ts'
import type { Seen } from '#test/rig/chats/chat.ts'
import { hear, type Room } from '#test/rig/chats/room.ts'
import { passQuietMinutes, startCuriosity } from '#test/rig/curiosity.ts'
import { until, type Fleet } from '#test/rig/fleet.ts'
import { findNoon } from '#test/rig/noon.ts'
import { card, isBare, type QuestionStage } from './questions-stage.ts'

const scripts = {
  en: {
    asks: ['plan the retro please', 'and what do we need for it?'],
    answers: [
      'An agenda. I planned 50 minutes because I do not know how long the slot is.',
      'Sticky notes. I assumed that the retro is online.',
    ],
    questions: ['Is the retro online?', 'how long is the slot?'],
    hello: ['tell me something nice', 'Good morning.'],
    no: 'No',
    skip: 'Skip',
    chat: 'Also for that group',
    words: 'forty minutes',
    kept: 'Thank you. Kept:',
    skipped: 'Skipped: 1.',
    later: ['is the retro online?', 'how long is the slot of the retro?'],
  },
  zh: {
    asks: ['帮我们安排一下回顾会', '再帮我列一下回顾会要准备的东西'],
    answers: ['议程如下。我不知道会议有多长，先按 50 分钟排。', '便利贴。我假设回顾会是线上的。'],
    questions: ['回顾会是线上的', '会议有多长'],
    hello: ['说点好听的', '早上好。'],
    no: '不是',
    skip: '跳过',
    chat: '也给那个群用',
    words: '四十分钟',
    kept: '谢谢，记下了：',
    skipped: '跳过 1 个。',
    later: ['回顾会是线上的吗？', '回顾会的会议有多长？'],
  },
} as const satisfies Record<Language, unknown>

type Of = { readonly fleet: Fleet }

/** All who are known have noon. */
export async function findPeople({ fleet }: Of): Promise<readonly string[]> {
  const keys = await until(async () => {
    const found = await fleet.redis.admin.keys('fl:{person-*}')
    return found.length > 0 && found
  })
  const people = keys.flatMap((key) => /person-(.*)\}/.exec(key)?.[1] ?? [])
  for (const one of people) await fleet.runtime.people.setZone(one, findNoon())
  return people
}

export async function findWaiting({ fleet }: Of, people: readonly string[]): Promise<readonly MemoryRecord[]> {
  const found = await Promise.all(people.map(async (one) => await fleet.runtime.memory.read(ofAsked(one))))
  return found.flatMap((read) => (read === 'same' ? [] : read.records))
}

const shows = (part: string) => (one: Seen) => one.text.includes(part) && !isBare(one)

type Asking = { readonly who: string; readonly text: string }

/** What the model is given then. A prompt goes without memory where that takes longer than 150 ms, as on a busy machine. */
async function askUntil({ model }: QuestionStage, room: Room, { who, text, wanted }: Asking & { wanted: string }) {
  for (let times = 1; ; times += 1) {
    model.answers(`I see, ${text} ${times}.`)
    await room.ask(who, text)
    await hear(room, `I see, ${text} ${times}.`)
    if (model.prompt().includes(wanted)) return
    ok(times < 5, `No prompt has ${wanted}.`)
  }
}

/** Throws where something is not as it should be. */
export async function playDesk(stage: QuestionStage): Promise<void> {
  await using _ = startCuriosity(stage.fleet)
  const words = scripts[stage.language]
  await (stage.hasOthers ? playInGroup(stage, words) : playAlone(stage, words))
}

type Words = (typeof scripts)[Language]

async function raise({ model }: QuestionStage, words: Words, { room, who }: { room: Room; who: string }) {
  model.answers(...words.answers)
  for (const [at, text] of words.asks.entries()) {
    await room.ask(who, text)
    await hear(room, words.answers[at] ?? '')
  }
}

async function playInGroup(stage: QuestionStage, words: Words): Promise<void> {
  const { model, fleet } = stage
  const people = await findPeople(stage)
  const [alone, room] = [stage.direct('Bob'), await stage.open('Retro')]
  await raise(stage, words, { room, who: 'Bob' })
  await until(async () => (await findWaiting(stage, people)).length === 2)
  const [hello, answer] = words.hello
  model.answers(answer)
  await alone.ask('Bob', hello)
  await hear(alone, answer)
  stage.note(alone, 'two quiet minutes')
  await until(async () => (await passQuietMinutes(fleet)) > 0)
  const first = await hear(alone, shows('1 / 2'), 'the first question')
  ok(first.text.includes(words.questions[0]), first.text)
  await alone.press('Bob', first.id, words.chat)
  const isMarked = (one: Seen): boolean => one.buttons.flat().some(({ label }) => label === `✓ ${words.chat}`)
  await hear(alone, isMarked, 'the mark')
  await card(stage, alone, '1 / 2')
  await alone.press('Bob', first.id, words.no)
  const second = await hear(alone, shows('2 / 2'), 'the second question')
  ok(second.text.includes(words.questions[1]), second.text)
  await card(stage, alone, '2 / 2')
  await alone.ask('Bob', words.words, second.id)
  const receipt = await hear(alone, words.kept)
  ok(receipt.text.includes(`— ${words.no}`) && receipt.text.includes(words.words), receipt.text)
  const [forGroup, own] = words.later
  await askUntil(stage, room, { who: 'Bob', text: forGroup, wanted: `— ${words.no}` })
  await askUntil(stage, room, { who: 'Bob', text: own, wanted: own })
  ok(!model.prompt().includes(words.words), 'The group is told what was said alone.')
  equal((await findWaiting(stage, people)).length, 0)
}

async function playAlone(stage: QuestionStage, words: Words): Promise<void> {
  const { fleet } = stage
  const room = await stage.open('Retro')
  await raise(stage, words, { room, who: 'Ann' })
  const people = await findPeople(stage)
  await until(async () => (await findWaiting(stage, people)).length === 2)
  await room.ask('Ann', '/questions')
  await hear(room, words.questions[0])
  stage.note(room, 'two quiet minutes')
  // One for each exchange: only the last of them brings a card.
  let passed = 0
  await until(async () => (passed += await passQuietMinutes(fleet)) >= 2)
  const first = await hear(room, shows('1 / 2'), 'the first question')
  await room.press('Ann', first.id, words.skip)
  const second = await hear(room, shows('2 / 2'), 'the second question')
  await card(stage, room, '2 / 2')
  await room.ask('Ann', words.words, second.id)
  const receipt = await hear(room, words.kept)
  ok(receipt.text.includes(words.skipped), receipt.text)
  await askUntil(stage, room, { who: 'Ann', text: words.later[1], wanted: words.words })
  equal((await findWaiting(stage, people)).length, 0)
}
