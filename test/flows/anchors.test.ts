// What people settle: proposed in a group and confirmed by who may, written at once in a direct chat; one a topic, no longer than until its day; and
// collections; on the real processes.
import { expect, test } from 'vitest'
import { ofChat, ofPerson, type MemoryRecord } from '#shared/memory/record.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { labels, type Seen, type SimulatedChat } from '#test/rig/chats/chat.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { until, type Fleet } from '#test/rig/fleet.ts'
import { startReflection } from '#test/rig/reflection.ts'
import { remembered } from '#test/rig/remembered.ts'
import { textPlaces } from './text-places.ts'

const mention = '@flotilla_test_bot'

async function readAll({ runtime }: Fleet, scope: string): Promise<readonly MemoryRecord[]> {
  const found = await runtime.memory.read(scope)
  return found === 'same' ? [] : found.records
}

/** A group with an administrator, Ann, and a member, Bob. */
async function openGroup() {
  const platform = await startTelegram({ patienceMs: 30_000 })
  const fleet = await startChatFleet([platform], { owner: 'Olga' })
  const chat = platform.group({ by: 'Olga', admins: ['Ann'] })
  await chat.until(() => chat.said()[0])
  return {
    platform,
    fleet,
    chat,
    scope: ofChat(chat.conversation),
    async [Symbol.asyncDispose]() {
      await fleet[Symbol.asyncDispose]()
      await platform[Symbol.asyncDispose]()
    },
  }
}

async function find(chat: SimulatedChat, what: string, isIt: (one: Seen) => boolean): Promise<Seen> {
  return await chat
    .until(() => chat.said().findLast(isIt))
    .catch((cause: unknown) => {
      const said = chat.said().map((one) => `${one.text} [${labels(one).join()}]`)
      throw new Error(`Nothing has ${what}: ${said.join(' | ')}`, { cause })
    })
}

const newest = async (chat: SimulatedChat, label: string): Promise<Seen> =>
  await find(chat, label, (one) => labels(one).includes(label))

const refused = async (chat: SimulatedChat): Promise<Seen> =>
  await find(chat, 'a refusal', ({ text }) => text.includes('Only owners and admins can do this here'))

/** All of the last prompt. */
const lastPrompt = ({ model }: Fleet): string => JSON.stringify(model.ledger.entries.at(-1)?.messages)

/** A prompt that waits too long for what is kept goes without it, and says so. */
async function askUntilGiven(ask: () => Promise<unknown>, fleet: Fleet, part: string): Promise<void> {
  for (let times = 0; times < 5; times += 1) {
    await ask()
    if (lastPrompt(fleet).includes(part)) return
  }
  expect(lastPrompt(fleet)).toContain(part)
}

test('in a group it is proposed, and who may change what holds there confirms it', { timeout: 90_000 }, async () => {
  await using place = await openGroup()
  const { chat, fleet, scope } = place
  chat.say('Bob', `/anchor${mention} D database: we use Postgres; why: two of us know it; tags: db`)
  const card = await newest(chat, 'Confirm')
  expect(card.text).toContain('An owner or an administrator confirms it')
  expect(card.text).toContain('why: two of us know it')
  expect(await readAll(fleet, scope)).toEqual([])
  // Who proposed it may not settle it, and others are told so at once.
  await chat.press('Bob', card.id, 'Confirm').notice()
  const again = await refused(chat)
  expect(labels(again)).toContain('Confirm')
  expect(await chat.press('Cleo', again.id, 'Confirm').notice()).not.toBe('')
  expect(await readAll(fleet, scope)).toEqual([])
  await chat.press('Ann', again.id, 'Confirm').notice()
  await chat.hear('Settled as number 1: “database: we use Postgres”')
  const [record] = await readAll(fleet, scope)
  expect(record).toMatchObject({
    kind: 'decision',
    status: 'confirmed',
    speaker: place.platform.principal('Bob'),
    confirmedBy: place.platform.principal('Ann'),
    anchor: { topic: 'database', why: 'two of us know it', tags: ['db'] },
  })
  // The same topic, in other letters, by another person.
  chat.say('Cleo', `/anchor${mention} d Database: we use SQLite`)
  const second = await newest(chat, 'Merge')
  expect(second.text).toContain('It would take the place of number 1')
  await chat.press('Ann', second.id, 'Confirm').notice()
  await chat.hear('It takes the place of number 1.')
  expect(await fleet.runtime.memory.find(scope, [1])).toMatchObject([{ supersededBy: 2 }])
  const listed = await chat.replyTo(chat.say('Bob', `/anchor${mention}`))
  expect(listed.text).toContain('Database: we use SQLite')
  expect(listed.text).not.toContain('Postgres')
  await askUntilGiven(async () => await chat.answerTo('Bob', 'which database do we use?'), fleet, 'we use SQLite')
  expect(lastPrompt(fleet)).not.toContain('Postgres')
  // It holds again where the newer one goes.
  await chat.replyTo(chat.say('Ann', `/forget${mention} 2`))
  expect((await fleet.runtime.memory.find(scope, [1]))[0]).not.toHaveProperty('supersededBy')
  const ask = async () => await chat.answerTo('Bob', 'which database is it, and why?')
  await askUntilGiven(ask, fleet, 'we use Postgres (why: two of us know it)')
})

