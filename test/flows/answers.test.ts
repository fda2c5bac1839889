// What becomes of an answer to a question of the desk, on the real processes: a later answer rests on it and says so, the day's log has it, and both are
// gone once the answer is forgotten.
import { expect, test } from 'vitest'
import type { Language } from '#shared/chat/message.ts'
import { ofPerson } from '#shared/memory/record.ts'
import { hear, type Room } from '#test/rig/chats/room.ts'
import { startCuriosity } from '#test/rig/curiosity.ts'
import { until } from '#test/rig/fleet.ts'
import { findPeople, findWaiting } from './desk-script.ts'
import { isBare, questionStages, type QuestionStage } from './questions-stage.ts'

const scripts = {
  en: {
    asks: 'plan the retro please',
    answer: 'An agenda. I planned 50 minutes because I do not know how long the slot is.',
    question: 'how long is the slot?',
    words: 'forty minutes',
    kept: 'Thank you. Kept:',
    later: 'how long is the slot of the retro?',
    why: /number 1 is what was answered to my question “.*how long is the slot\?” \(asked \d{4}-\d\d-\d\d, answered \d{4}-\d\d-\d\d\)/,
    log: /I asked: .*how long is the slot\?\n.{1,3}answered: forty minutes/,
    sources: ['Sources', 'what was answered to my question: asked '],
    nothing: /Nothing is on record here/,
  },
  zh: {
    asks: '帮我们安排一下回顾会',
    answer: '议程如下。我不知道会议有多长，先按 50 分钟排。',
    question: '会议有多长',
    words: '四十分钟',
    kept: '谢谢，记下了：',
    later: '回顾会的会议有多长？',
    why: /第 1 条是对我这个问题的回答：“.*会议有多长.*”（\d{4}-\d\d-\d\d 问的，\d{4}-\d\d-\d\d 答的）/,
    log: /我问：.*会议有多长.*\n.{1,3}答：四十分钟/,
    sources: ['来源', '对我的问题的回答：'],
    nothing: /这里没有记录/,
  },
} as const satisfies Record<Language, unknown>

type Script = (typeof scripts)[Language]

/** A prompt goes without memory where that takes longer than 150 ms, as on a busy machine. Each question is asked in a session of its own. */
async function askUntil({ model }: QuestionStage, room: Room, { later, words }: Script): Promise<void> {
  for (let times = 1; ; times += 1) {
    await room.ask('Ann', '/new')
    model.answers(`I see ${times}.`)
    await room.ask('Ann', later)
    await hear(room, `I see ${times}.`)
    if (model.prompt().includes(words)) return
    expect(times, 'how often it was asked').toBeLessThan(5)
  }
}

async function tells(room: Room, command: string, said: RegExp): Promise<string> {
  await room.ask('Ann', command)
  return (await hear(room, (one) => said.test(one.text), String(said))).text
}

test.each([
  ['telegram', 'en'],
  ['telegram', 'zh'],
  ['web', 'en'],
  ['web', 'zh'],
] as const)('an answer names the question that it rests on: %s, %s', { timeout: 60_000 }, async (name, language) => {
  await using stage = await questionStages[name](language)
  await using _ = startCuriosity(stage.fleet)
  const script = scripts[language]
  const { model, fleet } = stage
  const room = stage.hasOthers ? stage.direct('Ann') : await stage.open('Retro')
  model.answers(script.answer)
  await room.ask('Ann', script.asks)
  await hear(room, script.answer)
  const people = await findPeople(stage)
  await until(async () => (await findWaiting(stage, people)).length === 1)
  await room.ask('Ann', '/questions now')
  const card = await hear(room, (one) => one.text.includes(script.question) && !isBare(one), 'the question')
  await until(async () => (await fleet.runtime.kernel.findCards(room.conversation, [])).cards.length > 0)
  await room.ask('Ann', script.words, card.id)
  await hear(room, script.kept)
  await askUntil(stage, room, script)
  const answer = await hear(room, (one) => one.buttons.flat().some(({ label }) => label === script.sources[0]))
  await room.press('Ann', answer.id, script.sources[0])
  await hear(room, script.sources[1])
  await tells(room, '/why', script.why)
  await tells(room, '/log', script.log)
  await room.ask('Ann', '/forget 1')
  const { memory } = fleet.runtime
  await until(async () => {
    const read = await Promise.all(people.map(async (one) => await memory.read(ofPerson(one))))
    return read.every((one) => one === 'same' || one.count === 0)
  })
  await tells(room, '/log', script.nothing)
  expect(stage.model.unplanned).toEqual([])
})
