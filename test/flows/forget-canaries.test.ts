// A word of its own for each way into memory, and each is forgotten in another way: afterwards it stands in no key of Redis, in no file of Redis or of the
// index, on no page and in no file that is given out; and it is not inferred again from what hints at it.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startMemoryIndex } from '#infra/processes/follow-memory.ts'
import { ofPerson } from '#shared/memory/record.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startDiscord } from '#test/rig/chats/discord-chat.ts'
import { hear, toRoom, type Room } from '#test/rig/chats/room.ts'
import { labels } from '#test/rig/chats/chat.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { until, type Fleet } from '#test/rig/fleet.ts'
import { hasReadAll, startReflection } from '#test/rig/reflection.ts'
import { findInFiles, findLeaks, findText, rewriteFiles } from '#test/rig/texts.ts'

const who = 'Ada'

type Scene = { readonly fleet: Fleet; readonly home: Room; readonly other: Room; readonly owner: string }

async function press(room: Room, label: string): Promise<void> {
  const card = await hear(room, (one) => labels(one).includes(label), `a card with ${label}`)
  await room.press(who, card.id, label)
}
async function readTexts({ fleet, owner }: Scene): Promise<readonly string[]> {
  const read = await fleet.runtime.memory.read(ofPerson(owner))
  return read === 'same' ? [] : read.records.map(({ text }) => text)
}
async function findNumber(scene: Scene, canary: string): Promise<number> {
  const read = await scene.fleet.runtime.memory.read(ofPerson(scene.owner))
  const found = read === 'same' ? undefined : read.records.find(({ text }) => text.includes(canary))
  if (!found) throw new Error(`${canary} is not kept.`)
  return found.number
}
const isKept = async (scene: Scene, canary: string): Promise<void> =>
  void (await until(async () => (await readTexts(scene)).some((text) => text.includes(canary))))

/** Each has the word kept, and gives the message that said it where one can be pointed at. */
const waysIn: Readonly<Record<string, (scene: Scene, canary: string) => Promise<string | undefined>>> = {
  message: async ({ home }, canary) => await home.ask(who, `remember that my boat is called ${canary}`),
  async 'in passing, confirmed'(scene, canary) {
    const said = await scene.home.ask(who, `I prefer ${canary} cheese.`)
    await isKept(scene, canary)
    await scene.home.ask(who, `/memory keep ${await findNumber(scene, canary)}`)
    return said
  },
  async 'an edit'(scene, canary) {
    const before = `Mia${canary.slice(5, 7)}`
    await scene.home.ask(who, `remember that my cat is called ${before}`)
    await isKept(scene, before)
    await scene.home.ask(who, `/memory why ${await findNumber(scene, before)}`)
    const card = await hear(scene.home, (one) => one.text.includes(before) && labels(one).includes('Edit'))
    await scene.home.press(who, card.id, 'Edit')
    await hear(scene.home, 'Write the new words')
    return await scene.home.ask(who, `my cat is called ${canary}`)
  },
  async 'a file'({ home }, canary) {
    const said = await home.ask(who, `/memory file\n# MEMORY\n## Facts\n- my garden is called ${canary}`)
    await press(home, 'Apply')
    return said
  },
  async 'a skill'({ home }, canary) {
    const said = await home.ask(who, `/teach ${canary} tea\n1. Boil the water.\n2. Pour it over the leaves.`)
    const card = await hear(home, (one) => one.text.includes(canary) && labels(one).includes('Keep'))
    await home.press(who, card.id, 'Keep')
    return said
  },
  async 'another account'({ other }, canary) {
    await other.ask(who, `remember that my horse is called ${canary}`)
    return undefined
  },
}

/** Each has what is kept of the word forgotten. */
const waysOut: Readonly<Record<string, (scene: Scene, canary: string, message?: string) => Promise<void>>> = {
  async words({ home }, canary) {
    await home.ask(who, `/forget ${canary}`)
    await press(home, 'Forget it')
  },
  async 'a reply, or its words'({ home }, canary, message) {
    if (message !== undefined) return void (await home.ask(who, '/forget', message))
    await home.ask(who, `forget ${canary}`)
    await home.ask(who, `/forget ${canary}`)
    await press(home, 'Forget it')
  },
  async 'another account'({ other }, canary) {
    await other.ask(who, `/forget ${canary}`)
    await press(other, 'Forget it')
  },
}

async function findInIndex({ runtime }: Fleet, canary: string): Promise<readonly string[]> {
  const { dataFolder } = runtime.settings
  const files = (await readdir(dataFolder)).filter((name) => name.includes('sqlite'))
  const each = files.map(async (name) => {
    const bytes = await readFile(path.join(dataFolder, name))
    return bytes.includes(canary) || bytes.includes(canary.toLowerCase()) ? [name] : []
  })
  return (await Promise.all(each)).flat()
}

