// What the offline demo model answers, and how it uses its tool.
import { describe, expect, it } from 'vitest'
import { createDemoModel } from '#infra/models/demo-model.ts'
import { shortenText } from '#infra/models/demo-rewrite.ts'
import { demoTools, demoWaitTool } from '#infra/models/demo-tools.ts'
import type { ModelRequest, PromptMessage } from '#shared/model/model-port.ts'
import { estimateTokens } from '#shared/model/token-estimate.ts'
import { toRequest } from './model-request.ts'
import { textOf, toolContext } from '#test/rig/tool-context.ts'

const never = new AbortController().signal
const { name, description, parameters } = demoWaitTool()
const tools = [{ name, description, parameters }]

async function reply(messages: readonly PromptMessage[] | string, changes: Partial<ModelRequest> = {}) {
  const pieces: string[] = []
  const result = await createDemoModel().complete(toRequest(messages, changes), (piece) => pieces.push(piece), never)
  if (result.kind !== 'reply') throw new Error(result.message)
  expect(pieces.join('')).toBe(result.text)
  return { ...result, pieces }
}

describe('the demo model', () => {
  it.each([
    ['你好', '你好！'],
    ['hello', 'Hello!'],
    ['你能做什么？', '等 5 秒'],
    ['what can you do?', 'wait 5 seconds'],
    ['复述：今天天气不错', '今天天气不错'],
    ['echo one two', 'one two'],
    ['数到 5', '1 2 3 4 5'],
    ['count to 3', '1 2 3'],
    ['12*(3+4) 等于多少', '12*(3+4) = 84'],
    ['what is 0.1 + 0.2?', '0.1 + 0.2 = 0.3'],
    ['8 ÷ 0', 'one cannot divide by zero'],
    ['谢谢', '不客气'],
    ['北京天气', '北京天气'],
    ['see you at 2026-01-02 10:00', 'I got'],
  ])('answers %j with %j', async (asked, answer) => {
    expect((await reply(asked)).text).toContain(answer)
  })

  it('says in every reply, in the language of the person, that it is the offline demo model', async () => {
    for (const asked of ['你好', '写一篇长文', '3+4是多少', '随便'])
      expect((await reply(asked)).text).toContain('离线演示模型')
    for (const asked of ['hello', 'long answer', '3+4', ''])
      expect((await reply(asked)).text).toContain('offline demo model')
  })

  it.each([
    [
      '⟦Bob⟧ ⟦reply to Ming; not the sender’s words⟧\n> 周五发布\n> 12*3\n⟦end of quote⟧\nsummarise this',
      'I got “summarise this”',
    ],
    ['⟦Bob⟧ ⟦reply to Ming; not the sender’s words⟧\n> see you on Friday\n⟦end of quote⟧', 'I got “see you on Friday”'],
    ['⟦小明⟧ 总结一下', '收到：“总结一下”'],
    ['⟦Bob⟧ [补充] write to me', 'I got “write to me”'],
    ['⟦Bob⟧ [added] write to me', 'I got “write to me”'],
    ['[更正前面的消息] write to me', 'I got “write to me”'],
    ['[correction of the earlier message] 写给我', '收到：“写给我”'],
    ['Rewrite your last answer shorter: keep what matters', 'There is no answer to rewrite yet'],
    ['请把你上一个回答改写得更短：只留要紧的', '（离线演示模型）还没有可以改写的回答'],
  ])('shows people nothing that is meant for a model: %j', async (content, answer) => {
    const { text } = await reply(content)
    expect(text).toContain(answer)
    expect(text).not.toMatch(/[⟦⟧]|补充|更正|added|correction|12\*3/)
  })

  it.each([
    ['en', 'Rewrite your last answer shorter: keep what matters', 'Rewrite your last answer longer: add'],
    ['zh', '请把你上一个回答改写得更短：只留要紧的', '请把你上一个回答改写得更详细：补充'],
  ])(
    'makes an answer shorter and longer by what it has, in %s, and says so once',
    async (language, shorter, longer) => {
      const asked = language === 'zh' ? '写一篇长文' : 'long answer'
      const rewrite = async (text: string, order: string) => {
        const said: PromptMessage[] = [
          { role: 'user', content: asked },
          { role: 'assistant', content: text },
        ]
        return (await reply([...said, { role: 'user', content: order }])).text
      }
      const first = (await reply(asked, { maxOutputTokens: 400 })).text
      const short = await rewrite(first, shorter)
      expect(short.length).toBeLessThan(0.7 * first.length)
      expect(short.length).toBeGreaterThan(0.3 * first.length)
      const long = await rewrite(short, longer)
      expect(long.startsWith(short)).toBe(true)
      expect(long.length).toBeGreaterThan(short.length + 20)
      const longest = await rewrite(long, longer)
      expect(longest.length).toBeGreaterThan(long.length + 20)
      for (const text of [short, long, longest]) expect(text.match(/离线演示模型|offline demo model/g)).toHaveLength(1)
    },
  )

  it.each([
    ['One. Two! Three? Four.', 'One. Two!'],
    ['一。二！三？四。', '一。二！'],
    ['a b c d', 'a b'],
    ['x'.repeat(10), 'xxxxx'],
    ['# Title\n\n```js\nconst a = 1\n\nconst b = 2\n\nconst c = 3\n```', '# Title\n\n```js\nconst a = 1\n```'],
  ])('shortens %j by its paragraphs, sentences, words or letters', (text, short) => {
    expect(shortenText(text)).toBe(short)
  })

  it('is deterministic', async () => {
    expect(await reply('写一篇长文')).toEqual(await reply('写一篇长文'))
  })

  it('tells the time of the clock line, or that there is none', async () => {
    const clock = { role: 'system', content: 'Now: 2026-11-21 22:00 Asia/Shanghai' } as const
    expect((await reply([clock, { role: 'user', content: '现在几点？' }])).text).toContain(
      '2026-11-21 22:00 Asia/Shanghai',
    )
    expect((await reply('what time is it?')).text).toContain('no clock')
  })

  it('streams a long answer in pieces, offers to go on, and goes on when told to', async () => {
    const first = await reply('写一篇长文')
    expect(first.pieces.length).toBeGreaterThan(30)
    expect(first.text.endsWith('要我继续吗？')).toBe(true)
    const history = [
      { role: 'user', content: '写一篇长文' },
      { role: 'assistant', content: first.text },
      { role: 'user', content: '好的' },
    ] as const
    expect((await reply(history)).text).toContain('第 2 部分')
    expect((await reply('好的')).text).not.toContain('部分')
  })

  it.each([100, 150, 800, 2000])('keeps to %i output tokens', async (maxOutputTokens) => {
    for (const asked of ['long answer', '写一篇长文', 'count to 200']) {
      const { text, usage } = await reply(asked, { maxOutputTokens })
      expect(estimateTokens(text).tokens, asked).toBeLessThanOrEqual(maxOutputTokens * 1.1)
      expect(usage.completionTokens).toBe(estimateTokens(text).tokens)
    }
  })

  it('ends as `length` when the limit cuts the answer', async () => {
    expect((await reply(`echo ${'word '.repeat(500)}`, { maxOutputTokens: 50 })).finish).toBe('length')
  })

  it('answers all messages that were waiting, and recalls the one before', async () => {
    const waiting = ['echo one', '2+2', 'what did I say?'].map((content) => ({ role: 'user', content }) as const)
    const before = [
      { role: 'user', content: 'my cat is Tom' },
      { role: 'assistant', content: 'I see' },
    ] as const
    const { text } = await reply([...before, ...waiting])
    expect(text).toMatch(/one[^]*2\+2 = 4[^]*my cat is Tom/)
  })

  it.each([
    ['等 5 秒', 5],
    ['请等待1分钟再说', 60],
    ['wait 5 seconds please', 5],
    ['wait for 2 minutes', 120],
    ['wait 9999 s', 600],
  ])('calls its tool when asked: %j', async (asked, seconds) => {
    const result = await reply(asked, { tools })
    expect(result).toMatchObject({ finish: 'tool-calls', text: '', toolCalls: [{ name: 'demo_wait' }] })
    expect(JSON.parse(result.toolCalls[0]?.arguments ?? '')).toEqual({ seconds })
    expect((await reply(asked)).finish).toBe('stop')
  })

  const cards = ['human_ask', 'demo_board_read', 'demo_board_post'].map((each) => ({
    name: each,
    description,
    parameters,
  }))
  it.each([
    ['ask me something', 'human_ask'],
    ['Ask me a question', 'human_ask'],
    ['ask me anything!', 'human_ask'],
    ['Please show me a card', 'human_ask'],
    ['show me a choice', 'human_ask'],
    ['let me choose', 'human_ask'],
    ['问我一个问题', 'human_ask'],
    ['问我点什么', 'human_ask'],
    ['给我看一张卡片', 'human_ask'],
    ['让我选一个', 'human_ask'],
    ['show me an approval', 'demo_board_read'],
    ['ask me to approve something', 'demo_board_read'],
    ['I want to see an approval', 'demo_board_read'],
    ['approval', 'demo_board_read'],
    ['演示批准', 'demo_board_read'],
    ['给我看看批准', 'demo_board_read'],
    ['给我看看审批是什么样', 'demo_board_read'],
    ['请我批准一件事', 'demo_board_read'],
    ['what can you do?', undefined],
    ['echo ask you something', undefined],
    ['I approve of this', undefined],
    ['who approves my requests?', undefined],
    ['what is a card?', undefined],
    ['我批准了', undefined],
    ['别问我', undefined],
    ['do not ask me anything', undefined],
  ])('shows a card for %j: %s', async (asked, tool) => {
    const { toolCalls } = await reply(asked, { tools: cards })
    expect(toolCalls.map((call) => call.name)).toEqual(tool === undefined ? [] : [tool])
    expect((await reply(asked)).finish).toBe('stop')
  })

  it.each([
    ['plan a meeting', '30 minutes'],
    ['Please plan our team meeting', '30 minutes'],
    ['plan a trip', 'planned for six'],
    ['show me a doubt', '30 minutes'],
    ['安排一次会议', '30 分钟'],
    ['帮我安排一次小组会议吧', '30 分钟'],
    ['安排一次出游', '按六个人'],
    ['给我看看疑问', '30 分钟'],
    ['do not plan a meeting', 'I got'],
    ['我没有疑问', '收到'],
    ['what is a doubt?', 'I got'],
    ['how do I plan with you?', 'I got'],
  ])('plans with doubts where that is asked for: %j', async (asked, says) => {
    expect((await reply(asked)).text).toContain(says)
  })

  it('has other doubts where they are asked for again, since nothing is asked twice', async () => {
    const first = (await reply('show me a doubt')).text
    const said: PromptMessage[] = [
      { role: 'user', content: 'show me a doubt' },
      { role: 'assistant', content: first },
    ]
    expect((await reply([...said, { role: 'user', content: 'show me a doubt' }])).text).toContain('planned for six')
  })

  it('says why it did not ask, and that what was not approved was not done', async () => {
    const call = (each: string, result: string): PromptMessage[] => [
      { role: 'user', content: 'show me an approval' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'c', name: each, arguments: '{}' }] },
      { role: 'tool', callId: 'c', content: result },
    ]
    const [post] = (await reply(call('demo_board_read', 'Welcome!'), { tools: cards })).toolCalls
    expect(post).toMatchObject({ name: 'demo_board_post', arguments: expect.stringContaining('greeting number 1') })
    const told = async (each: string, result: string) => (await reply(call(each, result), { tools: cards })).text
    expect(await told('human_ask', 'Not asked: too often.')).toContain('I did not ask: Not asked: too often.')
    expect(await told('demo_board_post', 'On the board now: Hi: you.')).toMatch(/You approved it[^]*“Hi: you\.”/)
    expect(await told('demo_board_post', 'It was not run.')).toContain('It was not put there: It was not run.')
  })

  it('says that it waited, and mentions and answers what joined meanwhile', async () => {
    const asked = await reply('等 5 秒', { tools })
    const turn: PromptMessage[] = [
      { role: 'user', content: '等 5 秒' },
      { role: 'assistant', content: '', toolCalls: asked.toolCalls },
      { role: 'tool', callId: asked.toolCalls[0]?.id ?? '', content: 'waited 5 s' },
    ]
    expect((await reply(turn, { tools })).text).toContain('waited 5 s')
    const joined = await reply([...turn, { role: 'user', content: '顺便算一下 6*7' }], { tools })
    expect(joined.text).toMatch(/waited 5 s[^]*“顺便算一下 6\*7”[^]*6\*7 = 42/)
    const again = await reply([...turn, { role: 'user', content: '再等 1 秒' }], { tools })
    expect(again.toolCalls[0]?.id).not.toBe(asked.toolCalls[0]?.id)
  })

  it('stops in the middle of a long answer when aborted', async () => {
    const controller = new AbortController()
    let pieces = 0
    const receive = (): void => {
      if (++pieces === 3) controller.abort()
    }
    const model = createDemoModel({ pieceDelayMs: 1 })
    const result = await model.complete(toRequest('long answer'), receive, controller.signal)
    expect(result).toMatchObject({ kind: 'failure', failure: 'aborted' })
    expect(pieces).toBe(3)
  })
})

