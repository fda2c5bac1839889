// One line in, one line out, and a helpful error for a line that cannot be read.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, expect, it, test } from 'vitest'
import { confidenceLine } from '#infra/processes/confidence-line.ts'

const whole = '{"question":"1+1?","answer":"2","tools":[]}'

describe('confidenceLine', () => {
  it('prints confidence and reason, and nothing else', () => {
    const { out, error } = confidenceLine(whole, 1)
    expect(JSON.parse(out)).toEqual({ confidence: 'high', reason: expect.stringMatching(/^[A-Z].*\. \([a-z.-]+\)$/) })
    expect(error).toBeUndefined()
  })

  it('ignores further keys, and takes tools and facts that are left out or null for none', () => {
    const line = '{"question":"1+1?","answer":"2","tools":null,"facts":null,"label":"low"}'
    expect(confidenceLine(line, 1)).toEqual(confidenceLine('{"question":"1+1?","answer":"2"}', 1))
  })

  it.each(['hello', '[]', '{}', 'null', '{"question":"a"}', '{"question":"a","answer":"b","tools":["x"]}'])(
    'answers %j with an error that names the line and shows the form',
    (line) => {
      const { out, error = '' } = confidenceLine(line, 7)
      expect(JSON.parse(out)).toEqual({ error })
      expect(error).toMatch(/^Line 7: .*"question"/)
    },
  )
})

async function run(args: readonly string[], input: string) {
  const child = spawn(process.execPath, ['infra/cli.ts', 'confidence', ...args], { stdio: 'pipe' })
  child.stdin.end(input)
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { lines: out.split('\n').filter((line) => line !== ''), err, code }
}

test('a bad line is told of in its place, stderr names it, the others go on, and the code says so', async () => {
  const { lines, err, code } = await run(['--jsonl'], `${whole}\nno json\n\n${whole}\n`)
  expect(lines.map((line) => Object.keys(JSON.parse(line)))).toEqual([
    ['confidence', 'reason'],
    ['error'],
    ['confidence', 'reason'],
  ])
  expect(err).toBe('Line 2 was not read: its "error" on stdout says why.\n')
  expect(code).toBe(1)
})

test('good lines end with 0, and other arguments are told what to write', async () => {
  expect(await run(['--jsonl'], whole)).toMatchObject({ code: 0, err: '', lines: [expect.any(String)] })
  expect(await run([], '')).toMatchObject({ code: 2, err: expect.stringContaining('--jsonl'), lines: [] })
})
