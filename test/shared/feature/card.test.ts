// Cards that ask people something: one form for every kind, in both languages, and nothing in what they quote is markup, a mark or a mention.
import { expect, test } from 'vitest'
import { readBlocks } from '#adapters/markup/read-blocks.ts'
import { endCard, renderCard, toTitle, type Card, type Matter } from '#shared/feature/card.ts'
import { toInertLine, toInertQuote, toLook } from '#shared/feature/inert.ts'
import { kinds } from '#shared/feature/card-words.ts'

const matters: readonly Matter[] = [
  { kind: 'checkpoint', step: 3, description: 'The plan', output: 'Two days' },
  { kind: 'choice', question: 'Which?', options: [{ label: 'A', pros: 'near', cons: 'dear' }, { label: 'B' }] },
  { kind: 'knowledge', task: 'the trip', question: 'Where to?' },
  { kind: 'action', step: 'Sign the form' },
  { kind: 'approval', body: '`send`' },
  { kind: 'memory', candidates: ['likes tea', 'lives in Bonn'] },
  { kind: 'rule', rule: 'Always in English' },
  { kind: 'recovery', trouble: 'execution', what: 'The page did not open' },
]
const toCard = (matter: Matter): Card => ({ ...matter, urgency: 'high', why: 'Because', otherwise: 'I wait' })

test('every kind says its urgency, why it is asked and what happens otherwise, in both languages', () => {
  expect(matters.map(({ kind }) => kind)).toEqual(kinds)
  for (const matter of matters) {
    expect(renderCard(toCard(matter), 'en')).toMatch(
      /^(?:\*\*.+\*\* \(urgent\)|[^*]+ \(urgent\):)\n\n[^]+Why I ask: Because\n\nIf .+: I wait$/,
    )
    expect(renderCard(toCard(matter), 'zh')).toMatch(
      /^(?:\*\*.+\*\*（紧急）|[^*]+（紧急）：)\n\n[^]+为什么问：Because\n\n如果.+：I wait$/,
    )
    expect(toTitle(matter)).not.toBe('')
  }
})

test('what is quoted is shown as it was written, and nothing of it is markup', () => {
  const hostile = [
    '[Approve](https://evil.example) **Approved by Ann** `x` ~~no~~ _now_ | <b>',
    '# Head',
    '1. one',
    '- two',
    '> three',
    '```',
    '⟦end of quote⟧',
    'see https://a.example/x',
  ]
  const card = renderCard(toCard({ kind: 'knowledge', task: '**x**', question: hostile.join('\n') }), 'en')
  const quote = readBlocks(card).find((block) => JSON.stringify(block).includes('Approve'))
  const shown = JSON.stringify(quote)
  for (const kind of ['"value":"Approve"', '"code"', '"delete"', '"emphasis"', '"heading"', '"list"', '"table"'])
    expect(shown, kind).not.toContain(kind)
  // Ours: each line as a whole, so that what is asked stands out.
  expect(shown.split('{"kind":"strong","phrases":[')).toHaveLength(hostile.length + 1)
  expect(shown).toContain('"url":"https://a.example/x"')
  expect(card).not.toContain('⟦')
  expect(toInertLine('a_b https://a.example/x_y?z=1', 80)).toBe('a_b https://a.example/x_y?z=1')
})

test('nobody is called by name, no command can be tapped, and nothing is hidden', () => {
  expect(toInertLine('@everyone /allow me, mail a@b.example', 80)).toBe(
    '@\u2060everyone /\u2060allow me, mail a@b.example',
  )
  expect(toInertLine('abc\u202edef\u200b\u0007', 80)).toBe('abcdef')
  expect(toInertQuote('one\u2028two\rthree', 80)).toBe('> one\n> two\n> three')
})

test('long texts are cut by characters and lines', () => {
  expect(toInertLine('x'.repeat(1_000_000), 10)).toBe(`${'x'.repeat(9)}…`)
  expect(toInertQuote('x\n'.repeat(100), 1000).split('\n')).toHaveLength(13)
  expect(toInertQuote('x'.repeat(1_000_000), 100).length).toBeLessThan(110)
})

test('labels that look alike have the same look', () => {
  for (const [one, other] of [
    ['Yes', 'Уes'],
    ['Yes', ' y\u200bes!'],
    ['ＯＫ', 'ok'],
    ['café', 'cafe\u0301'],
  ] as const)
    expect(toLook(one), one).toBe(toLook(other))
  expect(toLook('Plan A')).not.toBe(toLook('Plan B'))
})

test('a card that has ended keeps what was asked, with how it ended below', () => {
  expect(endCard('choice', { asked: 'Which?', end: '✓ A' }, 'en')).toBe('I asked:\n\n> **Which?**\n\n✓ A')
})

test.each([
  [
    'en',
    'Ann: Please choose:',
    'I need to know:',
    'One step I cannot take myself:',
    'While I work on “the trip” I need to know:',
  ],
  ['zh', 'Ann：请选择：', '我需要了解：', '有一步我自己做不了：', '我在处理“the trip”时，需要了解：'],
] as const)(
  'what is asked stands out, once, and what is usual is not said (%s)',
  (language, choose, know, act, knowFor) => {
    const usual = { urgency: 'normal', otherwise: 'I wait' } as const
    const lines = (card: Card): readonly string[] => renderCard(card, language).split('\n\n').slice(0, 3)
    const options = [{ label: 'A' }, { label: 'B' }]
    expect(lines({ ...usual, kind: 'choice', question: 'Which?', options, to: 'Ann' })).toEqual([
      choose,
      '> **Which?**',
      '1. A\n2. B',
    ])
    expect(lines({ ...usual, kind: 'knowledge', task: '', question: 'Where to?' }).slice(0, 2)).toEqual([
      know,
      '> **Where to?**',
    ])
    expect(lines({ ...usual, kind: 'knowledge', task: 'the trip', question: 'Where to?' })[0]).toBe(knowFor)
    expect(lines({ ...usual, kind: 'action', step: 'Sign it' }).slice(0, 2)).toEqual([act, '> **Sign it**'])
  },
)

test.each([
  ['en', 'Which of them do you prefer?', 'reply to this message with the result', 'press the button'],
  ['zh', '你更倾向哪个？', '回复这条消息，告诉我结果', '点按钮'],
] as const)(
  'options that are weighed end with a question, and a button is named where there is one (%s)',
  (language, prefer, reply, press) => {
    const usual = { urgency: 'low', otherwise: 'I wait' } as const
    const choice = (label: string, pros = '') =>
      ({ ...usual, kind: 'choice', question: 'Which?', options: [{ label, pros }] }) as const
    expect(renderCard(choice('A', 'near'), language)).toContain(prefer)
    expect(renderCard(choice('A'), language)).not.toContain(prefer)
    const act = { ...usual, kind: 'action', step: 'Sign it' } as const
    expect(renderCard(act, language)).toContain(press)
    expect(renderCard({ ...act, byReply: true }, language)).toContain(reply)
    expect(renderCard({ ...act, byReply: true }, language)).not.toContain(press)
  },
)
