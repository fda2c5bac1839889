// What people meet where more answers wait than may be sent in time: no turn is begun, they are told once, and commands work. Real
// Redis, router and executor; the outbox of the chat is real too, and nobody sends.
import { expect, test } from 'vitest'
import type { OutBody } from '#shared/run/out-row.ts'
import { startFleet, until, type Fleet } from '#test/rig/fleet.ts'
import { row, sender } from '#test/contracts/kernel-fixtures.ts'

const conversation = 'telegram:7'
const from = { conversation, principal: 'telegram:7' } as const
const enough = 15

type Chat = {
  /** Says it, and waits until nobody has anything to do about it. */
  say(text: string, slash?: string, principal?: string): Promise<void>
  /** What waits to be said, but for what made it so. */
  waiting(): Promise<string[]>
  /** As time would. */
  clear(): Promise<void>
}

async function openChat(fleet: Fleet): Promise<Chat> {
  const { kernel } = fleet.runtime
  const { admin } = fleet.redis
  const claimed = await kernel.claim(conversation, 'test', 60_000)
  if (claimed.kind !== 'CLAIMED') throw new Error(claimed.kind)
  const rows = Array.from({ length: enough }, (_, i) => row(`r${i}`))
  await kernel.append(conversation, claimed.epoch, { key: 'rows', entries: [], rows })
  await kernel.release(conversation, 'test', claimed.epoch, true)
  const { kind } = await kernel.begin(sender(conversation), 'begin')
  if (kind !== 'ROW') throw new Error(kind)
  await kernel.settle(sender(conversation), 'r0', { kind: 'later', afterMs: 60_000 }, 'settle')
  let told = 0
  return {
    async say(text, slash, principal = from.principal) {
      await fleet.tell(text, { ...from, principal, ...(slash === undefined ? {} : { slash }) })
      told += 1
      await until(async () => {
        const { routedSeq, events } = await kernel.pending(conversation, 0)
        return routedSeq >= told && events.length === 0
      })
    },
    async waiting() {
      const [queue = ''] = await admin.keys('*:obq:*')
      const ids = (await admin.lrange(queue, 0, -1)).filter((id) => !/^r\d+$/.test(id))
      const bodies = await Promise.all(ids.map((id) => admin.hget(`${queue.replace(':obq:', ':o:')}:${id}`, 'b')))
      return bodies.map((body) => {
        const parsed: OutBody = JSON.parse(body ?? '')
        return parsed.kind === 'send' ? parsed.text : parsed.kind
      })
    },
    clear: async () => void (await admin.del(...(await admin.keys('*:congested:*')))),
  }
}

test('a question begins no turn, its person is told so once, and /retry asks it when it can be answered', async () => {
  await using fleet = await startFleet({ env: { FLOTILLA_ALLOW: '*' } })
  const chat = await openChat(fleet)
  await chat.say('what is one?')
  await chat.say('what is two?')
  expect(fleet.model.ledger.entries).toEqual([])
  expect(await chat.waiting()).toEqual([expect.stringMatching(/^I am asked for more here than I am allowed to send/)])
  await chat.clear()
  await chat.say('/retry', 'retry')
  expect(fleet.model.ledger.entries).toHaveLength(1)
  expect(JSON.stringify(fleet.model.ledger.entries[0]?.messages)).toContain('what is two?')
  expect(await chat.waiting()).toHaveLength(2)
})

test('who asks is told in the language of what they asked', async () => {
  await using fleet = await startFleet({ env: { FLOTILLA_ALLOW: '*' } })
  const chat = await openChat(fleet)
  await chat.say('今天星期几？')
  await chat.say('what is two?', undefined, 'telegram:8')
  await chat.say('/retry', 'retry', 'telegram:8')
  await chat.say('/retry', 'retry')
  expect(await chat.waiting()).toEqual([
    expect.stringMatching(/\p{Script=Han}/u),
    expect.stringMatching(/^I still cannot send more here/),
    expect.stringMatching(/\p{Script=Han}/u),
  ])
})

test('commands are answered, and a /retry that cannot be is not lost', async () => {
  await using fleet = await startFleet({ env: { FLOTILLA_ALLOW: '*' } })
  const chat = await openChat(fleet)
  await chat.say('what is one?')
  await chat.say('/status', 'status')
  await chat.say('/stop', 'stop')
  await chat.say('/retry', 'retry')
  const [told, status, stopped] = await chat.waiting()
  expect(told).toMatch(/^I am asked for more/)
  expect(status).toContain('sim-main')
  expect(stopped).toBeTruthy()
  expect(fleet.model.ledger.entries).toEqual([])
  await chat.clear()
  await chat.say('/retry', 'retry')
  expect(JSON.stringify(fleet.model.ledger.entries[0]?.messages)).toContain('what is one?')
})

test('people in one chat are told once for all, and /retry asks what each of them had asked', async () => {
  await using fleet = await startFleet({ env: { FLOTILLA_ALLOW: '*' } })
  const chat = await openChat(fleet)
  await chat.say('what is one?')
  await chat.say('what is two?')
  await chat.say('what is three?', undefined, 'telegram:8')
  await chat.say('what is four?', undefined, 'telegram:8')
  const told = expect.stringMatching(/^I am asked for more here/)
  expect(await chat.waiting()).toEqual([told])
  await chat.clear()
  await chat.say('/retry', 'retry')
  await chat.say('/retry', 'retry', 'telegram:8')
  const asked = fleet.model.ledger.entries.map((entry) =>
    JSON.stringify(entry.messages.findLast(({ role }) => role === 'user')),
  )
  expect(asked).toEqual([expect.stringContaining('what is two?'), expect.stringContaining('what is four?')])
})

test('a /retry that has to wait too is answered, once in a while', async () => {
  await using fleet = await startFleet({ env: { FLOTILLA_ALLOW: '*' } })
  const chat = await openChat(fleet)
  await chat.say('what is one?')
  await chat.say('/retry', 'retry')
  await chat.say('/retry', 'retry')
  expect(await chat.waiting()).toEqual([
    expect.stringMatching(/^I am asked for more here/),
    expect.stringMatching(/^I still cannot send more here/),
  ])
})
