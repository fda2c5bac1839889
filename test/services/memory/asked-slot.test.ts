// Which of their single facts people ask about, in whatever words.
import { expect, test } from 'vitest'
import { findAskedSlots } from '#services/memory/asked-slot.ts'

test.each([
  ['Where do I live?', 'home self'],
  ['What’s my home town now?', 'home self'],
  ['In which city am I living at the moment?', 'home self'],
  ['Who is my boss these days?', 'manager self'],
  ['Where is my job?', 'work self'],
  ['Which company do I work for?', 'work self'],
  ['How old am I?', 'age self'],
  ['What is the name of my wife?', 'spouse self'],
  ['我家在哪个城市？', 'home self'],
  ['我现在住在哪儿', 'home self'],
  ['我公司叫什么？', 'work self'],
  ['我在哪里上班？', 'work self'],
  ['我丈夫叫什么？', 'spouse self'],
  ['我哪天过生日？', 'birthday self'],
])('%s asks about %s', (question, slot) => {
  expect([...findAskedSlots(question)]).toContain(slot)
})

test.each([
  'Where does Ann live?',
  'How do I live longer?',
  'Where do bears live?',
  'What does my boss think?',
  'Where is my cat?',
  'Write a poem about my birthday',
  '他住在哪里？',
  '我住的地方很冷',
  '老板是谁？',
  '',
])('"%s" asks about none of them', (question) => {
  expect([...findAskedSlots(question)]).toEqual([])
})
