// What a file that was sent back changes: shown on a card, and done by its press on what stands then.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyProposal } from '#services/memory/file/apply.ts'
import { findChanges } from '#services/memory/file/diff.ts'
import { readAll } from '#services/memory/file/read-all.ts'
import { readMemory } from '#services/memory/file/read.ts'
import { runs } from '#test/rig/property-runs.ts'
import { remembered } from '#test/rig/remembered.ts'
import { createMemoryStore } from '#test/twins/memory-store.ts'
import { keepSome, openFileStage, scope } from './file-stage.ts'
import { print, standing } from './round-trip.ts'

const open = async () => {
  const stage = openFileStage()
  await keepSome(stage)
  return { ...stage, file: await stage.print() }
}
const find = async ({ memory }: Pick<Awaited<ReturnType<typeof open>>, 'memory'>, text: string) => {
  const { records } = await readAll(memory, scope)
  return records.find((one) => one.text === text)
}

test('it is the seed’s form, with a sign behind each line', async () => {
  const { file } = await open()
  expect(file.replaceAll(/<!-- (\d) [\da-f]{8} -->/g, '<!-- $1 -->').replace(/ [\da-f]{3} -->$/, ' -->')).toBe(
    `# MEMORY
> Long-term memory - what you confirmed (yours to edit)

## Facts
- [2026-03-01] I live in Lyon <!-- 1 -->

## Preferences
- [2026-03-01] 我喜欢喝茶 <!-- 2 -->

## Todos
- [ ] call Bob <!-- 3 -->

## Patterns
- [2026-03-01] Ann works at night <!-- 5 -->
  - confidence: medium
  - evidence: 2 observations

## Decisions
- [2026-03-01] We use Redis <!-- 4 -->

<!-- end: 1-5 -->`,
  )
})

test('an edit, a line more, a line less, a cross, another section and another day, in both languages', async () => {
  for (const language of ['en', 'zh'] as const) {
    const stage = await open()
    const { sendFile } = stage
    const file = await stage.print({ language })
    const sign = (number: number): string => new RegExp(`<!-- ${number} \\S{8} -->`).exec(file)?.[0] ?? ''
    const said = await sendFile(
      file
        .replace('I live in Lyon', 'I live in Lille')
        .replace(/.*我喜欢喝茶.*\n/, '- my boat: Zebrafinch\n')
        .replace('- [ ] call', '- [x] call')
        .replace(/.*Ann works at night.*\n.*\n.*\n/, '')
        .replace('## Facts', `## Facts\n- Ann works at night ${sign(5)}`)
        .replace('[2026-03-01] We', '[2026-02-01] We'),
      { language },
    )
    expect(said).toBe(
      language === 'en'
        ? 'Shall I apply this MEMORY.md? This is what changes:\n\n```diff\n- 3: call Bob (done)\n- 2: 我喜欢喝茶\n~ 5: Ann works at night → under Facts\n~ 1: I live in Lyon → I live in Lille\n~ 4: We use Redis → [2026-02-01]\n+ Preferences: my boat: Zebrafinch\n```\n\n2 forgotten, 3 changed, 1 new.'
        : '要应用这份 MEMORY.md 吗？改动如下：\n\n```diff\n- 3: call Bob（已完成）\n- 2: 我喜欢喝茶\n~ 5: Ann works at night → 移到 Facts\n~ 1: I live in Lyon → I live in Lille\n~ 4: We use Redis → [2026-02-01]\n+ Preferences: my boat: Zebrafinch\n```\n\n忘掉 2 条，改 3 条，新记 1 条。',
    )
    // Nothing is done before the press.
    expect(await stage.texts()).toContain('我喜欢喝茶')
    expect(await stage.stage.press(language === 'en' ? 'Apply' : '应用')).toBe(
      language === 'en'
        ? 'Applied: 1 new (number 7), 3 changed (now numbers 5, 6, 4), 2 forgotten.'
        : '已应用：新记 1 条（第 7 条），改了 3 条（现在是第 5、6、4 条），忘掉 2 条。',
    )
    expect(await stage.texts()).toEqual([
      'We use Redis',
      'Ann works at night',
      'I live in Lille',
      'my boat: Zebrafinch',
    ])
    expect(await find(stage, 'Ann works at night')).toMatchObject({ status: 'confirmed', kind: 'fact' })
    expect(await find(stage, 'We use Redis')).toMatchObject({ validFrom: '2026-02-01', kind: 'decision' })
    const again = await stage.print({ language: 'en' })
    expect(again).toContain('- [2026-02-01] We use Redis')
    expect(await sendFile(again, { language: 'en' })).toContain('there is nothing to change')
    // The proposal is kept no longer than it is asked.
    const kept = stage.stage.steps.flatMap(({ artifacts = [] }) => artifacts.map((one) => one.name))
    const gone = stage.stage.steps.flatMap(({ dropsArtifacts = [] }) => dropsArtifacts)
    expect([kept.length, gone]).toEqual([1, kept])
  }
})

