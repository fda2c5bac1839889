// Facts about fetching updates: each is stored once and before Telegram may forget it, one poller at a time, trouble is said once.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BotError } from '#shared/errors.ts'
import type { CallUnit } from '#queues/units.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { until } from '#test/rig/channel-rig.ts'
import { openTelegramRig } from './telegram-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

const idsOf = (events: readonly { readonly id: string }[]): string[] => events.map((event) => event.id)

test('stores a message and confirms it afterwards', async () => {
  await using rig = await openTelegramRig(server)
  const { update } = rig.telegram.sendText({ from: 7, text: 'hi' })
  rig.run()
  expect(await rig.waitForEvents('telegram:7', 1)).toMatchObject([{ id: `tg:4200:${update}`, text: 'hi' }])
  expect(rig.hinted).toEqual(['telegram:7'])
  await rig.telegram.until(() => (rig.telegram.pendingUpdates() === 0 ? true : undefined))
})

test('keeps what waited at Telegram before the start', async () => {
  await using rig = await openTelegramRig(server)
  for (const text of ['a', 'b', 'c']) rig.telegram.sendText({ from: 7, text })
  rig.run()
  expect(await rig.waitForEvents('telegram:7', 3)).toMatchObject([{ text: 'a' }, { text: 'b' }, { text: 'c' }])
})

test('stores an update once however often it comes', async () => {
  await using rig = await openTelegramRig(server)
  const { update } = rig.telegram.sendText({ from: 7, text: 'hi' })
  rig.run()
  await rig.waitForEvents('telegram:7', 1)
  for (let i = 0; i < 5; i++) rig.telegram.replay(update ?? 0)
  rig.telegram.sendText({ from: 7, text: 'last' })
  expect(await rig.waitForEvents('telegram:7', 2)).toHaveLength(2)
})

test('takes a batch that comes out of order by the order of its ids', async () => {
  await using rig = await openTelegramRig(server)
  rig.telegram.hold()
  for (const text of ['a', 'b', 'c']) rig.telegram.sendText({ from: 7, text })
  rig.telegram.release('reversed')
  rig.run()
  expect(await rig.waitForEvents('telegram:7', 3)).toMatchObject([{ text: 'a' }, { text: 'b' }, { text: 'c' }])
})

test('does not confirm an update that was not stored, and stores it when the store is back', async () => {
  let isDown = true
  const wrapUnits =
    (call: CallUnit): CallUnit =>
    async (name, key, args) => {
      if (name === 'ingest' && isDown && String(args[2]).includes('"b"')) {
        throw new BotError('store-unavailable', 'Redis is away.', { retry: { afterMs: 1 } })
      }
      return call(name, key, args)
    }
  await using rig = await openTelegramRig(server, { wrapUnits })
  for (const text of ['a', 'b', 'c']) rig.telegram.sendText({ from: 7, text })
  rig.run()
  await until(async () => (rig.said.length > 0 ? true : undefined))
  expect(await rig.events('telegram:7')).toMatchObject([{ text: 'a' }])
  expect(rig.telegram.pendingUpdates()).toBeGreaterThanOrEqual(2)
  isDown = false
  expect(await rig.waitForEvents('telegram:7', 3)).toMatchObject([{ text: 'a' }, { text: 'b' }, { text: 'c' }])
  expect(rig.said.filter((text) => text.includes('cannot be stored'))).toHaveLength(1)
})

