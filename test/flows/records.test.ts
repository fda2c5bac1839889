// Records of turns with the whole fleet between, on Telegram and Discord: what is kept of a turn, what people do with its answer later, what
// is forgotten; and a feature that makes something of them.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startReaders } from '#infra/processes/readers.ts'
import { toPartition } from '#queues/partition.ts'
import type { GoneLine } from '#queues/records/records.ts'
import type { RecordLine } from '#shared/run/record.ts'
import type { SimulatedChat } from '#test/rig/chats/chat.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startDiscord, type DiscordPlatform } from '#test/rig/chats/discord-chat.ts'
import { startTelegram, type TelegramPlatform } from '#test/rig/chats/telegram-chat.ts'
import { until, type Fleet } from '#test/rig/fleet.ts'
import { sampleFeature } from '#test/rig/sample-feature.ts'

const long = 'This is a sentence of the answer. '.repeat(15).trim()
let fleet: Fleet
let telegram: TelegramPlatform
let discord: DiscordPlatform
beforeAll(async () => {
  telegram = await startTelegram()
  discord = await startDiscord()
  fleet = await startChatFleet([telegram, discord], {
    owner: 'Olga',
    env: { FLOTILLA_ALLOW: '*' },
    features: [sampleFeature],
  })
  fleet.model.script({ when: { text: 'long' }, answer: { kind: 'text', text: long } })
})
afterAll(async () => {
  await fleet[Symbol.asyncDispose]()
  await telegram[Symbol.asyncDispose]()
  await discord[Symbol.asyncDispose]()
})

type Line = RecordLine | GoneLine
async function readAll(conversation: string): Promise<readonly Line[]> {
  const lines = await fleet.runtime.kernel.readRecords(toPartition(conversation), '0-0', 1000)
  return lines.filter((line) => line.conversation === conversation)
}
/** Waits for as many lines. */
const read = (conversation: string, count: number): Promise<readonly Line[]> =>
  until(async () => {
    const lines = await readAll(conversation)
    return lines.length >= count && lines
  })
const brief = (line: Line): string => {
  if (line.kind === 'feedback') return `feedback ${line.feedback.what} ${line.feedback.value ?? ''}`.trim()
  return line.kind === 'forgotten' ? `forgotten ${line.forgotten.why}` : line.kind
}

const chats: readonly (readonly [string, (name: string) => SimulatedChat])[] = [
  ['Telegram', (name) => telegram.direct(name)],
  ['Discord', (name) => discord.direct(name)],
]

test.each(chats)('on %s a turn is recorded, and what people do with its answer', async (_, open) => {
  const chat = open('Ann')
  const first = await chat.answerTo('Ann', 'what is a long story?')
  const [line] = await read(chat.conversation, 1)
  if (line?.kind !== 'turn') throw new Error(`The first line is ${line?.kind}.`)
  expect(line.record).toMatchObject({
    ending: 'answered',
    language: 'en',
    class: { type: 'query', depth: 'standard' },
    model: 'sim-main',
    asked: 'what is a long story?',
    answer: long,
    tools: [],
  })
  expect(line.record.tokens.prompt).toBeGreaterThan(0)
  expect(line.record.endedAt).toBeGreaterThanOrEqual(line.record.begunAt)

  chat.react('Ann', first.id, '👍')
  const reacted = (await read(chat.conversation, 2))[1]
  expect(reacted).toMatchObject({ kind: 'feedback', id: line.id, feedback: { what: 'reaction', value: '👍' } })
  await chat.press('Ann', first.id, 'Shorter').notice()
  const shorter = await read(chat.conversation, 4)
  expect(shorter.slice(2).map(brief)).toEqual(['feedback shorter', 'turn'])
  expect(shorter[2]).toMatchObject({ id: line.id })
  expect(shorter[3]).toMatchObject({ record: { last: 'rewrite', session: line.record.session } })
})

test.each(chats)('on %s what is edited and what is forgotten goes, and readers are told', async (_, open) => {
  const chat = open('Bob')
  const asked = chat.ask('Bob', 'what is an apple?')
  await chat.replyTo(asked)
  await read(chat.conversation, 1)
  chat.edit('Bob', asked, 'what is a pear?')
  const edited = await read(chat.conversation, 3)
  expect(edited.map(brief)).toEqual(['gone', 'feedback edit', 'forgotten edited'])
  const next = chat.ask('Bob', 'what is a plum?')
  await chat.replyTo(next)
  await read(chat.conversation, 4)
  chat.ask('Bob', '/forget', { replyTo: next })
  const forgotten = await read(chat.conversation, 5)
  expect(forgotten.slice(3).map(brief)).toEqual(['gone', 'forgotten forgotten'])
  expect(forgotten[4]).toMatchObject({ ids: [expect.stringMatching(/^t[a-z0-9]+$/)], forgotten: { messages: [next] } })
})

test('what a feature did about a question is recorded, and found by a reaction too', async () => {
  const chat = telegram.direct('Cid')
  fleet.model.script({
    when: { text: 'keep notes' },
    answer: { kind: 'tools', calls: [{ name: 'ask_to_keep', arguments: '{}' }] },
  })
  await chat.answerTo('Cid', 'keep notes for me')
  const card = await chat.hear('Keep none?')
  await chat.press('Cid', card.id, 'Drop').notice()
  await chat.hear('Dropped.')
  const lines = await until(async () => {
    const found = await readAll(chat.conversation)
    return found.some(({ kind }) => kind === 'work') && found
  })
  const work = lines.find(({ kind }) => kind === 'work')
  expect(work).toMatchObject({
    record: { feature: 'notes', ended: 'answer', what: 'notes.keep', choice: 'no', answer: 'Dropped.' },
  })
  expect(lines.find(({ kind }) => kind === 'turn')).toMatchObject({
    record: { ending: 'suspended', tools: [{ name: 'ask_to_keep', ok: true }] },
  })
})

test('a feature makes something of a turn once it has ended, and says so where it was, once', async () => {
  const chat = telegram.direct('Dan')
  const reflection = startReaders(fleet.runtime, [sampleFeature], 'reflection')
  const again = startReaders(fleet.runtime, [sampleFeature], 'reflection')
  await chat.answerTo('Dan', 'Learn that apples are red')
  await chat.hear('Learned: that apples are red')
  await chat.answerTo('Dan', 'what is next?')
  await chat.answerTo('Dan', 'Study that plums are blue')
  await chat.hear('Learned: that plums are blue')
  await Promise.all([reflection.stop(0), again.stop(0)])
  expect(chat.said().filter(({ text }) => text.startsWith('Learned:'))).toHaveLength(2)
  expect((await readAll(chat.conversation)).map(brief)).toEqual(['turn', 'work', 'turn', 'turn', 'work'])
})

test.each(chats)('on %s each worker reads for its own features, and does their jobs once', async (_, open) => {
  const chat = open('Eve')
  const workers = (['reflection', 'curiosity', 'reflection', 'curiosity'] as const).map((worker) =>
    startReaders(fleet.runtime, [sampleFeature], worker),
  )
  await chat.answerTo('Eve', 'Wonder about pears')
  await chat.hear('Learned: about pears')
  await chat.answerTo('Eve', 'Study the quinces')
  await chat.hear('Learned: the quinces')
  await Promise.all(workers.map((worker) => worker.stop(0)))
  expect(chat.said().filter(({ text }) => text.startsWith('Learned:'))).toHaveLength(2)
})
