// `flotilla memory eval`: recall by category over conversations of a file, without a fleet.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startModelSimulator } from '#test/simulators/model/simulator.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'flotilla-eval-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const run = async (...args: readonly string[]) => await runWith({}, ...args)
async function runWith(
  env: Record<string, string>,
  ...args: readonly string[]
): Promise<{ out: string; err: string; code: unknown }> {
  const child = spawn(process.execPath, ['infra/cli.ts', 'memory', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { out, err, code }
}

function write(...lines: readonly string[]): string {
  const file = path.join(folder, 'talks.jsonl')
  writeFileSync(file, `${lines.join('\n')}\n`)
  return file
}

const talk = (id: string) =>
  JSON.stringify({
    id,
    sessions: [
      {
        n: 1,
        at: '1:56 pm on 8 May, 2023',
        turns: [
          { id: 'D1:1', by: 'Ann', text: 'I sold my boat.' },
          { id: 'D1:2', by: 'Bob', text: 'Look at this', caption: 'a photo of a lighthouse' },
        ],
      },
      { n: 2, at: '2023-06-01', turns: [{ id: 'D2:1', by: 'Bob', text: '我们在里昂。' }] },
    ],
    questions: [
      { q: 'What did Ann sell?', category: 4, evidence: ['D1:1'] },
      { q: 'Who saw a lighthouse, and was there a zeppelin?', category: 1, evidence: ['D1:2', 'D2:1'] },
      { q: '谁在里昂？', category: 'Chinese', evidence: ['D2:1'] },
      { q: 'Where is nothing?', category: 5, evidence: ['D9:9'] },
    ],
  })

test('prints recall and tokens by category, and over all, for each conversation apart', async () => {
  const { out, err, code } = await run('eval', '--jsonl', write(talk('a'), '', talk('b')))
  expect({ err, code }).toEqual({ err: '', code: 0 })
  const rows = out
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s{2,}/))
  expect(rows[0]).toEqual(['category', 'questions', 'R@5', 'R@10', 'tokens@5', 'tokens@10'])
  expect(rows.slice(1).map(([name, questions, r5, r10]) => [name, questions, r5, r10])).toEqual([
    ['1 multi-hop', '2', '50.0', '50.0'],
    ['4 single hop', '2', '100.0', '100.0'],
    ['Chinese', '2', '100.0', '100.0'],
    ['all', '6', '83.3', '83.3'],
  ])
})

test('tells of a line that is no conversation, and goes on', async () => {
  const { out, err, code } = await run('eval', '--jsonl', write('{"id": 1}', 'no JSON', talk('a')))
  expect(code).toBe(1)
  expect(err).toMatch(/Line 1 is no conversation: [^]*Line 2 is no conversation: /)
  expect(out).toMatch(/all +3 +83\.3/)
})

test.each([[[]], [['eval']], [['eval', '--json', 'x']], [['toString']], [['eval', '--jsonl', 'missing.jsonl']]])(
  'says what is missing in %j',
  async (args) => {
    const { err, code } = await run(...args)
    expect(code).not.toBe(0)
    expect(err).toMatch(/Write flotilla memory|missing\.jsonl/)
    expect(err).not.toMatch(/\n +at /)
  },
)

test('counts the meaning where an embedding model is set', async () => {
  await using server = await openServer()
  const file = write(
    JSON.stringify({
      id: 'c',
      sessions: [{ n: 1, at: '2023-06-01', turns: [{ id: '1', by: 'Ann', text: 'I live in Lyon.' }] }],
      questions: [{ q: 'Where is her house?', category: 4, evidence: ['1'] }],
    }),
  )
  const env = { OPENAI_BASE_URL: server.url, FLOTILLA_EMBEDDING_MODEL: 'sim-embed' }
  expect((await run('eval', '--jsonl', file)).out).toMatch(/^all +1 +0\.0 /m)
  expect(server.embeddings.asked).toEqual([])
  expect((await runWith(env, 'eval', '--jsonl', file)).out).toMatch(/^all +1 +100\.0 /m)
})

async function openServer() {
  const server = await startModelSimulator()
  return { ...server, [Symbol.asyncDispose]: () => server.close() }
}
