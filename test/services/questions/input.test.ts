// What the model may ask: what does not fit is its mistake, and the same question is known in other words.
import { expect, test } from 'vitest'
import { readInput } from '#services/questions/input.ts'
import { asksTheSame } from '#services/questions/similar.ts'

const least = { kind: 'knowledge', question: 'Where?', why: 'So', otherwise: 'I guess' }
const options = [{ label: 'Yes' }, { label: 'No' }]

test('what has everything and nothing else is read', () => {
  expect(readInput({ ...least, kind: 'choice', options })).toMatchObject({ options })
  for (const wrong of [
    { ...least, kind: 'approval' },
    { ...least, kind: 'choice' },
    { ...least, options },
    { ...least, buttons: [] },
    { ...least, question: ' \u200b ' },
    { ...least, question: 'x'.repeat(601) },
    { ...least, otherwise: '' },
    { ...least, deadline_hours: 0 },
    { ...least, deadline_hours: 1e6 },
    { ...least, kind: 'choice', options: [{ label: 'Yes' }] },
    { ...least, kind: 'choice', options: [{ label: 'Yes' }, { label: 'Уes' }] },
    { ...least, kind: 'choice', options: [{ label: 'x'.repeat(65) }, { label: 'y' }] },
  ])
    expect(() => readInput(wrong), JSON.stringify(wrong).slice(0, 100)).toThrow()
})

test('the same in other words is the same, and what differs in what matters is not', () => {
  for (const [one, other] of [
    ['What is your budget for the trip?', 'Could you tell me the budget of your trip, please?'],
    ['你的旅行预算是多少？', '请问旅行预算是多少'],
    ['Which hotel?', 'which HOTEL ?'],
  ] as const)
    expect(asksTheSame(one, other), one).toBe(true)
  for (const [one, other] of [
    ['When is the meeting?', 'Where is the meeting?'],
    ['May I delete file 3?', 'May I delete file 4?'],
    ['删除文件甲吗？', '保留文件甲吗？'],
    ['What is your name?', 'What is your budget?'],
    ['', ''],
  ] as const)
    expect(asksTheSame(one, other), one).toBe(false)
})
