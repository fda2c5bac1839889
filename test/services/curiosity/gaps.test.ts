// What is worth asking a person at the end of a dialogue: what a question holds, whom it is put to, and what closes it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Dialogue, KnownRecord, Question } from '#services/curiosity/gaps/dialogue.ts'
import { findGaps } from '#services/curiosity/gaps/find-gaps.ts'
import { processorMs } from '#test/rig/processor-ms.ts'
import { runs } from '#test/rig/property-runs.ts'

const deps = { isRefused: (): boolean => false }
type Said = readonly [who: string, text: string]

function toDialogue(turns: readonly Said[], more: Partial<Dialogue> = {}): Dialogue {
  const people = [...new Set(turns.map(([who]) => who).filter((who) => who !== 'bot'))]
  const language = turns.some(([, text]) => /\p{Script=Han}/u.test(text)) ? 'zh' : 'en'
  const at = '2026-03-09T14:00:00Z'
  return {
    language,
    chat: people.length > 1 ? 'group' : 'direct',
    people,
    memory: [],
    turns: turns.map(([who, text]) => ({ who, text, at })),
    ...more,
  }
}
const find = (turns: readonly Said[], more?: Partial<Dialogue>): readonly Question[] =>
  findGaps(deps, toDialogue(turns, more))
const asks = (turns: readonly Said[], more?: Partial<Dialogue>): readonly string[] =>
  find(turns, more).map(({ ask }) => ask)

const request: Said = ['Ann', '@flotilla please plan the trip to Bruges for my class']

describe('a question', () => {
  it('says what is asked, of whom, why, what changes, and what is assumed', () => {
    const [question] = find([
      request,
      ['bot', 'Done. I assumed that you stay overnight in Bruges; if not, Sunday starts later.'],
    ])
    expect(question).toEqual({
      ask: 'Do you stay overnight in Bruges?',
      to: 'Ann',
      kind: 'yes-no',
      why: 'my answer says: “I assumed that you stay overnight in Bruges; if not, Sunday starts later.”',
      changes: 'if not: Sunday starts later',
      assumed: 'you stay overnight in Bruges',
      key: 'brug overnight stay',
      said: 'I assumed that you stay overnight in Bruges; if not, Sunday starts later.',
    })
  })

  it('names its options', () => {
    const [question] = find([request, ['bot', 'I could not tell whether you prefer museums or long walks.']])
    expect(question).toMatchObject({ kind: 'choice', options: ['museums', 'long walks'] })
  })

  it.each([
    ["I wasn't sure whether you travel by train or by car, so I took the train.", ['by train', 'by car'], 'the train'],
    [
      "I don't know whether Bob is your boss or your colleague.",
      ['your boss', 'your colleague'],
      'my answer stays as it is',
    ],
  ])('names options that begin alike, and quotes the answer as it was written: %s', (said, options, assumed) => {
    expect(find([request, ['bot', said]])).toMatchObject([{ options, assumed, why: `my answer says: “${said}”` }])
  })

  it.each([
    ["I don't know if you have a projector, so I left the slides out.", 'my answer follows what you say'],
    ['I assumed that you have a projector.', 'with a yes my answer stays, with a no I change it'],
    ['我不知道客人里有没有素食者。', '我按你说的改'],
  ])('promises to keep the answer by a yes only where the answer took it so: %s', (said, changes) => {
    expect(find([request, ['bot', said]])).toMatchObject([{ changes }])
  })

  it.each([
    ['I had to guess the number of people: 12.', ['What is the number of people, if it is not 12?']],
    ["I don't know how many people will come, so I assumed eight.", ['How many people will come?']],
    ['I assumed a formal tone and that Bob knows of it.', ['Is the formal tone right?', 'Does Bob know of it?']],
    ['我不确定周报发给谁看，先假设是发给经理。', ['周报发给谁看？']],
  ])('is one for each thing that was taken: %s', (said, wanted) => {
    const found = asks([request, ['bot', said]])
    expect(found).toHaveLength(wanted.length)
    for (const [at, one] of wanted.entries()) expect(found[at]?.toLowerCase()).toContain(one.toLowerCase())
  })

  it('has the same key for the same question in other words of grammar', () => {
    const one = find([request, ['bot', 'I assumed that you stay overnight in Bruges.']])
    const other = find([request, ['bot', "I'm not sure whether you stay overnight in Bruges."]])
    expect(one[0]?.key).toBe(other[0]?.key)
  })
})

