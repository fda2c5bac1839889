// An answer, a deadline, a cancellation and a newer question in the same moment, a thousand times: each question has one end, and its event says which.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import type { Question } from '#shared/run/question.ts'
import { toBody, toRow } from '#test/rig/journal-entries.ts'
import { checkInvariants } from '#test/rig/oracle.ts'
import { openBenchStore, type BenchStore } from '#test/rig/store.ts'
import { ann, answerEvent, askedQuestion, bob, mustClaim, step } from '#test/contracts/kernel-fixtures.ts'

let store: BenchStore
beforeAll(async () => void (store = await openBenchStore()))
afterAll(() => store.stop())

const places = 50
const each = 20
const minuteMs = 60_000

test('a thousand races have a thousand ends', { timeout: 60_000 }, async () => {
  const { kernel, advance } = store
  const chats = Array.from({ length: places }, (_, n) => `web:race${n}`)
  const asked = await Promise.all(
    chats.map(async (chat) => {
      const questions = Array.from({ length: each }, (_, i): Question => {
        // Of some the deadline has passed when the race begins, of others it has not.
        return {
          ...askedQuestion(chat),
          deadlineMs: (i % 3 ? 2 : 1) * minuteMs,
          asker: ann,
          card: `card${i}`,
          topic: `t${i}`,
        }
      })
      const { epoch } = await mustClaim(kernel, chat)
      const rows = questions.map(({ id }, i) =>
        toRow(`card${i}`, toBody('?', { buttons: [[{ id: `${id}.yes`, label: 'yes' }]] })),
      )
      await kernel.append(chat, epoch, step('ask', { questions, rows }))
      return { chat, questions, epoch }
    }),
  )
  await advance(minuteMs + 1)

  const won = await Promise.all(
    asked.flatMap(({ chat, questions, epoch }) =>
      questions.map(async (question, i) => {
        const press = (by: string, id: string) =>
          kernel.resolve({
            question: question.id,
            actor: by,
            chat,
            choice: 'yes',
            event: answerEvent(chat, question.id, id),
          })
        const other: Question = { ...askedQuestion(chat), topic: `t${i}`, deadlineMs: minuteMs, asker: bob }
        // What begins first differs from one to the next.
        const acts = [
          () => press(ann, `a${question.id}`),
          () => kernel.append(chat, epoch, step(`off${i}`, { cancels: [{ topic: `t${i}` }] })),
          () => kernel.fire(toPartition(chat)),
          () => press(bob, `b${question.id}`),
          () => kernel.append(chat, epoch, step(`new${i}`, i % 4 === 0 ? { questions: [other] } : {})),
        ]
        const turned = [...acts.slice(i % 5), ...acts.slice(0, i % 5)]
        const results = await Promise.all(turned.map((act) => act()))
        return results.filter((result) => 'kind' in result && result.kind === 'WON').length
      }),
    ),
  )
  for (const count of won) expect(count).toBeLessThanOrEqual(1)

  const ends: string[] = []
  for (const { chat, questions } of asked) {
    const own = new Set(questions.map(({ id }) => id))
    const { events } = await kernel.inbox(chat, 200)
    const ended = events.flatMap(({ event }) =>
      (event.kind === 'answer' || event.kind === 'expired') && own.has(event.question) ? [event] : [],
    )
    expect(ended.map(({ question }) => question).toSorted()).toEqual([...own].toSorted())
    for (const event of ended) {
      ends.push(event.kind === 'expired' ? event.why : 'answered')
      const name = `${partitionPrefix(toPartition(chat))}q:${event.question}`
      expect(await store.redis.hget(name, 's')).toBe(event.kind === 'answer' ? 'answered' : null)
    }
  }
  expect(ends).toHaveLength(places * each)
  expect(ends.filter((end) => end === 'answered')).toHaveLength(won.filter((count) => count === 1).length)
  expect(new Set(ends)).toContain('deadline')
  expect(new Set(ends)).toContain('answered')
  expect(await checkInvariants(store.server.admin)).toEqual([])
})

test('a question whose timer is lost can be answered', async () => {
  const chat = 'web:lost'
  const question: Question = { ...askedQuestion(chat), deadlineMs: minuteMs, asker: ann }
  const { epoch } = await mustClaim(store.kernel, chat)
  await store.kernel.append(chat, epoch, step('ask', { questions: [question] }))
  await store.redis.zrem(`${partitionPrefix(toPartition(chat))}timers`, `${chat} q.${question.id}`)
  const event = answerEvent(chat, question.id, 'p')
  const press = { question: question.id, actor: ann, chat, choice: 'yes', event }
  expect((await store.kernel.resolve(press)).kind).toBe('WON')
})
