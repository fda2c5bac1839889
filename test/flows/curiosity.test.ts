// Who may have the bot ask, and how often: /curiosity, for oneself and for all.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ofAsked } from '#shared/memory/record.ts'
import { until } from '#test/rig/fleet.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { hear, toRoom, type Room } from '#test/rig/chats/room.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { passQuietMinutes, startCuriosity } from '#test/rig/curiosity.ts'
import { findNoon } from '#test/rig/noon.ts'
import { planModel } from './planned-model.ts'
import { questionStages, type QuestionStage } from './questions-stage.ts'

async function findWaiting({ fleet }: QuestionStage): Promise<number> {
  const keys = await fleet.redis.admin.keys('fl:{person-*}')
  const people = keys.flatMap((key) => /person-(.*)\}/.exec(key)?.[1] ?? [])
  const read = await Promise.all(people.map(async (one) => await fleet.runtime.memory.read(ofAsked(one))))
  return read.reduce((sum, one) => sum + (one === 'same' ? 0 : one.count), 0)
}

async function raise({ model }: Pick<QuestionStage, 'model'>, room: Room, who: string, matter: string): Promise<void> {
  model.answers(`A plan of it. I assumed that the ${matter} is online.`)
  await room.ask(who, `plan the ${matter} please`)
  await hear(room, `the ${matter} is online`)
}

test('an owner stops it for everybody, queued work included, and nobody else does', { timeout: 60_000 }, async () => {
  await using stage = await questionStages.telegram('en')
  await using _ = startCuriosity(stage.fleet)
  const [ann, bob] = [stage.direct('Ann'), stage.direct('Bob')]
  await bob.ask('Bob', '/curiosity stop all')
  await hear(bob, 'Only an owner can change that for everybody.')
  await raise(stage, bob, 'Bob', 'retro')
  await until(async () => (await findWaiting(stage)) === 1)
  await ann.ask('Ann', '/curiosity stop all')
  await hear(ann, 'From now on I ask nobody')
  await sleep(1500)
  await raise(stage, bob, 'Bob', 'standup')
  await sleep(3000)
  expect(await findWaiting(stage)).toBe(1)
  await bob.ask('Bob', '/curiosity')
  await hear(bob, 'An owner has me ask nobody for now.')
  await ann.ask('Ann', '/curiosity')
  await hear(ann, 'An owner has stopped my questions')
  await ann.ask('Ann', '/questions now')
  await hear(ann, 'Lift that by `/curiosity start all` first.')
  await ann.ask('Ann', '/curiosity often')
  await hear(ann, 'for everybody `/curiosity stop all` or `start all`')
  await ann.ask('Ann', '/curiosity start all')
  await hear(ann, 'I collect questions again.')
  await until(async () => (await findWaiting(stage)) === 2)
})

test('who wants no questions has none collected, and each has hours of their own', { timeout: 60_000 }, async () => {
  await using stage = await questionStages.telegram('en')
  await using _ = startCuriosity(stage.fleet)
  const bob = stage.direct('Bob')
  await bob.ask('Bob', '/curiosity off')
  await hear(bob, 'I ask you nothing.')
  await raise(stage, bob, 'Bob', 'retro')
  // Ann's turn comes behind it: once that is read, Bob's was passed by.
  await raise(stage, stage.direct('Ann'), 'Ann', 'standup')
  await until(async () => (await findWaiting(stage)) > 0)
  await sleep(1500)
  await bob.ask('Bob', '/curiosity hours 20-10')
  await bob.ask('Bob', '/curiosity week 1')
  await bob.ask('Bob', '/curiosity on')
  const told = await hear(bob, 'I collect what only you can tell')
  expect(told.text).toContain('Quiet hours: 20:00–10:00.')
  expect(told.text).toContain('1 a week at most')
  await bob.ask('Bob', '/curiosity week 0')
  const cold = await hear(bob, 'When we have not just talked, no card comes.')
  expect(cold.text).toContain('nothing was said for two minutes')
  await bob.ask('Bob', '/curiosity hours 3-4')
  await hear(bob, 'Quiet hours: 3:00–4:00.')
  await bob.ask('Bob', '/curiosity hours 25-3')
  await hear(bob, 'An hour is a number from 0 to 23.')
  await bob.ask('Bob', '/curiosity hours 9')
  await hear(bob, 'I cannot read that as hours.')
  await bob.ask('Bob', '/curiosity hours 9-9')
  await hear(bob, 'The two hours must differ.')
  await bob.ask('Bob', '/curiosity week 3')
  await hear(bob, '0, 1 or 2 cards a week may come')
  await bob.ask('Bob', '/curiosity often')
  expect((await hear(bob, 'Use `/curiosity on`')).text).not.toContain('stop all')
  expect(await findWaiting(stage)).toBe(1)
})

test('who has no direct chat is told in the group how to open one, once a month', { timeout: 60_000 }, async () => {
  await using platform = await startTelegram({ patienceMs: 20_000 })
  await using fleet = await startChatFleet([platform], { owner: 'Ann' })
  await using _ = startCuriosity(fleet)
  const model = planModel(fleet.model)
  const group = platform.group({ by: 'Ann', title: 'Retro', hasThreads: false, isBotAdmin: true })
  const room = toRoom('Retro', group)
  await group.replyTo(group.ask('Ann', '/allow here'))
  const { desks, memory, people } = fleet.runtime
  const line = 'Bob: I have something for you alone. Please open a direct chat'
  for (const [at, matter] of ['retro', 'standup'].entries()) {
    await raise({ model }, room, 'Bob', matter)
    // Nothing is known yet of who spoke in a group alone.
    const bob = await until(async () => (await desks.findWaiting(Date.now() + 60_000, 10))[0])
    await people.setZone(bob, findNoon())
    await until(async () => {
      const read = await memory.read(ofAsked(bob))
      return read !== 'same' && read.count === at + 1
    })
    await until(async () => (await passQuietMinutes(fleet)) > 0)
    await hear(room, line)
  }
  await sleep(1500)
  expect((await room.seen()).filter(({ text }) => text.includes(line))).toHaveLength(1)
})
