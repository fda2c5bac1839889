// The whole scene of memory in people's hands, on all five channels of one fleet: a preference said in passing, saved by a tap, found on every linked
// account, told in a group only once it is allowed, edited in MEMORY.md, contradicted and asked about, and forgotten everywhere.
import { writeFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { ofPerson } from '#shared/memory/record.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { labels } from '#test/rig/chats/chat.ts'
import { startDiscord } from '#test/rig/chats/discord-chat.ts'
import { startFeishu } from '#test/rig/chats/feishu-chat.ts'
import { hear, toRoom, toWebRoom, type Room } from '#test/rig/chats/room.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { openTerminal } from '#test/rig/chats/terminal-room.ts'
import { createWebChat } from '#test/rig/chats/web-chat.ts'
import { passQuietMinutes, startCuriosity } from '#test/rig/curiosity.ts'
import { until, type Fleet } from '#test/rig/fleet.ts'
import { findNoon } from '#test/rig/noon.ts'
import { startReflection } from '#test/rig/reflection.ts'
import { findLeaks } from '#test/rig/texts.ts'
import { startPage } from '#test/rig/web-page.ts'

const who = 'Ada'
const canary = 'Zebrafinch'

async function openPage(fleet: Fleet): Promise<Room> {
  const page = await startPage(fleet)
  const chat = createWebChat({ ...page, name: 'scene' })
  onTestFinished(async () => {
    chat.close()
    await page[Symbol.asyncDispose]()
  })
  return toWebRoom('The page', chat)
}

async function openScene() {
  const telegram = await startTelegram({ patienceMs: 30_000 })
  const discord = await startDiscord({ patienceMs: 30_000, limits: 'off' })
  const feishu = await startFeishu({ patienceMs: 30_000 })
  const platforms = [telegram, discord, feishu]
  for (const platform of platforms) onTestFinished(() => platform[Symbol.asyncDispose]())
  const fleet = await startChatFleet(platforms, {})
  onTestFinished(() => fleet[Symbol.asyncDispose]())
  for (const part of [await startReflection(fleet), startCuriosity(fleet)])
    onTestFinished(() => part[Symbol.asyncDispose]())
  const terminal = await openTerminal(fleet.runtime, 'A terminal', { name: 'scene' })
  onTestFinished(() => terminal.close())
  return {
    fleet,
    principal: telegram.principal(who),
    home: toRoom('Telegram', telegram.direct(who)),
    others: [
      toRoom('Discord', discord.direct(who)),
      toRoom('Feishu', feishu.direct(who)),
      await openPage(fleet),
      terminal,
    ],
    group: toRoom('A group', telegram.group({ by: who })),
  }
}

/** Presses a button of the newest message that shows it. */
async function press(room: Room, label: string): Promise<void> {
  const card = await hear(room, (one) => labels(one).includes(label), `a card with ${label}`)
  await room.press(who, card.id, label)
}
/** All of it, the state of the session too. */
const newestPrompt = ({ model }: Fleet): string => JSON.stringify(model.ledger.entries.at(-1)?.messages ?? [])
const toCode = (text: string): string => /\/link (\S+)/.exec(text)?.[1] ?? ''

/** Where somebody wants to look at it, all that was said. */
async function writeTranscript(rooms: readonly Room[]): Promise<void> {
  const file = process.env['SCENE_TRANSCRIPT']
  if (file === undefined) return
  const each = rooms.map(async ({ title, seen }) => {
    const lines = (await seen()).map(({ by, text, ...one }) => `${by}: ${text}\n${labels(one).join(' | ')}`)
    return `# ${title}\n\n${lines.join('\n')}`
  })
  await writeFile(file, (await Promise.all(each)).join('\n\n'))
}

test('a preference on five channels, from the first word to the last', { timeout: 240_000 }, async () => {
  const { fleet, principal, home, others, group } = await openScene()
  onTestFinished(() => writeTranscript([home, ...others, group]))
  const { memory, people } = fleet.runtime
  const read = async () => {
    const now = await memory.read(ofPerson(principal))
    return now === 'same' ? [] : now.records.filter(({ supersededBy }) => supersededBy === undefined)
  }
  fleet.model.script({ answer: { kind: 'text', text: 'I see.' } })
  await home.ask(who, 'hello')
  await hear(home, 'What can I do for you?')
  await people.setZone(principal, findNoon())

  // Said in passing, twice: it waits, once, and is saved by a tap.
  for (const text of [
    `I prefer ${canary} tea without sugar.`,
    `I prefer ${canary} tea without sugar!`,
    'I live in Lyon.',
    'I am a vegetarian.',
  ])
    await home.ask(who, text)
  await until(async () => (await read()).length === 3)
  await until(async () => {
    await passQuietMinutes(fleet)
    return (await home.seen()).some((one) => labels(one).includes('Save'))
  })
  for (let at = 1; at <= 3; at++) {
    await hear(home, `${at} / 3`)
    await press(home, 'Save')
  }
  await until(async () => (await read()).filter(({ status }) => status === 'confirmed').length === 3)

  // Found on every account, once both sides have confirmed that they are one person.
  for (const [nth, room] of others.entries()) {
    await home.ask(who, '/link')
    const code = await until(async () => {
      const given = (await home.seen()).filter(({ text }) => text.includes('It holds for ten minutes'))
      return given.length > nth ? toCode(given.at(-1)?.text ?? '') : undefined
    })
    await room.ask(who, `/link ${code}`)
    await press(room, 'Link')
    await press(home, 'Link')
    await hear(room, 'is linked with')
    await room.ask(who, '/memory')
    expect((await hear(room, 'I keep 3 things')).text).toContain(canary)
  }

  // In a group it is told once it is allowed.
  const question = 'how do I prefer my tea?'
  await group.ask(who, question)
  await hear(group, 'I see.')
  expect(newestPrompt(fleet)).toContain(question)
  expect(newestPrompt(fleet)).not.toContain(canary)
  await home.ask(who, `/memory find ${canary}`)
  await press(home, String((await read()).find(({ text }) => text.includes(canary))?.number))
  await press(home, 'Allow in groups')
  await until(async () => (await read()).some(({ groups }) => groups === true))
  await group.ask(who, question)
  await until(() => newestPrompt(fleet).includes(canary))

  // Edited as a file, on another account.
  const [discord = home, feishu = home, page = home, terminal = home] = others
  await discord.ask(who, '/memory file')
  const file = (await hear(discord, '# MEMORY')).text
  const edited = /`{3,}[a-z]*\n([\s\S]*?)\n`{3,}/.exec(file)?.[1]?.replace('without sugar', 'with honey') ?? ''
  await discord.ask(who, `/memory file\n${edited}`)
  await hear(discord, '1 changed')
  await press(discord, 'Apply')
  await until(async () => (await read()).some(({ text }) => text.includes('with honey')))

  // Contradicted on a third one: asked, and not written over.
  await feishu.ask(who, 'I live in Paris.')
  await until(async () => (await read()).some(({ text }) => text.includes('Paris')))
  expect((await read()).some(({ text }) => text.includes('Lyon'))).toBe(true)

  // Forgotten on a fourth: nowhere left.
  await page.ask(who, `/forget ${canary}`)
  await press(page, 'Forget it')
  await hear(page, 'forgotten')
  for (const room of [home, terminal]) {
    await room.ask(who, `/memory find ${canary}`)
    await hear(room, 'I keep nothing that has to do with')
  }
  expect((await read()).some(({ text }) => text.includes(canary))).toBe(false)
  expect(await findLeaks(fleet.redis.admin, 'with honey')).toEqual([])
})
