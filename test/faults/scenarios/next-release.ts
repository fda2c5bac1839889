// Row 46: this release beside the next one, and back again. The next one (test/faults/rig/next-release.ts) stores kinds and fields that
// this one does not know, and has a feature more.
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import type { MessageEvent } from '#shared/chat/event.ts'
import { pressIn, scriptNotes, shownIn } from '#test/faults/rig/cards.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { next } from '#test/faults/rig/releases.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import type { Asked } from '#test/faults/rig/transcripts.ts'
import { message } from '#test/rig/events.ts'
import { checkInvariants } from '#test/rig/oracle.ts'

const chats = Array.from({ length: 12 }, (_, i) => `chat${i}`)
const answeredMs = 30_000

export const nextRelease: Scenario = {
  name: 'next-release',
  rows: [46],
  async run(note) {
    await using fleet = await startFleet({ telegram: true })
    await scriptNotes(fleet)
    const roles = ['router', 'executor', 'telegram']
    // Two of this release for each of the next.
    for (const role of [...roles, 'router', 'executor']) await fleet.start(role)
    await fleet.answered(answeredMs, await Promise.all(chats.map((chat) => fleet.ask(chat, 'what is new?'))))
    await fleet.answered(answeredMs, [await fleet.askTelegram(7, 'are you there?')])

    const newer = await Promise.all(['router', 'executor'].map((role) => fleet.start(role, next)))
    const beside = await Promise.all(chats.map((chat) => talk(fleet, chat)))
    await fleet.answered(answeredMs, beside.flat())
    for (const chat of chats) await expectInOrder(fleet, chat)
    for (const chat of ['notes1', 'notes2', 'notes3', 'notes4']) await useFeature(fleet, chat)

    // A row of the next release waits for its sender, and what it is an answer to is not lost.
    await storePoll(fleet, 'telegram:7', 'is it loud?')
    const behind = await fleet.askTelegram(7, 'and after that?')
    await fleet.pause(3000)
    assert((await countShouts(fleet)) === 0, 'a sender of this release sent what it cannot read')
    const senders = fleet.roles.filter(({ name }) => name === 'telegram')
    await Promise.all(senders.map((sender) => sender.stop()))
    await fleet.start('telegram', next)
    await fleet.answered(answeredMs, [behind])
    assert((await countShouts(fleet)) === 1, 'what waited for its sender was not sent once')

    // Back again: what only the next release can read stays, also what stands behind it; others go on.
    await Promise.all(newer.map((role) => role.stop()))
    const left = await poll(fleet, 'web:chat0', 'is anybody there?')
    const waits = await fleet.ask('chat0', 'and who is behind it?')
    const others = await Promise.all(chats.slice(1).map((chat) => fleet.ask(chat, 'what is old?')))
    await fleet.answered(answeredMs, others)
    await fleet.pause(5000)
    assert(
      fleet.talk.open.has(left.id) && fleet.talk.open.has(waits.id),
      'what stands behind the unknown went before it',
    )
    const back = performance.now()
    for (const role of ['router', 'executor']) await fleet.start(role, next)
    await fleet.answered(answeredMs, [left, waits])
    const tookMs = Math.round(performance.now() - back)

    await expectKept(fleet)
    const broken = await checkInvariants(fleet.redis.admin)
    assert(broken.length === 0, `broken: ${broken.join(', ')}`)
    const twice = [...fleet.talk.asked.keys()].filter((id) => fleet.talk.answersTo(id).length > 1)
    assert(twice.length === 0, `answered twice: ${twice.join(', ')}`)
    note(`${beside.flat().length} messages and polls beside each other, ${tookMs} ms to what was left after going back`)
  },
}

/** What a person writes before and after something that only the next release knows. */
async function talk(fleet: Fleet, chat: string): Promise<readonly Asked[]> {
  const first = await fleet.ask(chat, 'what comes first?')
  const middle = await poll(fleet, `web:${chat}`, 'what comes then?')
  return [first, middle, await fleet.ask(chat, 'what comes last?')]
}

/** An event as a channel of the next release brings it. */
async function poll(fleet: Fleet, conversation: string, text: string): Promise<Asked> {
  const asked = await storePoll(fleet, conversation, text)
  fleet.talk.note(asked)
  return asked
}

async function storePoll(fleet: Fleet, conversation: string, text: string): Promise<Asked> {
  const id = `poll-${conversation}-${text}`
  const principal = conversation.startsWith('web:') ? 'web:owner' : conversation
  const event: MessageEvent = message({ id, conversation, principal, at: Date.now(), text })
  // The kernel stores what it is given.
  const told = Object.assign({}, event, { kind: 'poll', options: ['yes', 'no'] })
  const { seq } = await fleet.kernel.ingest({ event: told, dedupeKey: id, stop: 'none', echo: false })
  await fleet.hints.inbound(conversation)
  return { id, conversation, text, seq, atMs: event.at }
}

async function countShouts({ telegram }: Fleet): Promise<number> {
  const calls = (await telegram?.calls()) ?? []
  return calls.filter(({ accepted, params }) => accepted && params['text'] === 'Poll: is it loud?').length
}

async function expectInOrder(fleet: Fleet, chat: string): Promise<void> {
  const said = (await shownIn(fleet, chat)).map(({ text }) => text).slice(-3)
  const isInOrder = ['first', 'then', 'last'].every((word, i) => said[i]?.includes(word))
  assert(isInOrder, `web:${chat} was answered ${JSON.stringify(said)}`)
}

/** Tools and questions of a feature that only the next release has, whichever executor takes the turn or the press. */
async function useFeature(fleet: Fleet, chat: string): Promise<void> {
  await fleet.answered(answeredMs, [await fleet.ask(chat, 'Note milk')])
  await fleet.answered(answeredMs, [await fleet.ask(chat, 'May you keep it')])
  const { kind, asked } = await pressIn(fleet, chat, 'Keep')
  assert(kind === 'WON', `the press is ${kind}`)
  await fleet.answered(answeredMs, [asked])
  const said = (await shownIn(fleet, chat)).map(({ text }) => text)
  assert(said.includes('Note 1: milk') && said.includes('Keep these?'), `the feature said ${JSON.stringify(said)}`)
}

/** Nobody was taken out of service, and fields of the next release outlived what this one stored since. */
async function expectKept(fleet: Fleet): Promise<void> {
  for (const chat of chats) {
    const conversation = `web:${chat}`
    const prefix = partitionPrefix(toPartition(conversation))
    assert((await fleet.client.hlen(`${prefix}parked`)) === 0, 'a conversation is parked')
  }
  const snaps = await Promise.all(
    chats.slice(1).map((chat) => {
      const conversation = `web:${chat}`
      return fleet.client.hget(`${partitionPrefix(toPartition(conversation))}r:${conversation}`, 'snap')
    }),
  )
  const kept = snaps.filter((snap) => snap?.includes('"keptBy":"the next release"')).length
  assert(kept > 0, 'no conversation was stored by the next release')
}
