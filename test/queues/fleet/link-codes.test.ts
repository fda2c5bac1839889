// One-time codes of accounts: how often they can be used.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLinkCodes } from '#queues/fleet/link-codes.ts'
import { openStore, type Store } from '#test/rig/store.ts'

let redis: Store
beforeAll(async () => void (redis = await openStore()))
beforeEach(async () => void (await redis.redis.flushall()))
afterAll(() => redis.stop())

const ann = { principal: 'telegram:ann', conversation: 'telegram:ann' }
const atWork = 'discord:ann'

test('a code works once, and again for the same event', async () => {
  const codes = createLinkCodes(redis.redis)
  const code = await codes.make(ann)
  const found = await codes.use(code, { principal: atWork, event: 'e1' })
  expect(found).toMatchObject({ kind: 'found', account: ann })
  expect(await codes.use(code, { principal: atWork, event: 'e1' })).toEqual(found)
  expect(await codes.use(code, { principal: atWork, event: 'e2' })).toEqual({ kind: 'wrong' })
})

test('two accounts are linked ten times a day at most', async () => {
  const codes = createLinkCodes(redis.redis)
  const link = async (event: string, principal = atWork) => {
    const code = await codes.make(ann)
    // The same event again counts once.
    await codes.use(code, { principal, event })
    return await codes.use(code, { principal, event })
  }
  for (let nth = 0; nth < 10; nth += 1) expect((await link(`e${nth}`)).kind).toBe('found')
  expect([await link('e10'), await link('e11', 'discord:else')]).toEqual([{ kind: 'often' }, { kind: 'often' }])
  const other = await codes.make({ principal: 'telegram:bo', conversation: 'telegram:bo' })
  expect((await codes.use(other, { principal: 'discord:bo', event: 'e1' })).kind).toBe('found')
})
