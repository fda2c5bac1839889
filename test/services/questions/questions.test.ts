// The model asks people: what stands on the card, how it is answered, and what the next turn knows of it.
import { expect, test } from 'vitest'
import { ann, edit, toApply, toCommand } from '#test/rig/events.ts'
import { dateForms } from '#services/questions/words.ts'
import { asks, bob, dayMs, hourMs, openQuestions, type QuestionStage } from './question-stage.ts'

const choice = {
  kind: 'choice',
  question: 'Which hotel?',
  options: [{ label: 'Adler', pros: 'cheap', cons: 'far' }, { label: 'Krone' }],
}
async function begin(given: Record<string, unknown> = {}, open: QuestionStage = openQuestions()) {
  open.stage.answers(asks(given))
  await open.stage.ask('Plan my trip to Bonn')
  return open
}
const lastPrompt = ({ stage }: QuestionStage): string => stage.requests.at(-1)?.messages.at(-1)?.content ?? ''

test('a card says what is asked and for what, how urgent it is, why, what happens otherwise, and by when', async () => {
  const { stage, texts } = await begin({ urgency: 'low', deadline_hours: 48 })
  const [card = '', ended] = await texts()
  expect(card).toMatch(
    /^While I work on “Plan my trip to Bonn” I need to know \(no hurry\):\n\n> \*\*What is the budget\?\*\*\n\nWhy I ask: It decides the hotel\.\n\nReply to this message with the answer\.\n\nIf you press “You decide”, or nobody answers in time: I take 500\.\n\nPlease answer by .+ \(Europe\/Berlin\)\.$/,
  )
  // The card says it all.
  expect(ended).toBeUndefined()
  expect(stage.requests).toHaveLength(1)
  expect((await stage.sent())[0]).toMatchObject({ asks: { urgency: 'low', deadlineMs: 2 * dayMs, dated: true } })
})

test('in Chinese, and in the zone of whom it is for', async () => {
  const open = openQuestions({ findZoneOf: async () => 'Asia/Shanghai' })
  open.stage.answers(asks({ ...choice, question: '选哪家酒店？' }))
  await open.stage.ask('帮我安排去波恩的行程')
  const [card = ''] = await open.texts()
  expect(card).toContain(
    '请选择：\n\n> **选哪家酒店？**\n\n1. Adler — 优点：cheap；缺点：far\n2. Krone\n\n你更倾向哪个？\n\n为什么问：',
  )
  expect(card).toMatch(/请在 .+（Asia\/Shanghai）之前回答。$/)
})

test('a card ends as it was asked, and the turn goes on so, whatever the answer and others speak', async () => {
  const open = await begin({ question: '用谁的名字订？' })
  // Of this card nobody can tell: its task is English.
  expect((await open.texts())[0]).toContain('I need to know:')
  const zh = openQuestions()
  zh.stage.answers(asks({ question: '用谁的名字订？' }))
  await zh.stage.ask('帮我订一间小屋', { group: true, name: 'Ann' })
  zh.stage.answers('Hello, Bob.', asks({ ...choice, question: '选哪家酒店？' }))
  await zh.stage.ask('hello there, what is up?', { group: true, principal: bob, name: 'Bob' })
  expect(await zh.reply('Ann Lee')).toMatch(/✓ Ann回答：Ann Lee[^]*请选择/)
  zh.stage.answers('Hello, Bob.', '好。')
  await zh.stage.ask('hello again, what is up?', { group: true, principal: bob, name: 'Bob' })
  expect(await zh.stage.press('Krone')).toContain('✓ Ann选择了：Krone')
  // Chinese words are Chinese, whatever they answer.
  expect(await open.reply('张先生的名字')).toContain('✓ 你回答：张先生的名字')
})

test.each([
  ['Plan my trip to Bonn', 'If you press “You decide”, or nobody answers in time: ', 'If nobody answers in time: '],
  ['帮我安排去波恩的行程', '如果你按“你来决定”，或者到时没有人回答：', '如果到时没有人回答：'],
])(
  'what silence brings stands right above the deadline, and a button that brings the same is named (%s)',
  async (wish, both, silence) => {
    const zh = wish !== 'Plan my trip to Bonn'
    for (const [given, says] of [
      [{}, both],
      [{ expects: 'yes-no' }, both],
      [{ kind: 'action' }, silence],
      [choice, silence],
    ] as const) {
      const { stage, texts } = openQuestions()
      stage.answers(asks({ ...given, ...(zh ? { question: '要哪一个？' } : {}) }))
      await stage.ask(wish)
      const lines = (await texts())[0]?.split('\n\n') ?? []
      expect(lines.at(-2)).toBe(`${says}I take 500.`)
      expect(lines.at(-1)).toMatch(zh ? /^请在 .+之前回答。$/ : /^Please answer by /)
    }
  },
)