test('words that take the place of others keep what their record was made of, and its pin', async () => {
  const stage = openFileStage()
  await stage.keep('I live in Lyon', { pinned: true })
  await stage.sendFile((await stage.print()).replace('Lyon', 'Lille'))
  await stage.stage.press('Apply')
  expect(await find(stage, 'I live in Lille')).toMatchObject({
    pinned: true,
    speaker: 'web:ann',
    status: 'confirmed',
    origin: 'said',
    from: [
      { conversation: 'web:stage', messages: ['of I live in Lyon'] },
      { conversation: 'web:stage', messages: [expect.stringMatching(/^m/)] },
    ],
  })
})

test('a slip of the pen that is mended is mended, though the words nearly repeat the record', async () => {
  const stage = openFileStage()
  const words = 'I always drink a big cup of grean tea without any milk before work'
  await stage.keep(words)
  await stage.sendFile((await stage.print()).replace('grean', 'green'))
  expect(await stage.stage.press('Apply')).toBe('Applied: 1 changed (now number 1).')
  expect(await stage.texts()).toEqual([words.replace('grean', 'green')])
})

describe('what programs and people make of it is read', () => {
  test.each([
    ['full-width signs', '＃＃ Facts\n－ ［２０２６－０１－０２］ 我的船：斑马'],
    ['Chinese names of sections', '## 事实\n- 【2026-1-2】 我的船：斑马'],
    [
      'other bullets, blanks, CRLF, a fence and a byte order mark',
      '\ufeff```md\r\n# MEMORY \r\n## facts \r\n\r\n  •  [2026/01/02]   我的船：斑马  \r\n```\r\n',
    ],
    ['line ends of old', '# MEMORY\r## Facts\r+ [2026.1.2] 我的船：斑马\r'],
  ])('%s', async (_, text) => {
    const stage = openFileStage()
    expect(await stage.sendFile(text, { language: 'en' })).toContain('+ Facts: 我的船：斑马')
    await stage.stage.press(/Apply|应用/.exec(JSON.stringify(await stage.stage.sent()))?.[0] ?? '')
    expect(await find(stage, '我的船：斑马')).toMatchObject({ kind: 'fact', validFrom: '2026-01-02' })
  })
})

test('without its last line nothing goes, so that one section alone can be sent', async () => {
  const stage = await open()
  expect(await stage.sendFile('## Todos\n- [ ] call Eve')).toContain(
    '```diff\n+ Todos: call Eve\n```\n\n1 new.\n\n5 things that the text leaves out stay',
  )
  await stage.stage.press('Apply')
  expect(await stage.texts()).toHaveLength(6)
  // A message that was cut.
  expect(await stage.sendFile(stage.file.slice(0, 160))).toContain('things that the text leaves out stay')
})

