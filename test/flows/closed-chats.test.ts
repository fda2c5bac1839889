// Who blocks the bot, or takes a chat away, leaves no question open: what was asked there is called off at once, and its feature acts as nobody
// will answer.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toPartition } from '#queues/partition.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startTelegram, type TelegramPlatform } from '#test/rig/chats/telegram-chat.ts'
import { until, type Fleet } from '#test/rig/fleet.ts'
import { sampleFeature } from '#test/rig/sample-feature.ts'

let fleet: Fleet
let platform: TelegramPlatform
beforeAll(async () => {
  platform = await startTelegram()
  fleet = await startChatFleet([platform], { owner: 'Olga', env: { FLOTILLA_ALLOW: '*' }, features: [sampleFeature] })
  const calls = [{ name: 'ask_to_keep', arguments: '{}' }]
  fleet.model.script({ when: { text: 'keep notes' }, answer: { kind: 'tools', calls } })
})
afterAll(async () => {
  await fleet[Symbol.asyncDispose]()
  await platform[Symbol.asyncDispose]()
})

const idOf = (who: string): number => Number(platform.principal(who).replace('telegram:', ''))

/** How a question that a feature asked there ended. */
async function endOf(conversation: string): Promise<unknown> {
  return await until(async () => {
    const lines = await fleet.runtime.kernel.readRecords(toPartition(conversation), '0-0', 1000)
    const ended = lines.find((line) => line.kind === 'work' && line.conversation === conversation)
    return ended?.kind === 'work' && `${ended.record.what} ${ended.record.ended}: ${ended.record.answer}`
  })
}

test('who blocks the bot calls off what it asked them', async () => {
  const chat = platform.direct('Ann')
  await chat.answerTo('Ann', 'keep notes for me')
  await chat.hear('Keep none?')
  platform.telegram.block(idOf('Ann'))
  expect(await endOf(chat.conversation)).toBe('notes.keep expired: Nobody said (cancelled).')
})

test('a chat that turns out to be gone calls off what was asked there', async () => {
  const chat = platform.direct('Bob')
  await chat.answerTo('Bob', 'keep notes for me')
  await chat.hear('Keep none?')
  platform.telegram.deleteChat(idOf('Bob'))
  chat.say('Bob', 'are you there?')
  expect(await endOf(chat.conversation)).toBe('notes.keep expired: Nobody said (cancelled).')
})
