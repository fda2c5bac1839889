// Who reads beside others, and who alone.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createReadingRoom } from '#queues/workers/reading-room.ts'

test('who reads alone waits for those inside, and those behind it wait until it leaves', async () => {
  const room = createReadingRoom()
  const seen: string[] = []
  const read = async (name: string, alone: boolean): Promise<void> => {
    const leave = await room.enter(alone)
    seen.push(`${name} in`)
    await sleep(20)
    seen.push(`${name} out`)
    leave()
  }
  const both = (a: string, b: string): string[] => [`${a} in`, `${b} in`, `${a} out`, `${b} out`]
  const one = (a: string): string[] => [`${a} in`, `${a} out`]
  await Promise.all([
    read('a', false),
    read('b', false),
    read('c', true),
    read('d', true),
    read('e', false),
    read('f', false),
  ])
  expect(seen).toEqual([...both('a', 'b'), ...one('c'), ...one('d'), ...both('e', 'f')])
})