test('where most would go, the card says so first', async () => {
  const stage = openFileStage()
  for (let n = 0; n < 20; n += 1) await stage.keep(`Thing ${n} is here`)
  const lines = (await stage.print()).split('\n')
  const cut = lines.filter((line) => !/^- .* Thing (?:[2-9]|1\d) is/.test(line)).join('\n')
  const said = await stage.sendFile(cut)
  expect(said.split('\n')[0]).toBe('⚠️ **This forgets 18 of the 20 things that I keep here.**')
  expect(said).toContain('and 6 more')
  expect(await stage.stage.press('Leave it as it is')).toBe('All right, all is as it was.')
  expect(await stage.texts()).toHaveLength(20)
  const inChinese = cut.replace(/^> .*/m, '> 长期记忆 - 用户确认的重要信息（手动管理）')
  expect((await stage.sendFile(inChinese)).split('\n')[0]).toBe('⚠️ **这会忘掉 20 条里的 18 条。**')
  await stage.stage.press('应用')
  expect(await stage.texts()).toEqual(['Thing 0 is here', 'Thing 1 is here'])
})

test('another person’s file becomes one’s own claims, whatever its signs say', async () => {
  const stage = await open()
  await stage.keep('Bob collects stamps', { speaker: 'web:bob' }, 'user:web:bob')
  await stage.keep('Bob has a dog', { speaker: 'web:bob' }, 'user:web:bob')
  const theirs = await stage.print({ principal: 'web:bob' })
  expect(theirs).toContain('Bob collects stamps <!-- 1 ')
  const said = await stage.sendFile(theirs)
  expect(said).toContain('```diff\n+ Facts: Bob collects stamps\n+ Facts: Bob has a dog\n```')
  expect(said).toContain('5 things that the text leaves out stay')
  await stage.stage.press('Apply')
  expect(await find(stage, 'Bob has a dog')).toMatchObject({
    speaker: 'web:ann',
    confirmedBy: 'web:ann',
    status: 'confirmed',
    origin: 'said',
  })
  expect(await stage.texts('user:web:bob')).toHaveLength(2)
})

test('a file of a linked account, which calls the same records by another sign, is one’s own', async () => {
  const stage = await open()
  const [, sign = ''] = /end: 1-5 (\S{3}) -->/.exec(stage.file) ?? []
  const theirs = stage.file.replaceAll(new RegExp(`${sign}(?=\\S{5} -->| -->)`, 'g'), sign === 'abc' ? 'abd' : 'abc')
  expect(theirs).not.toContain(` ${sign}`)
  const said = await stage.sendFile(theirs.replace('Lyon', 'Lille').replace(/.*call Bob.*\n/, ''))
  expect(said).toContain('- 3: call Bob\n~ 1: I live in Lyon → I live in Lille\n```\n\n1 forgotten, 1 changed.')
})

test('what came or changed since it was given is left alone', async () => {
  const stage = await open()
  await stage.keep('I have a cat')
  await stage.memory.drop(scope, [3])
  // Its words alone are others now.
  await stage.memory.change(scope, 4, (one) => ({ ...one, text: 'We use Valkey' }))
  const said = await stage.sendFile(stage.file.replace('I live in Lyon', 'I live in Lille'))
  expect(said).toContain('```diff\n~ 1: I live in Lyon → I live in Lille\n```\n\n1 changed.')
  expect(said).toContain('Numbers 3, 4 changed or went after this file was given: those lines count for nothing.')
  await stage.stage.press('Apply')
  expect(await stage.texts()).toEqual([
    '我喜欢喝茶',
    'We use Valkey',
    'Ann works at night',
    'I have a cat',
    'I live in Lille',
  ])
})

test('where all numbers are others by now, as after accounts were linked, nothing goes', async () => {
  const stage = await open()
  await stage.memory.drop(scope, [1, 2, 3, 4, 5])
  const other = openFileStage()
  for (const text of ['I have a cat', 'We use Redis', 'call Bob', '我喜欢喝茶', 'I live in Lyon'])
    await other.keep(text, text === 'call Bob' ? { kind: 'todo' } : {})
  const said = await other.sendFile(
    stage.file.replace('I live in Lyon', 'I live in Lille').replace(/.*call Bob.*\n/, ''),
  )
  expect(said).toContain('```diff\n~ 4: 我喜欢喝茶 → under Preferences\n~ 2: We use Redis → under Decisions\n```')
  expect(said).toContain('Numbers 1, 5 changed or went after this file was given')
  expect(said).toContain('One thing that the text leaves out stays: the numbers are others')
  await other.stage.press('Apply')
  expect(await other.texts()).toHaveLength(5)
})