test('a press begins a turn with the answer, and the card says who chose what', async () => {
  const open = await begin(choice)
  open.stage.answers('Booked.')
  await open.stage.press('Krone')
  expect((await open.stage.sent()).find(({ text }) => text.includes('Chosen by you: Krone'))).toMatchObject({
    replaces: expect.any(String),
  })
  expect((await open.texts()).at(-1)).toBe('Booked.')
  expect(lastPrompt(open)).toContain('Plan my trip to Bonn')
  expect(lastPrompt(open)).toContain('## HUMAN_RESPONSE q1\n> Which hotel?\n> → Krone')
  expect((await open.slice()).asked).toMatchObject([{ state: 'answered', answer: 'Krone' }])
  const records = open.stage.steps.flatMap(({ records: made = [] }) => made)
  expect(records.at(-1)).toMatchObject({ kind: 'turn', record: { asked: '> Which hotel?\nKrone' } })
})

test('a reply is read by what is expected: an option by its number, a number, a date, yes or no', async () => {
  for (const [given, words, meant] of [
    [choice, '2', 'Krone'],
    [choice, 'ｋｒｏｎｅ', 'Krone'],
    [{ expects: 'number' }, 'about 700 €', 'about 700 €'],
    [{ expects: 'date' }, '下周三', '下周三'],
    [{ expects: 'yes-no' }, '好的', '好的'],
    [{}, 'whatever', 'whatever'],
  ] as const) {
    const open = await begin(given)
    await open.reply(words)
    expect((await open.slice()).asked, words).toMatchObject([{ state: 'answered', answer: meant }])
  }
})

test('what fits nothing is asked again once, and then it is an ordinary message', async () => {
  const open = await begin({ expects: 'number' })
  expect(await open.reply('who *knows*')).toMatch(/\nI could not read your answer as a number, so I ask once more:/)
  // The card that it was an answer to says so, and where it is asked now.
  const cards = (await open.stage.sent()).filter(({ asks: isCard, text }) => isCard || text.includes('↓'))
  expect(cards).toMatchObject([
    {},
    {
      text: 'I asked:\n\n> **What is the budget?**\n\n↓ I could not read “who \\*knows\\*” as a number, so I ask again below.',
      replaces: expect.any(String),
    },
    { asks: {} },
  ])
  open.stage.answers('I see.')
  expect(await open.reply('no idea')).toContain('for an ordinary message')
  expect(open.stage.requests).toHaveLength(2)
  expect(open.stage.requests.at(-1)?.messages.at(-2)?.content).toBe('no idea')
  expect(lastPrompt(open)).not.toContain('HUMAN_RESPONSE')
  const again = await begin({ expects: 'number' })
  await again.reply('who knows')
  await again.reply('42')
  expect((await again.slice()).asked).toMatchObject([{ state: 'answered', answer: '42' }])
})

test.each([
  [
    'en',
    'Plan my trip',
    'such as 2026-12-01, 1 December, tomorrow 9:00, Friday, in 3 days.',
    'as a date, so I ask again below.',
  ],
  ['zh', '帮我安排行程', '比如 2026-12-01、12月1日、明天 9:00、周五、3天后。', '读成日期，所以在下面再问一次。'],
] as const)(
  'a card that asks for a date says in which forms, and reads them (%s)',
  async (language, wish, says, replaced) => {
    for (const form of [undefined, ...dateForms[language]]) {
      const open = openQuestions()
      open.stage.answers(asks({ expects: 'date', ...(language === 'zh' ? { question: '哪一天？' } : {}) }))
      await open.stage.ask(wish)
      expect((await open.texts())[0]).toContain(says)
      const said = await open.reply(form ?? '???')
      if (form === undefined) expect(said).toContain(replaced)
      else expect((await open.slice()).asked, form).toMatchObject([{ state: 'answered', answer: form }])
    }
  },
)

test.each([
  [
    'Plan my trip',
    '2',
    '(My question “Which ferry \\*now\\*?” is still open. To answer it, press a button on its card, or reply to the card.)',
  ],
  ['帮我安排行程', '第二个', '（我的问题“Which ferry \\*now\\*?”还没有回答：请按它卡片上的按钮，或者回复那张卡片。）'],
])(
  'what may be meant for a question, and is none of its answers, is told that it is open: %s, %s',
  async (wish, words, hint) => {
    const ferries = {
      ...choice,
      question: 'Which ferry *now*?',
      options: [{ label: 'Early, 8:15' }, { label: 'Late, 11:40' }],
    }
    const open = openQuestions()
    open.stage.answers(asks(ferries), 'Two what?', 'Tea is a plant.')
    await open.stage.ask(wish)
    // Its labels have numbers, so that a number alone may mean two things.
    expect(await open.stage.ask(words)).toBe(`Two what?\n\n${hint}`)
    expect(await open.stage.ask('What is tea?')).toBe('Tea is a plant.')
    // The model has not said it.
    expect(JSON.stringify(open.stage.requests.at(-1)?.messages)).not.toContain(hint.slice(1, 5))
    expect((await open.slice()).asked).toMatchObject([{ state: 'open' }])
  },
)

