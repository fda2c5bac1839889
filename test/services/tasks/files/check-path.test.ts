// What a file in the workspace of a task may be called: what is refused says why and what to do, and names in any script are fine.
import { expect, test } from 'vitest'
import { checkPath } from '#services/tasks/files/check-path.ts'

const why = (path: string, there: readonly string[] = []): string => {
  const checked = checkPath(path, there)
  return checked.kind === 'refused' ? checked.why : `it is "${checked.path}"`
}
const is = (path: string): string => `it is "${path}"`

test.each([
  'notes.md',
  'notes/plan.md',
  'a/b/c/d.txt',
  '.gitignore',
  'report (final), 2.md',
  '计划.md',
  '文档/第一章 GPT介绍.md',
  'отчёт.md',
  'αβγ.md',
  'naïve.md',
  'हिन्दी.md',
  'emoji-🎉.md',
  'console.md',
  'com.md',
  'nullable.ts',
  `${'长'.repeat(80)}/${'长'.repeat(80)}/a.md`,
])('a usual name is fine: %s', (path) => {
  expect(why(path)).toBe(is(path))
})

test.each([
  ['nothing', '', 'it is empty'],
  ['the folder above', '../secret', 'it has ".."'],
  ['the folder above, within', 'a/../../b', 'it has ".."'],
  ['the same folder', './a', 'it has "."'],
  ['an absolute path', '/etc/passwd', 'it is absolute'],
  ['a drive', 'C:/a.md', 'it is absolute'],
  ['a drive with backslashes', String.raw`C:\a.md`, 'a backslash'],
  ['a backslash', String.raw`a\b.md`, 'a backslash. Write folders with "/"'],
  ['a share', String.raw`\\server\a`, 'a backslash'],
  ['NUL', 'a\0.md', 'a control character (U+0000)'],
  ['a line break', 'a\nb', 'a control character (U+000A)'],
  ['another control', 'a\u0085b', 'a control character (U+0085)'],
  ['a right-to-left override', 'a\u202egnp.md', 'nobody sees (U+202E)'],
  ['a bidi mark', 'a\u200fb', 'nobody sees (U+200F)'],
  ['a bidi isolate', 'a\u2066b', 'nobody sees (U+2066)'],
  ['an Arabic letter mark', 'a\u061cb', 'nobody sees (U+061C)'],
  ['a space of no width', 'a\u200bb', 'nobody sees (U+200B)'],
  ['a soft hyphen', 'a\u00adb', 'nobody sees (U+00AD)'],
  ['a Hangul filler', 'a\u3164b', 'nobody sees (U+3164)'],
  ['a tag', 'a\u{e0041}b', 'nobody sees (U+E0041)'],
  ['a byte order mark', '\ufeffa', 'nobody sees (U+FEFF)'],
  ['a line separator', 'a\u2028b', 'nobody sees (U+2028)'],
  ['a space that does not break', 'a\u00a0b', 'an unusual space (U+00A0)'],
  ['a wide space', 'a\u3000b', 'an unusual space (U+3000)'],
  ['half of a character', 'a\ud800b', 'half of a character'],
  ['a heap of accents', `a${'\u0301'.repeat(60)}`, 'a heap of accents'],
  ['4,000 characters', 'a'.repeat(4000), 'it has 4000 characters, and may have 200'],
  ['4,000 characters in parts', 'a/'.repeat(2000), 'it has 4000 characters, and may have 200'],
  ['201 characters', `${'a/'.repeat(100)}b`, 'it has 201 characters'],
  ['a part of 81 characters', `a/${'b'.repeat(81)}`, 'has 81 characters, and may have 80'],
  ['an empty part', 'a//b', 'one of its parts is empty'],
  ['an empty part at the end', 'a/', 'one of its parts is empty'],
  ['a dot at the end', 'a.', 'ends with a dot or a space'],
  ['a space at the end of a folder', 'a /b', 'ends with a dot or a space'],
  ['three dots', 'a/...', 'ends with a dot or a space'],
  ['a space at the beginning', ' a', 'begins with a space'],
  ['a device', 'con', 'a device on Windows'],
  ['a device with an ending', 'a/NUL.txt', 'a device on Windows'],
  ['a device with a raised digit', 'com¹.log', 'a device on Windows'],
  ['a home folder', '~/a', 'it begins with "~"'],
  ['somebody’s home folder', '~root', 'it begins with "~"'],
  ['a stream of another file', 'a.md:b', 'which some systems cannot store'],
  ['a pattern', '*.md', 'which some systems cannot store'],
  ['Latin with Cyrillic', 'pаypal.md', 'mixes Latin and Cyrillic letters'],
  ['Latin with Greek', 'notes/Αpril.md', 'mixes Latin and Greek letters'],
  ['a mixed ending', 'a.mԁ', 'mixes Latin and Cyrillic letters'],
])('%s is refused, with what to do', (_, path, reason) => {
  expect(why(path)).toContain(reason)
  expect(why(path).length).toBeLessThan(260)
  expect(why(path)).toMatch(/^The path ".{0,70}" is refused: .+\.$/u)
  expect(why(path)).not.toMatch(/(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Zl}]/u)
})

test('a name is stored in the form NFC, and is the same file in either form', () => {
  expect(why('cafe\u0301.md')).toBe(is('caf\u00e9.md'))
  expect(why('cafe\u0301.md', ['caf\u00e9.md'])).toBe(is('caf\u00e9.md'))
})

test.each([
  ['case', 'Plan.md', 'plan.md', 'only by case'],
  ['the case of a folder', 'Notes/plan.md', 'notes/plan.md', 'only by case'],
  ['wide letters', 'ｐlan.md', 'plan.md', 'only by case'],
  ['a joined letter', 'ﬁle.md', 'file.md', 'only by case'],
  ['a sharp s', 'strasse.md', 'straße.md', 'only by case'],
  ['a file in the place of a folder', 'notes/plan.md', 'notes', '"notes" is a file, and so cannot be a folder'],
  ['a folder in the place of a file', 'Notes', 'notes/plan.md', 'it is the folder of "notes/plan.md"'],
])('a name that is there, but for %s, is refused', (_, path, there, reason) => {
  expect(why(path, ['a.md', there])).toContain(reason)
  expect(why(there, ['a.md', there])).toBe(is(there))
})