describe('frames of English', () => {
  it.each([
    ["I don't know how long the slot is.", 'How long is the slot?'],
    ['Whether the class has bikes I cannot know.', 'Does the class have bikes?'],
    ['Nobody said when the museum tour starts.', 'When does the museum tour start?'],
    ['The size of the group is nowhere to be found.', 'What is the size of the group?'],
    ['I reckoned with a group size of 20, which is only a guess.', 'What is the group size, if it is not 20?'],
    ['By car or by train? I hesitated between the coach and the ferry.', 'Which do you choose: coach or ferry?'],
    ['"Charge" could mean a load or a price; I went with load.', 'Does "Charge" mean a load or a price?'],
    [
      'The picture of the gate is from 2019, and I cannot take a new one.',
      'Could you take a photo of the gate and send it here?',
    ],
  ])('%s', (said, ask) => {
    const found = asks([request, ['bot', said]])
    expect(found).toHaveLength(1)
    expect(found[0]?.toLowerCase()).toContain(ask.toLowerCase())
  })
})

describe('frames of Chinese', () => {
  it.each([
    ['会议多长我没有依据，先写了 45 分钟。', '会议多长？'],
    ['办公室能不能插电我说不好。', '办公室能不能插电？'],
    ['人数是我猜的。', '人数是多少？'],
    ['报名截止那天空着没填。', '报名截止是哪天？'],
    ['主食我在饺子和年糕之间犹豫，先写了饺子。', '主食选饺子还是年糕？'],
    ['录音我听不了。', '能不能请你听一下录音，把结果告诉我？'],
    ['借期我照市图书馆的一个月写的。', '借期是多长，市图书馆的一个月对吗？'],
  ])('%s', (said, ask) => {
    const found = asks([
      ['陈卓', '@flotilla 写一份说明'],
      ['bot', said],
    ])
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(ask)
  })
})

describe('what is no gap', () => {
  const doubt: Said = ['bot', 'Done. I assumed a break of 15 minutes.']

  it.each<[string, readonly Said[]]>([
    ['what somebody said later', [request, doubt, ['Ben', '20 minutes for the break, please'], ['bot', 'Changed.']]],
    ['what was dropped', [request, doubt, ['Ben', 'no break at all, drop it']]],
    ['what the bot leaves alone', [request, ['bot', 'Why they quarrel I do not know, and it is none of my business.']]],
    [
      'a doubt about the world',
      [
        ['Ann', 'what does HTTP 409 mean'],
        ['bot', "I'm not sure whether the draft says more."],
      ],
    ],
    ['a hedge out of politeness', [request, ['bot', 'It may need more salt, perhaps.']]],
    ['advice', [request, ['bot', 'Check whether the tickets are printed.']]],
    ['a forbidden matter', [request, ['bot', "I don't know what your salary is."]]],
    [
      'a question of the bot that was put off',
      [request, ['bot', 'Shall I look for a hotel?'], ['Ann', 'ask me later']],
    ],
  ])('%s', (_, turns) => {
    expect(find(turns)).toEqual([])
  })

  it('what a confirmed record has', () => {
    const known: KnownRecord = {
      category: 'fact',
      who: 'Ann',
      content: 'the class stays overnight in hostels',
      status: 'confirmed',
    }
    const turns: readonly Said[] = [request, ['bot', 'I assumed that the class stays overnight.']]
    expect(asks(turns)).toHaveLength(1)
    expect(asks(turns, { memory: [known] })).toEqual([])
  })
})

