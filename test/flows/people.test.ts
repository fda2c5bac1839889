// People on every channel: where they are reached alone is learned as they speak, their zone is the same in every conversation, who blocks
// the bot is known until they write again, and each platform has a link by which a direct chat is opened.
import { describe, expect, test } from 'vitest'
import { findDirectLine } from '#services/direct-line/direct-line.ts'
import { labels, type ChatPlatform } from '#test/rig/chats/chat.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startDiscord } from '#test/rig/chats/discord-chat.ts'
import { startFeishu } from '#test/rig/chats/feishu-chat.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { startFleet, until } from '#test/rig/fleet.ts'

type Opened = AsyncDisposable & {
  readonly platform: ChatPlatform
  readonly link: RegExp
  block(who: string): void
  unblock(who: string): void
}
const toOpened = (made: Omit<Opened, typeof Symbol.asyncDispose>): Opened => ({
  ...made,
  [Symbol.asyncDispose]: () => made.platform[Symbol.asyncDispose](),
})
const open: Readonly<Record<string, () => Promise<Opened>>> = {
  async telegram() {
    const platform = await startTelegram()
    const { telegram, idOf } = platform
    const link = new RegExp(`^https://t\\.me/${telegram.bot.username}\\?start=hello$`)
    const block = (who: string): void => telegram.block(idOf(who))
    return toOpened({ platform, link, block, unblock: (who) => telegram.unblock(idOf(who)) })
  },
  async discord() {
    const platform = await startDiscord({ limits: 'off' })
    const { discord } = platform
    const link = new RegExp(`^https://discord\\.com/users/${discord.bot.id}$`)
    const block = (who: string): void => {
      const fault = { kind: 'error', status: 403, code: 50007, message: 'Cannot send messages to this user' } as const
      discord.fault({ when: { channel: discord.person(who).dm }, fault })
    }
    return toOpened({ platform, link, block, unblock: () => discord.clearFaults() })
  },
  async feishu() {
    const platform = await startFeishu()
    const { feishu } = platform
    const link = new RegExp(`^https://applink\\.feishu\\.cn/client/bot/open\\?appId=${feishu.appId}$`)
    const block = (who: string): void => {
      const fault = {
        kind: 'error',
        code: 230_053,
        message: 'The user has stopped the bot from sending messages.',
      } as const
      feishu.fault({ when: { chat: feishu.person(who).dm }, fault })
    }
    return toOpened({ platform, link, block, unblock: () => feishu.clearFaults() })
  },
}

describe.each(Object.entries(open))('on %s', (_, opening) => {
  test('a person’s zone is theirs in a group and alone, and nobody else’s', { timeout: 60_000 }, async () => {
    await using opened = await opening()
    const { platform } = opened
    await using fleet = await startChatFleet([platform])
    const [alone, group] = [platform.direct('Ada'), platform.group({ by: 'Ada', admins: ['Ada'] })]
    expect((await alone.answerTo('Ada', '/zone Europe/Berln')).text).toContain('Did you mean')
    const card = await alone.answerTo('Ada', '/zone')
    expect(labels(card)).toContain('Berlin')
    await alone.press('Ada', card.id, 'Berlin').notice()
    await alone.when(card.id, ({ text }) => text.startsWith('Your time zone: Europe/Berlin'))
    expect((await group.answerTo('Ada', '/zone')).text).toContain('Europe/Berlin')
    expect((await group.answerTo('Bob', '/zone')).text).toContain('do not know your time zone')
    const ada = await fleet.runtime.people.find(platform.principal('Ada'))
    expect(ada).toMatchObject({ zone: 'Europe/Berlin', direct: { [platform.name]: alone.conversation } })
    // Bob never spoke to it alone.
    expect((await fleet.runtime.people.find(platform.principal('Bob'))).direct).toEqual({})
  })

  test(
    'who has no direct chat is given the platform’s link, once; who blocked it too',
    { timeout: 60_000 },
    async () => {
      await using opened = await opening()
      const { platform, link, block, unblock } = opened
      await using fleet = await startChatFleet([platform])
      const { people } = fleet.runtime
      const [principal, chat] = [platform.principal('Ada'), platform.direct('Ada')]
      const say = () => findDirectLine(people, { principal, conversation: `${platform.name}:-5`, language: 'en' })
      expect(await until(() => people.findLink(platform.name))).toMatch(link)
      const line = await say()
      expect(line.kind === 'line' && line.text).toContain(await people.findLink(platform.name))
      expect(await say()).toEqual({ kind: 'silent' })
      await chat.answerTo('Ada', 'what is one?')
      await until(async () => (await people.find(principal)).direct[platform.name])
      expect(await say()).toEqual({ kind: 'reached' })
      block('Ada')
      // Only Telegram tells of it; elsewhere a refused message does.
      if (platform.name !== 'telegram') chat.ask('Ada', 'what is two?')
      await until(async () => (await people.find(principal)).blockedSinceMs)
      expect(await say()).toEqual({ kind: 'silent' })
      unblock('Ada')
      await chat.answerTo('Ada', 'what is three?')
      await until(async () => (await people.find(principal)).blockedSinceMs === undefined)
      expect(await say()).toEqual({ kind: 'reached' })
    },
  )
})

test('whoever follows the link of Telegram is greeted, not asked for a code', async () => {
  await using platform = await startTelegram()
  await using fleet = await startChatFleet([platform])
  expect((await platform.direct('Ada').answerTo('Ada', '/start hello')).text).toMatch(/^Hello! Tell me what you need/)
  expect(fleet.model.ledger.entries).toEqual([])
})

test.each(['web:main', 'console:me'])(
  'in %s the owner’s zone is that of all their conversations',
  async (conversation) => {
    await using fleet = await startFleet()
    const principal = conversation.replace(/:.*/, ':owner')
    const ask = async (text: string, where: string): Promise<string> =>
      (await fleet.ask(text, { conversation: where, principal, slash: 'zone' })).text
    expect(await ask('/zone Asia/Tokyo', conversation)).toContain('Asia/Tokyo')
    expect(await ask('/zone', `${conversation}2`)).toContain('Asia/Tokyo')
    const { people } = fleet.runtime
    const [channel = ''] = conversation.split(':')
    await until(async () => (await people.find(principal)).direct[channel === 'web' ? 'web' : 'console'])
    expect(await findDirectLine(people, { principal, conversation, language: 'en' })).toEqual({ kind: 'reached' })
  },
)