test('an answer that is too long is cut, and the person is told', async () => {
  const open = await begin()
  expect(await open.reply('x'.repeat(30_000))).toContain('I have read its first 8,000 characters')
  expect(open.stage.requests.at(-1)?.messages.some(({ content }) => content.includes('x'.repeat(8001)))).toBe(false)
})

test('an edit of an answer that was taken changes nothing', async () => {
  const open = await begin()
  await open.reply('600')
  const before = await open.texts()
  await open.stage.put({ ...edit('6000'), conversation: 'web:stage', messageId: 'said1' }, toApply('edit'))
  await open.stage.work()
  expect(await open.texts()).toEqual(before)
  expect((await open.slice()).asked).toMatchObject([{ answer: '600' }])
})

test('when nobody answers, what was said runs, once, and the card says so', async () => {
  const open = await begin({ deadline_hours: 2 })
  open.stage.answers('I took 500.')
  expect(await open.stage.wait(2 * hourMs + 60_000)).toMatch(
    /Nobody answered in time\. I go on like this: I take 500\.[^]*I took 500\.$/,
  )
  expect(lastPrompt(open)).toContain('Nobody answered in time. Go on as you said: I take 500.')
  expect(await open.stage.wait(30 * dayMs)).toBe('')
})

test('who leaves it to the bot is taken at their word', async () => {
  const open = await begin()
  await open.stage.press('You decide')
  expect(lastPrompt(open)).toContain('You decide; go on as you said: I take 500.')
})

test('what is called off is said once, and begins nothing', async () => {
  const open = await begin()
  await open.stage.ask('/stop', { as: toCommand('stop') })
  await open.stage.wait(0)
  await open.stage.wait(0)
  const said = (await open.texts()).filter((text) => text.includes('This question was called off.'))
  expect([said.length, open.stage.requests.length]).toEqual([1, 1])
})

test('thirty questions in one turn are six at most, of which one is shown and three wait', async () => {
  const topics = 'hotel train guide museum bread weather garden river castle music horse lamp'.split(' ')
  const open = openQuestions()
  open.stage.answers(
    asks(...Array.from({ length: 30 }, (_, n) => ({ question: `Which ${topics[n % 12]} number ${n}?` }))),
  )
  await open.stage.ask('Plan it')
  const cards = (await open.stage.sent()).filter(({ asks: isCard }) => isCard)
  expect([cards.length, (await open.stage.state()).asking?.waiting.length]).toEqual([1, 3])
  for (let n = 0; n < 4; n++) await open.stage.press('You decide')
  open.stage.answers(
    asks({ question: 'Which boat?' }),
    asks({ question: 'Which bus?' }),
    asks({ question: 'Which bike?' }),
    'Done.',
  )
  for (let n = 0; n < 2; n++) {
    await open.stage.ask('More')
    await open.stage.press('You decide')
  }
  await open.stage.ask('More')
  expect((await open.slice()).asked).toHaveLength(6)
  expect(open.told().at(-1)).toContain('was asked 6 questions within an hour')
})

test('a hundred people are each asked one', async () => {
  const open = openQuestions()
  for (let n = 0; n < 100; n++) {
    open.stage.answers(asks({}))
    await open.stage.ask('Plan it', { group: true, principal: `web:p${n}`, name: `P${n}` })
  }
  expect((await open.stage.sent()).filter(({ asks: isCard }) => isCard)).toHaveLength(100)
  open.stage.answers('Fine.')
  await open.stage.press('You decide', 'web:p99')
  expect(open.stage.steps.flatMap(({ entries }) => entries).findLast(({ t }) => t === 'turn:start')).toMatchObject({
    principal: 'web:p99',
  })
})

test('the same is not asked again, nor in other words: the old answer is given', async () => {
  const open = await begin()
  open.stage.answers(asks({ question: 'Could you tell me what your budget is?' }), 'Thanks.')
  await open.stage.ask('And?')
  expect(open.told().at(-1)).toContain('Already asked: pending question q1')
  await open.reply('600')
  open.stage.answers(asks({ question: 'what is the BUDGET' }), 'Thanks.')
  await open.stage.ask('And?')
  expect(open.told().at(-1)).toContain('Not asked again: to q1 the answer was: 600')
  open.stage.answers(asks({ question: 'When is the trip?' }))
  await open.stage.ask('And?')
  expect((await open.slice()).asked).toHaveLength(2)
})

