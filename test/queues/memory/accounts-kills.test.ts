// A process may die between any two steps of linking and unlinking: somebody else goes on, nothing is lost, and nothing stands twice.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSharedDesks } from '#queues/fleet/desks.ts'
import { createAccounts } from '#queues/memory/accounts.ts'
import { createRedisMemory } from '#queues/memory/redis-memory.ts'
import { createPlaces, toFindLead } from '#queues/memory/place.ts'
import { mergeBooks } from '#services/curiosity/desk/book.ts'
import { comparing } from '#services/memory/comparing.ts'
import type { Account } from '#shared/memory/accounts.ts'
import { ofPerson } from '#shared/memory/record.ts'
import { createDyingCall, isKilled } from '#test/rig/interrupted-calls.ts'
import { remembered } from '#test/rig/remembered.ts'
import type { CallUnit } from '#queues/units.ts'
import { openStore, type Store } from '#test/rig/store.ts'

const ann: Account = { principal: 'telegram:ann', conversation: 'telegram:ann' }
const annAtWork: Account = { principal: 'discord:ann', conversation: 'discord:7' }

let redis: Store
beforeAll(async () => void (redis = await openStore()))
afterAll(() => redis.stop())

const create = (call: CallUnit) =>
  createAccounts({ redis: redis.redis, call, comparing, desks: createSharedDesks(redis.redis, call, mergeBooks) })

const createDying = (after: number) => create(createDyingCall(redis.call, after))

/** As after a minute. */
async function passMinute(): Promise<void> {
  for (const field of await redis.redis.hkeys('fl:{accounts}:moving'))
    await redis.redis.hset('fl:{accounts}:moving', field, 0)
}

async function open() {
  await redis.redis.flushall()
  const memory = createRedisMemory(redis.redis, redis.call, comparing)
  const write = async ({ principal, conversation }: Account, text: string, saidAt: number) =>
    await memory.write(
      ofPerson(principal),
      remembered(text, { conversation, message: `${saidAt}` }, { speaker: principal, confirmedBy: principal, saidAt }),
    )
  const texts = async ({ principal }: Account) => {
    const read = await memory.read(ofPerson(principal))
    const records = read === 'same' ? [] : read.records
    return records.map((one) => `${one.text}${one.supersededBy === undefined ? '' : ' (old)'}`).toSorted()
  }
  await write(ann, 'I live in Lyon', 1000)
  await write(ann, 'I moved to Paris', 2000)
  await write(ann, 'I like tea', 3000)
  await write(annAtWork, 'I like tea', 4000)
  await write(annAtWork, 'I moved to Nice', 5000)
  return { write, texts }
}

const linked = ['I like tea', 'I live in Lyon (old)', 'I moved to Nice', 'I moved to Paris (old)']

test('linking goes on after a death at any step', async () => {
  for (let after = 0, died = true; died; after++) {
    const { texts, write } = await open()
    died = await isKilled(createDying(after).link(ann, annAtWork, 'a1'))
    const accounts = create(redis.call)
    // The turn is run again, or the clock goes on with it.
    if (after % 2 === 0) {
      await passMinute()
      await accounts.finish()
    }
    expect(await accounts.link(ann, annAtWork, 'a1')).toBe('linked')
    expect([await texts(ann), await texts(annAtWork)], `after ${after}`).toEqual([linked, linked])
    await write(annAtWork, 'I play chess', 6000)
    expect(await texts(ann)).toContain('I play chess')
    if (!died) expect(after).toBeGreaterThan(20)
  }
})

test('unlinking goes on after a death at any step', async () => {
  for (let after = 0, died = true; died; after++) {
    const { texts } = await open()
    const accounts = create(redis.call)
    await accounts.link(ann, annAtWork, 'a1')
    died = await isKilled(createDying(after).unlink(annAtWork.principal))
    if (after % 2 === 0) {
      await passMinute()
      await accounts.finish()
    }
    await accounts.unlink(annAtWork.principal)
    await passMinute()
    await accounts.finish()
    expect(await texts(ann), `after ${after}`).toEqual(['I like tea', 'I live in Lyon (old)', 'I moved to Paris'])
    expect(await texts(annAtWork), `after ${after}`).toEqual(['I like tea', 'I moved to Nice'])
    expect(await redis.redis.exists('fl:{accounts}:moving')).toBe(0)
    if (!died) expect(after).toBeGreaterThan(15)
  }
})

test('the press that comes again behind a death ends the parting of both', async () => {
  for (let after = 0, died = true; died; after++) {
    const { texts, write } = await open()
    const accounts = create(redis.call)
    await accounts.link(ann, annAtWork, 'a1')
    died = await isKilled(createDying(after).unlink(annAtWork.principal))
    for (const { principal } of [ann, annAtWork]) await accounts.goOn(principal)
    await accounts.unlink(annAtWork.principal)
    expect([await texts(ann), await texts(annAtWork)], `after ${after}`).toEqual([
      ['I like tea', 'I live in Lyon (old)', 'I moved to Paris'],
      ['I like tea', 'I moved to Nice'],
    ])
    for (const one of [ann, annAtWork]) await write(one, 'I play chess', 6000)
    expect(await redis.redis.exists('fl:{accounts}:moving')).toBe(0)
  }
})

test('who links anew behind a death keeps what is theirs', async () => {
  for (let after = 0, died = true; died; after++) {
    const { texts } = await open()
    const accounts = create(redis.call)
    await accounts.link(ann, annAtWork, 'a1')
    died = await isKilled(createDying(after).unlink(ann.principal))
    await accounts.unlink(ann.principal)
    const home: Account = { principal: 'web:ann', conversation: 'web:1' }
    expect(await accounts.link(ann, home, 'a2')).toBe('linked')
    await passMinute()
    await accounts.finish()
    const own = ['I like tea', 'I live in Lyon (old)', 'I moved to Paris']
    expect([await texts(ann), await texts(home)], `after ${after}`).toEqual([own, own])
    expect(await texts(annAtWork), `after ${after}`).toEqual(['I like tea', 'I moved to Nice'])
  }
})

test('what cannot be read of one account holds up no other', async () => {
  await open()
  const [bo, boAtWork]: readonly Account[] = [
    { principal: 'telegram:bo', conversation: 'telegram:bo' },
    { principal: 'discord:bo', conversation: 'discord:8' },
  ]
  const accounts = create(redis.call)
  await accounts.link(ann, annAtWork, 'a1')
  if (!bo || !boAtWork) throw new Error('Two accounts are needed.')
  await accounts.link(bo, boAtWork, 'b1')
  // Both die once the account has left, before anything moves.
  for (const one of [ann, bo]) expect(await isKilled(createDying(2).unlink(one.principal))).toBe(true)
  const [shared = ''] = await redis.redis.keys('*mr:user:linked:a1')
  await redis.redis.hset(shared, '99', 'no record')
  await passMinute()
  await expect(accounts.finish()).rejects.toThrow()
  const places = createPlaces(toFindLead(redis.redis))
  for (const { principal } of [bo, boAtWork])
    expect((await places.find(ofPerson(principal))).at).toBe(ofPerson(principal))
})
