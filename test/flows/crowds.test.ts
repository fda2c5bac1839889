// Groups that nobody admitted, groups where everybody writes at once, groups that move, and routers that die while somebody writes.
import { expect, test } from 'vitest'
import { lastPrompt, startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { startFleet } from '#test/rig/fleet.ts'

const people = (count: number): string[] => Array.from({ length: count }, (_, i) => `Member ${i}`)

test('a group that nobody admitted gets one notice for thirty members, and then silence', async () => {
  await using platform = await startTelegram()
  await using fleet = await startChatFleet([platform], { owner: 'Olga' })
  const group = platform.group({ by: 'Mallory' })
  await group.until(() => group.said()[0])
  for (const who of people(30)) {
    group.ask(who, 'what is up?')
    group.say(who, 'nothing for you')
    group.command(who, 'help')
    group.command(who, 'start')
  }
  // The owner's word comes behind all of theirs.
  await group.replyTo(group.say('Olga', `/allow${group.mention} here`))
  expect(group.said().map((one) => one.text.includes('/allow here'))).toEqual([true, false])
  expect(fleet.model.ledger.entries).toEqual([])
})

test('while three hundred people of a group write at once, quiet chats are answered within ten seconds', async () => {
  await using platform = await startTelegram()
  await using fleet = await startChatFleet([platform], { owner: 'Olga' })
  const group = platform.group({ by: 'Olga' })
  const quiet = ['Ann', 'Bob', 'Chen']
  for (const who of quiet) await fleet.runtime.access.admit('person', platform.principal(who), 'test')
  await group.until(() => group.said()[0])
  fleet.model.script({ when: { model: 'sim-main' }, latencyMs: 50 })
  for (const who of people(300)) group.ask(who, `what is ${who}?`)
  const askedMs = Date.now()
  await Promise.all(
    quiet.map(async (who) => {
      await platform.direct(who).answerTo(who, 'and what is quiet?')
      expect(Date.now() - askedMs).toBeLessThan(10_000)
    }),
  )
  // The crowd is served too.
  await group.until(() => group.said()[4])
})

test('a group that moves keeps its mode, its admission and what was said', async () => {
  await using platform = await startTelegram()
  await using fleet = await startChatFleet([platform], { owner: 'Olga' })
  const { telegram, idOf } = platform
  const say = (chat: number, text: string): number => telegram.sendText({ from: idOf('Ann'), chat, text }).message
  const replyTo = (chat: number, message: number): Promise<unknown> =>
    telegram.until(() => telegram.visible(chat).find((one) => one.from === 'bot' && one.replyTo === message))
  telegram.addBotToGroup({ chat: -700, by: idOf('Olga'), type: 'group', admins: [idOf('Ann')] })
  await telegram.until(() => telegram.visible(-700).find((one) => one.from === 'bot'))
  await replyTo(-700, say(-700, `/mode@${telegram.bot.username} always`))
  await replyTo(-700, say(-700, 'what is before?'))
  telegram.upgradeGroup({ chat: -700, to: -70_000, by: idOf('Olga') })
  await replyTo(-70_000, say(-70_000, 'what is after?'))
  expect(lastPrompt(fleet)).toContain('what is before?')
  const refused = telegram.ledger.of('sendMessage').filter((entry) => entry.status !== 200)
  expect(refused).toEqual([])
})

test('what a router held back when it died is routed by the next one, as one turn', async () => {
  await using fleet = await startFleet({ parts: ['executor'] })
  await fleet.runtime.access.admit('chat', 'web:crowd', 'test')
  const member = { conversation: 'web:crowd', principal: 'web:ann', name: 'Ann', group: true }
  const dying = fleet.startRouter()
  const first = await fleet.tell('what is one', { ...member, addressed: false })
  const second = await fleet.tell('plus one?', member)
  await dying.stop(0)
  expect((await fleet.runtime.kernel.inbox(member.conversation, 10)).events).toHaveLength(2)
  // No hint is left: the sweeper finds what is unrouted.
  fleet.startRouter()
  expect((await fleet.replyTo(first, member.conversation)).answers).toEqual([first, second])
  expect(fleet.model.ledger.entries).toHaveLength(1)
})
