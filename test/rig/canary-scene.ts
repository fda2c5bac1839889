// One person with memory of all kinds: alone with the bot on Telegram, Discord and the page, which are linked, and in a group of theirs. What tests of
// forgetting do there, and where they look for a word that is to be gone.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startMemoryIndex } from '#infra/processes/follow-memory.ts'
import { ofChat, ofPerson, type MemoryRecord } from '#shared/memory/record.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { bot, labels, type Seen } from '#test/rig/chats/chat.ts'
import { startDiscord } from '#test/rig/chats/discord-chat.ts'
import { hear, toRoom, toWebRoom, type Room } from '#test/rig/chats/room.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { createWebChat } from '#test/rig/chats/web-chat.ts'
import { startCuriosity } from '#test/rig/curiosity.ts'
import { until, type Fleet } from '#test/rig/fleet.ts'
import { startReflection } from '#test/rig/reflection.ts'
import { findLeaks } from '#test/rig/texts.ts'
import { startPage } from './web-page.ts'

export const who = 'Ada'
export const webOwner = 'web:owner'

/** The routes of a page, as its script asks them. */
export type PageRoutes = {
  get(route: string): Promise<string>
  post(route: string, body: object): Promise<string>
}

export type Scene = {
  readonly fleet: Fleet
  readonly principal: string
  readonly home: Room
  readonly other: Room
  readonly page: Room
  readonly group: Room
  readonly routes: PageRoutes
  /** Another talk on the page. */
  openTalk(name: string): Room
}

/** Where something is kept: of the person, or of the group. */
export const toScope = ({ principal, group }: Scene, room: Room): string =>
  room === group ? ofChat(group.conversation) : ofPerson(principal)

export async function openScene(parts: AsyncDisposableStack): Promise<Scene> {
  const telegram = parts.use(await startTelegram({ patienceMs: 30_000 }))
  const discord = parts.use(await startDiscord({ patienceMs: 30_000, limits: 'off' }))
  // Owners may give as many commands as they like.
  const owners = [telegram.principal(who), discord.principal(who)].join()
  const aof = { aof: true, args: ['--aof-use-rdb-preamble', 'no'] }
  const data = await openFolder(parts)
  const env = { FLOTILLA_OWNERS: owners, FLOTILLA_ALLOW: '*', FLOTILLA_DATA: data }
  const fleet = parts.use(await startChatFleet([telegram, discord], { redis: aof, env }))
  parts.use(await startReflection(fleet))
  parts.use(startCuriosity(fleet))
  const follower = startMemoryIndex(fleet.runtime)
  parts.defer(async () => await follower.stop(0))
  answer(fleet)
  const web = await openPage(fleet, parts)
  const page = web.openTalk('scene')
  const chat = telegram.group({ by: who })
  await chat.until(() => chat.said()[0])
  const home = toRoom('Telegram', telegram.direct(who))
  const other = toRoom('Discord', discord.direct(who))
  for (const room of [other, page]) await link(home, room)
  return { fleet, principal: telegram.principal(who), home, other, page, group: toRoom('A group', chat), ...web }
}

/** The model finds where somebody works. */
function answer({ model }: Fleet): void {
  model.decideBy(({ messages }) => {
    const last = JSON.stringify(messages.at(-1)?.content ?? '')
    if (!last.includes('of SPEAKER')) return { answer: { kind: 'text', text: 'I see.' } }
    const [, name] = /work at (\w+)/.exec(last) ?? []
    const relations = name === undefined ? [] : [{ type: 'works at', to: name, confidence: 0.9 }]
    const entities = [{ entity: 'SPEAKER', type: 'person', relations }]
    return { answer: { kind: 'text', text: JSON.stringify({ entities }) } }
  })
}

/** A folder of its own: in one that tests share, other words of other tests stand, too. */
async function openFolder(parts: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'flotilla-canaries-'))
  parts.defer(async () => await rm(folder, { recursive: true, force: true }))
  return folder
}

async function openPage(fleet: Fleet, parts: AsyncDisposableStack): Promise<Pick<Scene, 'openTalk' | 'routes'>> {
  const { port, tokenFile } = parts.use(await startPage(fleet))
  const token = (await readFile(tokenFile, 'utf8')).trim()
  const call = async (route: string, init: RequestInit = {}): Promise<string> => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const said = await fetch(`http://127.0.0.1:${port}/api/${route}`, { ...init, headers })
    if (!said.ok) throw new Error(`The page was told ${said.status} for ${route}: ${await said.text()}`)
    return await said.text()
  }
  const post = (route: string, body: object): Promise<string> =>
    call(route, { method: 'POST', body: JSON.stringify(body) })
  const openTalk = (name: string): Room => toWebRoom(`The page, ${name}`, createWebChat({ port, tokenFile, name }))
  return { openTalk, routes: { get: call, post } }
}

