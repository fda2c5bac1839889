// CONFIG.md: printed from the list of settings, read back from what people paste, and refused line by line where it is not understood.
import { keeper } from '#shared/feature/kept.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { languages } from '#shared/chat/message.ts'
import { createAnswerButtons } from '#services/answer-buttons/answer-buttons.ts'
import { createConfig } from '#services/config/config.ts'
import { printEntries } from '#services/config/document/print-entries.ts'
import { isDocument, readEntries } from '#services/config/document/read-entries.ts'
import { findWanted, toEntry } from '#services/config/document/setting-entries.ts'
import { createPreferences } from '#services/preferences/preferences.ts'
import type { Effect } from '#shared/feature/effect.ts'
import type { CommandContext, ConversationView } from '#shared/feature/feature.ts'
import { onlyReads } from '#shared/feature/rights.ts'
import { sections, type Setting } from '#shared/feature/setting.ts'
import { message, toCommand } from '#test/rig/events.ts'
import { runs } from '#test/rig/property-runs.ts'
import { createStage } from '#test/services/executor/stage.ts'
import { processorMs } from '#test/rig/processor-ms.ts'

const chosen: string[] = []
const mode: Setting = {
  id: 'mode',
  label: { zh: '何时回答', en: 'When I answer' },
  entry: { section: 'Routing', key: 'replyMode' },
  isFor: ({ group }) => group,
  holds: () => 'mention',
  choices: ['mention', 'always'].map((id) => ({ id, label: { zh: id, en: id } })),
  choose: async (choice) => void chosen.push(choice),
}
const settings: readonly Setting[] = [
  ...(createPreferences(undefined).settings ?? []),
  ...(createAnswerButtons(true).settings ?? []),
  mode,
]
const [command] = createConfig([{ name: 'all', settings }]).commands ?? []

const state: ConversationView = {
  sessionId: 'sess_1',
  language: undefined,
  exchanges: 0,
  busy: undefined,
  nameOf: () => undefined,
  questions: () => [],
  lastText: undefined,
  lastCard: undefined,
  fellOut: 0,
  summed: 0,
  lastAbout: [],
  transcript: async () => ({ lines: [], about: [] }),
  knows: () => false,
  isForgotten: () => false,
}
const held: Record<string, string> = {
  language: 'auto',
  depth: 'deep',
  style: 'auto',
  technical: 'detailed_when_asked',
  pace: 'auto',
  buttons: 'on',
  mode: 'mention',
}
type Who = { readonly group?: boolean; readonly admin?: boolean; readonly truncated?: boolean; readonly zh?: boolean }
async function run(args: string, { group = false, admin = false, truncated = false, zh = false }: Who = {}) {
  const base = { conversation: 'telegram:-5', principal: 'telegram:1' }
  const context: CommandContext = {
    keep: keeper({ about: [] }),
    ...base,
    event: message({ ...base, text: `/config ${args}`, group, senderIsAdmin: admin, truncated }),
    args,
    language: zh ? 'zh' : 'en',
    owner: false,
    commands: [],
    about: [],
    slice: undefined,
    state,
    holds: async (id) => held[id] ?? 'none',
    zone: async () => undefined,
    findArtifact: async () => undefined,
  }
  return (await command?.run(context)) ?? []
}
const toText = (effects: readonly Effect[]): string =>
  effects.flatMap((effect) => (effect.kind === 'send' ? [effect.text] : [])).join('\n')
const changes = (effects: readonly Effect[]): readonly Effect[] => effects.filter(({ kind }) => kind !== 'send')

const printed = `# CONFIG
> Settings - what this chat prefers

## Preferences
language: auto  # Language: zh | en | auto
communicationStyle: auto  # Style: concise | thorough | friendly | auto
technicalDepth: detailed_when_asked  # Technical depth: plain | detailed_when_asked | expert | auto
responseTime: auto  # Pace: async_ok | soon | auto
answerButtons: true  # Buttons under answers: true | false | auto

## Routing
defaultDepth: deep  # Default depth: light | standard | deep | auto`

test('prints what the chat has, in the sections of the seed', async () => {
  expect(toText(await run('file'))).toBe(`\`\`\`markdown\n${printed}\n\`\`\``)
  expect(toText(await run('file', { group: true }))).toContain('replyMode: mention  # When I answer: mention | always')
  expect(toText(await run('文件', { zh: true }))).toContain('language: auto  # 语言：zh | en | auto')
})

test('what it printed changes nothing when it is pasted back; what was changed in it is made', async () => {
  expect(toText(await run(printed))).toBe('All that it says holds already; there is nothing to change.')
  const edited = printed.replace('language: auto', 'language: zh').replace('answerButtons: true', 'answerButtons: off')
  expect(await run(edited)).toEqual([
    { kind: 'choose', setting: 'language', choice: 'zh' },
    { kind: 'choose', setting: 'buttons', choice: 'off' },
    { kind: 'send', text: '已按 CONFIG.md 修改：\n\n- 语言：中文\n- 回答下的按钮：关' },
  ])
  // A part of it is enough.
  expect(changes(await run('# CONFIG\n## Routing\ndefaultDepth: light'))).toEqual([
    { kind: 'choose', setting: 'depth', choice: 'light' },
  ])
})

