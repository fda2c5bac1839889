// The words that frame a request, and what is left when they are taken off.
import { expect, it } from 'vitest'
import { defaultRouting } from '#services/router/patterns.ts'
import { createUnframe, innerRequest, type Frame } from '#services/router/request-frame.ts'

const unframe = createUnframe(defaultRouting)
const read = (text: string, question = false): Frame => unframe(text, question)
const plain = { strong: false, gives: false, from: undefined }

it.each(['请帮我写一首诗', '帮我写一首诗', '麻烦你写一首诗'])('%j is an order', (text) => {
  expect(read(text)).toEqual({ ...plain, rest: '写一首诗', strong: true })
})

it('an order stays one in the form of a question', () => {
  expect(read('can you please write a poem', true)).toEqual({ ...plain, rest: 'write a poem', strong: true })
})

it('a wish is an order in a statement, not in a question or behind one', () => {
  expect(read('我想写一首诗')).toEqual({ ...plain, rest: '写一首诗', strong: true })
  expect(read('我想写一首诗', true)).toEqual({ ...plain, rest: '写一首诗' })
  expect(read('请问我想写一首诗')).toEqual({ ...plain, rest: '写一首诗' })
})

it('a wish for a thing asks to be given it', () => {
  expect(read('我需要一份周报')).toEqual({ ...plain, rest: '一份周报', strong: true, gives: true })
  expect(read('我想写一首诗').gives).toBe(false)
})

it.each([
  ['给我一份周报', '一份周报'],
  ['来一首诗', '一首诗'],
])('%j asks to be given a thing', (text, rest) => {
  expect(read(text)).toEqual({ ...plain, rest, gives: true })
})

it('words of time and order only lead in', () => {
  expect(read('then write it')).toEqual({ ...plain, rest: 'write it' })
  expect(read('tomorrow write it')).toEqual({ ...plain, rest: 'write it' })
})

it('what is no frame is left as it is', () => {
  expect(read('怎么写')).toEqual({ ...plain, rest: '怎么写' })
  expect(read('')).toEqual({ ...plain, rest: '' })
})

it('no more than twelve words are taken off', () => {
  expect(read(`${'please '.repeat(12)}write`).rest).toBe('write')
  expect(read(`${'please '.repeat(13)}write`).rest).toBe('please write')
})

it('a request in the middle of a clause begins at its frame', () => {
  expect(innerRequest('服务器又挂了你帮我看看')).toBe('帮我看看')
  expect(innerRequest('the server is down can you please look')).toBe('can you please look')
  expect(innerRequest('帮我看看')).toBeUndefined()
  expect(innerRequest('服务器又挂了')).toBeUndefined()
})
