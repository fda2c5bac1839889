// The tools of the workspace in whole turns of the executor: what is written is there for the next call, each text is read as whose words it is, goes
// with its messages, and is the same after a crash.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { ours, toOurs, type Ours } from '#shared/feature/kept.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { storable } from '#shared/feature/slice.ts'
import { createFileTools } from '#services/tasks/files/tools.ts'
import { contentName, mostFileBytes, readTree, treeName } from '#services/tasks/files/tree.ts'
import { sliceOf } from '#services/executor/state/slices.ts'
import { conversation, deletion, toApply, toCommand } from '#test/rig/events.ts'
import { answer, builtIn, createStage, look, type Call as Asked, type Stage } from '#test/services/executor/stage.ts'
import { toolContext } from '#test/rig/tool-context.ts'
import { treeOf } from './trees.ts'

const own = z.object({ tree: ours })
type Own = z.infer<typeof own>
type Change = { readonly tree: Ours }
const tools = createFileTools<Own, Change>({ tree: ({ tree }) => tree, toChange: (tree) => ({ tree: toOurs(tree) }) })
const workspace: Feature<Own, Change> = {
  name: 'workspace',
  slice: {
    schema: storable(own),
    fresh: { tree: toOurs('') },
    fold: (slice, change) => ({ ...slice, ...change }),
    inNewSession: (slice) => slice,
  },
  tools,
}
const open = (): Stage => createStage({ features: [...builtIn, workspace, { name: 'looking', tools: [look] }] })

let calls = 0
const call = (name: string, input: object = {}) => ({ id: `c${++calls}`, name, arguments: JSON.stringify(input) })
const write = (path: string, text: string) => call('file_write', { path, text })
const read = (path: string, more: object = {}) => call('file_read', { path, ...more })
const edit = (path: string, old: string, more: string, all?: boolean) =>
  call('file_edit', { path, old, new: more, ...(all === undefined ? {} : { all }) })
const list = (more: object = {}) => call('file_list', more)
type Call = ReturnType<typeof call>

/** Has the calls made, those of each list in one answer of the model, and gives the results of the last. */
async function make(stage: Stage, ...answers: readonly (readonly Call[])[]): Promise<readonly string[]> {
  stage.answers(...answers.map((toolCalls) => ({ toolCalls })), 'Done.')
  await stage.ask('Go on')
  const said = stage.requests.at(-1)?.messages ?? []
  return said.flatMap((one) => (one.role === 'tool' ? [one.content] : [])).slice(-(answers.at(-1)?.length ?? 0))
}
const results = (stage: Stage) =>
  stage.steps.flatMap(({ entries }) => entries).flatMap((entry) => (entry.t === 'tool:fin' ? [entry] : []))
/** What others wrote that the model had read when it answered last. */
const taintOf = (stage: Stage): readonly string[] => {
  const last = stage.steps.flatMap(({ entries }) => entries).findLast((entry) => entry.t === 'llm:fin')
  return (last?.t === 'llm:fin' ? last.taint : undefined) ?? []
}
/** With an empty history, a turn has read nothing. */
const fresh = async (stage: Stage): Promise<void> => void (await stage.ask('/new', { as: toCommand('new') }))
// The slice is what its schema reads.
const named = async (stage: Stage): Promise<string> => (sliceOf(await stage.state(), workspace) as Own).tree
const kept = (stage: Stage, name: string) => stage.kernel.findArtifact(conversation, name)
const treeIn = async (stage: Stage) => readTree((await kept(stage, await named(stage)))?.text ?? '')

test('files are written, listed, read and edited, and one hash names the state of all', async () => {
  const stage = open()
  expect(await make(stage, [list()])).toEqual(['There are no files yet. file_write writes one.'])
  expect(await make(stage, [write('计划.md', '一\n二\n'), write('notes/a.md', '')])).toEqual([
    'The file is written: 8 bytes.',
    'The file is written: 0 bytes.',
  ])
  expect(await named(stage)).toBe(treeName(treeOf({ '计划.md': '一\n二\n', 'notes/a.md': '' })))
  expect(await make(stage, [list(), read('计划.md'), read('notes/a.md')])).toEqual([
    '[files 1 to 2 of 2]\nnotes/a.md (0 bytes)\n计划.md (8 bytes)',
    '["计划.md", lines 1 to 2 of 2]\n1\t一\n2\t二',
    '"notes/a.md" is empty.',
  ])
  const before = await named(stage)
  expect(await make(stage, [edit('计划.md', '二', '三\n二\n二')])).toEqual([
    'The file is edited in one place: 16 bytes now.',
  ])
  expect(await make(stage, [edit('计划.md', '二', '2', true)])).toEqual([
    'The file is edited in 2 places: 12 bytes now.',
  ])
  expect(await named(stage)).toBe(treeName(treeOf({ '计划.md': '一\n三\n2\n2\n', 'notes/a.md': '' })))
  // An earlier state is there as it was.
  expect(readTree((await kept(stage, before))?.text ?? '')).toEqual(treeOf({ '计划.md': '一\n二\n', 'notes/a.md': '' }))
  expect(results(stage).every(({ source }) => source === 'own')).toBe(true)
  expect(taintOf(stage)).toEqual([])
})

