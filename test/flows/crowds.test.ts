// Groups that nobody admitted, groups where everybody writes at once, groups that move, and routers that die while somebody writes.
import { expect, test } from 'vitest'
import { startFleet } from '#test/rig/fleet.ts'
import { group, owner, startTelegramFleet } from '#test/rig/telegram-fleet.ts'

const mention = '@flotilla_test_bot'
const people = (count: number): number[] => Array.from({ length: count }, (_, i) => 1000 + i)

test('a group that nobody admitted gets one notice for thirty members, and then silence', async () => {
  await using rig = await startTelegramFleet()
  const { telegram, fleet } = rig
  const chat = -900
  telegram.addBotToGroup({ chat, by: 50 })
  await rig.waitFor(chat, 1)
  for (const from of people(30)) {
    telegram.sendText({ from, chat, text: `${mention} what is up?` })
    telegram.sendText({ from, chat, text: 'nothing for you' })
    telegram.sendText({ from, chat, text: `/help${mention}` })
    telegram.sendText({ from, chat, text: `/start${mention}` })
  }
  // The owner's word comes behind all of theirs.
  const word = telegram.sendText({ from: owner, chat, text: `/allow${mention} here` }).message
  await rig.replyTo(chat, word)
  expect(rig.bot(chat).map((one) => one.text.includes('/allow here'))).toEqual([true, false])
  expect(fleet.model.ledger.entries).toEqual([])
})

test('while three hundred people of a group write at once, quiet chats are answered within ten seconds', async () => {
  await using rig = await startTelegramFleet()
  const { telegram, fleet } = rig
  const quiet = [2001, 2002, 2003]
  for (const id of quiet) await fleet.runtime.access.admit('person', `telegram:${id}`, 'test')
  fleet.model.script({ when: { model: 'sim-main' }, latencyMs: 50 })
  for (const from of people(300)) telegram.sendText({ from, chat: group, text: `${mention} what is ${from}?` })
  const askedMs = Date.now()
  await Promise.all(
    quiet.map(async (from) => {
      await rig.replyTo(from, telegram.sendText({ from, text: 'and what is quiet?' }).message)
      expect(Date.now() - askedMs).toBeLessThan(10_000)
    }),
  )
  // The crowd is served too.
  await rig.waitFor(group, 5)
})

test('a group that moves keeps its mode, its admission and what was said', async () => {
  await using rig = await startTelegramFleet()
  const { telegram } = rig
  const say = (chat: number, text: string): number => telegram.sendText({ from: 60, chat, text }).message
  telegram.addBotToGroup({ chat: -700, by: owner, type: 'group', admins: [60] })
  await rig.waitFor(-700, 1)
  await rig.replyTo(-700, say(-700, `/mode${mention} always`))
  await rig.replyTo(-700, say(-700, 'what is before?'))
  telegram.upgradeGroup({ chat: -700, to: -70_000, by: owner })
  await rig.replyTo(-70_000, say(-70_000, 'what is after?'))
  expect(rig.lastPrompt()).toContain('what is before?')
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
