// Skills as YAML: what is read of good texts, and of bad ones each mistake with its line.
import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { readYaml } from '#infra/yaml/read-yaml.ts'
import { isYaml, readYamlSkill } from '#services/memory/skills/read-yaml-skill.ts'
import { toDraftYaml, toYaml } from '#services/memory/skills/to-yaml.ts'
import { toSkill } from '#services/memory/skills/version.ts'

const read = (text: string) => readYamlSkill(text, readYaml)

/** The lines that are named, in order; 0 for what is about the whole. */
function linesOf(text: string): readonly number[] {
  const found = read(text)
  return found.kind === 'faults' ? found.faults.map(({ line = 0 }) => line) : []
}

const seed = `# the sample of seed 001
skill_id: "competitive_analysis_v3"
name: "竞品分析"
description: "系统化的竞品分析流程"
trigger_conditions:
  - "用户请求分析竞品或竞争对手"
  - "需要对比多个产品或服务"
steps:
  - action: "确认分析维度"
    details: "与用户确认关注哪些方面（产品功能、定价）"
  - action: "官方信息收集"
    tools: ["browser_navigate", "browser_extract"]
learned_from: ["reflection_042", "reflection_056"]
success_rate: 0.88
last_updated: "2026-02-14"
version_history:
  - v1: "基础版本"
  - v2: "添加了'先官方后第三方'的顺序策略"`

test('the sample of the seed is read, whatever its line ends, fence or wide colons', () => {
  const whole = read(seed)
  expect(whole).toEqual({
    kind: 'draft',
    draft: {
      id: 'competitive_analysis',
      name: '竞品分析',
      description: '系统化的竞品分析流程',
      triggers: ['用户请求分析竞品或竞争对手', '需要对比多个产品或服务'],
      steps: [
        { action: '确认分析维度', details: '与用户确认关注哪些方面（产品功能、定价）' },
        { action: '官方信息收集', tools: ['browser_navigate', 'browser_extract'] },
      ],
      history: ['v1: 基础版本', "v2: 添加了'先官方后第三方'的顺序策略"],
    },
  })
  expect(read(seed.replaceAll('\n', '\r\n'))).toEqual(whole)
  expect(read(seed.replaceAll('\n', '\r'))).toEqual(whole)
  expect(read(`\`\`\`yaml\n${seed}\n\`\`\``)).toEqual(whole)
  expect(read(`\n~~~\n${seed}\n~~~\n`)).toEqual(whole)
  expect(read(seed.replace('name: ', 'name：').replace('action: ', 'action：'))).toEqual(whole)
  expect(isYaml(seed)).toBe(true)
})

const good = 'name: a\ntrigger_conditions:\n  - b\nsteps:\n  - action: c\n'
const steps = (text: string): string => `name: a\ntrigger_conditions: [b]\nsteps:\n${text}`
const long = (length: number): string => 'x'.repeat(length)
const many = (count: number, line: string): string => `${line}\n`.repeat(count)