test('in Chinese, merged, and withdrawn by who proposed it', { timeout: 90_000 }, async () => {
  await using place = await openGroup()
  const { chat, fleet, scope } = place
  chat.ask('Bob', '/锚点 决定 会议：周一开会；原因：大家都在')
  const card = await newest(chat, '确认')
  await chat.press('Ann', card.id, '确认').notice()
  await chat.hear('定下来了，第 1 条')
  chat.ask('Bob', '/锚点 决定 会议：在二楼；标签：例会')
  const second = await newest(chat, '合并')
  await chat.press('Olga', second.id, '合并').notice()
  await chat.hear('定下来了，第 2 条：“会议：周一开会；在二楼”')
  expect(await fleet.runtime.memory.find(scope, [1, 2])).toMatchObject([
    { supersededBy: 2 },
    { anchor: { why: '大家都在', tags: ['例会'] }, confirmedBy: place.platform.principal('Olga') },
  ])
  const [merged] = await fleet.runtime.memory.find(scope, [2])
  expect(merged?.from.flatMap(({ messages }) => messages)).toHaveLength(2)
  chat.ask('Bob', '/锚点 M 预算：五百欧')
  const third = await newest(chat, '不用')
  await chat.press('Bob', third.id, '不用').notice()
  await chat.hear('没有定下来')
  expect(await readAll(fleet, scope)).toHaveLength(2)
})

test('what was settled in talk is asked once the session has ended', { timeout: 90_000 }, async () => {
  await using place = await openGroup()
  const { chat, fleet, scope } = place
  await using _ = await startReflection(fleet)
  await chat.answerTo('Bob', 'The budget for the venue is 500 euros.')
  await chat.answerTo('Bob', '> We decided to use Oracle.')
  await chat.answerTo('Bob', 'Every time the build breaks, we check the lock file first. What else?')
  await until(async () => (await readAll(fleet, scope)).length === 2)
  const begun = chat.say('Ann', `/new${mention}`)
  await find(chat, 'a session', ({ text }) => text.includes('A new session begins'))
  expect(begun).not.toBe('')
  expect(chat.said().some((one) => labels(one).includes('Keep all'))).toBe(false)
  await chat.answerTo('Bob', 'What is the capital of France?')
  const card = await newest(chat, 'Keep all')
  expect(card.text).not.toContain('Oracle')
  await chat.press('Bob', card.id, 'Keep all').notice()
  const again = await refused(chat)
  expect((await readAll(fleet, scope)).map(({ status }) => status)).toEqual(['unconfirmed', 'unconfirmed'])
  await chat.press('Ann', again.id, 'Keep 1').notice()
  await find(chat, 'number 1', ({ text }) => text.includes('Number 1 is kept.'))
  const rest = await newest(chat, 'None')
  await chat.press('Ann', rest.id, 'None').notice()
  await find(chat, 'an end', ({ text }) => text.includes('nothing of it is kept'))
  expect(await readAll(fleet, scope)).toMatchObject([
    { number: 1, kind: 'metric', status: 'confirmed', anchor: { topic: 'budget for the venue' } },
  ])
})

