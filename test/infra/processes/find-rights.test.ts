// Which owners can be asked to approve a call, out of a real access list and what is known of people.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccessList } from '#queues/fleet/access.ts'
import { createToolRights } from '#queues/fleet/tool-rights.ts'
import { createApproverFinder, createOwnerCheck, createRightFinder } from '#infra/processes/find-rights.ts'
import { openStore, type Store } from '#test/rig/store.ts'

let store: Store
beforeAll(async () => void (store = await openStore()))
afterAll(() => store.stop())

const direct: Readonly<Record<string, string>> = {
  'telegram:1': 'telegram:1',
  'telegram:3': 'telegram:3',
  'discord:2': 'discord:77',
  'console:owner': 'console:owner',
}
const people = {
  find: async (principal: string) => {
    const [channel = ''] = principal.split(':')
    const own = direct[principal]
    const blocked = principal === 'telegram:3' ? { blockedSinceMs: 1 } : {}
    return { direct: own === undefined ? {} : { [channel]: own }, ...blocked }
  },
}

test('owners who can be reached are found, those of the same channel first and the terminal last', async () => {
  const owners = ['discord:2', 'telegram:1', 'telegram:3', 'telegram:4']
  const access = createAccessList(store.redis, { owners, everyone: false })
  const find = createApproverFinder({ access, people: { ...unused, ...people } })
  expect((await find('telegram:-5')).map(({ principal }) => principal)).toEqual([
    'telegram:1',
    'discord:2',
    'console:owner',
  ])
  expect(await find('discord:9')).toEqual([
    { principal: 'discord:2', direct: 'discord:77' },
    { principal: 'telegram:1', direct: 'telegram:1' },
    { principal: 'console:owner', direct: 'console:owner' },
  ])
})

test('an owner by the one-time code is listed until they are dismissed', async () => {
  const access = createAccessList(store.redis, { owners: [], everyone: false })
  await access.claimOwner('telegram:8', (await access.code('code')) ?? '')
  expect(await access.listOwners()).toEqual(['telegram:8', 'web:owner', 'console:owner'])
  expect(await createOwnerCheck({ access })('telegram:8', 'telegram:-5')).toBe(true)
})

test('what changes something outside a member has to ask for, until a chat closes it', async () => {
  const access = createAccessList(store.redis, { owners: ['telegram:1'], everyone: true })
  const toolRights = createToolRights(store.redis)
  const find = createRightFinder({ access, toolRights })
  const pay = { name: 'pay', effect: 'write' } as const
  expect(await find(pay, 'telegram:1', 'telegram:-5:7')).toBe('use')
  expect(await find(pay, 'telegram:9', 'telegram:-5:7')).toBe('ask')
  await toolRights.setForChat('pay', 'telegram:-5', 'nobody')
  expect(await find(pay, 'telegram:1', 'telegram:-5:7')).toBe('none')
})

const never = (): never => {
  throw new Error('It is not asked.')
}
const unused = {
  learn: never,
  setZone: never,
  findChoice: never,
  setChoice: never,
  mayTell: never,
  setLink: never,
  findLink: never,
}
