// Ten thousand texts made to break out of what each platform is given.
import { expect, test } from 'vitest'
import { tryToBreakOut } from './break-out.ts'

test('Telegram’s entities and blocks, and Discord’s text', { timeout: 120_000 }, () => {
  expect(tryToBreakOut(10_000)).toBeGreaterThan(9900)
})
