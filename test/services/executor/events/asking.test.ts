// Of the questions that ask people something, each person is shown one at a time; the others wait for its end, the most urgent first.
import { expect, test } from 'vitest'
import type { Feature } from '#shared/feature/feature.ts'
import type { Urgency } from '#shared/run/question.ts'
import { ann, toApply, toCommand } from '#test/rig/events.ts'
import { createStage, type Stage } from '#test/services/executor/stage.ts'

const bob = 'web:bob'
const day = 86_400_000

/** A command `/poll high=A normal=B=web:ann normal=C==topic` asks for each. */
const poll: Feature = {
  name: 'poll',
  commands: [
    {
      name: 'poll',
      help: { zh: '', en: '' },
      run: async ({ args }) =>
        args.split(' ').map((one) => {
          const [how = '', text = '', owner, topic] = one.split('=')
          return {
            kind: 'ask',
            question: 'one',
            text: `${text}?`,
            options: [[{ id: 'yes', label: `Yes ${text}` }]],
            payload: text,
            deadlineMs: day,
            ...(how === 'menu' ? {} : { urgency: toUrgency(how) }),
            ...(owner ? { owner } : {}),
            ...(topic ? { topic } : {}),
          } as const
        }),
    },
  ],
  questions: {
    one: {
      answer: async ({ event }) => [{ kind: 'send', text: `answered ${event.payload}` }],
      expired: async ({ event }) => [{ kind: 'send', text: `over: ${event.payload} ${event.why}` }],
    },
  },
}
const renew: Feature = {
  name: 'renew',
  commands: [{ name: 'renew', help: { zh: '', en: '' }, run: async () => [{ kind: 'new-session' }] }],
}
function toUrgency(how: string): Urgency {
  return how === 'high' || how === 'low' ? how : 'normal'
}
const open = (): Stage => createStage({ features: [poll] })
const ask = (stage: Stage, args: string): Promise<string> => stage.ask(`/poll ${args}`, { as: toCommand('poll', args) })

test('one is shown, and each end brings the most urgent of the others', async () => {
  const stage = open()
  expect(await ask(stage, 'normal=A low=B normal=C high=D')).toBe('A?')
  expect(await stage.press('Yes A')).toBe('answered A\nD?')
  expect(await stage.press('Yes D')).toBe('answered D\nC?')
  expect(await stage.press('Yes C')).toBe('answered C\nB?')
  expect(await stage.press('Yes B')).toBe('answered B')
  expect((await stage.state()).asking).toMatchObject({ shown: [], waiting: [] })
})

test('a card says how urgent it is and how long it may be answered', async () => {
  const stage = open()
  await ask(stage, 'high=A menu=M')
  expect(await stage.sent()).toMatchObject([{ asks: { urgency: 'high', deadlineMs: day } }, { text: 'M?' }])
  expect((await stage.sent())[1]).not.toHaveProperty('asks')
})

test('menus do not wait, nor what another person is asked', async () => {
  const stage = open()
  expect(await ask(stage, `normal=A menu=M normal=B=${bob}`)).toBe('A?\nM?\nB?')
})

test('what anyone may answer waits for its like alone, and keeps nobody from being asked', async () => {
  const stage = open()
  expect(await ask(stage, `normal=A normal=B=* normal=C=${bob} normal=D=*`)).toBe('A?\nB?\nC?')
  expect(await stage.press('Yes C', bob)).toBe('answered C')
  expect(await stage.press('Yes B', bob)).toBe('answered B\nD?')
})

test('a deadline brings the next one too', async () => {
  const stage = open()
  await ask(stage, 'normal=A normal=B')
  expect(await stage.wait(day + 1000)).toBe('over: A deadline\nB?')
})

test('a new session calls off what waits with what is shown', async () => {
  const stage = createStage({ features: [poll, renew] })
  await ask(stage, 'normal=A normal=B')
  await stage.ask('/renew', { as: toCommand('renew') })
  expect((await stage.state()).asking?.waiting ?? []).toEqual([])
})