test('what can be true but once: what was replaced comes back with its line gone, and goes with a newer one', async () => {
  const stage = openFileStage()
  await stage.keep('I live in Lyon')
  await stage.keep('I live in Lille', { saidAt: Date.now() - 1000 })
  const file = await stage.print()
  expect(file).not.toContain('Lyon')
  await stage.sendFile(file.replace(/.*Lille.*\n/, ''))
  expect(await stage.stage.press('Apply')).toBe('Applied: 1 forgotten. Valid again: number 1.')
  await stage.sendFile('## Facts\n- I live in Rome', { at: Date.now() })
  await stage.stage.press('Apply')
  expect((await stage.stage.sent()).at(-1)?.text).toContain('Applied: 1 new (number 3).')
})

test('what somebody else changes before the press is not written over', async () => {
  const stage = await open()
  await stage.sendFile(
    stage.file
      .replace('I live in Lyon', 'I live in Lille')
      .replace(/.*我喜欢喝茶.*\n/, '')
      .replace('[ ] call Bob', '[ ] call Eve'),
  )
  const reword = (number: number, text: string) => stage.memory.change(scope, number, (one) => ({ ...one, text }))
  await reword(1, 'I live in Rome')
  await reword(2, '我喜欢喝咖啡')
  expect(await stage.stage.press('Apply')).toBe(
    'Applied: 1 changed (now number 6). Changed or gone meanwhile, so I left it alone: numbers 1, 2.',
  )
  expect(await stage.texts()).toEqual([
    'I live in Rome',
    '我喜欢喝咖啡',
    'We use Redis',
    'Ann works at night',
    'call Eve',
  ])
})

test('a newer file takes the place of one that waits', async () => {
  const stage = await open()
  await stage.sendFile('## Facts\n- I have a cat')
  const said = await stage.sendFile('## Facts\n- I have a dog')
  expect(said).toContain('I have a dog')
  await stage.stage.work()
  await stage.stage.press('Apply')
  expect(await stage.texts()).toEqual(expect.arrayContaining(['I have a dog']))
  expect(await stage.texts()).not.toContain('I have a cat')
})

test('after an hour it is not applied any more', async () => {
  const stage = await open()
  await stage.sendFile('## Facts\n- I have a cat')
  expect(await stage.stage.wait(3_700_000)).toBe('It was not applied: all is as it was.')
  expect(await stage.stage.press('Apply')).not.toContain('Applied')
  expect(await stage.texts()).toHaveLength(5)
})

test('a worker that is lost at any step changes nothing twice', async () => {
  for (const [nth, side] of [
    [1, 'before'],
    [1, 'after'],
    [2, 'before'],
    [2, 'after'],
  ] as const) {
    const stage = await open()
    await stage.sendFile(
      stage.file
        .replace('I live in Lyon', 'I live in Lille')
        .replace(/.*我喜欢喝茶.*\n/, '- I prefer beer\n')
        .replace('- [ ] call', '- [x] call'),
    )
    stage.stage.loseAt(nth, side)
    await stage.stage.press('Apply')
    await stage.stage.work()
    expect(await stage.texts()).toEqual(['We use Redis', 'Ann works at night', 'I live in Lille', 'I prefer beer'])
    const said = (await stage.stage.sent()).at(-1)?.text
    expect(said).toBe('Applied: 1 new (number 7), 1 changed (now number 6), 2 forgotten.')
  }
})