async function link(home: Room, room: Room): Promise<void> {
  const { answers } = await tell(home, '/link')
  const code = /\/link (\S+)/.exec(answers[0]?.text ?? '')?.[1] ?? ''
  await room.ask(who, `/link ${code}`)
  await press(room, 'Link')
  await press(home, 'Link')
  await hear(room, 'is linked with')
}

/** Presses the newest button of this label. */
export async function press(room: Room, label: string | RegExp): Promise<void> {
  const find = (one: Seen): string | undefined =>
    labels(one).find((each) => (typeof label === 'string' ? each === label : label.test(each)))
  const card = await hear(room, (one) => find(one) !== undefined, `a card with ${label}`)
  await room.press(who, card.id, find(card) ?? '')
}

export type Told = { readonly message: string; readonly answers: readonly Seen[] }

/** Says it, and waits until the bot has said something behind it. */
export async function tell(room: Room, text: string, replyTo?: string): Promise<Told> {
  const readNew = await watch(room)
  const message = await room.ask(who, text, replyTo)
  const answers = await until(async () => {
    const now = await readNew()
    return now.length > 0 && now
  })
  return { message, answers }
}

/** Reads what the bot says from now on. What is forgotten is not there any more, so it cannot be counted. */
async function watch(room: Room): Promise<() => Promise<readonly Seen[]>> {
  const readSaid = async (): Promise<readonly Seen[]> => (await room.seen()).filter(({ by }) => by === bot)
  const known = new Set((await readSaid()).map(({ id }) => id))
  return async () => (await readSaid()).filter(({ id }) => !known.has(id))
}

export async function readRecords({ fleet }: Pick<Scene, 'fleet'>, scope: string): Promise<readonly MemoryRecord[]> {
  const read = await fleet.runtime.memory.read(scope)
  return read === 'same' ? [] : read.records
}

/** The records that have the word anywhere in them, the newest first. */
export const findRecords = async (scene: Scene, room: Room, word: string): Promise<readonly MemoryRecord[]> =>
  (await readRecords(scene, toScope(scene, room))).filter((one) => JSON.stringify(one).includes(word))

/** Waits until it is kept; the newest such record. `status`: whatever it has when left out. */
export const untilKept = (
  scene: Scene,
  room: Room,
  word: string,
  status?: MemoryRecord['status'],
): Promise<MemoryRecord> =>
  until(async () => (await findRecords(scene, room, word)).find((one) => status === undefined || one.status === status))

/** As it was said, and as words are folded. */
const holds = (text: string, word: string): boolean => text.includes(word) || text.includes(word.toLowerCase())

export async function findInIndex({ runtime }: Fleet, word: string): Promise<readonly string[]> {
  const { dataFolder } = runtime.settings
  const files = (await readdir(dataFolder)).filter((name) => name.includes('sqlite'))
  const each = files.map(async (name) => {
    const bytes = await readFile(path.join(dataFolder, name))
    return bytes.includes(word) || bytes.includes(word.toLowerCase()) ? [name] : []
  })
  return (await Promise.all(each)).flat()
}

/** What of memory still tells the word: records, people and things, and all that the page is given. */
export async function findInMemory(scene: Scene, room: Room, word: string): Promise<readonly string[]> {
  const { fleet, routes } = scene
  const scope = toScope(scene, room)
  const shown = ['memory/find', `memory/find?words=${word}`, 'memory/find?waits=yes', 'memory/graph'].map(
    async (route) => [route, await routes.get(route)] as const,
  )
  const told = await Promise.all([
    ...shown,
    readRecords(scene, scope).then((found) => ['records', JSON.stringify(found)] as const),
    fleet.runtime.graph.readAll(scope).then((found) => ['graph', JSON.stringify(found)] as const),
  ])
  return told.flatMap(([place, text]) => (holds(text, word) ? [place] : []))
}

/** What these commands tell of the word. */
export async function findInAnswers(room: Room, word: string, commands: readonly string[]): Promise<readonly string[]> {
  const readNew = await watch(room)
  // What is said to the last one comes behind all else.
  for (const command of [...commands, '/memory todos']) await room.ask(who, command)
  const said = await until(async () => {
    const now = await readNew()
    return now.some(({ text }) => text.includes('There is nothing to do among')) && now
  })
  const texts = said.map(({ text, files }) => [text, ...files.map((file) => file.text)].join('\n'))
  return texts.filter((text) => holds(text, word))
}

/** Keys of Redis that have the word, beyond what may stay for a while. */
export const findInRedis = async ({ fleet: { redis } }: Scene, word: string): Promise<readonly string[]> =>
  (await Promise.all([word, word.toLowerCase()].map((one) => findLeaks(redis.admin, one)))).flat()
