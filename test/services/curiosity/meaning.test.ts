// By what a question is known: the same however it is worded, as far as words can tell.
import { expect, test } from 'vitest'
import { isSameMeaning, toMeaning } from '#services/curiosity/gaps/meaning.ts'

test.each([
  ['How long is the slot for the retro?', 'What is the duration of the retro slot?'],
  ['How many chairs are needed?', 'What number of chairs is needed?'],
  ['Which colour do you prefer for the door?', 'What is your favourite colour for the door?'],
  ['周会一般开多长时间？', '周会开多久？'],
  ['週會開多久？', '周会开多久？'],
  ['Ann, are two chairs enough?', 'Are 2 chairs enough, Ann?'],
])('%j is %j', (one, other) => {
  expect(isSameMeaning(toMeaning(one, ['Ann']), toMeaning(other, ['Ann']))).toBe(true)
})

test.each([
  ['How many chairs does the concert need?', 'How many chairs does the wedding need?'],
  ['Is Bus 12 right for you?', 'Is Bus 14 right for you?'],
  ['集合地点在哪里？', '集合时间是几点？'],
])('%j is not %j', (one, other) => {
  expect(isSameMeaning(toMeaning(one, []), toMeaning(other, []))).toBe(false)
})

test('a model’s English key makes one of two languages; one word, and Chinese, is none', () => {
  const [one, other] = ['How long is the slot for the retro?', '复盘会开多久？']
  expect(toMeaning(one, [], 'retro slot length')).toBe(toMeaning(other, [], 'length of the retro slots'))
  expect(toMeaning(one, [], 'retro')).toBe(toMeaning(one, []))
  expect(toMeaning(other, [], '复盘 时长')).toBe(toMeaning(other, []))
})
