// A list of tools that changes, on a real Redis with two processes whose lists differ: the session's list stays, /tools and what processes tell each other
// follow, and the next session begins with what there is.
import { expect, onTestFinished, test } from 'vitest'
import type { Feature } from '#shared/feature/feature.ts'
import type { Tool } from '#shared/model/tool.ts'
import { startFleet, type Fleet } from '#test/rig/fleet.ts'
import { startRedis } from '#test/rig/redis.ts'

const tool = (name: string): Tool => ({
  name,
  description: `Does ${name}.`,
  parameters: { type: 'object', properties: { text: { type: 'string' } } },
  effect: 'read',
  onCrash: 'rerun',
  run: async () => ({ text: `${name} done`, source: 'others' }),
})
const shelf = (list: () => readonly Tool[]): Feature => ({ name: 'shelf', tools: list })

const shown = ({ model }: Fleet): string => JSON.stringify(model.ledger.entries.at(-1)?.tools)
const ask = async (fleet: Fleet, text: string, slash?: string): Promise<string> =>
  (await fleet.ask(text, slash === undefined ? {} : { slash })).text
const call = (fleet: Fleet, text: string, name: string): void =>
  fleet.model.script({ when: { text }, times: 1, answer: { kind: 'tools', calls: [{ name, arguments: '{}' }] } })
const result = ({ model }: Fleet): unknown =>
  model.ledger.entries.at(-1)?.messages.findLast(({ role }) => role === 'tool')?.content

test('a session keeps its list in whatever process, and the next one has the new list', async () => {
  let list = [tool('paint'), tool('carve')]
  const redis = await startRedis()
  onTestFinished(() => redis.stop())
  const first = await startFleet({ features: [shelf(() => list)], redisUrl: redis.url })
  await ask(first, 'What is one?')
  const begun = shown(first)
  expect(begun).toContain('paint')
  expect(await ask(first, '/tools', 'tools')).toContain('`carve`')
  list = [tool('weave')]
  const now = await ask(first, '/tools', 'tools')
  expect(now).toContain('`weave`')
  expect(now).not.toContain('`carve`')
  call(first, 'Carve a bird', 'carve')
  await ask(first, 'Carve a bird')
  expect(shown(first)).toBe(begun)
  expect(result(first)).toContain('"carve" is not there any more.')

  // The other process never had these tools, and knows what the session shows by Redis alone.
  await first[Symbol.asyncDispose]()
  const songs = [tool('sing')]
  await using other = await startFleet({ features: [shelf(() => songs)], redisUrl: redis.url })
  const known = await other.runtime.redis.zrange('fl:{kinds}', '0', '-1')
  expect(known).toEqual(expect.arrayContaining(['tool:sing', 'tool:paint']))
  // As a minute after the first one said it last.
  await other.runtime.redis.zrem('fl:{kinds}', 'tool:paint', 'tool:carve', 'tool:weave')
  call(other, 'Paint a bird', 'paint')
  await ask(other, 'Paint a bird')
  expect(shown(other)).toBe(begun)
  expect(result(other)).toContain('"paint" is not there any more.')
  await ask(other, '/new', 'new')
  call(other, 'Sing a song', 'sing')
  await ask(other, 'Sing a song')
  expect(result(other)).toBe('sing done')
  expect(shown(other)).not.toContain('paint')
})