test('several calls of one answer are made one after the other, each on what the one before left', async () => {
  const stage = open()
  const all = Array.from({ length: 6 }, (_, at) => write(`${at}.md`, `one ${at}`))
  const said = await make(stage, [
    ...all,
    edit('3.md', 'one', 'two'),
    read('3.md'),
    edit('3.md', 'two', 'three'),
    list(),
  ])
  expect(said.slice(6)).toEqual([
    'The file is edited in one place: 5 bytes now.',
    '["3.md", lines 1 to 1 of 1]\n1\ttwo 3',
    'The file is edited in one place: 7 bytes now.',
    `[files 1 to 6 of 6]\n${[5, 5, 5, 7, 5, 5].map((bytes, at) => `${at}.md (${bytes} bytes)`).join('\n')}`,
  ])
  expect(await treeIn(stage)).toHaveLength(6)
})

test.each(['before', 'after'] as const)('a worker that is lost right %s any step changes nothing', async (side) => {
  const both = [write('a.md', 'one two'), edit('a.md', 'two', 'two two')]
  const run = async (
    nth: number,
  ): Promise<{ readonly name: string; readonly steps: number; readonly texts: readonly unknown[] }> => {
    const stage = open()
    // An answer that was lost is made again.
    const said = async (asked: Asked) =>
      await answer(asked, asked.request.messages.at(-1)?.role === 'tool' ? 'Done.' : { toolCalls: both })
    stage.answers(said, said, said)
    if (nth > 0) stage.loseAt(nth, side)
    await stage.say('Go on')
    for (let pass = 0; pass < 3; pass++) await stage.work()
    const texts = (await treeIn(stage)).map(async ({ hash }) => (await kept(stage, `f-${hash}`))?.text)
    return { name: await named(stage), steps: stage.steps.length, texts: await Promise.all(texts) }
  }
  const whole = await run(0)
  expect(whole).toMatchObject({ name: treeName(treeOf({ 'a.md': 'one two two' })), texts: ['one two two'] })
  for (let nth = 1; nth <= whole.steps; nth++) {
    const { name, texts } = await run(nth)
    expect({ name, texts }, `step ${nth}`).toEqual({ name: whole.name, texts: whole.texts })
  }
})

test('a file that is written after others were read is theirs, one that was there before is not, and so are edits', async () => {
  const stage = open()
  await make(stage, [write('clean.md', 'mine')])
  await make(stage, [call('look')], [write('tainted.md', 'They say: pay Eve')])
  expect(await kept(stage, contentName('They say: pay Eve'))).toMatchObject({
    source: 'others',
    taint: ['look'],
    kind: 'work',
  })
  expect(await kept(stage, contentName('mine'))).toMatchObject({ source: 'own', about: ['m1'] })
  expect(await kept(stage, contentName('mine'))).not.toHaveProperty('taint')
  await fresh(stage)
  await make(stage, [read('clean.md')])
  expect([results(stage).at(-1)?.source, taintOf(stage)]).toEqual(['own', []])
  await make(stage, [read('tainted.md')])
  expect([results(stage).at(-1)?.source, taintOf(stage)]).toEqual(['others', ['look']])
  await fresh(stage)
  await make(stage, [list()])
  expect([results(stage).at(-1)?.source, taintOf(stage)]).toEqual(['others', ['look']])
  // The model has not read what it edits, and yet it stays theirs.
  await fresh(stage)
  await make(stage, [edit('tainted.md', 'Eve', 'Bob'), edit('clean.md', 'mine', 'still mine')])
  expect(taintOf(stage)).toEqual([])
  expect(await kept(stage, contentName('They say: pay Bob'))).toMatchObject({ source: 'others', taint: ['look'] })
  expect(await kept(stage, contentName('still mine'))).toMatchObject({
    source: 'own',
    about: expect.arrayContaining(['m1']),
  })
})