test('stores the chats of a batch side by side, and each in its order', async () => {
  const gate = Promise.withResolvers<void>()
  const wrapUnits =
    (call: CallUnit): CallUnit =>
    async (name, key, args) => {
      if (name === 'ingest' && String(args[2]).includes('"slow"')) await gate.promise
      return call(name, key, args)
    }
  await using rig = await openTelegramRig(server, { wrapUnits })
  rig.telegram.sendText({ from: 7, text: 'slow' })
  rig.telegram.sendText({ from: 7, text: 'next' })
  rig.telegram.sendText({ from: 8, text: 'quick' })
  rig.run()
  await rig.waitForEvents('telegram:8', 1)
  expect(await rig.events('telegram:7')).toEqual([])
  expect(rig.telegram.pendingUpdates()).toBe(3)
  gate.resolve()
  expect(await rig.waitForEvents('telegram:7', 2)).toMatchObject([{ text: 'slow' }, { text: 'next' }])
})

test('confirms nothing behind an update that was not stored, and stores once what comes again with it', async () => {
  let isDown = true
  const wrapUnits =
    (call: CallUnit): CallUnit =>
    async (name, key, args) => {
      if (name === 'ingest' && isDown && String(args[2]).includes('"b"')) {
        throw new BotError('store-unavailable', 'Redis is away.', { retry: { afterMs: 1 } })
      }
      return call(name, key, args)
    }
  await using rig = await openTelegramRig(server, { wrapUnits })
  rig.telegram.sendText({ from: 6, text: 'a' })
  const { update = 0 } = rig.telegram.sendText({ from: 7, text: 'b' })
  rig.telegram.sendText({ from: 8, text: 'c' })
  rig.run()
  const polls = () => rig.telegram.ledger.of('getUpdates')
  await rig.telegram.until(() => (polls().length >= 3 ? true : undefined))
  expect(polls().at(-1)?.params['offset']).toBe(update)
  expect(await rig.events('telegram:8')).toMatchObject([{ text: 'c' }])
  isDown = false
  await rig.waitForEvents('telegram:7', 1)
  await rig.telegram.until(() => (rig.telegram.pendingUpdates() === 0 ? true : undefined))
  expect(await rig.events('telegram:8')).toHaveLength(1)
})

test('knows that a group has moved before it stores what was said there in the same batch', async () => {
  const wrapUnits =
    (call: CallUnit): CallUnit =>
    async (name, key, args) => {
      if (name === 'chats' && args[0] === 'move') await new Promise((resolve) => setTimeout(resolve, 100))
      return call(name, key, args)
    }
  await using rig = await openTelegramRig(server, { wrapUnits })
  const { telegram } = rig
  telegram.addBotToGroup({ chat: -700, by: 60, type: 'group' })
  telegram.sendText({ from: 60, chat: -700, text: '@flotilla_test_bot before' })
  telegram.upgradeGroup({ chat: -700, to: -70_000, by: 60 })
  telegram.sendText({ from: 60, chat: -70_000, text: '@flotilla_test_bot after' })
  rig.run()
  const events = await rig.waitForEvents('telegram:-700', 3)
  expect(events).toMatchObject([{ kind: 'join' }, { text: 'before' }, { text: 'after' }])
})

test('loses nothing and doubles nothing when a poller dies after storing and before confirming', async () => {
  await using rig = await openTelegramRig(server)
  rig.telegram.sendText({ from: 7, text: 'hi' })
  const stop = rig.run()
  await rig.waitForEvents('telegram:7', 1)
  rig.telegram.fault({ when: { method: 'getUpdates' }, fault: { kind: 'reset' } })
  await stop()
  rig.telegram.clearFaults()
  rig.telegram.sendText({ from: 7, text: 'more' })
  rig.run(rig.another())
  const events = await rig.waitForEvents('telegram:7', 2)
  expect(new Set(idsOf(events)).size).toBe(2)
  expect(events).toHaveLength(2)
})

test('lets one process poll, and another take over when it stops', async () => {
  await using rig = await openTelegramRig(server)
  const stop = rig.run()
  await rig.telegram.ledger.waitFor((entry) => entry.method === 'getUpdates')
  rig.run(rig.another())
  rig.telegram.sendText({ from: 7, text: 'one' })
  await rig.waitForEvents('telegram:7', 1)
  await stop()
  rig.telegram.sendText({ from: 7, text: 'two' })
  await rig.waitForEvents('telegram:7', 2)
  expect(rig.telegram.ledger.of('getUpdates').filter((entry) => entry.status === 409)).toEqual([])
  expect(rig.said).toEqual([])
})

