// What an answer tells in passing, without a word of "I do not know": what most have, one of two that was taken, a place that is empty; and whose matter it is.
import { describe, expect, it } from 'vitest'
import type { KnownRecord } from '#services/curiosity/gaps/dialogue.ts'
import { findDay } from '#services/curiosity/gaps/days.ts'
import { findGaps } from '#services/curiosity/gaps/find-gaps.ts'

const at = '2026-07-09T14:00:00Z'
type Said = readonly [who: string, text: string]
const record = (who: string, content: string, category = 'fact'): KnownRecord => ({
  who,
  content,
  category,
  status: 'confirmed',
})

function ask(said: readonly Said[], memory: readonly KnownRecord[] = []): readonly string[] {
  const people = [...new Set(said.map(([who]) => who).filter((who) => who !== 'bot'))]
  return findGaps(
    { isRefused: () => false },
    {
      language: said.some(([, text]) => /\p{Script=Han}/u.test(text)) ? 'zh' : 'en',
      chat: people.length > 1 ? 'group' : 'direct',
      people,
      memory,
      turns: said.map(([who, text]) => ({ who, text, at })),
    },
  ).map(({ to, ask: question }) => `${to}: ${question}`)
}

const english: Said = ['Ann', '@flotilla write the poster for the street party']
const chinese: Said = ['小安', '@flotilla 帮我写一张街坊聚会的海报']

describe('an answer tells in passing', () => {
  it.each<[string, string]>([
    ['It says 40 folding chairs. 40 is what most halls have.', 're the 40 folding chairs right?'],
    ['The stalls open at nine, as on most markets.', 'o the stalls open at nine?'],
    ['The yard and the hall were both free, and I went for the yard.', 'which do you choose: yard or hall?'],
    [
      'The band is on the list twice, once as Larks and once as Lanterns; the poster says Larks.',
      'he band is on the list twice: which is right, Larks or Lanterns?',
    ],
    ['The heading can be a drawing or a photo; the poster has a drawing.', 'drawing or a photo?'],
    ['The line for the speaker holds only dots.', 'ho is the speaker?'],
    ['It ends with: Please bring your plates to ____.', 'blank after “It ends with: Please bring your plates to”?'],
    ['Ideas for the corner by the gate: a raffle, a choir, a bonfire.', 'a raffle, a choir or a bonfire?'],
    ['Neither the notice nor the page says which street is closed.', 'Which street is closed?'],
    ['Tasting the punch is beyond me.', 'Could you taste the punch and tell me the result?'],
  ])('%s', (said, question) => {
    expect(ask([english, ['bot', said]]).join()).toContain(question)
  })

  it.each<[string, string]>([
    ['帐篷照往年的常见量算了六顶。', '帐篷按“六顶”来对吗？'],
    ['海报上写八点开场，街坊聚会大多是这个点。', '八点开场，对吗？'],
    ['院子和礼堂都空着，写的是院子。', '选院子还是礼堂？'],
    ['标题可用手写，也可用印刷体，海报用的是手写。', '标题用手写还是印刷体？'],
    ['主持：____，这一格没有名字。', '主持由谁来？'],
    ['集合地点那一行目前是空格。', '集合地点在哪里？'],
    ['封路到几点，通知和网站都翻遍了也没有。', '封路到几点？'],
    ['两锅汤哪一锅更鲜，得靠你的舌头。', '哪一锅更鲜？'],
    ['标语备了两条：“夏夜同坐”“一条街一张桌”。', '选夏夜同坐还是一条街一张桌？'],
  ])('%s', (said, question) => {
    expect(ask([chinese, ['bot', said]]).join()).toContain(question)
  })

  it.each<[Said, string]>([
    [english, 'There are no tickets in the plan because the street is open to all.'],
    [english, 'Depending on the paper it may look darker.'],
    [english, 'The yard and the hall are both free.'],
    [chinese, '照片按拍摄时间排。'],
    [chinese, '来得及，集合还是六点半。'],
    [chinese, '标题先空着，等你消息。'],
  ])('and nothing by: %s %s', (said, answer) => {
    expect(ask([said, ['bot', answer]])).toEqual([])
  })
})

