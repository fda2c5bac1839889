// Whether a record has to do with what is asked: a single common word is not enough.
import { expect, test } from 'vitest'
import { createRelevance } from '#services/memory/search/relevance.ts'

test.each([
  ['What did I name my boat?', 'my boat is called Heron'],
  ['Where is the demo going to be?', 'the demo is in room Aurora'],
  ['Where do I work?', 'I work at Acme'],
  ['How old is Theo?', 'my son Theo was born in 2016'],
  ['Which band is my favourite?', 'my favourite band is Low Tide'],
  [
    'The form of the insurance wants to know all about what was stolen last night: which frame number did my bike have?',
    'my bike has the frame number E-1042',
  ],
  ['Where does my mother live?', 'my mum lives in Graz'],
  ['Where does my mother live?', '我妈住在成都'],
  ["When is my wife's birthday?", "my wife's birthday is 4 June"],
  ["What is my dog's name?", 'my dog is called Rex'],
  ["When is my team's demo?", 'my team gives its demo on Friday'],
  ['Tell me about MU5211', '我的航班是MU5211'],
  ['我的船叫什么名字？Heron 还好吗？', 'my boat is called Heron'],
  ['打印机在几楼？', '打印机在三楼'],
  ['我爱喝什么茶？', '我喜欢喝龙井'],
  ['朵朵在哪里上学？', '朵朵转学到星海小学了'],
])('"%s" has to do with "%s"', (question, text) => {
  expect(createRelevance(question)(text)).toBe(true)
})

test.each([
  ['How do vaccines work?', 'I work at Acme'],
  ['What do you call a baby kangaroo?', 'my boat is called Heron'],
  ['Can you translate "good evening" into Italian?', 'I sing in a choir every Wednesday evening'],
  ['What is 17 times 23?', 'my team uses Postgres 17'],
  ['Give me a recipe for pancakes', 'my recipe book is red'],
  ['What is my favourite food?', 'my favourite band is Low Tide'],
  ['明天会下雨吗？', '我爱人叫李明'],
  ['推荐三部科幻电影', '我每周三去游泳'],
  ['请把“早上好”翻译成法语', '我每天晚上跑步'],
  ["When is my mother's birthday?", "my wife's birthday is 4 June"],
  ["When is my mother's birthday?", 'my birthday is 4 June'],
  ['我儿子几岁？', '我女儿叫小雨'],
  ['What is my cat called?', 'my dog is called Rex'],
  ['', 'my boat is called Heron'],
  ['What is it?', 'my boat is called Heron'],
])('"%s" has nothing to do with "%s"', (question, text) => {
  expect(createRelevance(question)(text)).toBe(false)
})
