// Facts about what the SDK leaves undone: a silent connection is noticed however often it pings, and only emoji that Feishu has are put.
import { expect, test } from 'vitest'
import { toEmojiType, toSign } from '#adapters/feishu/emoji.ts'
import { guardClient } from '#adapters/feishu/guarded-client.ts'
import { WSClient } from '#adapters/feishu/sdk.ts'
import { quiet } from '#adapters/feishu/sdk-log.ts'
import { isEmoji } from '#test/simulators/feishu/reactions.ts'

test('a ping does not begin the wait for a sign of life anew', () => {
  const client = new WSClient({
    appId: 'cli_a1b2c3d4e5f60718',
    appSecret: 's',
    logger: quiet,
    wsConfig: { pingTimeout: 30 },
  })
  guardClient(client)
  const arm: unknown = Reflect.get(client, 'armLiveness')
  if (typeof arm !== 'function') throw new Error('The SDK has another watchdog.')
  arm.call(client)
  const first: unknown = Reflect.get(client, 'livenessTimer')
  arm.call(client)
  expect(first).toBeDefined()
  expect(Reflect.get(client, 'livenessTimer')).toBe(first)
  const clear: unknown = Reflect.get(client, 'clearLiveness')
  if (typeof clear === 'function') clear.call(client)
  expect(Reflect.get(client, 'livenessTimer')).toBeUndefined()
})

test.each(['👍', '👎', '❤️', '🔥', '🎉', '🤔', '✅'])('%s is an emoji that Feishu has', (sign) => {
  const type = toEmojiType(sign) ?? ''
  expect(isEmoji(type)).toBe(true)
  expect(toSign(type)).toBe(sign)
})
