// What a won press does: the answer of its question's feature, in a step that also takes the buttons away.
import { expect, test } from 'vitest'
import type { AnswerEvent } from '#shared/chat/event.ts'
import type { Effect } from '#shared/feature/effect.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import { createStage, type Stage } from '#test/services/executor/stage.ts'
import { ann, conversation, wonPress, toApply } from '#test/rig/events.ts'

const kept = { id: 'press', payload: 'kept', about: 'poll.vote', card: 'row-1', messageId: '77' }
const press = wonPress(kept)

/** A feature whose question is answered by these effects. */
const poll = (effects: readonly Effect[]): Feature => ({
  name: 'poll',
  questions: { vote: { answer: async () => effects } },
})

async function answer(
  effects: readonly Effect[],
  more: Partial<AnswerEvent> = {},
): Promise<{ readonly stage: Stage; readonly bodies: readonly OutBody[] }> {
  const stage = createStage({ features: [poll(effects)] })
  await stage.put({ ...press, ...more }, toApply('answer'))
  await stage.work()
  return { stage, bodies: stage.steps.flatMap(({ rows = [] }) => rows.map(({ body }) => body)) }
}
const off = { v: 1, kind: 'unbutton', answers: [], language: 'en', replaces: 'row-1', replacesMessage: '77' }

test('what an answer says goes before the buttons, by rows of that step', async () => {
  const { stage, bodies } = await answer([{ kind: 'send', text: 'Counted.' }])
  expect(bodies).toMatchObject([{ kind: 'send', text: 'Counted.', answers: ['press'] }, off])
  const [step] = stage.steps
  expect(step?.rows?.map(({ id }) => id)).toEqual([`${step?.key}-0`, `${step?.key}-off-0`])
})

test('an answer that says nothing takes the buttons away all the same', async () => {
  expect((await answer([])).bodies).toEqual([off])
})

test('an answer that changes its card leaves its buttons to that', async () => {
  const { bodies } = await answer([{ kind: 'send', text: 'Counted.', inPlace: true }])
  expect(bodies).toMatchObject([{ text: 'Counted.', replaces: 'row-1', replacesMessage: '77' }])
})

test('an answer that begins a turn leaves the buttons to its end', async () => {
  const { stage, bodies } = await answer([{ kind: 'turn', text: 'Go on.' }])
  expect(bodies).toMatchObject([{ kind: 'send', text: 'ok' }, off])
  expect(stage.requests[0]?.messages[1]).toEqual({ role: 'user', content: 'Go on.' })
})

test('of a card that nobody knows no buttons can be taken away', async () => {
  const { card: _, messageId: __, ...bare } = press
  const stage = createStage({ features: [poll([{ kind: 'send', text: 'Counted.' }])] })
  await stage.put(bare, toApply('answer'))
  await stage.work()
  expect(stage.steps.flatMap(({ rows = [] }) => rows)).toHaveLength(1)
})

test('an answer about a stop is done with, and nothing is said', async () => {
  const { stage, bodies } = await answer([{ kind: 'send', text: 'Counted.' }], { about: 'turn.stop' })
  expect(bodies).toEqual([])
  expect((await stage.kernel.pending(conversation, 0)).events).toEqual([])
})

test('a feature is told who presses, whether an owner does, and what its settings hold', async () => {
  const told: unknown[] = []
  const asking: Feature = {
    name: 'poll',
    settings: [{ id: 'size', label: { zh: '', en: '' }, choices: [], holds: () => 'large' }],
    questions: {
      vote: {
        async answer({ principal, owner, conversation: where, holds }) {
          told.push({ principal, owner, where, size: await holds('size') })
          await expect(holds('colour')).rejects.toThrow('There is no setting colour')
          return []
        },
      },
    },
  }
  const stage = createStage({ features: [asking], isOwner: async (who) => who === 'web:bob' })
  await stage.put(press, toApply('answer'))
  await stage.put({ ...press, id: 'other', principal: 'web:bob' }, toApply('answer'))
  await stage.work()
  const about = { where: conversation, size: 'large' }
  expect(told).toEqual([
    { ...about, principal: ann, owner: false },
    { ...about, principal: 'web:bob', owner: true },
  ])
})
