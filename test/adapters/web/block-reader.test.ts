// Texts of a model are read in a thread: whatever one does to it, an answer comes, and the next text is read as ever.
import { afterAll, expect, test } from 'vitest'
import { createDraftRooms } from '#adapters/web/draft-room.ts'
import { openBlockReader } from '#adapters/web/open-block-reader.ts'
import { createReadingTime, mostOneMs } from '#adapters/web/reading-time.ts'
import { mostCodeChars, nesting, toCode } from './hostile-code.ts'

const said: string[] = []
/** Each text may take all the time that one may. */
const time = { next: () => mostOneMs, took() {} }
const own = openBlockReader({ say: (text) => said.push(text), time })
const script = new URL('dying-text-thread.ts', import.meta.url)
afterAll(() => own.close())

test.each(nesting)('code in %s that is nothing but %s is shown with its characters', async (language, opening) => {
  const code = toCode(language, opening)
  const [block, ...rest] = await own.read(code)
  expect(rest).toEqual([])
  expect(block).toMatchObject({ kind: 'code', language })
  const tokens = block?.kind === 'code' ? block.tokens : []
  expect(tokens.map((token) => (typeof token === 'string' ? token : token[0])).join('')).toHaveLength(mostCodeChars)
  expect(said).toEqual([])
})

test.each(['ends', 'throws', 'hangs', 'grows'])(
  'a text of which its thread %s is one plain paragraph',
  async (what) => {
    const told: string[] = []
    const reader = openBlockReader({ say: (text) => told.push(text), script, mostMs: 1000 })
    try {
      expect(await reader.read(`${what} CANARY`)).toEqual([{ kind: 'paragraph', phrases: [`${what} CANARY`] }])
      expect(await reader.readPlaced(`${what} again`)).toEqual([
        { block: { kind: 'paragraph', phrases: [`${what} again`] }, at: 0 },
      ])
      expect(await reader.read('harmless')).toEqual([{ kind: 'heading', depth: 1, phrases: ['harmless'] }])
      expect(told.length).toBeGreaterThan(0)
      expect(told.join(' ')).not.toContain('CANARY')
    } finally {
      await reader.close()
    }
  },
)

test('a text is read once for all who ask, and one that ended its thread rests', async () => {
  const told: string[] = []
  const reader = openBlockReader({ say: (text) => told.push(text), script })
  try {
    const counted = await Promise.all([reader.read('count'), reader.read('count'), reader.read('count')])
    expect(counted.map(([block]) => block)).toEqual(
      Array.from({ length: 3 }, () => ({ kind: 'paragraph', phrases: ['1'] })),
    )
    expect(await reader.read('count')).toEqual([{ kind: 'paragraph', phrases: ['1'] }])
    await reader.read('throws')
    const before = told.length
    await reader.read('throws')
    expect(told).toHaveLength(before)
    // What was read so long ago that others took its room is read again.
    for (let i = 0; i < 10; i++) await reader.read(`${i}${' '.repeat(40_000)}`)
    expect(await reader.read('count')).toEqual([{ kind: 'paragraph', phrases: ['2'] }])
  } finally {
    await reader.close()
  }
})

test('texts that take long share a fifth of the time, and two seconds at once; any text has its little', () => {
  let nowMs = 0
  const rationed = createReadingTime(() => nowMs)
  const given = (): number | undefined => {
    const ms = rationed.next()
    rationed.took(ms ?? 0)
    return ms
  }
  expect(Array.from({ length: 5 }, given)).toEqual([700, 700, 650, 100, 25])
  nowMs += 1000
  expect([given(), given()]).toEqual([150, 100])
  nowMs += 60_000
  for (let i = 0; i < 200; i++) rationed.took(20)
  // A whole page of texts that are made to take long.
  let tookMs = 0
  for (let i = 0; i < 200; i++) tookMs += given() ?? 0
  expect(tookMs).toBeLessThan(7500)
  // As long as this any text may take.
  expect(given()).toBe(25)
})

test('where texts that ended their thread took all the time that there is, others are shown as they stand for a while', async () => {
  let nowMs = 0
  const rationed = createReadingTime(() => nowMs)
  const reader = openBlockReader({ script, time: rationed })
  try {
    for (const _ of [1, 2, 3]) rationed.took(8000)
    expect(await reader.read('hangs')).toEqual([{ kind: 'paragraph', phrases: ['hangs'] }])
    expect(await reader.read('harmless')).toEqual([{ kind: 'paragraph', phrases: ['harmless'] }])
    nowMs += 10_000
    expect(await reader.read('another')).toEqual([{ kind: 'heading', depth: 1, phrases: ['another'] }])
  } finally {
    await reader.close()
  }
})

