// The numbers and examples of the documents are true.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tellDoubts } from '#infra/models/demo-doubts.ts'
import { gapsLine } from '#infra/processes/gaps-line.ts'
import { routeLine } from '#infra/processes/route-line.ts'
import { listOpenCommands, loadRouting } from '#infra/processes/router.ts'
import { createClassifier } from '#services/router/classify.ts'

const read = (file: string): string => readFileSync(file, 'utf8')

test('the example of `flotilla route` prints what its page shows', () => {
  const [, text = '', shown] = /flotilla -- route "([^"]+)"\n# (.+)\n/.exec(read('infra/docs/trouble.md')) ?? []
  const deps = {
    classify: createClassifier(loadRouting(process.cwd())),
    openCommands: listOpenCommands(),
    findMeant: () => undefined,
  }
  expect(routeLine(deps, JSON.stringify({ text }))).toBe(shown)
})

test.each([
  ['services/executor/state/check-slice.ts', 'maxSliceChars = 16_000', 'a slice has 16,000 characters'],
  ['services/executor/step/read-effects.ts', 'mostEffects = 20', 'a step 20 effects'],
  ['services/executor/events/applied.ts', 'mostFeatureMs = 60_000', 'commands and answers have a minute'],
  ['infra/processes/executor-deps.ts', 'toolTimeoutMs = 600_000', 'a tool ten'],
  ['shared/run/artifact.ts', 'mostArtifactBytes = 262_144', "a tool's result has 256 KB"],
  ['services/executor/context/cut-result.ts', 'mostResultChars = 4000', 'of which the prompt has 4,000 characters'],
  ['shared/run/out-row.ts', 'max(1_000_000)', 'a file 1,000,000'],
  ['shared/run/out-row.ts', 'max(1000)', 'caption 1,000'],
  ['shared/run/question.ts', 'z.array(z.string().max(32))', 'ids of 32 signs'],
  ['queues/questions/units/questions.lua', 'mostAsked = 100', 'one of 100'],
  ['shared/run/question.ts', 'choiceDeadlineMs = 7 * 86_400_000', 'a question lives for a week'],
  ['queues/questions/units/questions.lua', 'longestOpenMs, awayMs, closedMs = 5184000000', 'open for sixty days'],
  [
    'queues/timers/units/timers.lua',
    'mostTimers, mostWithQuestions, mostBytes = 1000, 900, 2097152',
    'at most a thousand timers and a thousand letters on their way, of 2 MB each',
  ],
  ['services/executor/state/state.ts', 'mostAbout = 200', 'newest 200'],
])('%s says %s, and CONTRIBUTING so too', (file, code, words) => {
  expect(read(file)).toContain(code)
  expect(read('CONTRIBUTING.md').replaceAll(/\s+/g, ' ')).toContain(words)
})

test('the example of `flotilla curiosity gaps` prints what its page shows', () => {
  const [, line = '', shown = ''] =
    /echo '([^'\n]+)' \| npm run -s flotilla -- curiosity gaps --jsonl\n# (.+)\n/.exec(read('infra/docs/trouble.md')) ??
    []
  const { out, error } = gapsLine(line, 1)
  expect(error).toBeUndefined()
  const parts = shown.split('…')
  expect(parts).toHaveLength(2)
  expect([out.startsWith(parts[0] ?? '-'), out.endsWith(parts[1] ?? '-')]).toEqual([true, true])
})

test('the demo phrases that the first pages name have doubts', () => {
  for (const [file, phrase] of [
    ['README.md', 'plan a meeting'],
    ['infra/docs/using.md', 'plan a meeting'],
    ['README.zh.md', '安排一次会议'],
  ] as const) {
    expect(read(file)).toContain(phrase)
    expect(tellDoubts(phrase, { language: file.includes('zh') ? 'zh' : 'en', replies: 0 })).toContain('/questions now')
  }
})

test.each([
  ['services/curiosity/desk/book.ts', 'mostAsked = 400', 'infra/docs/data.md', 'the last 400 questions'],
  ['services/curiosity/desk/book.ts', 'cardLivesMs = 3 * dayMs', 'infra/docs/using.md', 'for three days'],
  ['services/curiosity/questions/source.ts', 'livesMs = 14 * 86_400_000', 'infra/docs/data.md', 'two weeks'],
  ['services/curiosity/desk/book.ts', 'mostIgnored = 4', 'infra/docs/using.md', 'After four of them no card comes'],
  ['shared/memory/projects.ts', 'mostChats = 20', 'infra/docs/using.md', 'A project has up to 20 groups'],
  ['shared/memory/projects.ts', 'mostProjectChars = 40', 'infra/decisions/121-projects.md', '40 characters'],
  ['queues/memory/projects.ts', 'mostBindings = 10', 'infra/docs/using.md', 'ten times a day at most'],
  ['services/curiosity/desk/book.ts', '[20, 0.2]', 'infra/docs/using.md', 'at least 20 questions of one kind'],
])('%s says %s, and %s so too', (file, code, page, words) => {
  expect(read(file)).toContain(code)
  expect(read(page)).toContain(words)
})
