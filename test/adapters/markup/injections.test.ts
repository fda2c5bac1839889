// Two thousand texts made to break out of what each platform is given; ten thousand by `npm run test:long`.
import { expect, test } from 'vitest'
import { tryToBreakOut } from './break-out.ts'

test('Telegram’s entities and blocks, Discord’s text, and Feishu’s cards', { timeout: 120_000 }, () => {
  expect(tryToBreakOut(2000)).toBeGreaterThan(1980)
})
