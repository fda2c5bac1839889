// Facts about what an operator is shown of REDIS_URL: where Redis is, and no password, however it is written.
import { expect, test } from 'vitest'
import { describeRedis } from '#infra/processes/describe-redis.ts'

const describe = (redisUrl?: string): string => describeRedis({ redisUrl, dataFolder: '.flotilla' })

test.each([
  ['redis://127.0.0.1:6379', 'redis://127.0.0.1:6379'],
  ['redis://user:canary@h:6379/2', 'redis://h:6379/2'],
  ['redis://canary@h', 'redis://h'],
  ['redis://user:can@ary/canary@h', 'redis://h'],
  ['rediss://h:6379?password=canary%21&db=1', 'rediss://h:6379'],
  ['unix:///run/redis.sock?password=canary', 'unix:///run/redis.sock'],
  ['cluster://user:canary@a:1,b:2', 'cluster://a:1,b:2'],
  ['sentinel://:canary@a:1,b:2/primary', 'sentinel://a:1,b:2/primary'],
  ['canary', ''],
])('%s is shown as %s', (url, shown) => {
  expect(describe(url)).toBe(shown)
})

test('the embedded one is shown by its data folder', () => {
  expect(describe()).toBe('embedded, of the data folder .flotilla')
})
