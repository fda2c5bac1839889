// What the bot's last message offers or asks, read as a request.
import { expect, it } from 'vitest'
import { findOffer } from '#services/router/offer.ts'

it.each([
  ['要我帮你重构整个模块吗？', '帮你重构整个模块'],
  ['do you want me to write it down?', 'write it down'],
  ['done. would you like me to draft the letter?', 'draft the letter'],
  ['if you like, i can draft it for you.', 'draft it for you'],
  ['the report is ready. shall i send it to bob?', 'send it to bob'],
  ['你想要 pdf 还是 word？', '你想要 pdf 还是 word'],
  ['下一步我会整理文档。继续吗？', '整理文档。。继续'],
  ['shall i send it to bob? thanks for waiting.', 'send it to bob'],
])('%j offers %j', (reply, offered) => {
  expect(findOffer(reply, false)).toBe(offered)
})

it.each([
  'how are you',
  'done.',
  '',
  'let me know if you need anything else',
  '还有什么可以帮你的吗？',
  'here it is. anything else?',
  'ok ok ok.',
])('%j offers nothing', (reply) => {
  expect(findOffer(reply, false)).toBeUndefined()
})

it('a question that was asked long before is no offer any more', () => {
  const asked = 'shall i send it to bob?'
  expect(findOffer(`${asked} one.`, false)).toBe('send it to bob')
  expect(findOffer(`${asked} one. two. three.`, false)).toBeUndefined()
})

it('a question that offers nothing counts only at the end', () => {
  expect(findOffer('which colour is it?', false)).toBe('which colour is it')
  expect(findOffer('which colour is it? it was red.', false)).toBeUndefined()
})

it('a statement that offers counts as the last but one, no earlier', () => {
  const offer = 'let me know if you want me to draft it.'
  expect(findOffer(offer, false)).toBe('draft it')
  expect(findOffer(`${offer} it is short.`, false)).toBe('draft it')
  expect(findOffer(`${offer} it is short. it is good.`, false)).toBeUndefined()
})

it('an offer that says nothing of itself is about the sentence before', () => {
  expect(findOffer('我可以重构登录模块。需要吗？', false)).toBe('重构登录模块')
})

it('a card that offers nothing by its words is asked as it stands', () => {
  expect(findOffer('the colour of the wall', true)).toBe('the colour of the wall')
  expect(findOffer('the colour of the wall', false)).toBeUndefined()
})

it('an action that is to be agreed to is what it is about', () => {
  expect(findOffer('是否同意删除旧文件？', false)).toBe('删除旧文件')
})
