// A press that came before the bot had read what was said since: its question ends, and its feature asks again with these words.
import { expect, test } from 'vitest'
import type { Effect } from '#shared/feature/effect.ts'
import type { Feature, Unread } from '#shared/feature/feature.ts'
import { ann, deletion, toApply, toCommand } from '#test/rig/events.ts'
import { answer, createStage, type Stage } from './stage.ts'

const toPay = (unread?: Unread): Effect => ({
  kind: 'ask',
  question: 'pay',
  text: unread ? `${unread.by}: “${unread.text}”. Pay it?` : 'Pay it?',
  options: [[{ id: 'yes', label: 'Pay' }]],
  payload: 'ten',
  stales: true,
})
const ends: string[] = []
const guard: Feature = {
  name: 'guard',
  commands: [{ name: 'pay', help: { zh: '付款', en: 'pay' }, run: async () => [toPay()] }],
  questions: {
    pay: {
      answer: async ({ event }) => [{ kind: 'send', text: `Paid ${event.payload}.`, inPlace: true }],
      expired: async ({ event, unread }) => {
        ends.push(event.why)
        return event.why === 'stale' ? [toPay(unread)] : []
      },
    },
  },
}
const cards = async (stage: Stage) => (await stage.sent()).filter(({ text }) => text.endsWith('Pay it?'))
async function open(features: readonly Feature[] = [guard]): Promise<Stage> {
  const stage = createStage({ features: [...features] })
  await stage.ask('/pay', { as: toCommand('pay') })
  return stage
}

test('the card comes again with what was not read, and is answered then', async () => {
  const stage = await open()
  ends.length = 0
  stage.answers('A hundred.')
  await stage.say('wait, is it 10 or 100?')
  for (let n = 0; n < 20; n++) expect(await stage.press('Pay')).toBe('STALE')
  await stage.work()
  await stage.wait(0)
  expect(ends).toEqual(['stale'])
  const [first, again, ...more] = await cards(stage)
  expect(again).toMatchObject({ text: `${ann}: “wait, is it 10 or 100?”. Pay it?` })
  expect(more).toEqual([])
  expect(again?.buttons?.[0]?.[0]?.id).not.toBe(first?.buttons?.[0]?.[0]?.id)
  expect(await stage.press('Pay')).toBe('Paid ten.')
})

test('the card that was pressed too early loses its buttons, and its feature need say nothing', async () => {
  const { expired: _, ...pay } = guard.questions?.['pay'] ?? { answer: async () => [] }
  const stage = await open([{ ...guard, questions: { pay } }])
  stage.answers('A hundred.')
  await stage.say('wait')
  expect(await stage.press('Pay')).toBe('STALE')
  await stage.work()
  await stage.wait(0)
  const rows = stage.steps.flatMap((step) => step.rows ?? [])
  expect(rows.filter(({ body }) => body.kind === 'unbutton')).toHaveLength(1)
  expect(await cards(stage)).toHaveLength(1)
  expect(await stage.press('Pay')).toBe('STALE')
})

test('long words are cut, and words that joined a turn are quoted as they were said', async () => {
  const stage = await open()
  const long = `wait ${'🙂'.repeat(200)}`
  stage.answers(async (call) => {
    await stage.say(long)
    await stage.press('Pay')
    return await answer(call, 'Well.')
  }, 'Done.')
  await stage.say('what is tea?')
  await stage.work()
  await stage.wait(0)
  const [, again] = await cards(stage)
  const quoted = /“(.*)”/s.exec(again?.text ?? '')?.[1] ?? ''
  expect(quoted).toMatch(/^wait 🙂+.?…$/u)
  expect(quoted.length).toBeLessThanOrEqual(300)
})

test('what is forgotten by then is not quoted, and a card that quotes it is forgotten with it', async () => {
  const stage = await open()
  stage.answers('A hundred.', 'Nothing.')
  await stage.say('my secret')
  expect(await stage.press('Pay')).toBe('STALE')
  await stage.work()
  const [message] = (await stage.state()).answered.slice(-1)
  await stage.put(deletion(message ?? ''), toApply('delete'))
  await stage.wait(0)
  expect((await cards(stage)).map(({ text }) => text)).toEqual(['Pay it?', 'Pay it?'])

  const other = await open()
  other.answers('A hundred.')
  await other.say('my secret')
  expect(await other.press('Pay')).toBe('STALE')
  await other.work()
  await other.wait(0)
  expect(await cards(other)).toHaveLength(2)
  const [said] = (await other.state()).answered.slice(-1)
  await other.put(deletion(said ?? ''), toApply('delete'))
  await other.work()
  expect((await cards(other)).map(({ text }) => text)).toEqual(['Pay it?'])
})
