// A long session on the real fleet: it is summed up once nobody speaks, what it stood for is found again word for word, shown to an operator, and
// forgotten with its message.
import { expect, test } from 'vitest'
import { startFleet, until, type Fleet } from '#test/rig/fleet.ts'
import { runContext } from '#test/rig/run-context.ts'

const summary = '用户目标：试一试\n关键事实：无'
const conversation = 'web:room'

const context = (fleet: Fleet, ...args: readonly string[]) => runContext(fleet, [conversation, ...args])

test('a long session is summed up off the way, and what was said is not lost', { timeout: 60_000 }, async () => {
  await using fleet = await startFleet({ env: { FLOTILLA_HISTORY_TOKENS: '700' } })
  const { model } = fleet
  model.script({ when: { text: '没有就只写 NONE' }, answer: { kind: 'text', text: '- parcel 4711' } })
  model.script({ when: { text: '压缩成一份摘要' }, answer: { kind: 'text', text: summary } })
  await fleet.ask('My parcel has the number 4711-QX.', { messageId: 'parcel' })
  for (let n = 0; n < 8; n++) await fleet.ask(`Question ${n}: ${'word '.repeat(60)}`)
  await until(async () =>
    (await fleet.runtime.kernel.listArtifacts(conversation)).some(({ kind }) => kind === 'history'),
  )
  const asked = 'Which number has my parcel?'
  const search = { name: 'session_search', arguments: JSON.stringify({ query: 'parcel number' }) }
  model.script({ when: { text: asked, last: 'user' }, answer: { kind: 'tools', calls: [search] } })
  model.script({ when: { text: asked, last: 'tool' }, answer: { kind: 'text', text: 'It is 4711-QX.' } })
  expect((await fleet.ask(asked)).text).toContain('4711-QX')
  const prompt = model.ledger.entries.at(-1)?.messages ?? []
  expect(prompt[1]).toMatchObject({ role: 'system', content: expect.stringContaining('> 用户目标：试一试') })
  expect(prompt.filter(({ role }) => role === 'user').length).toBeLessThan(8)
  expect(prompt.findLast(({ role }) => role === 'tool')?.content).toContain('My parcel has the number 4711-QX.')
  expect((await fleet.ask('/status', { slash: 'status' })).text).toMatch(
    /as a summary, and can search word for word: \d+/,
  )

  const now = await context(fleet)
  expect(now.out).toMatch(/\nsummary +own +\d+ +\d+ +what was said before that, summed up\n/)
  expect(now.out).not.toContain('user\nMy parcel has the number')
  const turn = /turns on record, for --at, the newest first: .* (\w+)$/m.exec(now.out)?.[1] ?? ''
  const then = await context(fleet, '--at', turn)
  expect(then).toMatchObject({ err: '', out: expect.stringContaining('── 2. user\nMy parcel has the number 4711-QX.') })

  // Ten questions with their answers, of which the history has the last ones.
  expect((await fleet.ask('/export', { slash: 'export' })).text).toContain('20 messages.')
  await fleet.ask('/forget', { slash: 'forget', replyTo: { messageId: 'parcel', fromBot: false } })
  model.script({ when: { text: 'And again?', last: 'user' }, answer: { kind: 'tools', calls: [search] } })
  model.script({ when: { text: 'And again?', last: 'tool' }, answer: { kind: 'text', text: 'I do not know.' } })
  await fleet.ask('And again?')
  expect(JSON.stringify(model.ledger.entries.at(-1)?.messages)).not.toContain('My parcel has the number')
  expect((await context(fleet, '--at', turn)).out).not.toContain('4711-QX')
})