test('the Chinese line at its head makes no Chinese of who pastes it', async () => {
  const preferences = createPreferences(undefined)
  const stage = createStage({ features: [preferences, createConfig([preferences])] })
  const paste = async (value: string): Promise<string> => {
    const pasted = `# CONFIG\n    > 用户配置 - 偏好设置和路由规则\n\n## Routing\ndefaultDepth: ${value}`
    return await stage.ask(`/config ${pasted}`, { as: toCommand('config', pasted) })
  }
  expect(await paste('deep')).toMatch(/^[^\p{Script=Han}]*Default depth: deep[^\p{Script=Han}]*$/u)
  expect(await paste('深')).toMatch(/\p{Script=Han}{2}/u)
})

test('in a group it is for those who may change settings', async () => {
  const document = '# CONFIG\n## Routing\nreplyMode: always\n## Preferences\nlanguage: en'
  expect(toText(await run(document, { group: true }))).toMatch(/^Only owners and admins can do this here/)
  expect(chosen).toEqual([])
  const made = await run(document, { group: true, admin: true })
  expect(chosen).toEqual(['always'])
  expect(changes(made)).toEqual([{ kind: 'choose', setting: 'language', choice: 'en' }])
  // Alone with the bot there is no such setting, and so nothing of it is made.
  const refused = await run(document)
  expect(toText(refused)).toContain('- Line 3: there is no setting `replyMode` here.')
  expect(changes(refused)).toEqual([])
})

test('one wrong thing, and nothing is changed: each is named with its line', async () => {
  const refused = await run(
    [
      '# CONFIG',
      '> what I want',
      '## Preferences',
      'language: french',
      'langauge: zh',
      'language: zh',
      'defaultDepth: deep',
      'answerButtons: "true" indeed',
      'and some words',
      '## Rooting',
      'whatever: yes',
      '## Memory',
      'detectionEnabled: true',
    ].join('\n'),
  )
  expect(changes(refused)).toEqual([])
  expect(toText(refused)).toBe(`Nothing was changed, since I do not understand all of this CONFIG.md:

- Line 8, \`answerButtons: "true" indeed\`: something stands behind the value’s closing quotation mark.
- Line 9, \`and some words\`: it is neither a section nor \`key: value\`.
- Line 10: there is no section \`Rooting\`; what stands in it was not read.

\`/config file\` shows it as it is now.`)
  const misfits = await run(
    '# CONFIG\n## Preferences\nlanguage: french\nlangauge: zh\nlanguage: zh\ndefaultDepth: deep\n\n## Memory\ndetectionEnabled: true',
  )
  expect(toText(misfits)).toBe(`Nothing was changed, since I do not understand all of this CONFIG.md:

- Line 3: \`language\` cannot be \`french\`; it is one of \`zh\`, \`en\`, \`auto\`.
- Line 4: there is no setting \`langauge\` here. Did you mean \`language\`?
- Line 5: \`language\` stands in line 3 already.
- Line 6: \`defaultDepth\` belongs under \`## Routing\`.
- Line 9: there is no setting \`detectionEnabled\` here.

\`/config file\` shows it as it is now.`)
  expect(changes(misfits)).toEqual([])
  expect(toText(await run('# CONFIG\n## Preferences\nlanguage: 法语', { zh: true }))).toContain(
    '- 第 3 行：`language` 不能是 `法语`，可以是 `zh`、`en`、`auto`。',
  )
})

test('a key with a list below it is named once', async () => {
  const document =
    '# CONFIG\n## Routing\npatterns:\n  social:\n    - "好的"\n    - "ok"\n  brief:\n    - "简单"\ndefaultDepth: light'
  expect(toText(await run(document))).toMatch(/:\n\n- Line 3: there is no setting `patterns` here\.\n\n`/)
})

test('anything else behind /config tells what can be', async () => {
  expect(toText(await run('please'))).toMatch(/^`\/config` shows the settings as buttons/)
  expect(toText(await run('hello', { zh: true }))).toMatch(/^`\/config` 用按钮显示设置/)
  expect((await run(''))[0]).toMatchObject({ kind: 'ask', question: 'menu' })
})

test('only what may change something waits for the turn that runs', () => {
  if (!command) throw new Error('There is no command.')
  expect(['', 'file', 'please'].map((args) => onlyReads(command, args))).toEqual([true, true, true])
  expect([printed, '```\n# CONFIG', '＃ CONFIG', '\u200b# CONFIG'].map((args) => onlyReads(command, args))).toEqual(
    Array.from({ length: 4 }, () => false),
  )
})

