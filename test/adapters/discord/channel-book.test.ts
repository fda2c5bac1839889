// What becomes of a channel that Discord does not describe: what is said there waits for minutes, not for ever.
import { expect, test } from 'vitest'
import { createChannelBook, type ChannelBook } from '#adapters/discord/channel-book.ts'
import type { CallResult, RestApi } from '#adapters/discord/rest-api.ts'
import { BotError } from '#shared/errors.ts'

const limit = { timeoutMs: 1000, signal: new AbortController().signal }

type Tried = { readonly tries: number; readonly tookMs: number }

/** Waits as it is told to, by a clock that takes no time. */
async function tryUntilFound(channels: ChannelBook, clock: { nowMs: number }, id: string): Promise<Tried> {
  const sinceMs = clock.nowMs
  for (let tries = 1; tries < 1000; tries++) {
    try {
      expect(await channels.find(id, '7')).toEqual({ kind: 'guild', guild: '7' })
      return { tries, tookMs: clock.nowMs - sinceMs }
    } catch (error) {
      if (!(error instanceof BotError) || error.retry === 'never') throw error
      clock.nowMs += Math.max(error.retry.afterMs, 1)
    }
  }
  throw new Error('It was never found.')
}

function open(result: CallResult<never>): { channels: ChannelBook; clock: { nowMs: number }; asked: () => number } {
  const clock = { nowMs: 0 }
  let count = 0
  const api: Pick<RestApi, 'call'> = {
    async call() {
      count += 1
      return result
    },
  }
  return { channels: createChannelBook({ api, now: () => clock.nowMs }, new Map(), limit), clock, asked: () => count }
}

test.each<[string, CallResult<never>]>([
  ['an error of the server', { kind: 'unclear', reason: '502' }],
  ['no connection', { kind: 'not-sent', reason: 'refused' }],
  ['an hour to wait', { kind: 'slow-down', retryAfterMs: 3_600_000, scope: 'chat' }],
])('after three minutes it counts as an ordinary channel: %s', async (_, result) => {
  const { channels, clock, asked } = open(result)
  const first = await tryUntilFound(channels, clock, '1')
  expect(first.tookMs).toBe(180_000)
  const before = asked()
  // From then on nothing waits for it, and another channel has its own three minutes.
  expect(await tryUntilFound(channels, clock, '1')).toEqual({ tries: 1, tookMs: 0 })
  expect(asked()).toBe(before)
  expect((await tryUntilFound(channels, clock, '2')).tookMs).toBe(180_000)
})

test('what an event says of it later holds', async () => {
  const { channels, clock } = open({ kind: 'unclear', reason: '502' })
  await tryUntilFound(channels, clock, '1')
  channels.learn('THREAD_UPDATE', { id: '1', type: 11, parent_id: '5', guild_id: '7' })
  expect(await channels.find('1', '7')).toEqual({ kind: 'thread', parent: '5', guild: '7' })
})