const places = ['Telegram, by /forget', 'the web, by the page’s button'] as const

test.concurrent.each(places)('in a direct chat it is written at once: %s', { timeout: 90_000 }, async (name) => {
  await using place = await textPlaces[name]({})
  const { fleet } = place
  fleet.model.script({ answer: { kind: 'text', text: 'I see.' } })
  const scope = ofPerson(name.startsWith('Telegram') ? 'telegram:1001' : 'web:owner')
  await place.say('/anchor we use Postgres')
  await place.hear('before the colon stands its topic')
  await place.say('/anchor D database: we use Postgres; until: 2020-01-01')
  await place.hear('That last day is over already')
  await place.say('/anchor D database: the password is Zx81-hunter2!')
  await place.hear('never')
  await place.say('/anchor D database: we use Postgres')
  await place.hear('Settled as number 1')
  await place.say('/anchor D database: with two replicas')
  await place.hear('Settled as number 2')
  await place.press('Merge')
  await place.hear('Settled as number 3: “database: we use Postgres; with two replicas”')
  await place.say('/anchor D database: we use SQLite')
  await place.hear('It takes the place of number 3.')
  await place.press('Undo')
  await place.hear('Number 3 holds again.')
  let asked = 0
  const ask = async (): Promise<void> => {
    asked += 1
    await place.say('which database do we use?')
    await place.hear('I see.', asked)
  }
  await askUntilGiven(ask, fleet, 'with two replicas')
  // Of its last day nobody hears afterwards, but in the list.
  await fleet.runtime.memory.change(scope, 3, (before) =>
    before.anchor ? { ...before, anchor: { ...before.anchor, until: '2021-05-01' } } : undefined,
  )
  await place.say('/anchor')
  await place.hear('expired')
  await place.say('/new')
  await place.hear('A new session begins')
  await ask()
  expect(lastPrompt(fleet)).not.toContain('replicas')
})

test('collections are made, listed and searched', { timeout: 90_000 }, async () => {
  await using place = await textPlaces['Telegram, by /forget']({})
  const scope = ofPerson('telegram:1001')
  await place.say('/remember in tool_experiences: the linter is slow on Windows')
  await place.hear('Kept as number 1 in tool_experiences: “the linter is slow on Windows”')
  await place.say('/remember in recipes: bread needs an hour')
  await place.hear('Kept as number 2 in recipes')
  await place.say('记住到 tool_experiences：部署脚本要先登录')
  await place.hear('第 3 条（在 tool_experiences 里）')
  await place.say('remember that I live in Lyon')
  await place.hear('Kept as number 4')
  await place.say('/memory in')
  await place.hear('`tool_experiences`: 2')
  await place.hear('`default`: 1')
  await place.say('/memory in tool_experiences')
  await place.hear('2 things in `tool_experiences`')
  await place.say('/memory in tool_experiences linter')
  await place.hear('1 thing in `tool_experiences` for “linter”')
  await place.say('/memory in tool_experiences bread')
  await place.hear('Nothing of that is in `tool_experiences`')
  await place.say('/memory file in recipes')
  await place.hear('bread needs an hour <!--')
  await place.say('/memory file in nothing_here')
  await place.hear('Nothing is kept in `nothing_here`')
  await place.say('/memory in Tools?')
  await place.hear('You can write')
  expect((await readAll(place.fleet, scope)).map(({ collection }) => collection)).toEqual([
    undefined,
    'tool_experiences',
    'recipes',
    'tool_experiences',
  ])
  for (let nth = 0; nth < 7; nth += 1) {
    const at = { conversation: place.conversation, message: `x${nth}` }
    const more = { speaker: 'telegram:1001', collection: 'thoughts' }
    await place.fleet.runtime.memory.write(scope, remembered(`Idea ${'abcdefg'[nth]}${nth} is about kites`, at, more))
  }
  await place.say('/memory in thoughts kites')
  await place.hear('5 things in `thoughts`')
  expect(place.fleet.model.ledger.entries).toEqual([])
})
