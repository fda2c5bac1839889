// What the operator sees of curiosity, by a process of its own beside a real fleet; and what is left of curiosity where the settings leave it out.
import { expect, test } from 'vitest'
import { bring, changeBook, end } from '#services/curiosity/desk/book.ts'
import { ofAsked } from '#shared/memory/record.ts'
import { partitionPrefix, partitions } from '#queues/partition.ts'
import { startCuriosity } from '#test/rig/curiosity.ts'
import { until } from '#test/rig/fleet.ts'
import { runFlotilla } from '#test/rig/run-context.ts'
import { planModel } from './planned-model.ts'
import { textPlaces } from './text-places.ts'

const onTheWeb = textPlaces['the web, by the page’s button']

test(
  'the report has counts by kind and person, what stopped by itself, and today’s budget',
  { timeout: 120_000 },
  async () => {
    await using place = await onTheWeb({})
    const { fleet } = place
    const none = await runFlotilla(fleet, ['curiosity', 'report'])
    expect(none).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Nobody was asked yet') })
    const keys = Array.from({ length: 20 }, (_, at) => `k${at}`)
    await changeBook(fleet.runtime.desks, 'telegram:7', (book) =>
      keys.reduce(
        (left, key, at) => end(left, key, at < 2 ? 'answered' : 'skipped'),
        bring(
          book,
          { id: 'one', at: 1, cold: false, keys, in: 'telegram:7' },
          keys.map(() => 'action' as const),
        ),
      ),
    )
    const { out, err, code } = await runFlotilla(fleet, ['curiosity', 'report'])
    expect({ err, code }).toEqual({ err: '', code: 0 })
    expect(out).toMatch(/\n {2}action +20 +2 +0 +18 +0 +0 +0 +0 +0 +10 %\n/)
    expect(out).toMatch(/\n {2}telegram:7 +20 +2 +0 +18 +0 +0 +0 +0 +0 +10 % +0\n/)
    expect(out).toMatch(
      /Stopped by themselves, since too few were answered:\n {2}telegram:7 +action +2 of 20 answered\n/,
    )
    expect(out).toContain('Budget curiosity today: 0 calls, 0 tokens.')
    const json: unknown = JSON.parse((await runFlotilla(fleet, ['curiosity', 'report', '--json'])).out)
    expect(json).toMatchObject({
      isOn: true,
      asked: { people: [{ principal: 'telegram:7', retired: ['action'], waiting: 0 }], isPart: false },
      today: { calls: 0, tokens: 0 },
    })
    expect(JSON.stringify(json)).not.toContain('k19')
    expect(json).toMatchObject({ isStopped: false })
    expect(out).not.toContain('stop all')
    await fleet.runtime.incurious.setQuiet(true, 'web:owner')
    expect((await runFlotilla(fleet, ['curiosity', 'report'])).out).toContain(
      'An owner has stopped all questions by /curiosity stop all.',
    )
    const stopped: unknown = JSON.parse((await runFlotilla(fleet, ['curiosity', 'report', '--json'])).out)
    expect(stopped).toMatchObject({ isOn: true, isStopped: true })
  },
)

test.each([
  [['--jsonl'], '"--jsonl" is not known here'],
  [['yesterday'], '"yesterday" is not known here'],
  [['--json', '--json'], 'stands there twice'],
])(
  '%j is refused with what to write instead',
  async (args, told) => {
    await using place = await onTheWeb({})
    const { out, err, code } = await runFlotilla(place.fleet, ['curiosity', 'report', ...args])
    expect({ out, code }).toEqual({ out: '', code: 2 })
    expect(err).toContain(told)
    expect(err).toContain('Write flotilla curiosity report')
  },
  60_000,
)

test(
  'FLOTILLA_CURIOSITY=off: no jobs, no questions, no cards, and both commands say so',
  { timeout: 60_000 },
  async () => {
    await using place = await onTheWeb({ env: { FLOTILLA_CURIOSITY: 'off' } })
    const { fleet } = place
    await using _ = startCuriosity(fleet)
    const model = planModel(fleet.model)
    model.answers('A plan of it. I assumed that the retro is online.')
    await place.say('plan the retro please')
    await place.hear('the retro is online')
    await place.say('/curiosity')
    await place.hear('Curiosity is off here')
    await place.say('/questions now')
    await place.hear('Curiosity is off here', 2)
    await place.say('/questions')
    await place.hear('No question in this chat waits for your answer.')
    // What is open by itself is listed as ever.
    const ask = {
      kind: 'knowledge',
      question: 'Which ferry?',
      why: 'there are two',
      otherwise: 'I take the early one.',
    }
    model.answers([{ name: 'human_ask', arguments: JSON.stringify({ ...ask, deadline_hours: 24 }) }])
    await place.say('plan the trip please')
    await place.hear('Which ferry?')
    await place.say('/questions')
    await place.hear('What waits for your answer in this chat:')
    const { redis, memory } = fleet.runtime
    const jobs = await Promise.all(
      Array.from({ length: partitions }, (__, at) => redis.zcard(`${partitionPrefix(at)}jobs:curiosity`)),
    )
    expect(jobs.reduce((sum, one) => sum + one, 0)).toBe(0)
    expect(await memory.read(ofAsked('web:owner'))).toMatchObject({ count: 0 })
    const { out } = await runFlotilla(fleet, ['curiosity', 'report'], { FLOTILLA_CURIOSITY: 'off' })
    expect(out).toContain('Curiosity is off: FLOTILLA_CURIOSITY=off.')
  },
)

test('where it is on the same turn leaves a question', { timeout: 60_000 }, async () => {
  await using place = await onTheWeb({})
  await using _ = startCuriosity(place.fleet)
  planModel(place.fleet.model).answers('A plan of it. I assumed that the retro is online.')
  await place.say('plan the retro please')
  const waiting = await until(async () => {
    const read = await place.fleet.runtime.memory.read(ofAsked('web:owner'))
    return read !== 'same' && read.count
  })
  expect(waiting).toBe(1)
})
