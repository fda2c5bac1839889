// What people send that is no plain text, on the simulated platforms: its words reach the model, or a notice says that they do not.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lastPrompt, startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startDiscord, type DiscordPlatform } from '#test/rig/chats/discord-chat.ts'
import { startFeishu, type FeishuPlatform } from '#test/rig/chats/feishu-chat.ts'
import { startTelegram, type TelegramPlatform } from '#test/rig/chats/telegram-chat.ts'
import type { Fleet } from '#test/rig/fleet.ts'

let fleet: Fleet
let telegram: TelegramPlatform
let discord: DiscordPlatform
let feishu: FeishuPlatform
beforeAll(async () => {
  telegram = await startTelegram()
  discord = await startDiscord()
  feishu = await startFeishu()
  fleet = await startChatFleet([telegram, discord, feishu])
})
afterAll(async () => {
  await fleet[Symbol.asyncDispose]()
  await telegram[Symbol.asyncDispose]()
  await discord[Symbol.asyncDispose]()
  await feishu[Symbol.asyncDispose]()
})
beforeEach(() => fleet.model.ledger.clear())

const paragraph = (text: unknown) => ({ type: 'paragraph', text })
const rich = (...blocks: unknown[]) => ({ rich_message: { blocks } })

test('Telegram: a rich message is answered, in a group too where it mentions the bot, and an edit into one is heard', async () => {
  const from = telegram.idOf('Ann')
  const direct = telegram.direct('Ann')
  const { message } = telegram.telegram.sendContent({
    from,
    content: rich(paragraph(['explain ', { type: 'bold', text: 'tides' }])),
  })
  await direct.replyTo(String(message))
  expect(lastPrompt(fleet)).toContain('explain tides')

  const group = telegram.group({ by: 'Ann' })
  const mention = { type: 'mention', text: group.mention, username: group.mention.slice(1) }
  const named = telegram.telegram.sendContent({
    from,
    chat: telegram.chatIdOf(group),
    content: rich(paragraph([mention, ' explain eclipses'])),
  })
  await group.replyTo(String(named.message))
  expect(lastPrompt(fleet)).toContain('explain eclipses')

  telegram.telegram.editContent({ from, message, content: rich(paragraph('explain comets')) })
  const offered = () => direct.seen().find(({ buttons }) => buttons.flat().some(({ label }) => label === 'Redo'))
  await expect.poll(offered, { timeout: 10_000 }).toBeDefined()
})

test('Telegram: a reply to a table of the bot’s own brings the table along', async () => {
  const ben = telegram.direct('Ben')
  const table = '| item | price |\n|---|---|\n| milk | 2 |\n| eggs | 3 |'
  fleet.model.script({ when: { text: 'list the prices' }, answer: { kind: 'text', text: table } })
  const answer = await ben.replyTo(ben.say('Ben', 'list the prices'))
  await ben.replyTo(ben.say('Ben', 'which of these is cheaper?', { replyTo: answer.id }))
  expect(lastPrompt(fleet)).toMatch(/reply to you⟧\n(?:> .*\n)*> milk \| 2\n> eggs \| 3\n/)
})

test('Telegram: what cannot be read gets a notice, and what Telegram itself says gets none', async () => {
  const from = telegram.idOf('Cleo')
  const cleo = telegram.direct('Cleo')
  telegram.telegram.sendContent({ from, content: { pinned_message: {} } })
  const future = telegram.telegram.sendContent({ from, content: { hologram: { file_id: 'x' } } })
  expect((await cleo.replyTo(String(future.message))).text).toContain('I cannot read this yet.')
  expect(cleo.seen().filter(({ by }) => by !== 'Cleo')).toHaveLength(1)
  expect(fleet.model.ledger.entries).toEqual([])
})

const alert = { embeds: [{ type: 'rich', title: 'Disk full on node-3', fields: [{ name: 'host', value: 'node-3' }] }] }

test('Discord: the role that Discord made for the bot names it, and other roles and channels are read by name', async () => {
  const { channel, channels, roles } = discord.discord.addGuild({ channels: ['general', 'ops'] })
  const chat = discord.channel(channel)
  await chat.replyTo(chat.say('Dan', `<@&${roles.bot}> what do <@&${roles.admin}> do in <#${channels['ops']}>?`))
  expect(lastPrompt(fleet)).toContain('what do @admin do in #ops?')
})

test('Discord: a message of embeds alone is quoted in a reply, and read where it is forwarded', async () => {
  const { channel } = discord.discord.addGuild()
  const chat = discord.channel(channel)
  const message = discord.discord.sayAsWebhook({ channel, name: 'alerts', text: '', more: alert })
  await chat.replyTo(chat.say('Eve', `${chat.mention} what should I do about this?`, { replyTo: message }))
  expect(lastPrompt(fleet)).toContain('> Disk full on node-3\n> host: node-3')

  const direct = discord.direct('Eve')
  const { dm, say } = discord.discord.person('Eve')
  await direct.replyTo(say(dm, '', { forwardOf: { channel, message } }))
  expect(lastPrompt(fleet)).toContain('> Disk full on node-3\n> host: node-3')
})

test('Discord: the message that a thread was opened from is read once', async () => {
  const { channel } = discord.discord.addGuild()
  const starter = discord.discord.person('Bob').say(channel, 'The deploy failed with exit code 137.')
  const thread = discord.channel(discord.discord.person('Fay').openThread(channel, 'deploy', starter), channel)
  await thread.replyTo(thread.say('Fay', `${thread.mention} what could this be?`))
  expect(lastPrompt(fleet)).toMatch(/reply to Bob[^\n]*\n> The deploy failed with exit code 137\./)
  await thread.replyTo(thread.say('Fay', `${thread.mention} and how is it mended?`))
  expect(lastPrompt(fleet).match(/exit code 137/g)).toHaveLength(1)
})

test('Discord: what cannot be read gets a notice', async () => {
  const direct = discord.direct('Gil')
  const { dm, say } = discord.discord.person('Gil')
  expect((await direct.replyTo(say(dm, '', { more: { hologram: {} } }))).text).toContain('I cannot read this yet.')
  expect(
    (await direct.replyTo(say(dm, '', { more: { sticker_items: [{ id: '1', name: 'wave', format_type: 1 }] } }))).text,
  ).toContain('your sticker')
  expect(fleet.model.ledger.entries).toEqual([])
})

test('Feishu: a task is read, and what cannot be read gets a notice', async () => {
  const hugo = feishu.feishu.person('Hugo')
  const direct = feishu.direct('Hugo')
  const summary = { title: '', content: [[{ tag: 'text', text: 'Buy milk' }]] }
  await direct.replyTo(hugo.sayAny(hugo.dm, 'todo', { task_id: 't', summary }))
  expect(lastPrompt(fleet)).toContain('> Task: Buy milk')

  fleet.model.ledger.clear()
  const future = await direct.replyTo(hugo.sayAny(hugo.dm, 'hologram', { key: 'x' }))
  expect(future.text).toContain('I cannot read this yet.')
  const said = hugo.say(hugo.dm, 'thanks')
  await direct.replyTo(said)
  feishu.feishu.fault({
    when: { route: 'getMessage' },
    fault: { kind: 'error', status: 400, code: 230_002, message: 'x' },
  })
  const bundle = await direct.replyTo(hugo.forward(hugo.dm, [said]))
  expect(bundle.text).toContain('I got the forwarded messages, but I cannot read this yet.')
  expect(fleet.model.ledger.entries).toEqual([])
})
