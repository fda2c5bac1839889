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
  expect(JSON.parse(gapsLine(JSON.stringify({ ...line, turns }), 1).out)).toEqual({
    id: 'one',
    questions: [],
    dropped: [{ said: expect.stringContaining('how long the sick leave'), because: 'forbidden' }],
  })
})

it.each([
  ['a budget', ['I do not know what your budget is.'], 'forbidden'],
  ['what anybody can look up', ['I do not know what the weather is.'], 'idle'],
  ['what was told later', ['I do not know how long the retro is.', 'It is an hour long, the retro.'], 'answered'],
  ['what memory knows', ['I do not know how long the retro is.'], 'known'],
])('says why it does not ask about %s', (_, [said = '', reply], because) => {
  const turns = [...line.turns.slice(0, 1), turn('bot', said), ...(reply ? [turn('Ann', reply)] : [])]
  const record = { category: 'fact', who: 'Ann', content: 'The retro is an hour long', status: 'confirmed' }
  const memory = because === 'known' ? [record] : []
  const { questions, dropped } = JSON.parse(gapsLine(JSON.stringify({ ...line, memory, turns }), 1).out)
  expect({ questions, dropped }).toEqual({ questions: [], dropped: [{ said: expect.any(String), because }] })
})

it('needs no list of people and no memory: who spoke may be asked', () => {
  const { people: _, memory: __, gaps: ___, ...rest } = line
  expect(gapsLine(JSON.stringify(rest), 1)).toEqual(gapsLine(JSON.stringify(line), 1))
  expect(gapsLine(JSON.stringify({ ...rest, people: null, memory: null }), 1)).toEqual(
    gapsLine(JSON.stringify(line), 1),
  )
  expect(JSON.parse(gapsLine(JSON.stringify({ ...rest, people: ['Bob'] }), 1).out)).toEqual({
    id: 'one',
    questions: [],
  })
})

it('shows an example that is right', () => {
  const [, example = ''] = /for example, (.*)\.$/.exec(gapsLine('{', 1).error?.replace(' on one line', '') ?? '') ?? []
  expect(JSON.parse(gapsLine(example, 1).out)).toMatchObject({ id: '1', questions: [{ to: 'Ann' }] })
})

it.each([
  ['no JSON', '{', 'Line 3: it is not JSON'],
  ['another shape', '[]', 'Line 3: it does not fit: it must be an object, {…}; write'],
  [
    'a language that is none',
    JSON.stringify({ ...line, language: 'xx' }),
    '"language" does not fit: it must be "en" or "zh";',
  ],
  ['a chat of another sort', JSON.stringify({ ...line, chat: { kind: 'room' } }), 'Line 3: "chat.kind" does not fit'],
  [
    'a moment that is none',
    JSON.stringify({ ...line, turns: [{ ...turn('Ann', 'x'), at: 'now' }] }),
    '"turns.0.at" does not fit: it must be a moment',
  ],
  ['nothing said', JSON.stringify({ ...line, turns: undefined }), '"turns" does not fit: it is missing;'],
  ['a nameless one', JSON.stringify({ ...line, people: [''] }), '"people.0" does not fit: it is too short;'],
  ['a list that is text', JSON.stringify({ ...line, memory: 'x' }), '"memory" does not fit: it must be a list, […];'],
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
  expect(read.out).toContain('it is not JSON')
  expect(read.told).toBe('Line 3 was not read: its "error" on stdout says why.\n')
  expect(await run(['gaps'], '')).toMatchObject({ code: 2, told: expect.stringContaining('--jsonl') })
})
