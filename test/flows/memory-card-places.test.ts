// The card of /memory where it is less at home: on Feishu, in Chinese, in a group that is paused, and pressed late or twice; on the real processes.
import { expect, test } from 'vitest'
import { ofChat, ofPerson } from '#shared/memory/record.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { labels, type SimulatedChat } from '#test/rig/chats/chat.ts'
import { startFeishu } from '#test/rig/chats/feishu-chat.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { until } from '#test/rig/fleet.ts'
import { hasReadAll, startReflection } from '#test/rig/reflection.ts'

/** Presses a button of the newest message that has it, and waits for the card that has another. */
async function press(chat: SimulatedChat, label: string, next: string): Promise<void> {
  const card = await chat.until(() => chat.said().findLast((one) => labels(one).includes(label)))
  await chat.press('Olga', card.id, label).notice()
  await chat.until(() => chat.said().find((one) => labels(one).includes(next)))
}

test('on Feishu, in Chinese', { timeout: 60_000 }, async () => {
  await using platform = await startFeishu()
  await using fleet = await startChatFleet([platform], { owner: 'Olga' })
  const chat = platform.direct('Olga')
  await chat.answerTo('Olga', '记住我的船叫斑马雀')
  const listed = await chat.answerTo('Olga', '/memory 全部')
  expect(listed.text).toContain('记住了 1 条')
  await press(chat, '1', '置顶')
  await press(chat, '置顶', '取消置顶')
  await press(chat, '允许在群里用', '不在群里用')
  const scope = ofPerson(platform.principal('Olga'))
  expect(await fleet.runtime.memory.find(scope, [1])).toMatchObject([{ pinned: true, groups: true }])
  const card = await chat.until(() => chat.said().findLast((one) => labels(one).includes('改')))
  await chat.press('Olga', card.id, '改').notice()
  await chat.hear('请在下一条消息里写下第 1 条的新说法')
  chat.ask('Olga', '我的船叫翠鸟')
  await chat.hear('改好了，现在是第 2 条')
  await press(chat, '忘掉', '确定忘掉')
  await press(chat, '返回', '改')
  await press(chat, '忘掉', '确定忘掉')
  const asked = await chat.until(() => chat.said().findLast((one) => labels(one).includes('确定忘掉')))
  const [first, second] = [chat.press('Olga', asked.id, '确定忘掉'), chat.press('Olga', asked.id, '确定忘掉')]
  await Promise.all([first.notice(), second.notice()])
  await chat.hear('已忘掉第 2 条')
  expect(await fleet.runtime.memory.find(scope, [1, 2])).toEqual([])
})

test('a card that a newer one took the place of changes nothing', { timeout: 60_000 }, async () => {
  await using platform = await startTelegram({ patienceMs: 30_000 })
  await using fleet = await startChatFleet([platform], { owner: 'Olga' })
  const chat = platform.direct('Olga')
  await chat.answerTo('Olga', 'remember that I live in Lyon')
  const one = await chat.answerTo('Olga', '/memory why 1')
  const [pin] = one.buttons.flat().filter(({ label }) => label === 'Pin')
  const two = await chat.answerTo('Olga', '/memory why 1')
  await chat.when(one.id, ({ buttons }) => buttons.length === 0)
  expect(await chat.forge('Olga', one.id, pin?.data ?? '').notice()).not.toBe('')
  await chat.press('Olga', two.id, 'Edit').notice()
  await chat.when(two.id, ({ text }) => text.includes('Write the new words'))
  const [record] = await fleet.runtime.memory.find(ofPerson(platform.principal('Olga')), [1])
  expect(record).not.toHaveProperty('pinned')
})

test('a group is paused by who may change it, for everybody there', { timeout: 60_000 }, async () => {
  await using platform = await startTelegram({ patienceMs: 30_000 })
  await using fleet = await startChatFleet([platform], { owner: 'Olga' })
  await using _ = await startReflection(fleet)
  const chat = platform.group({ by: 'Olga', admins: ['Ann'] })
  await chat.until(() => chat.said()[0])
  const { memory } = fleet.runtime
  const read = async (scope: string): Promise<readonly string[]> => {
    const found = await memory.read(scope)
    return found === 'same' ? [] : found.records.map(({ text }) => text)
  }
  const bob = ofPerson(platform.principal('Bob'))
  const refused = await chat.replyTo(chat.say('Bob', '/memory@flotilla_test_bot pause'))
  expect(refused.text).toContain('Only owners and admins')
  const paused = await chat.replyTo(chat.say('Ann', '/memory@flotilla_test_bot pause'))
  expect(paused.text).toContain('nothing of what is said in this group')
  await chat.answerTo('Bob', 'We decided to ship on Fridays.')
  await chat.answerTo('Bob', 'I live in Lyon.')
  await until(async () => await hasReadAll(fleet))
  expect([...(await read(ofChat(chat.conversation))), ...(await read(bob))]).toEqual([])
  const log = await chat.replyTo(chat.say('Bob', '/log@flotilla_test_bot'))
  expect(log.text).toContain('Nothing is on record here')
  const kept = await chat.answerTo('Bob', 'remember that we meet on Mondays')
  expect(kept.text).toContain('Memory is paused')
  await chat.replyTo(chat.say('Ann', '/memory@flotilla_test_bot resume'))
  await chat.answerTo('Bob', 'I live in Lille.')
  await until(async () => (await read(bob)).join().includes('Lille'))
  expect((await read(bob)).join()).not.toContain('Lyon')
})
