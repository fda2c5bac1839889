// What memory does where it cannot write (REC-04, REC-05): what was noticed is kept later and once, an order that failed is told at once, and others are spared.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { scopePrefix } from '#queues/memory/scope-key.ts'
import { ofPerson } from '#shared/memory/record.ts'
import { startFleet, until } from '#test/rig/fleet.ts'
import { startReflection } from '#test/rig/reflection.ts'

const ann = { conversation: 'web:with-ann', principal: 'web:ann' }
const bob = { conversation: 'web:with-bob', principal: 'web:bob' }
const scope = ofPerson(ann.principal)
const env = { FLOTILLA_ALLOW: '*' }

test('what was noticed while Redis was away is kept once it is back, once', { timeout: 60_000 }, async () => {
  await using fleet = await startFleet({ env, redis: { aof: true } })
  await fleet.ask('I like to sail with Bo.', ann)
  await fleet.ask('I live in Lyon.', ann)
  // Redis writes its file each second.
  await sleep(1500)
  await using _ = await startReflection(fleet)
  await fleet.redis.kill()
  await sleep(4000)
  await fleet.redis.restart()
  const read = await until(async () => {
    const found = await fleet.runtime.memory.read(scope)
    return found !== 'same' && found.count >= 2 && found
  })
  await sleep(3000)
  expect(read.records.map(({ text }) => text).toSorted()).toEqual([
    'The person likes to sail with Bo',
    'The person lives in Lyon',
  ])
  expect(await fleet.runtime.memory.read(scope)).toMatchObject({ count: 2 })
})

test(
  'an order that cannot be kept is told to its person, answers go on, and others are kept',
  { timeout: 60_000 },
  async () => {
    let logged = ''
    const onLog = (line: string): void => void (logged += line)
    await using fleet = await startFleet({ env: { ...env, FLOTILLA_LOG_LEVEL: 'warn' }, onLog })
    const broken = `${scopePrefix(scope)}mr:${scope}`
    await fleet.redis.admin.set(broken, 'not ours')
    for (let n = 0; n < 3; n += 1)
      expect((await fleet.ask(`remember that my locker ${n} has rope`, ann)).text).toMatch(/could not do that/)
    expect((await fleet.ask('What is in my locker?', ann)).text).toContain('What is in my locker?')
    expect((await fleet.ask('remember that my locker has rope', bob)).text).toContain('Kept as number 1')
    expect(logged).toContain('The prompt went without memory.records')
    expect(logged).not.toContain('rope')
    await fleet.redis.admin.del(broken)
    expect((await fleet.ask('remember that my locker has rope', ann)).text).toContain('Kept as number 1')
  },
)