it.each<readonly [string, readonly number[]]>([
  // What is missing or of the wrong kind.
  ['', [1]],
  ['# nothing', [1]],
  ['just a text', [1]],
  ['- a\n- b', [1]],
  ['name: a', [1, 1]],
  ['description: a', [1, 1, 1]],
  ['name: a\nsteps:\n  - action: b', [1]],
  ['name: a\ntrigger_conditions: [b]', [1]],
  ['\n\ntrigger_conditions: [b]\nsteps: [c]', [3]],
  ['name:\ntrigger_conditions: [b]\nsteps: [c]', [1]],
  ['name: " "\ntrigger_conditions: [b]\nsteps: [c]', [1]],
  ['name: [a]\ntrigger_conditions: [b]\nsteps: [c]', [1]],
  ['name:\n  a: b\ntrigger_conditions: [b]\nsteps: [c]', [2]],
  ['name: a\ntrigger_conditions: b\nsteps: [c]', [2]],
  ['name: a\ntrigger_conditions:\nsteps: [c]', [2]],
  ['name: a\ntrigger_conditions: []\nsteps: [c]', [2]],
  ['name: a\ntrigger_conditions:\n  - b\n  - [c]\nsteps: [c]', [4]],
  ['name: a\ntrigger_conditions:\n  - b\n  -\nsteps: [c]', [4]],
  ['name: a\ntrigger_conditions: [b]\nsteps: c', [3]],
  ['name: a\ntrigger_conditions: [b]\nsteps: {action: c}', [3]],
  [steps('  - details: d'), [4]],
  [steps('  - action:\n    details: d'), [4]],
  [steps('  - action: c\n    details: [d]'), [5]],
  [steps('  - action: c\n    tools: search'), [5]],
  [steps('  - action: c\n    tools: []'), [5]],
  [steps('  - action: c\n    tools: ["has blank"]'), [5]],
  [steps('  - action: c\n    tools:\n      - ok\n      - "rm -rf /"'), [7]],
  [steps('  - [c]'), [4]],
  [steps('  - action: c\n  -'), [5]],
  // Unknown entries.
  [`${good}nmae: x`, [6]],
  [`${good}allow_tools: all`, [6]],
  [steps('  - action: c\n    approve: true'), [5]],
  [steps('  - actoin: c'), [4, 4]],
  // What is too long, or too many.
  [`name: ${long(101)}\ntrigger_conditions: [b]\nsteps: [c]`, [1]],
  [`${good}description: ${long(501)}`, [6]],
  [`name: a\ntrigger_conditions:\n  - ${long(201)}\nsteps: [c]`, [3]],
  [`name: a\ntrigger_conditions:\n${many(9, '  - b')}steps: [c]`, [3]],
  [steps(many(21, '  - action: c')), [4]],
  [steps(`  - action: ${long(201)}`), [4]],
  [steps(`  - action: c\n    details: ${long(501)}`), [5]],
  [steps(`  - action: c\n    tools: [${'t,'.repeat(11)}]`), [5]],
  [steps(many(8, `  - action: c\n    details: ${long(400)}`)), [0]],
  [`${good}version_history:\n${many(21, '  - v1: a')}`, [7]],
  [`${good}version_history:\n  - v1: a\n    v2: b`, [7]],
  [`${good}version_history: v1`, [6]],
  [long(16_385), [0]],
  // Names.
  [`${good}skill_id: "a b"`, [6]],
  [`${good}skill_id: "../x"`, [6]],
  // What is no YAML.
  ['name: "a\ntrigger_conditions: [b]\nsteps: [c]', [3]],
  ['name: a\ntrigger_conditions: [b\nsteps: [c]', [3]],
  ['name: a: b\ntrigger_conditions: [b]\nsteps: [c]', [1]],
  ['name: a\n\ttrigger_conditions: [b]', [2]],
  ['name: a\nsteps:\n\t- action: c', [3]],
  ['name: a\n bad: b', [1]],
  [`${good}name: b`, [6]],
  [`${good}---\n${good}`, [6]],
  ['? [name]\n: a', [1]],
  // What does more than say something.
  [`name: &n a\ntrigger_conditions: [b]\nsteps: [c]`, [1]],
  [`name: a\ntrigger_conditions: [*n]\nsteps: [c]`, [2]],
  [`name: !!js/function "a"\ntrigger_conditions: [b]\nsteps: [c]`, [1]],
  [`name: !x a\ntrigger_conditions: [!y b]\nsteps: [c]`, [1, 2]],
  [`name: a\n<<: {steps: [c]}\ntrigger_conditions: [b]`, [1, 2]],
  ['[['.repeat(20), [1]],
  [`name: a\nsteps: ${'['.repeat(10)}${']'.repeat(10)}`, [2]],
  [`name: a\n${'- '.repeat(40)}b`, [2]],
  // Several at once.
  ['nmae: a\ntrigger_conditions: b\nsteps:\n  - actoin: c\n  - action: d\n    tools: x', [1, 1, 2, 4, 4, 6]],
])('bad YAML is told by its lines: %j %j', (text, lines) => {
  expect(linesOf(text)).toEqual(lines)
})

test('each mistake is told in both languages', () => {
  const found = read('nmae: a\ntrigger_conditions: b')
  const faults = found.kind === 'faults' ? found.faults : []
  expect(faults.length).toBeGreaterThan(2)
  for (const { text } of faults) {
    expect(text.zh).toMatch(/\p{Script=Han}/u)
    expect(text.en).toMatch(/^[^\p{Script=Han}]+$/u)
  }
})

test('what is shown reads back as what it was, whatever it says', () => {
  const word = fc
    .string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
    .map((text) => text.replaceAll(/[\p{C}\s]+/gu, ' ').trim())
    .filter((text) => text !== '')
  const step = fc.record({ action: word, details: word })
  const draft = fc.record({
    name: word,
    description: word,
    triggers: fc.array(word, { minLength: 1, maxLength: 4 }),
    steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  })
  fc.assert(
    fc.property(draft, (one) => {
      expect(read(toDraftYaml(one))).toEqual({ kind: 'draft', draft: one })
      const kept = toSkill(one, undefined, { day: '2026-03-01', language: 'en' })
      const shown = toYaml({ ...kept, learnedFrom: ['telegram:1/2'], day: '2026-03-01' })
      expect(shown).not.toContain('```')
      expect(read(shown)).toMatchObject({ kind: 'draft', draft: one })
    }),
    { numRuns: 200 },
  )
})

test('no text of 16 KB throws or takes long', () => {
  const signs = fc.constantFrom(...'[]{}:-?&*!|>%"\'#,\n \ta'.split(''))
  const begun = performance.now()
  fc.assert(
    fc.property(fc.array(signs, { maxLength: 400 }), (some) => {
      const text = some.join('')
      expect(['draft', 'faults']).toContain(read(text.repeat(Math.floor(16_000 / Math.max(1, text.length)))).kind)
    }),
    { numRuns: 30 },
  )
  expect(performance.now() - begun).toBeLessThan(20_000)
})