describe('whose matter it is', () => {
  const doubt: Said = ['bot', "I don't know on which day the technician of the heating firm comes."]
  it('is asked of the one of whom memory says that they run it', () => {
    const memory = [record('Ben', 'deals with the heating firm')]
    expect(ask([['Ben', 'morning'], english, doubt], memory)[0]).toMatch(/^Ben: /u)
    expect(ask([['Ben', 'morning'], english, doubt], [record('Ben', 'deals with the printer')])[0]).toMatch(/^Ann: /u)
  })
  it('is asked of the one whom the words of a record name, whoever said them', () => {
    const memory = [record('Cleo', 'Ben looks after the heating firm')]
    const said: readonly Said[] = [['Ben', 'morning'], ['Cleo', 'hi'], english, doubt]
    expect(ask(said, memory)[0]).toMatch(/^Ben: /u)
    expect(ask(said, [record('Cleo', 'Ben or Ann looks after the heating firm')])[0]).toMatch(/^Ann: /u)
  })
  it('is asked of the one who said so', () => {
    expect(ask([['Ben', 'I look after the heating'], english, doubt])[0]).toMatch(/^Ben: /u)
  })
  it('is asked of who wants it done where two say so', () => {
    expect(ask([['Ben', 'I manage the heating'], ['Cleo', 'no, I manage the heating'], english, doubt])[0]).toMatch(
      /^Ann: /u,
    )
  })
})

describe('a preference that the answer goes against', () => {
  it('is asked of the one who has it, whoever wanted the answer', () => {
    const memory = [record('Ben', 'keeps Sunday mornings free', 'preference')]
    const said: Said = ['bot', 'I booked Sunday from 9 to 11, even though Ben normally keeps Sunday mornings clear.']
    expect(ask([['Ben', 'hi'], english, said], memory).join()).toMatch(
      /^Ben: You keep Sunday mornings free: is it fine/u,
    )
    expect(ask([['Ben', 'hi'], english, said])).toEqual([])
  })
  it('is asked in Chinese too', () => {
    const memory = [record('小北', '不开夜路', 'preference')]
    const said: Said = ['bot', '八点出发，跟小北不走夜路的习惯是拧着的。']
    expect(ask([['小北', '在'], chinese, said], memory).join()).toContain('小北: 你不开夜路，这次可以破例吗')
  })
})

describe('a record that ends', () => {
  it('is asked about where the answer rests on it', () => {
    const memory = [record('小安', '三楼四间客房装修，到六月三十日为止不接客')]
    expect(ask([chinese, ['bot', '三楼四间客房装修，不接客，海报没有写。']], memory).join()).toContain('之后还继续吗')
  })

  it.each<[string, string | undefined]>([
    ['valid until 2026-05-31', '2026-05-31'],
    ['valid until 31 May 2026', '2026-05-31'],
    ['until May 31st', '2026-05-31'],
    ['until the end of August', '2026-08-31'],
    ['until the end of January 2027', '2027-01-31'],
    ['到六月三十日为止', '2026-06-30'],
    ['用到七月底', '2026-07-31'],
    ['2027年二月十五号前', '2027-02-15'],
    ['到九月初', '2026-09-05'],
    ['may come later', undefined],
    ['十三月底', undefined],
    ['until 42 May', undefined],
  ])('%s', (text, day) => {
    expect(findDay(text, at)).toBe(day)
  })
})

it('is quoted where no rule can put it as a question, and the reason does not quote it again', () => {
  const people = ['Ann']
  const said = 'This cleaning recipe is for disc brakes, which I took yours to be.'
  const turns = [
    { who: 'Ann', text: 'write a note on how to clean the brakes of my bike', at },
    { who: 'bot', text: said, at },
  ]
  const found = findGaps({ isRefused: () => false }, { language: 'en', chat: 'direct', people, memory: [], turns })
  expect(found).toMatchObject([
    {
      ask: 'What is right where I wrote “This cleaning recipe is for disc brakes, which I took yours to be”?',
      why: 'I did not know it when I wrote it',
    },
  ])
})
