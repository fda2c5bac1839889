// What of the shared definitions a unit's text has: all that it needs, and nothing else.
import { expect, test } from 'vitest'
import { toUnitText } from '#queues/unit-text.ts'

const shared = `-- What units share.
local P = KEYS[1]

local function key(kind) return P .. kind end

-- Calls unused(), as this comment says, but does not name it in code.
local first, second = 1, 2

local function both() return first + second end
local function unused() return both() end
`

test('a unit has what it names, what that names, and no more', () => {
  const text = toUnitText(shared, 'return both()\n')
  expect(text).not.toContain('key')
  expect(text).not.toContain('function unused')
  expect(text.indexOf('local first, second')).toBeLessThan(text.indexOf('function both'))
  expect(toUnitText(shared, "return key('c')\n")).toContain('local P = KEYS[1]')
})

test('a unit that needs nothing stays as it is, and one that is named in a comment only is not needed', () => {
  expect(toUnitText(shared, '-- As key() would.\nreturn 1\n')).toBe('-- As key() would.\nreturn 1\n')
})