test('who is no administrator of a group prints its file and does not change it', async () => {
  const stage = openFileStage()
  const group = { group: true, conversation: 'web:stage' } as const
  await stage.keep('The retro is on Mondays', {}, 'chat:web:stage')
  const file = await stage.print(group)
  expect(file).toContain('The retro is on Mondays')
  const changed = file.replace('Mondays', 'Fridays')
  expect(await stage.sendFile(changed, { ...group, principal: 'web:bob' })).toContain('Only owners and admins')
  expect(await stage.sendFile(changed, { ...group, senderIsAdmin: true })).toContain('~ 1: The retro is on Mondays →')
  await stage.stage.press('Apply')
  expect(await stage.texts('chat:web:stage')).toEqual(['The retro is on Fridays'])
})

const sections = ['Facts', 'Preferences', 'Todos', 'Decisions', 'Constraints'] as const
const kinds = ['fact', 'preference', 'todo', 'decision', 'constraint'] as const
const step = fc.record({
  what: fc.constantFrom('keep', 'edit', 'drop', 'move', 'add', 'swap'),
  to: fc.nat({ max: 4 }),
})

test('whatever is edited, what is kept afterwards is what the file says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), fc.boolean(), async (steps, isRepeated) => {
      const memory = createMemoryStore()
      for (const [n, { to }] of steps.entries())
        await memory.write(
          scope,
          remembered(
            `item ${n} is blue`,
            { conversation: 'web:main', message: `m${n}` },
            { kind: kinds[to] ?? 'fact' },
          ),
        )
      const { records } = await readAll(memory, scope)
      const wanted = edit(print(records), steps)
      const read = readMemory(wanted)
      if (read.kind !== 'read') throw new Error('It is read.')
      const { changes, faults } = findChanges(read, standing(records))
      expect(faults).toEqual([])
      const proposal = { v: 1, scope, event: 'e1', about: ['file'], changes } as const
      const who = { principal: 'web:ann', conversation: 'web:main', atMs: 1_772_366_400_000 }
      await applyProposal(memory, proposal, who)
      if (isRepeated) await applyProposal(memory, proposal, who)
      expect(toSet(print((await readAll(memory, scope)).records))).toEqual(toSet(wanted))
    }),
    runs(300),
  )
})

/** Each printed line is dealt with by the step of its text's number. */
function edit(file: string, steps: readonly { readonly what: string; readonly to: number }[]): string {
  let section = ''
  const moved: string[] = []
  // Those that are swapped take each other's words.
  const swapped = steps.flatMap(({ what }, n) => (what === 'swap' ? [n] : []))
  const lines = file.split('\n').flatMap((line) => {
    if (line.startsWith('## ')) section = line.slice(3)
    const [, n] = /item (\d+) is/.exec(line) ?? []
    const { what, to } = (n === undefined ? undefined : steps[Number(n)]) ?? { what: 'keep', to: 0 }
    if (what === 'edit') return [line.replace('is blue', `is red, not ${Number(n) + 100}`)]
    if (what === 'drop') return []
    if (what === 'add') return [line, toItem(section, `thing ${Number(n) + 200} is new`)]
    if (what === 'swap') {
      const next = swapped[(swapped.indexOf(Number(n)) + 1) % swapped.length]
      return [line.replace(`item ${n} is`, `item ${next} is`)]
    }
    if (what !== 'move') return [line]
    const [, sign = ''] = / (<!--.*-->)$/.exec(line) ?? []
    moved.push(`## ${sections[to]}`, toItem(sections[to] ?? '', `item ${n} is blue ${sign}`))
    return []
  })
  return [...lines, ...moved].join('\n')
}

const toItem = (section: string, text: string): string => (section === 'Todos' ? `- [ ] ${text}` : `- ${text}`)

/** Sections and texts alone; of those that stand there twice one. */
function toSet(file: string): readonly string[] {
  let section = ''
  const found = file.split('\n').flatMap((line) => {
    if (line.startsWith('## ')) section = line
    const text = line.replace(/^- (?:\[.{1,10}\] )?/, '').replace(/ <!--.*$/, '')
    return line.startsWith('- ') ? [`${section}: ${text}`] : []
  })
  return [...new Set(found)].toSorted()
}
