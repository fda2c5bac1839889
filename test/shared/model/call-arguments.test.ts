// Arguments of calls: what a model writes is measured before anything walks through it.
import { expect, test } from 'vitest'
import fc from 'fast-check'
import { findArgument, mostLevels, mostValues, readArguments } from '#shared/model/call-arguments.ts'
import { runs } from '#test/rig/property-runs.ts'

const nested = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
const long = (values: number): string => `{"a":[${Array.from({ length: values }, () => '1').join(',')}]}`
const why = (text: string): string | undefined => {
  const read = readArguments(text)
  return read.kind === 'unreadable' ? read.why : undefined
}

test('so many levels are read, and one more is told of', () => {
  expect(why(nested(mostLevels))).toBeUndefined()
  expect(why(nested(mostLevels + 1))).toBe(`are nested more than ${mostLevels} levels deep. Send flatter ones.`)
})

test('so many values are read, and many more are told of', () => {
  expect(why(long(mostValues - 10))).toBeUndefined()
  expect(why(long(mostValues + 1))).toBe(`hold more than ${mostValues} values. Send fewer at once.`)
  expect(why(`{"a":[${'[],'.repeat(mostValues)}1]}`)).toContain('values')
})

test('brackets and commas within a text count for nothing, whatever stands before them', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('"', '\\', '[', '}', ',', 'a', '字', '\n'), maxLength: 50 }),
      (text) => {
        const input = { [text]: `${text}"\\${'[{,'.repeat(3000)}`, '\\': 1 }
        expect(readArguments(JSON.stringify(input))).toEqual({ kind: 'read', input })
      },
    ),
    runs(100),
  )
})

test.each(['', '{}'])('nothing given is no argument: "%s"', (text) => {
  expect(readArguments(text)).toEqual({ kind: 'read', input: {} })
})

test.each(['{', '[1]', '"x"', 'null', '7', '{"a":{"__proto__":{"a":1}}}', '{"\\u005f_proto__":1}'])(
  'what is no object, or would change a prototype, is told of: %s',
  (text) => {
    expect(why(text)).toBe('are not one JSON object. Send one.')
  },
)

test('one argument is found by its name, and none of those that every object has', () => {
  expect(findArgument('{"url":"x"}', 'url')).toBe('x')
  expect(findArgument('{}', 'constructor')).toBeUndefined()
  expect(findArgument(`{"url":"x","a":${'['.repeat(3000)}`, 'url')).toBeUndefined()
})
