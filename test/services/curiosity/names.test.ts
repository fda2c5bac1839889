// How people are called where their sessions are looked through: nobody takes another's question by their name.
import { expect, it } from 'vitest'
import { toNames } from '#services/curiosity/names.ts'

const call = (...names: readonly string[]): readonly string[] => [
  ...toNames(
    names.map((name, at) => ({ principal: `telegram:${at}`, name })),
    'en',
  ).values(),
]

it.each(['you', 'The retro', 'Everybody', '大家', 'my wife'])('puts a number behind the plain word %j', (name) => {
  expect(call('Ann', name)).toEqual(['Ann', `${name} #2`])
})

it('leaves names, and numbers those that two people share', () => {
  expect(call('Theodora', 'Will', '小李')).toEqual(['Theodora', 'Will', '小李'])
  expect(call('Bob', 'bob')).toEqual(['Bob #1', 'bob #2'])
})