async function openScene(parts: AsyncDisposableStack): Promise<Scene> {
  const telegram = parts.use(await startTelegram({ patienceMs: 30_000 }))
  const discord = parts.use(await startDiscord({ patienceMs: 30_000, limits: 'off' }))
  const aof = { aof: true, args: ['--aof-use-rdb-preamble', 'no'] }
  const fleet = parts.use(await startChatFleet([telegram, discord], { redis: aof }))
  parts.use(await startReflection(fleet))
  const follower = startMemoryIndex(fleet.runtime)
  parts.defer(async () => await follower.stop(0))
  fleet.model.script({ answer: { kind: 'text', text: 'I see.' } })
  const [home, other] = [toRoom('Telegram', telegram.direct(who)), toRoom('Discord', discord.direct(who))]
  await home.ask(who, '/link')
  const code = /\/link (\S+)/.exec((await hear(home, 'It holds for ten minutes')).text)?.[1] ?? ''
  await other.ask(who, `/link ${code}`)
  await press(other, 'Link')
  await press(home, 'Link')
  await hear(other, 'is linked with')
  return { fleet, home, other, owner: telegram.principal(who) }
}

test('a word for each way in, forgotten in each way out, is nowhere left', { timeout: 240_000 }, async () => {
  await using parts = new AsyncDisposableStack()
  const scene = await openScene(parts)
  const { fleet, home } = scene
  const { redis, runtime } = fleet
  const canaries: string[] = []
  for (const [nth, [wayIn, comeIn]] of Object.entries(waysIn).entries())
    // Who gives more commands in a short time is told to wait.
    for (const [at, [wayOut, goOut]] of Object.entries(waysOut).entries()) {
      if ((nth + at) % Object.keys(waysOut).length === 0) continue
      const canary = `Zebra${'bcdfghjk'[nth]}${'aeio'[at]}finch`
      canaries.push(canary)
      const message = await comeIn(scene, canary)
      await isKept(scene, canary)
      await until(async () => (await findInIndex(fleet, canary)).length > 0)
      await goOut(scene, canary, message)
      const isGone = async (): Promise<boolean> => !(await readTexts(scene)).some((text) => text.includes(canary))
      await until(isGone).catch((cause: unknown) => {
        throw new Error(`${canary} by ${wayIn} is not gone by ${wayOut}.`, { cause })
      })
    }
  await until(async () => await hasReadAll(fleet))
  await home.ask(who, '/memory file')
  expect(
    (await hear(home, (one) => one.text.includes('# MEMORY') || one.text.includes('keep nothing'))).text,
  ).not.toContain('Zebra')

  for (const canary of canaries) {
    await until(async () => (await findLeaks(redis.admin, canary)).length === 0).catch(async () => {
      throw new Error(`${canary} stands in ${(await findLeaks(redis.admin, canary)).join()}`)
    })
    await until(async () => (await findInIndex(fleet, canary)).length === 0)
  }
  // What may stay for a while after it was forgotten goes with its time.
  for (const canary of canaries) for (const key of await findText(redis.admin, canary)) await redis.admin.del(key)
  await rewriteFiles(redis.admin)
  for (const canary of canaries) expect(await findInFiles(redis, canary), canary).toEqual([])
  expect(runtime.settings.dataFolder).not.toBe('')
})

test(
  'what was forgotten is not inferred from ten messages that hint at it, until it is ordered once more',
  {
    timeout: 120_000,
  },
  async () => {
    await using parts = new AsyncDisposableStack()
    const scene = await openScene(parts)
    const { fleet, home } = scene
    await home.ask(who, 'remember that I prefer Zebrafinch cheese')
    await isKept(scene, 'Zebrafinch')
    await home.ask(who, '/forget Zebrafinch')
    await press(home, 'Forget it')
    await until(async () => (await readTexts(scene)).length === 0)
    const hints = [
      'I prefer Zebrafinch cheese.',
      'I really prefer Zebrafinch cheese!',
      'I like Zebrafinch cheese most.',
      'My favourite cheese is Zebrafinch.',
      'I always buy Zebrafinch cheese.',
      'I love Zebrafinch cheese on bread.',
      'As I said, I prefer Zebrafinch cheese.',
      'I prefer my cheese from Zebrafinch.',
      'I eat Zebrafinch cheese every day.',
      'For me only Zebrafinch cheese.',
    ]
    for (const [nth, hint] of hints.entries()) {
      await home.ask(who, hint)
      await until(async () => (await home.seen()).filter(({ text }) => text.includes('I see.')).length > nth)
    }
    // So that something else is noticed: else nothing is shown by this.
    await home.ask(who, 'I live in Lyon.')
    await until(async () => (await readTexts(scene)).some((text) => text.includes('Lyon')))
    await until(async () => await hasReadAll(fleet))
    expect((await readTexts(scene)).filter((text) => text.includes('Zebrafinch'))).toEqual([])
    await home.ask(who, 'remember that I prefer Zebrafinch cheese')
    await isKept(scene, 'Zebrafinch')
  },
)
