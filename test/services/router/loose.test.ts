// What answers a question without a reply to it: nothing but what it asks for, while it is the only such question; all else is a message.
import { expect, test } from 'vitest'
import type { MessageEvent } from '#shared/chat/event.ts'
import { looseKinds, type AskedCard, type Loose } from '#shared/run/question.ts'
import { findAnswer, type Heard } from '#services/router/find-answer.ts'
import { isLoose } from '#services/router/loose.ts'
import { ann, message } from '#test/rig/events.ts'

const access = { owner: false, person: true, chat: false }
type Made = Partial<AskedCard['question']> & Pick<Partial<AskedCard>, 'labels' | 'card' | 'afterSeq' | 'askedAtMs'>
function toCard({
  labels = ['Tea', '咖啡'],
  card = 'm7',
  afterSeq = 4,
  askedAtMs = 0,
  ...question
}: Made = {}): AskedCard {
  const record = { v: 1, id: 'q1', kind: 'human.ask', owner: ann, loose: 'option' } as const
  return { question: { ...record, options: ['a', 'b'], ...question }, labels, card, afterSeq, askedAtMs }
}
/** Long after it was asked, and behind much else. */
const later = 86_400_000
function find(
  said: string | Partial<MessageEvent>,
  cards: readonly AskedCard[],
  how: Partial<Heard & { isAll: boolean }> = {},
) {
  const { isAll = true, ...heard } = how
  const event = message({ at: later, ...(typeof said === 'string' ? { text: said } : said) })
  const found = findAnswer({ event, seq: 99, access, isAlone: true, ...heard }, { cards, isAll })
  return found && `${found.rule} ${found.card.question.id}.${found.choice}`
}

test('an option’s label or number answers at any time, and what is asked for with an empty choice', () => {
  expect(find(' TEA ', [toCard()])).toBe('answer.loose q1.a')
  expect(find('２', [toCard()])).toBe('answer.loose q1.b')
  expect(find('42', [toCard({ loose: 'number' })])).toBe('answer.loose q1.')
  // Where a number is asked for, it is none of an option.
  expect(find('2', [toCard({ loose: 'number' })])).toBe('answer.loose q1.')
  expect(find('咖啡', [toCard({ loose: 'number' })])).toBe('answer.loose q1.b')
  expect(find('明天', [toCard({ loose: 'date' })])).toBe('answer.loose q1.')
  expect(find('好', [toCard({ loose: 'yes-no' })])).toBe('answer.loose q1.')
  expect(find('好', [toCard({ loose: 'yes-no', labels: ['好', '不好'] })])).toBe('answer.loose q1.a')
  expect(find('好', [toCard({ loose: 'yes-no', labels: ['好', '好'] })])).toBeUndefined()
  expect(find('1', [toCard({ labels: ['3 cups', '5 cups'] })])).toBeUndefined()
  expect(find('3', [toCard()])).toBeUndefined()
})

test('it answers only the one such question that is open to them, and none that is another’s or was not seen', () => {
  const other = toCard({ id: 'q2', card: 'm8', labels: ['On', 'Off'] })
  expect(find('Tea', [toCard(), other])).toBeUndefined()
  expect(find('Tea', [toCard(), { ...other, question: { ...other.question, owner: 'web:bob' } }])).toBe(
    'answer.loose q1.a',
  )
  expect(find('Tea', [toCard({ owner: 'web:bob' })])).toBeUndefined()
  expect(find('Tea', [toCard({ owner: '*' })])).toBe('answer.loose q1.a')
  expect(find('Tea', [toCard()], { isAll: false })).toBeUndefined()
  expect(find('Tea', [toCard()], { isAlone: false })).toBeUndefined()
  expect(find('Tea', [toCard()], { seq: 4 })).toBeUndefined()
  expect(find('Tea', [toCard({ askedAtMs: later + 3000 })])).toBeUndefined()
  const { card: _, ...unknown } = toCard()
  expect(find('Tea', [unknown])).toBeUndefined()
  for (const odd of [{ media: [{ kind: 'photo' }] }, { quoted: [{ how: 'forward', text: 'x' } as const] }])
    expect(find({ text: 'Tea', ...odd }, [toCard()])).toBeUndefined()
})

