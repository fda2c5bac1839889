// One line of `flotilla memory candidates --jsonl`: what is worth remembering, or what is wrong with the line. And the command itself.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { candidatesLine } from '#infra/processes/candidates-line.ts'

const line = {
  id: 'one',
  language: 'en',
  chat: 'direct',
  at: '2026-03-10T09:00:00Z',
  speaker: 'Ann',
  text: 'remember that I live in Lyon',
}

it('answers with the line’s id', () => {
  const candidates = [{ category: 'fact', content: 'Ann lives in Lyon', explicit: true }]
  expect(candidatesLine(JSON.stringify(line), 1)).toEqual({ out: JSON.stringify({ id: 'one', candidates }) })
})

it.each([
  ['no JSON', '{', 'Line 3: it is not JSON'],
  ['another shape', '[]', 'Line 3: it does not fit'],
  ['a moment that is none', JSON.stringify({ ...line, at: 'yesterday' }), 'Line 3: "at" does not fit'],
  ['a chat of another sort', JSON.stringify({ ...line, chat: 'room' }), 'Line 3: "chat" does not fit'],
])('tells what is wrong with %s', (_, said, why) => {
  expect(candidatesLine(said, 3).error).toContain(why)
})

it('reads lines from stdin, and says how it is called', async () => {
  const run = async (args: readonly string[], input: string): Promise<{ code: unknown; out: string; told: string }> => {
    const child = spawn(process.execPath, ['infra/cli.ts', 'memory', ...args])
    child.stdin.end(input)
    const [[code], out, told] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
    return { code, out, told }
  }
  const read = await run(['candidates', '--jsonl'], `${JSON.stringify(line)}\n\n{\n`)
  expect(read.code).toBe(1)
  expect(read.out.trim().split('\n')).toHaveLength(2)
  expect(await run(['candidates'], '')).toMatchObject({ code: 2, told: expect.stringContaining('--jsonl') })
  expect(await run(['nothing'], '')).toMatchObject({ code: 2, told: expect.stringContaining('memory candidates') })
})