test('another member’s answer serves whom it was asked for, and is named as theirs', async () => {
  const open = openQuestions()
  await open.stage.ask('Hello', { group: true, principal: bob, name: 'Bob' })
  open.stage.answers(asks({ ...choice, who: 'bob' }))
  await open.stage.ask('Plan it', { group: true, name: 'Ann' })
  expect((await open.texts()).some((text) => text.startsWith('Bob: Please choose:'))).toBe(true)
  expect(await open.stage.press('Krone', ann)).toBe('FORBIDDEN')
  open.stage.answers('Fine.')
  expect(await open.stage.press('Krone', bob)).toContain('Chosen by Bob: Krone')
  expect(lastPrompt(open)).toContain('answered by Bob')
  expect(open.stage.steps.flatMap(({ entries }) => entries).findLast(({ t }) => t === 'turn:start')).toMatchObject({
    principal: ann,
  })
})

test('nobody can be asked whom the group does not know', async () => {
  const open = openQuestions()
  open.stage.answers(asks({ who: 'telegram:99' }), 'Well.')
  await open.stage.ask('Plan it')
  expect(open.told().at(-1)).toContain('nobody of this name is known here')
})

test('/questions lists what is open to who asks, with the time left, and what waits', async () => {
  const open = openQuestions()
  const list = (): Promise<string> => open.stage.ask('/questions', { as: toCommand('questions') })
  expect(await list()).toBe(
    'No question in this chat waits for your answer. The bell shows those of all your conversations.',
  )
  open.stage.answers(asks({ deadline_hours: 5 }, { ...choice, urgency: 'high' }))
  await open.stage.ask('Plan it')
  expect(await list()).toMatch(
    /^What waits for your answer in this chat:\n\n1\. What is the budget\? — (?:4 h 59 min|5 h) left\n2\. Which hotel\? — urgent, waits its turn\n\nPress a button on the card, or reply to it\. The bell shows those of all your conversations\.$/,
  )
  expect(await open.stage.ask('/working', { as: toCommand('working') })).toContain('- "What is the budget?"')
})

/** Asks two things at once, answers the first, and lets the second run out. */
async function talk(open: QuestionStage): Promise<readonly string[]> {
  const { stage } = open
  const settle = async (): Promise<void> => {
    await stage.work()
    await stage.work()
  }
  await stage.say('Plan my trip')
  await settle()
  await stage.press('Krone')
  await settle()
  await stage.wait(8 * dayMs)
  await settle()
  return (await open.texts()).map((text) => text.replace(/Please answer by .*/, ''))
}
function openScripted(): QuestionStage {
  const open = openQuestions()
  const usage = { promptTokens: 1, completionTokens: 1 }
  const reply = { kind: 'reply', finish: 'stop', usage, model: 'm', text: '', toolCalls: [] } as const
  const respond = ({ request }: { request: { messages: readonly { content: string }[] } }) => {
    open.stage.answers(respond)
    const last = request.messages.at(-1)?.content ?? ''
    const said = last.includes('→ Krone') ? 'Booked.' : last.includes('Nobody') ? 'Took 500.' : ''
    return said === '' ? { ...reply, ...asks(choice, {}) } : { ...reply, text: said }
  }
  open.stage.answers(respond)
  return open
}

test('a worker lost at any step leaves the same end', async () => {
  const whole = openScripted()
  const wanted = await talk(whole)
  expect(wanted.filter((text) => /Booked|Took 500/.test(text))).toEqual(['Booked.', 'Took 500.'])
  for (let n = 1; n <= whole.stage.steps.length; n++)
    for (const side of ['before', 'after'] as const) {
      const open = openScripted()
      open.stage.loseAt(n, side)
      expect(await talk(open), `lost ${side} ${n}`).toEqual(wanted)
    }
})

test('what others have a person asked does not use up what the person is asked for themselves', async () => {
  const topics = 'hotel train guide museum bread weather garden river'.split(' ')
  const open = openQuestions()
  await open.stage.ask('Hello', { group: true, principal: ann, name: 'Ann' })
  const answerAll = async (): Promise<void> => {
    for (let n = 0; n < 8; n++) await open.stage.press('You decide').catch(() => '')
  }
  for (const topic of topics) {
    open.stage.answers(asks({ question: `Which ${topic} do you like?`, who: 'Ann' }), 'Done.')
    await open.stage.ask('Ask Ann', { group: true, principal: bob, name: 'Bob' })
    await answerAll()
  }
  expect((await open.slice()).asked).toHaveLength(6)
  open.stage.answers(asks({ question: 'Which castle?' }), 'Done.')
  await open.stage.ask('Ask me', { group: true, principal: ann, name: 'Ann' })
  expect((await open.slice()).asked).toHaveLength(7)
})