test('in a group it is said to the bot', () => {
  const inGroup = { text: '1', group: true }
  expect(find({ ...inGroup, addressed: true }, [toCard()])).toBe('answer.loose q1.a')
  expect(find({ ...inGroup, addressed: false }, [toCard()])).toBeUndefined()
  const plain = { ...toCard(), question: { ...toCard().question } }
  delete plain.question.loose
  expect(find({ text: 'Tea', group: true, addressed: true }, [plain], { seq: 5 })).toBeUndefined()
  // A reply to somebody else is none to the card.
  expect(find({ ...inGroup, replyTo: { messageId: 'm9', fromBot: true } }, [toCard()])).toBeUndefined()
})

test('what guards something is never answered so, whatever it asks for', () => {
  for (const loose of looseKinds)
    for (const text of ['1', 'Tea', '好', 'yes', '42', '明天'])
      for (const seq of [5, 99])
        expect(find({ text, at: 0 }, [toCard({ loose, stales: true })], { seq })).toBeUndefined()
})

test('one that came by itself is answered so only while nothing else was said, and in reply at any time', () => {
  const card = toCard({ loose: 'yes-no', unasked: true, words: true })
  for (const text of ['yes', '好', 'Tea']) {
    expect(find(text, [card], { seq: 5 })).toMatch(/^answer\.loose q1/)
    expect(find(text, [card], { seq: 6 })).toBeUndefined()
    const replyTo = { messageId: 'm7', fromBot: true }
    expect(find({ text, replyTo }, [card], { seq: 6 })).toMatch(/^answer\.reply/)
  }
})

test('once its person said that they will write, any words that come next are the answer, and none later', () => {
  const card = toCard({ loose: 'yes-no', words: true, unasked: true, typing: true, labels: ['Yes', 'No'] })
  for (const text of ['yes, Bob is', 'maybe', '九个人'])
    expect(find({ text, at: 0 }, [card], { seq: 5 })).toBe('answer.words q1.')
  expect(find({ text: 'yes', at: 0 }, [card], { seq: 5 })).toBe('answer.loose q1.a')
  expect(find({ text: 'yes, Bob is', at: 0 }, [card], { seq: 6 })).toBeUndefined()
  expect(find({ text: 'yes, Bob is', at: 0 }, [card], { seq: 6, asides: 1 })).toBe('answer.words q1.')
  const choice = toCard({ words: true, typing: true })
  expect(find({ text: '2', at: 0 }, [choice], { seq: 5 })).toBe('answer.loose q1.b')
  expect(find({ text: 'neither of them', at: 0 }, [choice], { seq: 5 })).toBe('answer.words q1.')
  expect(
    find({ text: 'maybe', at: 0 }, [{ ...card, question: { ...card.question, stales: true } }], { seq: 5 }),
  ).toBeUndefined()
})

test('one that takes words takes them in reply only', () => {
  const card = toCard({ words: true })
  for (const seq of [5, 99]) expect(find({ text: 'whatever you like', at: 0 }, [card], { seq })).toBeUndefined()
  expect(find('Tea', [card])).toBe('answer.loose q1.a')
  const replyTo = { messageId: 'm7', fromBot: true }
  expect(find({ text: 'whatever you like', replyTo }, [card])).toBe('answer.reply-words q1.')
  expect(find({ text: '2', replyTo }, [card])).toBe('answer.reply q1.b')
  expect(find({ text: '2', replyTo }, [toCard({ loose: 'number' })])).toBe('answer.reply q1.')
  expect(find({ text: 'some', replyTo }, [toCard({ loose: 'number' })])).toBeUndefined()
})

test('what another question may be answered by as well is a message', () => {
  const menu = toCard({ id: 'q2', card: 'm8', labels: ['1', '2'], afterSeq: 98 })
  delete menu.question.loose
  expect(find('1', [toCard(), menu])).toBeUndefined()
  expect(find('Tea', [toCard(), menu])).toBe('answer.loose q1.a')
  const dictation = { ...menu, question: { ...menu.question, words: true as const }, askedAtMs: later }
  expect(find('Tea', [toCard(), dictation])).toBeUndefined()
  expect(find('Tea', [toCard(), { ...dictation, afterSeq: 50 }])).toBe('answer.loose q1.a')
})