test('stops its poll when the lease is lost', async () => {
  await using rig = await openTelegramRig(server, { channel: { pollS: 20 } })
  rig.run()
  const poll = await rig.telegram.ledger.waitFor((entry) => entry.method === 'getUpdates')
  await server.admin.set('fl:{poll-telegram-4200}', 'somebody else', 'PX', 600)
  await rig.telegram.until(() => (poll.outcome === 'aborted' ? true : undefined), 3000)
  rig.telegram.sendText({ from: 7, text: 'later' })
  expect(await rig.waitForEvents('telegram:7', 1)).toMatchObject([{ text: 'later' }])
})

test('says once that somebody else polls, and goes on when they stop', async () => {
  await using rig = await openTelegramRig(server)
  const conflict = {
    kind: 'error',
    status: 409,
    description: 'Conflict: terminated by other getUpdates request',
  } as const
  rig.telegram.fault({ when: { method: 'getUpdates' }, times: 5, fault: conflict })
  rig.telegram.sendText({ from: 7, text: 'hi' })
  rig.run()
  await rig.waitForEvents('telegram:7', 1)
  expect(rig.telegram.ledger.of('getUpdates').filter((entry) => entry.status === 409)).toHaveLength(5)
  expect(rig.said).toHaveLength(1)
  expect(rig.said[0]).toContain('Somebody else fetches')
})

test('says once that the token is wrong, without a tight loop and without the token', async () => {
  await using rig = await openTelegramRig(server, { channel: { token: '4200:wrong-secret', leastWaitMs: 60_000 } })
  rig.run()
  await until(async () => (rig.said.length > 0 ? true : undefined))
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(rig.telegram.ledger.entries).toHaveLength(1)
  expect(rig.said).toHaveLength(1)
  expect(rig.said.join()).toContain('TELEGRAM_BOT_TOKEN')
  expect(rig.said.join()).not.toContain('wrong-secret')
})

test('says that Telegram cannot be reached without naming the token', async () => {
  await using rig = await openTelegramRig(server, { channel: { apiRoot: 'http://127.0.0.1:1' } })
  rig.run()
  await until(async () => (rig.said.length > 0 ? true : undefined))
  expect(rig.said[0]).toContain('ECONNREFUSED')
  expect(rig.said.join()).not.toContain('simulated-token')
})

test('an update it cannot read does not hold up the others', async () => {
  await using rig = await openTelegramRig(server)
  rig.telegram.inject({ update_id: 200_000, message: { message_id: 'x' } })
  rig.telegram.inject({ update_id: 200_001, something_new: {} })
  rig.telegram.sendText({ from: 7, text: 'hi' })
  rig.run()
  await rig.waitForEvents('telegram:7', 1)
  expect(rig.ignored).toEqual(['malformed', 'unknown-kind'])
})

test('a broken conversation does not hold up the others', async () => {
  await using rig = await openTelegramRig(server)
  const wrap = rig.telegram.sendText({ from: 7, text: 'good' })
  rig.run()
  await rig.waitForEvents('telegram:7', 1)
  const [inbox = ''] = await server.admin.keys('*:in:telegram:7')
  await server.admin.del(inbox)
  await server.admin.set(inbox, 'broken')
  rig.telegram.sendText({ from: 7, text: 'lost' })
  rig.telegram.sendText({ from: 8, text: 'fine' })
  expect(await rig.waitForEvents('telegram:8', 1)).toMatchObject([{ text: 'fine' }])
  expect(wrap.update).toBeDefined()
})

