// What the bot proposed and nobody took or refused, and what it looked up in vain.
import { expect, test } from 'vitest'
import { findGaps } from '#services/curiosity/gaps/find-gaps.ts'

const at = '2026-03-09T14:00:00Z'
const find = (language: 'en' | 'zh', answer: string, ...after: string[]): readonly string[] =>
  findGaps(
    { isRefused: () => false },
    {
      language,
      chat: 'direct',
      people: ['Ann'],
      memory: [],
      turns: [
        { who: 'Ann', text: language === 'en' ? 'plan the team offsite for me' : '帮我安排一下团建', at },
        { who: 'bot', text: answer, at },
        ...after.map((text) => ({ who: 'Ann', text, at })),
      ],
    },
  ).map(({ ask, kind }) => `${ask} ${kind}`)

const elsewhere = { en: 'what is the weather there?', zh: '那边天气怎么样' }
test.each<['en' | 'zh', string, string]>([
  ['en', 'I suggest moving it to September.', 'I suggested moving it to September: do you want that? yes-no'],
  ['en', 'Shall I add a guide?', 'do you want me to add a guide? yes-no'],
  ['en', 'I looked for the contract in the folder, in vain.', 'could you send it, or say where it is? action'],
  ['zh', '我建议改到九月。', '我建议过改到九月，要这样吗？ yes-no'],
  ['zh', '要不要加一个向导？', '要不要加一个向导？ yes-no'],
  ['zh', '我搜了一圈，没有搜到合同。', '我没有找到合同，能不能发给我，或者告诉我在哪里？ action'],
])('%s: %s', (language, answer, asked) => {
  expect(find(language, answer, elsewhere[language]).join()).toContain(asked)
})

test.each<['en' | 'zh', string, string]>([
  ['en', 'I suggest moving it to September.', 'ok'],
  ['en', 'I suggest moving it to September.', 'no, too late'],
  ['en', 'I suggest moving it to September.', 'let me think about it'],
  ['en', 'I suggest moving it to September.', 'September is full of holidays'],
  ['en', 'Shall I add a guide?', 'we have a guide'],
  ['en', 'Shall I add a guide?', '👍'],
  ['zh', '要不要加一个向导？', '不用'],
  ['zh', '要不要加一个向导？', '回头再说'],
  ['zh', '我建议改到九月。', '好'],
])('%s: %s — %s', (language, answer, said) => {
  expect(find(language, answer, said)).toEqual([])
})

test('while nobody has gone on, a proposal is open', () => {
  expect(find('en', 'Shall I add a guide?')).toEqual([])
})
