// One person on two platforms: linked by a code and a yes on both sides, they share what is kept for them, and part again; on the real processes.
import { expect, test } from 'vitest'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { labels, type SimulatedChat } from '#test/rig/chats/chat.ts'
import { startDiscord } from '#test/rig/chats/discord-chat.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'

const who = 'Ada'

/** What a person does and sees in one chat. */
function createSide(chat: SimulatedChat) {
  const heard = (part: string): number => chat.said().filter(({ text }) => text.includes(part)).length
  return {
    chat,
    say: (text: string): string => chat.ask(who, text),
    async hear(part: string, times = 1): Promise<string> {
      await chat
        .until(() => (heard(part) >= times ? true : undefined))
        .catch((cause: unknown) => {
          const said = chat.said().map(({ text }) => text)
          throw new Error(`Nobody said "${part}": ${said.join(' | ')}`, { cause })
        })
      return chat.said().findLast(({ text }) => text.includes(part))?.text ?? ''
    },
    async press(label: string): Promise<void> {
      const card = await chat.until(() => chat.said().findLast((one) => labels(one).includes(label)))
      await chat.press(who, card.id, label).notice()
    },
  }
}

async function openSides() {
  const platforms = [
    await startTelegram({ patienceMs: 30_000 }),
    await startDiscord({ patienceMs: 30_000, limits: 'off' }),
  ]
  const [telegram, discord] = platforms
  if (!telegram || !discord) throw new Error('Both platforms are needed.')
  const fleet = await startChatFleet(platforms, {})
  return {
    fleet,
    telegram: createSide(telegram.direct(who)),
    discord: createSide(discord.direct(who)),
    group: createSide(discord.group({ by: who })),
    async [Symbol.asyncDispose]() {
      await fleet[Symbol.asyncDispose]()
      for (const platform of platforms) await platform[Symbol.asyncDispose]()
    },
  }
}

const toCode = (text: string): string => /\/link (\S+)/.exec(text)?.[1] ?? ''

test('kept on one, found on the other; parted again', { timeout: 90_000 }, async () => {
  await using sides = await openSides()
  const { telegram, discord } = sides
  telegram.say('remember that my boat is called Zebrafinch')
  await telegram.hear('Kept as number 1')
  discord.say('remember that my desk is on the third floor')
  await discord.hear('Kept as number 1')
  telegram.say('/link')
  const code = toCode(await telegram.hear('It holds for ten minutes'))
  discord.say(`/link ${code.toLowerCase()}`)
  const card = await discord.hear('Shall I link this account with')
  expect(card).toContain('one thing here and one thing there')
  await discord.press('Link')
  await discord.hear('Now confirm it there')
  // Nothing is shared by one side alone.
  discord.say('/memory')
  expect(await discord.hear('I keep 1 thing')).not.toContain('Zebrafinch')
  await telegram.hear('That account typed your code.')
  await telegram.press('Link')
  await telegram.hear('is linked with')
  await discord.hear('is linked with')
  discord.say('/memory')
  expect(await discord.hear('I keep 2 things')).toContain('Zebrafinch')
  discord.say('/forget my boat')
  await discord.hear('Shall I forget this?')
  await discord.press('Forget it')
  await discord.hear('is forgotten')
  telegram.say('/memory')
  expect(await telegram.hear('I keep 1 thing')).toContain('third floor')
  telegram.say('/unlink')
  await telegram.hear('These accounts share what I keep for you')
  await telegram.press('Unlink this account')
  await telegram.hear('is not linked any more')
  await discord.hear('is not linked any more')
  telegram.say('/memory')
  await telegram.hear('I keep nothing yet')
  discord.say('/memory')
  await discord.hear('third floor', 2)
})

test('a code that is wrong, used, shown in a group, or declined', { timeout: 90_000 }, async () => {
  await using sides = await openSides()
  const { telegram, discord, group } = sides
  telegram.say('/link')
  const first = toCode(await telegram.hear('It holds for ten minutes'))
  group.chat.ask(who, `/link ${first}`)
  await group.hear('that code holds no more')
  discord.say(`/link ${first}`)
  await discord.hear('That code is wrong, too old or used.')
  telegram.say('/link')
  await telegram.hear('It holds for ten minutes', 2)
  const second = toCode(await telegram.hear('It holds for ten minutes', 2))
  discord.say(`/link ${second}`)
  await discord.hear('Shall I link this account with')
  await discord.press('Link')
  await telegram.hear('That account typed your code.')
  await telegram.press('Do not link')
  await discord.hear('“Do not link” was pressed')
  for (let times = 2; times <= 5; times++) {
    discord.say(`/link ${second}`)
    await discord.hear('That code is wrong, too old or used.', times)
  }
  telegram.say('/link')
  await telegram.hear('It holds for ten minutes', 3)
  discord.say(`/link ${toCode(await telegram.hear('It holds for ten minutes', 3))}`)
  await discord.hear('Too many wrong codes')
  discord.say('/unlink')
  await discord.hear('This account is linked with none.')
  expect(await sides.fleet.runtime.accounts.find('telegram:1001')).toEqual([])
})

test('a card of before the link changes what it named, and nothing of anybody else', { timeout: 90_000 }, async () => {
  await using sides = await openSides()
  const { telegram, discord } = sides
  for (const text of ['my kite is red', 'my boat is called Zebrafinch']) {
    telegram.say(`remember that ${text}`)
    await telegram.hear(`“${text}”`)
  }
  discord.say('remember that my desk is on the third floor')
  await discord.hear('Kept as number 1')
  discord.say('remember that my hat is green')
  await discord.hear('Kept as number 2')
  discord.say('/memory find hat')
  await discord.press('2')
  await discord.press('Pin')
  await discord.hear('pinned')
  discord.say('/forget my desk')
  await discord.hear('Shall I forget this?')
  telegram.say('/link')
  const code = toCode(await telegram.hear('It holds for ten minutes'))
  discord.say(`/link ${code}`)
  await discord.press('Link')
  await telegram.press('Link')
  await discord.hear('is linked with')
  // The desk is number 3 now, the hat is 4, 1 is the kite, and 2 the boat.
  await discord.press('Forget it')
  await discord.hear('One thing is forgotten')
  await discord.press('Unpin')
  await discord.hear('**4** my hat is green')
  await discord.press('Undo')
  await discord.hear('Undone: number 4 is not kept.')
  telegram.say('/memory')
  const list = await telegram.hear('I keep 2 things')
  expect(list).toContain('kite')
  expect(list).not.toContain('desk')
})
