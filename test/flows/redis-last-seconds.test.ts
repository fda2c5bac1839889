// Redis crashes and comes back without its last seconds; here without anything, which is the same to those who spoke in them. What they
// said is answered, and what was already said is not said again.
import { expect, test } from 'vitest'
import type { Feature } from '#shared/feature/feature.ts'
import { lastPrompt, startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { until } from '#test/rig/fleet.ts'

test(
  'messages that Redis lost with its last seconds are answered, in order and once',
  { timeout: 60_000 },
  async () => {
    await using platform = await startTelegram({ patienceMs: 30_000 })
    await using fleet = await startChatFleet([platform])
    const chat = platform.direct('Ada')
    // No answer is ready when it happens.
    fleet.model.script({ gate: { name: 'lost' } })
    for (const text of ['first', 'second']) chat.say('Ada', `what is the ${text} one?`)
    await until(() => platform.telegram.pendingUpdates() === 0)
    await fleet.redis.kill()
    await fleet.redis.restart()
    fleet.model.open('lost')
    await chat.hear('second')
    expect(lastPrompt(fleet)).toMatch(/first[^]*second/)
    expect(chat.said().filter(({ text }) => text.includes('second'))).toHaveLength(1)
  },
)

test('an answer that was given in the lost seconds is not given again', { timeout: 60_000 }, async () => {
  await using platform = await startTelegram({ patienceMs: 30_000 })
  await using fleet = await startChatFleet([platform])
  const chat = platform.direct('Ada')
  await chat.answerTo('Ada', 'what is one?')
  await fleet.redis.kill()
  await fleet.redis.restart()
  // The first is asked for a second time, and answered before what is said now.
  chat.say('Ada', 'what is two?')
  await chat.hear('two')
  expect(chat.said().filter(({ text }) => text.includes('one'))).toHaveLength(1)
})

const reminding: Feature = {
  name: 'soon',
  commands: [
    {
      name: 'soon',
      help: { zh: '稍后提醒', en: 'remind me soon' },
      run: async ({ args }) => [
        { kind: 'timer', timer: 'due', inMs: 1500, payload: args },
        { kind: 'send', text: 'I will.' },
      ],
    },
  ],
  timers: { due: { due: async ({ event }) => [{ kind: 'send', text: `Reminder: ${event.payload}` }] } },
}

test('what came in another order than before the loss is not said again', { timeout: 60_000 }, async () => {
  await using platform = await startTelegram({ patienceMs: 30_000 })
  await using fleet = await startChatFleet([platform], { redis: { aof: true }, features: [reminding] })
  const chat = platform.direct('Ada')
  const armed = async (): Promise<number> => {
    const all = await fleet.redis.admin.keys('fl:{p*}:timers')
    const due = await Promise.all(all.map((name) => fleet.redis.admin.zcount(name, '-inf', Date.now() + 10_000)))
    return due.reduce((sum, count) => sum + count, 0)
  }
  chat.say('Ada', '/soon water')
  await chat.hear('I will')
  const putBack = await fleet.redis.copyFiles()
  expect(await armed()).toBe(1)
  await chat.hear('Reminder')
  await chat.answerTo('Ada', 'what is one?')
  await fleet.redis.kill()
  await putBack()
  await fleet.redis.restart()
  // The message is given again at once, and the timer fires at the next look.
  await until(async () => (await armed()) === 0)
  await chat.answerTo('Ada', 'what is two?')
  const said = (word: string) => chat.said().filter(({ text }) => text.includes(word))
  expect(said('Reminder')).toHaveLength(1)
  expect(said('one')).toHaveLength(1)
})