describe('records', () => {
  const about = (status: KnownRecord['status'], content: string, category = 'fact'): readonly KnownRecord[] => [
    { category, who: 'Ann', content, status },
  ]

  it('asks for one that nobody confirmed, where the answer rests on it', () => {
    const turns: readonly Said[] = [request, ['bot', 'The goal is the half marathon in April.']]
    const memory = about('unconfirmed', 'wants to run the half marathon in April')
    expect(asks(turns, { memory })).toEqual(['Do you still want to run the half marathon in April?'])
    expect(asks([request, ['bot', 'Here is a recipe.']], { memory })).toEqual([])
  })

  it('asks for one that ends soon', () => {
    const memory = about('confirmed', 'the hall is rented until 2026-03-31')
    const turns: readonly Said[] = [request, ['bot', 'All rehearsals are in the rented hall.']]
    expect(asks(turns, { memory })).toEqual(['The hall is rented until 2026-03-31: does it go on after that?'])
  })

  it('asks where the answer goes against a preference', () => {
    const memory = about('confirmed', 'likes short hikes under 8 km', 'preference')
    const turns: readonly Said[] = [request, ['bot', 'A hike of 14 km. It is longer than what you usually like.']]
    expect(asks(turns, { memory })).toEqual([
      'You like short hikes under 8 km: is a hike of 14 km fine for you now all the same?',
    ])
  })
})

describe('whom it is put to', () => {
  const people = ['Ann', 'Theo']

  it.each<[string, string, string]>([
    ['who asked', '@flotilla plan the fair', 'Ann'],
    ['whose text it is', "@flotilla translate Theo's abstract", 'Theo'],
  ])('%s', (_, text, to) => {
    const found = find(
      [
        ['Ann', text],
        ['bot', 'I do not know how long the stand is.'],
      ],
      { people },
    )
    expect(found.map((one) => one.to)).toEqual([to])
  })

  it('the one who is said to know, and spoken to as you', () => {
    const turns: readonly Said[] = [
      ['Ann', '@flotilla plan the fair'],
      ['bot', 'It is unclear how soon Theo knows his lines.'],
    ]
    expect(find(turns, { people })).toMatchObject([
      { to: 'Theo', ask: expect.stringContaining('how soon do you know your lines?') },
    ])
  })

  it('nobody who is not there', () => {
    expect(
      find(
        [
          ['Ann', '@flotilla plan it'],
          ['bot', 'I assumed that you stay.'],
        ],
        { people: ['Ben'] },
      ),
    ).toEqual([])
  })
})

describe('bounds', () => {
  it('asks ten at most, and the same once', () => {
    const nouns = 'slot walk film talk road song book tour match break queue speech lesson poem'.split(' ')
    const answer = nouns.map((noun) => `I do not know how long the ${noun} is.`)
    const turns = answer.map((text): Said => ['bot', text])
    expect(find([request, ...turns])).toHaveLength(10)
    expect(
      find([request, ['bot', 'I do not know how long the slot is.'], ['bot', 'I am unsure how long the slot is.']]),
    ).toHaveLength(1)
  })

  it('takes any text, and the same text for the same questions', () => {
    const words = fc.constantFrom(
      'I assumed that ',
      'whether ',
      'you ',
      '不知道',
      '先按',
      '还是',
      '，',
      '. ',
      '"',
      'a or b',
      '3',
      '@x ',
      '?',
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.array(words, { maxLength: 20 }).map((all) => all.join('')),
    )
    const said = fc.tuple(fc.constantFrom('bot', 'Ann', 'Ben'), text)
    fc.assert(
      fc.property(
        fc.array(said, { maxLength: 8 }),
        fc.constantFrom('en' as const, 'zh' as const),
        (turns, language) => {
          const found = find(turns, { language, people: ['Ann', 'Ben'] })
          expect(found.length).toBeLessThanOrEqual(10)
          expect(find(turns, { language, people: ['Ann', 'Ben'] })).toEqual(found)
          for (const { ask, to } of found)
            expect([ask.length <= 240, ['Ann', 'Ben'].includes(to)]).toEqual([true, true])
        },
      ),
      runs(300),
    )
  })

  it.each(['I assumed that you stay or ', '不知道要不要', '先按，', '"a", ', 'a and ', 'whether ', '我猜的，', '…'])(
    'takes long rows of %j in time',
    (unit) => {
      const before = processorMs()
      find([request, ...Array.from({ length: 60 }, (): Said => ['bot', unit.repeat(3000 / unit.length)])])
      expect(processorMs() - before).toBeLessThan(3000)
    },
  )
})