test('after its end it begins anew', async () => {
  const reader = openBlockReader()
  expect(await reader.read('# one')).toMatchObject([{ kind: 'heading' }])
  await reader.close()
  expect(await reader.read('# two')).toMatchObject([{ kind: 'heading' }])
  await reader.close()
})

type Sent = { text: string; from: number; blocks: unknown[]; resumed?: boolean }

/** A room whose texts are read when the test says so, and pages whose sending ends when it says so. */
function openRoom() {
  const asked: { readonly source: string; answer(): void }[] = []
  const reader = {
    start() {},
    read: async (text: string) => [{ kind: 'paragraph' as const, phrases: [text] }],
    readPlaced: (source: string) =>
      new Promise<{ block: { kind: 'paragraph'; phrases: string[] }; at: number }[]>((resolve) => {
        const paragraphs = source.split('\n\n')
        const placed = paragraphs.map((text, i) => ({
          block: { kind: 'paragraph' as const, phrases: [text] },
          at: paragraphs.slice(0, i).join('\n\n').length + (i > 0 ? 2 : 0),
        }))
        asked.push({ source, answer: () => resolve(placed) })
      }),
    close: async () => {},
  }
  const rooms = createDraftRooms(reader)
  const join = (isSlow = false) => {
    const sent: Sent[] = []
    const ends: (() => void)[] = []
    const feed = rooms.join('web:room', async (json) => {
      sent.push(JSON.parse(json) as Sent)
      if (isSlow) await new Promise<void>((resolve) => ends.push(resolve))
    })
    return { sent, feed, takeMore: () => ends.shift()?.() }
  }
  const answer = async (): Promise<string> => {
    await expect.poll(() => asked.length).toBeGreaterThan(0)
    const one = asked.shift()
    one?.answer()
    return one?.source ?? ''
  }
  return { join, answer, asked }
}
const toDraft = (text: string) => ({ turn: 't', text })

test('a draft is read once for all pages that look, and a slow page gets all it lacks', async () => {
  const room = openRoom()
  const [one, two, slow] = [room.join(), room.join(), room.join(true)]
  const offer = (text: string): void => [one, two, slow].forEach(({ feed }) => feed.offer(toDraft(text)))
  offer('a\n\nb\n\nc')
  expect(await room.answer()).toBe('a\n\nb\n\nc')
  await expect.poll(() => [one, two, slow].map(({ sent }) => sent.length)).toEqual([1, 1, 1])
  offer('a\n\nb\n\nc\n\nd\n\ne')
  expect(await room.answer()).toBe('b\n\nc\n\nd\n\ne')
  offer('a\n\nb\n\nc\n\nd\n\ne\n\nf\n\ng')
  expect(await room.answer()).toBe('d\n\ne\n\nf\n\ng')
  await expect.poll(() => one.sent.length).toBe(3)
  expect(one.sent.map(({ from }) => from)).toEqual([0, 1, 3])
  expect(two.sent).toEqual(one.sent)
  expect(slow.sent).toHaveLength(1)
  slow.takeMore()
  await expect.poll(() => slow.sent.length).toBe(2)
  expect(slow.sent[1]).toMatchObject({ from: 1 })
  expect(slow.sent[1]?.blocks).toHaveLength(6)
  expect(room.asked).toEqual([])
})

test('a draft that the reply has overtaken is not sent, and one that comes late shows all of it', async () => {
  const room = openRoom()
  const [one, two] = [room.join(), room.join()]
  for (const { feed } of [one, two]) feed.offer(toDraft('ans'))
  one.feed.drop()
  await room.answer()
  await expect.poll(() => two.sent.length).toBe(1)
  expect(one.sent).toEqual([])
  const late = room.join()
  // Redis may have an older one than the news of the other pages.
  late.feed.offer({ ...toDraft('an'), resumed: true })
  await expect.poll(() => late.sent.length).toBe(1)
  expect(late.sent[0]).toMatchObject({ text: 'ans', from: 0, resumed: true })
  expect(room.asked).toEqual([])
  for (const { feed } of [one, two, late]) feed.leave()
  const next = room.join()
  next.feed.offer(toDraft('ans'))
  await room.answer()
  await expect.poll(() => next.sent.length).toBe(1)
})