/** As keyboards and chat programs of people make it. */
const mangles: Readonly<Record<string, (text: string) => string>> = {
  'line breaks of Windows': (text) => text.replaceAll('\n', '\r\n'),
  'line breaks of another kind': (text) => text.replaceAll('\n', '\u2028'),
  'full-width signs': (text) => text.replaceAll(': ', '：').replaceAll('#', '＃'),
  'smart quotes': (text) => text.replaceAll(/^(\w+): (\w+)/gm, '$1: “$2”'),
  'single quotes': (text) => text.replaceAll(/^(\w+): (\w+)/gm, '$1: ‘$2’'),
  'corner brackets': (text) => text.replaceAll(/^(\w+): (\w+)/gm, '$1: 「$2」'),
  'signs that nobody sees': (text) => text.replaceAll('o', 'o\u200b').replaceAll(': ', ':\u00a0\u2060'),
  'capital letters': (text) => text.replaceAll(/^\w/gm, (letter) => letter.toUpperCase()),
  'a block of code': (text) => `\`\`\`markdown\n${text}\n\`\`\``,
  'space around lines': (text) => text.replaceAll('\n', ' \n  '),
  'no comments': (text) => text.replaceAll(/(?<=\S) {2}#.*$/gm, ''),
  'no remark': (text) => text.replace(/^>.*\n/m, ''),
}

test.each(Object.entries(mangles))('%s change nothing of what it says', async (_, mangle) => {
  expect(isDocument(mangle(printed))).toBe(true)
  expect(toText(await run(mangle(printed)))).toBe('All that it says holds already; there is nothing to change.')
})

const id = fc.stringMatching(/^[a-z][a-z0-9_]{0,19}$/)
const setting: fc.Arbitrary<Setting> = fc.record({
  id,
  label: fc.constant({ zh: '设置', en: 'Setting' }),
  entry: fc.record({ section: fc.constantFrom(...sections), key: fc.stringMatching(/^[a-z][a-zA-Z0-9]{0,30}$/) }),
  holds: fc.constant(() => ''),
  choices: fc
    .uniqueArray(id, { minLength: 1, maxLength: 6 })
    .map((ids) => ids.map((one) => ({ id: one, label: { zh: `选项 ${one}`, en: `choice ${one}` } }))),
})
const chosenOnes = fc
  .uniqueArray(fc.tuple(setting, fc.nat()), {
    maxLength: 50,
    selector: ([{ entry }]) => entry?.key.toLowerCase() ?? '',
  })
  .map((pairs) =>
    pairs.flatMap(([one, at]) => {
      const choice = one.choices[at % one.choices.length]
      return choice ? [{ setting: one, choice }] : []
    }),
  )

test('what is printed reads back as the same choices, whatever settings there are and however it was mangled', () => {
  fc.assert(
    fc.property(
      chosenOnes,
      fc.subarray(Object.values(mangles)),
      fc.constantFrom(...languages),
      (pairs, mangled, spoken) => {
        const entries = pairs.map(({ setting: one, choice }) => toEntry(one, choice.id, spoken))
        const text = printEntries(entries, spoken)
        const read = readEntries(mangled.reduce((so, mangle) => mangle(so), text))
        if (read.kind !== 'read') throw new Error(JSON.stringify(read))
        const { wanted, misfits } = findWanted(
          pairs.map(({ setting: one }) => one),
          read.entries,
          { group: true },
        )
        expect(misfits).toEqual([])
        expect(new Set(wanted)).toEqual(new Set(pairs))
      },
    ),
    runs(300),
  )
})

test('whatever is pasted, it is read, refused or too long, and never throws', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 400 }), async (text) => {
      const effects = await run(`# CONFIG\n${text}`)
      expect(changes(effects)).toEqual([])
      expect(toText(effects).length).toBeLessThan(3000)
    }),
    runs(100),
  )
})

test.each([
  ['a long document', `# CONFIG\n${'language: zh\n'.repeat(20_000)}`],
  ['a million signs', '#'.repeat(1_000_000)],
  ['a million lines', `# CONFIG\n${'#\n'.repeat(1_000_000)}`],
  ['many short lines', `# CONFIG\n${'x\n'.repeat(7000)}`],
  ['a long line', `# CONFIG\n## Preferences\nlanguage: ${'z'.repeat(15_000)}`],
  ['many spaces', `# CONFIG\n## Preferences\nlanguage:${' '.repeat(15_000)}x`],
  ['signs that grow', `# CONFIG\n${'\ufdfa'.repeat(15_000)}`],
  ['many accents', `# CONFIG\na${'\u0316\u0301'.repeat(7000)}`],
  ['quotation marks', `# CONFIG\n## Preferences\nlanguage: ${'“'.repeat(15_000)}`],
  ['backticks', `# CONFIG\n${'`'.repeat(15_000)}`],
])('%s is refused at once, in few words', async (_, text) => {
  const begun = processorMs()
  const effects = await run(text)
  expect(processorMs() - begun).toBeLessThan(200)
  expect(changes(effects)).toEqual([])
  expect(toText(effects)).toMatch(/nothing was changed|Nothing was changed/)
  expect(toText(effects).length).toBeLessThan(3000)
})

test('what was cut on its way in is not applied in part', async () => {
  expect(toText(await run(printed.replace('auto', 'zh'), { truncated: true }))).toContain('far too long')
})