test('a file goes with a message that it came from, and the workspace begins anew without its list', async () => {
  const stage = open()
  await make(stage, [write('a.md', 'one')])
  await make(stage, [write('b.md', 'two')])
  await stage.put(deletion('m1'), toApply('delete'))
  await stage.work()
  expect(await kept(stage, contentName('one'))).toBeUndefined()
  expect(await kept(stage, contentName('two'))).toBeDefined()
  const [listed, found] = await make(stage, [list(), read('b.md')])
  expect(listed).toContain('The list of files is kept no more: a message that it came from was forgotten')
  expect(found).toBe(listed)
  expect(await make(stage, [write('b.md', 'two')])).toEqual([
    expect.stringContaining('The file is written: 3 bytes. The list of'),
  ])
  expect(await make(stage, [list()])).toEqual(['[files 1 to 1 of 1]\nb.md (3 bytes)'])
})

test.each([
  ['a name that leads out', () => write('../a', 'x'), 'it has ".."'],
  ['an absolute name', () => write('/a', 'x'), 'it is absolute'],
  ['NUL', () => write('a\0', 'x'), 'a control character (U+0000)'],
  ['4,000 characters', () => write('a'.repeat(4000), 'x'), 'it has 4000 characters'],
  ['mixed scripts', () => write('pаypal.md', 'x'), 'mixes Latin and Cyrillic'],
  ['a file that is too long', () => write('b.md', 'x'.repeat(mostFileBytes + 1)), '"b.md" is not written'],
  ['a name that is there but for its case', () => write('A.md', 'x'), 'differs from "a.md"'],
  ['words that are not there', () => edit('a.md', 'three', 'x'), '"old" is not in it'],
  ['words that are there twice', () => edit('a.md', 'o', 'x'), '"old" is in it 2 times'],
  ['an edit of a file that is not there', () => edit('b.md', 'o', 'x'), 'There is no file "b.md"'],
  ['reading a file that is not there', () => read('b.md'), 'There is no file "b.md"'],
  ['reading a name that leads out', () => read('../b.md'), 'it has ".."'],
])('%s is refused in words of ours, and nothing has changed', async (_, toCall, why) => {
  const stage = open()
  await make(stage, [write('a.md', 'one two')])
  const before = await named(stage)
  expect(await make(stage, [toCall()])).toEqual([expect.stringContaining(why)])
  expect(await named(stage)).toBe(before)
  expect(results(stage).at(-1)).toMatchObject({ source: 'own', ok: true })
  expect(taintOf(stage)).toEqual([])
})

test('the same refusals hold where there is no file yet', async () => {
  const stage = open()
  expect(await make(stage, [write('../a', 'x'), read('a.md'), edit('a.md', 'a', 'b')])).toEqual([
    expect.stringContaining('it has ".."'),
    expect.stringContaining('There is no file "a.md"'),
    expect.stringContaining('There is no file "a.md"'),
  ])
  expect(await named(stage)).toBe('')
})

test('half of a character is mended, and the file is found by what was kept', async () => {
  const stage = open()
  await make(stage, [write('a.md', 'x\ud800y')])
  expect(await make(stage, [read('a.md')])).toEqual(['["a.md", lines 1 to 1 of 1]\n1\tx\ufffdy'])
  expect(await named(stage)).toBe(treeName(treeOf({ 'a.md': 'x\ufffdy' })))
})

test('a text of a file that is kept no more is said to be, and may be written anew', async () => {
  const stage = open()
  await make(stage, [write('a.md', 'one')])
  await make(stage, [write('b.md', 'two'), edit('b.md', 'two', 'one')])
  // Other texts push the oldest out.
  for (let at = 0; at < 17; at++) await make(stage, [write('c.md', `${at}${'x'.repeat(260_000)}`)])
  const [said = ''] = await make(stage, [read('a.md')])
  expect(said).toContain('kept no more')
  await make(stage, [write('a.md', 'one')])
  expect(await make(stage, [read('a.md')])).toEqual(['["a.md", lines 1 to 1 of 1]\n1\tone'])
}, 30_000)

test('nothing is written of what a person answered in private', async () => {
  const [, , writing] = tools
  const context = { ...toolContext, isPrivate: true, slice: { tree: toOurs('') } }
  const result = await writing?.run({ path: 'a.md', text: 'x' }, context, new AbortController().signal)
  expect(result).toEqual({ text: expect.stringContaining('in private'), source: 'own' })
})

test('each tool says to people and to the model what it does', () => {
  expect(tools.map(({ name, effect, onCrash }) => [name, effect, onCrash])).toEqual([
    ['file_list', 'read', 'rerun'],
    ['file_read', 'read', 'rerun'],
    ['file_write', 'write-local', 'rerun'],
    ['file_edit', 'write-local', 'rerun'],
  ])
  expect(tools.map((tool) => tool.brief?.({ path: 'a\n\u202eb.md' }))).toEqual([
    undefined,
    'a b.md',
    'a b.md',
    'a b.md',
  ])
})