describe('the notice board', () => {
  it('shows what others wrote as theirs, and keeps a note once, however often its call is made', async () => {
    const [read, post] = ['demo_board_read', 'demo_board_post'].map((each) =>
      demoTools().find((one) => one.name === each),
    )
    expect([read?.effect, post?.effect]).toEqual(['read', 'write'])
    const board = demoTools()
    const run = async (each: string, input: unknown, key = 'k') =>
      await board.find((one) => one.name === each)?.run(input, { ...toolContext, idempotencyKey: key }, never)
    for (const key of ['a', 'a']) await run('demo_board_post', { text: 'Hi' }, key)
    expect(textOf(await run('demo_board_read', {}))).toMatch(/^Welcome!.*\nHi$/)
    for (const key of Array.from({ length: 30 }, (_, i) => `${i}`))
      expect(await run('demo_board_post', { text: `note ${key}` }, key)).toMatchObject({
        text: `On the board now: note ${key}`,
      })
    const shown = await run('demo_board_read', {})
    expect(shown).toMatchObject({ source: 'others' })
    expect(textOf(shown).split('\n')).toHaveLength(21)
    expect(textOf(shown)).toMatch(/^Welcome![^]*note 29$/)
    await expect(run('demo_board_post', { text: '' })).rejects.toThrow()
  })
})

describe('demo_wait', () => {
  it('waits and says so', async () => {
    expect(await demoWaitTool().run({ seconds: 0.01 }, toolContext, never)).toEqual({
      text: 'waited 0.01 s',
      source: 'own',
    })
  })

  it('ends at once when aborted', async () => {
    const controller = new AbortController()
    const waiting = demoWaitTool().run({ seconds: 600 }, toolContext, controller.signal)
    controller.abort()
    await expect(waiting).rejects.toThrow(/abort/i)
  })

  it('refuses other input by naming its shape', async () => {
    await expect(demoWaitTool().run({ seconds: '5' }, toolContext, never)).rejects.toThrow(/"seconds": number/)
  })
})
