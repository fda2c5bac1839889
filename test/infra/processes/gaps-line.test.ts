// One line of `flotilla curiosity gaps --jsonl`: what is worth asking, or what is wrong with the line. And the command itself.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { gapsLine } from '#infra/processes/gaps-line.ts'

const turn = (who: string, said: string): object => ({ who, text: said, at: '2026-03-09T14:00:00Z' })
const line = {
  id: 'one',
  language: 'en',
  chat: { kind: 'direct', id: 'd-ann' },
  people: ['Ann'],
  memory: [],
  turns: [turn('Ann', 'plan the retro for next week please'), turn('bot', "I don't know how long the retro is.")],
  gaps: [{ ask: 'How long is the retro?' }],
}

it('answers with the line’s id, and ignores what it does not need', () => {
  const { out, error } = gapsLine(JSON.stringify(line), 1)
  expect(error).toBeUndefined()
  expect(JSON.parse(out)).toMatchObject({
    id: 'one',
    questions: [{ ask: 'How long is the retro?', to: 'Ann', kind: 'words' }],
  })
})

it('asks nothing that memory refuses to keep', () => {
  const said = "I don't know how long the sick leave for the slipped disc is."
  const turns = [turn('Ann', 'plan the retro for next week please'), turn('bot', said)]
  expect(JSON.parse(gapsLine(JSON.stringify({ ...line, turns }), 1).out)).toEqual({ id: 'one', questions: [] })
})

it.each([
  ['no JSON', '{', 'Line 3: it is not JSON'],
  ['another shape', '[]', 'Line 3: it does not fit'],
  ['a language that is none', JSON.stringify({ ...line, language: 'xx' }), 'Line 3: "language" does not fit'],
  ['a chat of another sort', JSON.stringify({ ...line, chat: { kind: 'room' } }), 'Line 3: "chat.kind" does not fit'],
  ['a moment that is none', JSON.stringify({ ...line, turns: [{ ...turn('Ann', 'x'), at: 'now' }] }), '"turns.0.at"'],
])('tells what is wrong with %s', (_, said, why) => {
  expect(gapsLine(said, 3).error).toContain(why)
})

it('reads lines from stdin, and says how it is called', async () => {
  const run = async (args: readonly string[], input: string): Promise<{ code: unknown; out: string; told: string }> => {
    const child = spawn(process.execPath, ['infra/cli.ts', 'curiosity', ...args])
    child.stdin.end(input)
    const [[code], out, told] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
    return { code, out, told }
  }
  const read = await run(['gaps', '--jsonl'], `${JSON.stringify(line)}\n\n{\n`)
  expect(read.code).toBe(1)
  expect(read.out.trim().split('\n')).toHaveLength(2)
  expect(await run(['gaps'], '')).toMatchObject({ code: 2, told: expect.stringContaining('--jsonl') })
})
