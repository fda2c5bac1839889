// `doctor model` against every dialect of the simulator: all that a fleet asks of a model works with each. infra/docs/models.md holds the table.
// `npx vitest run --config test/vitest.config.ts test/infra/models/matrix.test.ts -u` writes it anew.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { trials, tryModel } from '#infra/doctor/model-trials.ts'
import { createOpenAiProvider } from '#infra/models/openai-provider.ts'
import { toTable } from '#test/rig/markdown-table.ts'
import { startDialectServer } from '#test/simulators/model/dialects/dialect-server.ts'
import { refusals } from '#test/simulators/model/dialects/refusals.ts'
import { writers } from '#test/simulators/model/dialects/writers.ts'

const dialects = [
  ...refusals.map(([id, whose, refuses]) => ({ name: `${id}: ${whose}`, id, refuses })),
  ...Object.entries(writers).map(([name, writes]) => ({ name, id: '', writes })),
]

const rows = new Map<string, readonly string[]>()

test.concurrent.each(dialects)('$name', async (dialect) => {
  await using server = await startDialectServer(dialect)
  const port = createOpenAiProvider({ apiKey: 'k', baseUrl: server.baseUrl, model: 'm', contextTokens: 100_000 })
  const texts: string[] = []
  const complete: typeof port.complete = async (...asked) => {
    const result = await port.complete(...asked)
    if (result.kind === 'reply') texts.push(result.text)
    return result
  }
  const findings = await tryModel({ ...port, complete })
  // Only what the model says, and nothing of its thoughts, calls and marks.
  const said = /^(?:|Let me see\.|Fine, all is well\.|The tool says 5\.|1, 2, 3, 4, 5,.* 19, 20\.)$/
  expect(texts.filter((text) => !said.test(text))).toEqual([])
  const told = findings.map(
    ({ level, about, found }) => `${level} ${about.replace('model m, ', '')}: ${found.replace(/ \(.*/, '')}`,
  )
  const toolless = ['warning tools: the model calls no tool', 'ok parallel tools: one call after the other']
  expect(told.slice(0, trials.length)).toEqual([
    'ok plain: answers',
    expect.stringMatching(/^ok stream: answers$|^warning stream: the answer comes all at once/),
    'ok system twice: answers',
    ...(dialect.id === 'no-tools' ? toolless : ['ok tools: answers', 'ok parallel tools: 2 calls at once']),
    'ok long: answers',
  ])
  const found = findings.slice(0, trials.length).map(({ level }) => (level === 'ok' ? 'yes' : 'no'))
  rows.set(dialect.name, [
    dialect.name,
    ...found,
    'not shown',
    String(server.requests() - trials.length - (dialect.id === 'no-tools' ? 0 : 1)),
  ])
  // No refusal is met twice.
  expect(server.requests()).toBeLessThanOrEqual(trials.length + 6)
})

test('infra/docs/models.md holds what came of it', async () => {
  const head = ['dialect', ...trials.map(({ name }) => name), 'thoughts and marks', 'refusals first']
  const table = toTable(
    head,
    dialects.flatMap(({ name }) => {
      const row = rows.get(name)
      return row ? [row] : []
    }),
  )
  expect(rows.size).toBeGreaterThanOrEqual(30)
  const file = new URL('../../../infra/docs/models.md', import.meta.url)
  const [before = ''] = readFileSync(file, 'utf8').split('| dialect')
  await expect(`${before}${table}\n`).toMatchFileSnapshot('../../../infra/docs/models.md')
})
