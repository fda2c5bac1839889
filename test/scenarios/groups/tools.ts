// Tools: one, several, at once, of every kind.
import { calls, steps, text, type Scenario } from '#test/scenarios/rig/scenario.ts'

export const tools: readonly Scenario[] = [
  {
    name: 'plain-answer',
    stand: 'usual',
    model: steps(() => text('A lease is a lock that ends by itself.')),
    async play(person) {
      await person.say('What is a lease?')
      await person.hear('ends by itself')
    },
  },
  {
    name: 'one-look',
    stand: 'usual',
    model: steps(
      ({ run }) => calls(['look', { what: `the price ${run}` }]),
      ({ results }) => text(`It says ${results.join()}`),
    ),
    async play(person) {
      await person.say('What does a ticket cost?')
      await person.hear('It says')
    },
  },
  {
    name: 'three-at-once',
    stand: 'usual',
    model: steps(
      ({ run }) =>
        calls(['look', { what: `one ${run}` }], ['look', { what: `two ${run}` }], ['look', { what: `three ${run}` }]),
      ({ results }) => text(`Found: ${results.join(', ')}`),
    ),
    async play(person) {
      await person.say('What do the three gardens cost?')
      await person.hear('Found:')
    },
  },
  {
    name: 'chinese-look',
    stand: 'usual',
    model: steps(
      ({ run }) => calls(['look', { what: `票价 ${run}` }]),
      () => text('一张票七欧元。'),
    ),
    async play(person) {
      await person.say('花园的门票多少钱？')
      await person.hear('七欧元')
    },
  },
  {
    name: 'order-by-key',
    stand: 'usual',
    model: steps(
      ({ run }) => calls(['order', { what: `a ticket ${run}` }]),
      ({ results }) => text(`Ordered (${results.join()}).`),
    ),
    async play(person) {
      await person.say('Please order a ticket for me.')
      await person.hear('Ordered')
    },
  },
  {
    name: 'pay-once',
    stand: 'usual',
    // A call that must not be repeated is not; where a worker was lost during it, a card asks, and the person has looked.
    unknown: 'I was interrupted while doing this',
    model: (asking) =>
      asking.step > 0 || asking.text.includes('is done all the same')
        ? text('It is paid.')
        : calls(['pay', { what: `the ticket ${asking.run}` }]),
    async play(person) {
      await person.say('Please pay the ticket.')
      if ((await person.hearOneOf('It is paid', 'I was interrupted while doing this')) === 'It is paid') return
      await person.press('It is done')
      await person.hear('It is paid')
    },
  },
  {
    name: 'read-and-write',
    stand: 'usual',
    model: steps(
      ({ run }) =>
        calls(
          ['look', { what: `before ${run}` }],
          ['order', { what: `one ${run}` }],
          ['look', { what: `after ${run}` }],
        ),
      ({ results }) => text(`All three: ${results.join(', ')}`),
    ),
    async play(person) {
      await person.say('Look, order one, and look again.')
      await person.hear('All three')
    },
  },
  {
    name: 'two-orders',
    stand: 'usual',
    model: steps(
      ({ run }) => calls(['order', { what: `first ${run}` }], ['order', { what: `second ${run}` }]),
      ({ run }) => calls(['order', { what: `third ${run}` }]),
      () => text('Three are ordered.'),
    ),
    async play(person) {
      await person.say('Order two, then a third one.')
      await person.hear('Three are ordered')
    },
  },
  {
    name: 'sum-and-time',
    stand: 'usual',
    model: steps(
      () => calls(['calculate', { expression: '12*7' }], ['time_now', {}]),
      ({ results }) => text(`The sum is ${results[0]}, and ${results.length} tools were used.`),
    ),
    async play(person) {
      await person.say('What is 12*7, and how late is it?')
      await person.hear('2 tools')
    },
  },
  {
    name: 'page-and-search',
    stand: 'usual',
    model: steps(
      ({ run }) => calls(['browser_fetch', { url: `https://gardens.example/${run}` }]),
      ({ run }) => calls(['search_web', { query: `gardens ${run}` }]),
      ({ whole }) => text(`Seven euro: ${whole.includes('seven euro')}`),
    ),
    async play(person) {
      await person.say(`What does https://gardens.example/${person.run} say of the price, and what do others?`)
      await person.hear('Seven euro: true')
    },
  },
  {
    name: 'long-result',
    stand: 'usual',
    model: steps(
      ({ run }) => calls(['look', { what: `long text ${run}` }]),
      ({ results }) => calls(['artifact_read', { name: /"name":"([^"]+)"/.exec(results.join())?.[1] ?? '', page: 5 }]),
      ({ results }) => text(`It ends: ${results.join().trim().slice(-8)}`),
    ),
    async play(person) {
      await person.say('What does a ticket cost, and how does the text end?')
      await person.hear('It ends: ')
      await person.kept(1)
    },
  },
  {
    name: 'plan-of-steps',
    stand: 'usual',
    model: steps(
      ({ run }) => ({
        answer: {
          ...toolsOf(calls(['look', { what: `代码 ${run}` }])),
          text: '计划：\n1. 读取核心模块代码\n2. 分析性能热点\n3. 给出优化建议\n\n我先读取代码。',
        },
      }),
      ({ run }) => ({
        answer: { ...toolsOf(calls(['look', { what: `热点 ${run}` }])), text: '[2/3 分析中]\n\n再看热点。' },
      }),
      () => text('[3/3]\n\n结论：缓存没有命中。'),
    ),
    async play(person) {
      await person.say('查一下这份代码里哪里最慢，要怎么改')
      await person.hear('结论')
    },
  },
  {
    name: 'growing-answer',
    stand: 'usual',
    model: steps(() => ({ answer: { kind: 'long', chunks: 40 }, chunkDelayMs: 20 })),
    async play(person) {
      await person.say('Tell me a long story of gardens.')
      await person.hear('piece 40')
    },
  },
]

/** An answer that says something beside its calls. */
function toolsOf({ answer }: ReturnType<typeof calls>): Extract<NonNullable<typeof answer>, { kind: 'tools' }> {
  if (answer?.kind !== 'tools') throw new Error('It calls no tools.')
  return answer
}