const fits: Readonly<Record<Exclude<Loose, 'option'>, readonly string[]>> = {
  number: [
    '0',
    '42',
    '-3',
    '3.5',
    '3,5',
    '1,000',
    '12,345,678',
    '４２',
    '三',
    '十二',
    '二十一',
    'two',
    'Twelve',
    '+1',
    '100 元',
    '5%',
    '$20',
    'about 2500 euros',
    '大概2500欧',
    'I think 12 people, thanks',
    '2.5k',
    '三个吧',
  ],
  date: [
    '2026-11-30',
    '2026/11/30',
    '11/30',
    '30/11',
    '11/30/2026',
    '30.11.',
    '30.11.2026',
    '11月30日',
    '11月30号',
    '2026年11月30日',
    '明天',
    '今天',
    '后天',
    'tomorrow',
    'Today',
    'the day after tomorrow',
    '周一',
    '下周三',
    '星期天',
    '礼拜五',
    'Monday',
    'next Friday',
    'fri',
    'Nov 30',
    '30 November',
    'November 30th, 2026',
    '明天。',
    '2/29',
    'on Friday please',
    'maybe tomorrow',
    '就明天吧',
  ],
  'yes-no': [
    '是',
    '好',
    '好的。',
    '可以',
    '嗯',
    '否',
    '不',
    '不用了',
    'yes',
    'Yes!',
    'no.',
    'OK',
    'y',
    'N',
    'sure',
    'nope',
    'yes please',
    'no, thank you',
    '好的，谢谢',
  ],
}
test.each(Object.entries(fits))('reads as %s', (kind, texts) => {
  const read = looseKinds.filter((known) => known === kind)
  expect(read).toHaveLength(1)
  expect(texts.filter((text) => !read.every((known) => isLoose(known, text)))).toEqual([])
})

const nearMisses = [
  // About numbers
  '1/2 of it',
  '10:30',
  '3-4',
  '1e5',
  'v2',
  '3 apples',
  '三只猫',
  '一一',
  '万一',
  '千万',
  '1 2',
  '1.2.3',
  '0x10',
  '+',
  '-',
  'two of them',
  'number two?',
  '2?',
  '1234567890123456',
  // About dates
  '2/30',
  '13/13',
  '32.1.',
  '2026-13-01',
  '11月31日',
  '11月',
  '30日',
  '明天几点',
  '明天见',
  '今天天气怎么样',
  '明天?',
  '下周',
  '周末',
  '周八',
  'tomorrow?',
  'see you tomorrow',
  'monday morning',
  'next week',
  'someday',
  'May',
  'mar 32',
  'foo 12',
  '30.11',
  '11/30?',
  'after tomorrow never dies',
  '后天吧要不',
  'on sunday we rest',
  // About yes and no
  '好吗',
  '好不好',
  '好?',
  '不错',
  '不知道',
  '是吗',
  '是不是',
  '行李',
  '可以吗',
  '要不要',
  '对了',
  '对不起',
  '不好意思',
  '别人',
  'yes?',
  'ok?',
  'okay google',
  'no idea',
  'no problem',
  'not now',
  'yes and no',
  'sure thing?',
  'why not',
  'no, wait',
  '好的，那帮我写一封信',
  'yes, but what is tea?',
  'ok then summarise it',
  '嗯？',
  'n/a',
  'yesterday’s news',
  '是谁',
  '好久不见',
  // Of options
  'tea?',
  'a',
  'b',
  'teas',
  '咖啡呢',
  '咖啡是什么',
  'Tea or 咖啡',
  '0',
  '3',
  '1.',
  'what is tea?',
]
/** What has a number in it that a question for a number is answered by. */
const numbers = ['0', '3', '30.11', '1.', '32.1.']
test('near misses are messages, whatever is asked for', () => {
  expect(nearMisses.length).toBeGreaterThanOrEqual(85)
  const caught = looseKinds.flatMap((loose) =>
    nearMisses.filter(
      (text) => find(text, [toCard({ loose })]) !== undefined && !(loose === 'number' && numbers.includes(text)),
    ),
  )
  expect(caught).toEqual([])
})
