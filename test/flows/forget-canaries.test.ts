// A word of its own for each way into memory, and each is forgotten in a third of the ways out: afterwards it stands in no key of Redis, in no file of Redis or
// of the index, on no page and in no file that is given out. All ways out are tried by `npm run test:long`.
import { expect, test } from 'vitest'
import { findInRedis, openScene, tell } from '#test/rig/canary-scene.ts'
import { tryWays } from '#test/rig/canary-ways.ts'
import { forgetWords } from '#test/rig/canary-ways-out.ts'
import { until } from '#test/rig/fleet.ts'

test('a word for each way in, forgotten in each way out, is nowhere left', { timeout: 240_000 }, async () => {
  expect(await tryWays((wayIn, wayOut) => (wayIn + wayOut) % 3 === 0)).toBeGreaterThan(25)
})

test('a word that only the log of the day has is nowhere left', { timeout: 60_000 }, async () => {
  await using parts = new AsyncDisposableStack()
  const scene = await openScene(parts)
  const { fleet, home } = scene
  for (const [word, forget] of [
    ['Zebrafinch', () => forgetWords(home, 'Zebrafinch')],
    ['Kingfisher', (message: string) => tell(home, '/forget', message)],
  ] as const) {
    const { message } = await tell(home, `How heavy is a ${word}?`)
    const span = { from: 0, until: Date.now() + 60_000, most: 10 }
    await until(async () => JSON.stringify(await fleet.runtime.memoryLog.read(home.conversation, span)).includes(word))
    await forget(message)
    await until(async () => (await findInRedis(scene, word)).length === 0)
    expect(JSON.stringify((await tell(home, '/log')).answers)).not.toContain(word)
  }
})