test('removes an old webhook without dropping what waits', async () => {
  await using rig = await openTelegramRig(server)
  const api = `${rig.telegram.apiRoot}/bot${rig.telegram.token}`
  await fetch(`${api}/setWebhook?url=http://127.0.0.1:1/x`)
  rig.telegram.sendText({ from: 7, text: 'hi' })
  rig.run()
  await rig.waitForEvents('telegram:7', 1)
  expect(rig.telegram.ledger.of('deleteWebhook')[0]?.params['drop_pending_updates']).toBe(false)
})

test('writes the command list only when it changed', async () => {
  const commands = [{ name: 'help', help: { en: 'What I can do', zh: '我能做什么' } }]
  await using rig = await openTelegramRig(server, { commands })
  const stop = rig.run()
  await rig.telegram.ledger.waitFor((entry) => entry.method === 'getUpdates')
  await stop()
  expect(rig.telegram.commands()).toEqual([{ command: 'help', description: 'What I can do' }])
  rig.telegram.ledger.clear()
  rig.run(rig.another())
  await rig.telegram.ledger.waitFor((entry) => entry.method === 'getUpdates')
  expect(rig.telegram.ledger.of('setMyCommands')).toEqual([])
})

test('edits, media, topics, joins and mentions arrive as the events they are', async () => {
  await using rig = await openTelegramRig(server, { simulator: { canReadAllGroupMessages: false } })
  const { telegram } = rig
  telegram.addBotToGroup({ chat: -200, by: 7, isForum: true, title: 'Room' })
  const topic = telegram.createTopic({ chat: -200, by: 7, name: 'Plans' })
  telegram.sendText({ from: 8, chat: -200, topic, text: 'not for the bot' })
  telegram.sendText({ from: 8, chat: -200, topic, text: '@flotilla_test_bot please' })
  const { message } = telegram.sendText({ from: 7, text: 'frist' })
  telegram.sendMedia({ from: 7, kind: 'document', name: 'a.pdf', caption: 'see', bytes: 9 })
  rig.run()
  await rig.waitForEvents('telegram:7', 2)
  telegram.edit({ from: 7, message, text: 'first' })
  expect(await rig.waitForEvents('telegram:7', 3)).toMatchObject([
    { kind: 'message', text: 'frist' },
    { kind: 'message', text: 'see', media: [{ kind: 'document', name: 'a.pdf', bytes: 9 }] },
    { kind: 'edit', messageId: String(message), text: 'first' },
  ])
  expect(await rig.events('telegram:-200')).toMatchObject([{ kind: 'join', principal: 'telegram:7', title: 'Room' }])
  expect(await rig.events(`telegram:-200:${topic}`)).toMatchObject([{ text: 'please', addressed: true }])
})

test('confirms nothing before it is on the disk of Redis', async () => {
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  const synced = async (): Promise<void> => {
    asked.resolve()
    await answer.promise
  }
  await using rig = await openTelegramRig(server, { synced })
  rig.telegram.sendText({ from: 7, text: 'hi' })
  rig.run()
  await asked.promise
  expect(await rig.events('telegram:7')).toMatchObject([{ text: 'hi' }])
  expect(rig.telegram.pendingUpdates()).toBe(1)
  answer.resolve()
  await rig.telegram.until(() => (rig.telegram.pendingUpdates() === 0 ? true : undefined))
})

test('fetches again what Redis may have lost before it was on its disk', async () => {
  let times = 0
  const synced = async (): Promise<void> => {
    times += 1
    if (times === 1) throw new BotError('store-unavailable', 'Redis went away.', { retry: { afterMs: 1 } })
  }
  await using rig = await openTelegramRig(server, { synced })
  rig.telegram.sendText({ from: 7, text: 'hi' })
  rig.run()
  await rig.telegram.until(() => (rig.telegram.pendingUpdates() === 0 ? true : undefined))
  expect(times).toBe(2)
  expect(await rig.events('telegram:7')).toHaveLength(1)
})