test('what comes of a forgotten message is not asked any more', async () => {
  const stage = open()
  await ask(stage, 'normal=A normal=B')
  expect(JSON.stringify((await stage.state()).asking)).toContain('"labels":["Yes A"]')
  const id = 'm1'
  await stage.put(
    { v: 1, kind: 'delete', id: 'd1', at: 1, conversation: 'web:stage', principal: ann, messageId: id },
    toApply('delete'),
  )
  await stage.work()
  expect((await stage.state()).asking?.waiting ?? []).toEqual([])
  expect(JSON.stringify((await stage.state()).asking)).not.toContain('Yes A')
})

test('more than thirty that wait are refused, and nothing of that step is asked', async () => {
  const stage = open()
  for (const who of [ann, bob]) await ask(stage, Array.from({ length: 16 }, (_, n) => `normal=${n}=${who}`).join(' '))
  expect((await stage.state()).asking?.waiting).toHaveLength(30)
  expect(await ask(stage, 'normal=X normal=Y')).toContain('I could not do that')
  expect((await stage.state()).asking?.waiting).toHaveLength(30)
})

test('beyond a hundred people in one chat the next waits for an end', async () => {
  const stage = open()
  for (let n = 0; n < 10; n++)
    await ask(stage, Array.from({ length: 10 }, (_, i) => `normal=${n}${i}=web:p${n}${i}`).join(' '))
  expect((await stage.state()).asking?.shown).toHaveLength(100)
  expect(await ask(stage, 'normal=next')).toBe('')
  expect(await stage.press('Yes 00', 'web:p00')).toBe('answered 00\nnext?')
})

test('nobody is asked more than twenty times an hour, in whatever session, and others are beside them', async () => {
  const troubles: string[] = []
  const onFeatureFailed = (_: string, error: unknown) => void troubles.push(String(error))
  const stage = createStage({ features: [poll, renew], onFeatureFailed })
  for (let n = 0; n < 20; n++) {
    expect(await ask(stage, `normal=${n}`)).toContain(`${n}?`)
    if (n === 9) await stage.ask('/renew', { as: toCommand('renew') })
    else await stage.press(`Yes ${n}`)
  }
  expect(await ask(stage, 'normal=X')).toContain('I could not do that')
  expect(troubles.join()).toContain('As many questions as may be asked within an hour')
  expect(await ask(stage, `normal=B=${bob} menu=M`)).toBe('B?\nM?')
  await stage.wait(3_600_001)
  expect(await ask(stage, 'normal=X')).toBe('X?')
})

test('what belongs to one topic counts once', async () => {
  const stage = open()
  for (let n = 0; n < 25; n++) {
    expect(await ask(stage, `normal=${n}==card`)).toBe(`${n}?`)
    await stage.press(`Yes ${n}`)
  }
  expect((await stage.state()).asking?.lately).toHaveLength(1)
})

test('all people of a chat are asked two hundred times an hour at most', async () => {
  const stage = open()
  for (let n = 0; n < 200; n++) {
    const who = `web:p${n % 50}`
    await ask(stage, `normal=${n}=${who}`)
    await stage.press(`Yes ${n}`, who)
  }
  expect((await stage.state()).asking?.lately).toHaveLength(200)
  expect(await ask(stage, 'normal=X=web:new')).toContain('I could not do that')
})

test('a question that waited for its turn, and one that an answer brings, were counted already', async () => {
  const stage = open()
  await ask(stage, Array.from({ length: 20 }, (_, n) => `normal=${n}`).join(' '))
  for (let n = 0; n < 19; n++) await stage.press(`Yes ${n}`)
  expect(await stage.press('Yes 19')).toBe('answered 19')
})

test('a worker lost at any step leaves one shown and one waiting', async () => {
  for (let n = 1; n <= 4; n++)
    for (const side of ['before', 'after'] as const) {
      const stage = open()
      await ask(stage, 'normal=A normal=B normal=C')
      stage.loseAt(n, side)
      await stage.press('Yes A')
      await stage.work()
      const { asking } = await stage.state()
      expect([asking?.shown.map(({ text }) => text), asking?.waiting.length]).toEqual([['B?'], 1])
      expect((await stage.sent()).map(({ text }) => text)).toEqual(['A?', 'answered A', 'B?'])
    }
})
