// Row 46: old and new releases side by side. A hint of an unknown version waits for a worker that knows it and fails nothing; what
// every release so far has stored is taken up where it was left.
import { Queue } from 'bullmq'
import { connectWorker } from '#queues/connection.ts'
import { queuePrefix, type QueueName } from '#queues/jobs/queue-names.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { loadFixture, readFixtures, type Fixture } from '#test/faults/rig/fixtures.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { wonPress } from '#test/rig/events.ts'

const queues: readonly QueueName[] = ['inbound', 'execute', 'outbound-telegram']

export const payloadVersions: Scenario = {
  name: 'payload-versions',
  rows: [46],
  async run(note) {
    await using fleet = await startFleet({ telegram: true })
    const roles = await Promise.all(['router', 'executor', 'telegram'].map((name) => fleet.start(name)))
    const connection = connectWorker(fleet.redis.url)
    const opened = queues.map((name) => new Queue(name, { connection, prefix: queuePrefix(name) }))
    for (const queue of opened) {
      await queue.add('hint', { v: 2, conversation: 'web:a', shard: 7 })
      await queue.add('hint', { v: 1, conversation: 'nonsense' })
      await queue.add('hint', 'not an object')
    }
    const asked = await Promise.all([
      fleet.ask('a', 'what of old payloads?'),
      fleet.askTelegram(44, 'what of new ones?'),
    ])
    await fleet.answered(10_000, asked)
    const counts = await Promise.all(opened.map((queue) => queue.getJobCounts('delayed', 'failed', 'wait', 'active')))
    for (const count of counts) {
      assert(count['failed'] === 0, `${count['failed']} jobs failed`)
      assert(count['delayed'] === 3, `${count['delayed']} of 3 unknown jobs wait`)
    }
    for (const role of roles) assert(role.isRunning(), `${role.name} ended:\n${role.tail()}`)
    await Promise.all(opened.map((queue) => queue.close()))
    connection.disconnect()
    await expectInvariants(fleet, { extraModelCalls: 0 })
    note(`3 unknown payloads in each of ${queues.length} queues: all wait, none failed, none dropped`)
  },
}

export const storedVersions: Scenario = {
  name: 'stored-versions',
  rows: [46],
  async run(note) {
    const fixtures = readFixtures()
    assert(fixtures.length > 0, 'there are no fixtures')
    for (const { file, fixture } of fixtures) {
      const [channel, chat = ''] = fixture.conversation.split(':')
      const onTelegram = channel === 'telegram'
      await using fleet = await startFleet({ telegram: onTelegram })
      // They have written to the bot before, and Telegram brings that again: else the bot could show them nothing.
      await fleet.telegram?.control({ do: 'sendText', from: Number(chat), text: 'what was shown? #1.' })
      await loadFixture(fleet, fixture)
      for (const open of fixture.open)
        fleet.talk.note({ ...open, conversation: fixture.conversation, atMs: Date.now() })
      const roles = ['router', 'executor', 'reflection', ...(onTelegram ? ['telegram'] : [])]
      await Promise.all(roles.map((role) => fleet.start(role)))
      await fleet.answered(15_000).catch((error: unknown) => {
        throw new Error(`${file}: ${String(error)}`)
      })
      for (const pressed of fixture.presses) await press(fleet, fixture.conversation, pressed)
      const ask = onTelegram ? fleet.askTelegram.bind(fleet, Number(chat)) : fleet.ask.bind(fleet, chat)
      await fleet.answered(10_000, [await ask(`what comes after ${file}?`)])
      const { entries } = await fleet.model.asked()
      const remembers = entries.at(-1)?.messages.some(({ role }) => role === 'assistant') ?? false
      assert(remembers, `${file}: the history of the snapshot is gone`)
      for (const open of fixture.open) {
        const count = fleet.talk.answersTo(open.id).length
        assert(count === 1, `${file}: "${open.text}" has ${count} answers`)
      }
      const said = fleet.talk.conversations.get(fixture.conversation) ?? []
      for (const waits of fixture.waits) {
        const count = said.filter(({ text }) => text === waits).length
        assert(count === 1, `${file}: "${waits}" was shown ${count} times`)
      }
      // The one thing that doctor would say of a server of these tests.
      await fleet.redis.cli('CONFIG', 'SET', 'maxmemory', '200mb')
      const found = await fleet.doctor()
      // It may say that the bot is in no group.
      assert(!/^(FAIL|warn) {2}(?!Telegram step 7)/m.test(found), `${file}: doctor found\n${found}`)
    }
    note(`${fixtures.length} stored conversations taken up: ${fixtures.map(({ file }) => file).join(', ')}`)
  },
}

/** Presses a button that is stored, and waits for what it has to say. */
async function press(
  fleet: Fleet,
  conversation: string,
  { question, choice, says }: Fixture['presses'][number],
): Promise<void> {
  const [id, actor] = [`press-${question}`, 'web:owner']
  const event = wonPress({ id, conversation, principal: actor, at: Date.now(), question, choice })
  const won = await fleet.kernel.resolve({ question, actor, chat: conversation, choice, event, asAdmin: false })
  assert(won.kind === 'WON', `${conversation}: the press of ${choice} is ${won.kind}`)
  fleet.talk.note({ id, conversation, text: says, seq: 0, atMs: event.at })
  await fleet.hints.inbound(conversation)
  await fleet.talk.until(() => fleet.talk.answersTo(id)[0], `an answer to ${choice}`, 15_000)
  const said = fleet.talk.answersTo(id).map(({ text }) => text)
  assert(
    said.length === 1 && said[0]?.includes(says) === true,
    `${conversation}: ${choice} is answered by ${JSON.stringify(said)}`,
  )
}
