// Row 1, for a feature that uses every part of the seam: its executor is killed before and after each step that is stored, and what people
// see and what is remembered at the end is what it is without a kill.
import { z } from 'zod'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import type { Child } from '#test/faults/rig/child.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { wonPress } from '#test/rig/events.ts'

const answeredMs = 15_000
const env = { SAMPLE_FEATURE: '1' }
/** The talk stores fewer steps than this. */
const mostSteps = 30

export const crashFeature: Scenario = {
  name: 'crash-feature',
  rows: [1],
  async run(note) {
    await using fleet = await startFleet()
    await fleet.start('router')
    await scriptModel(fleet)
    const calm = await fleet.start('executor', env)
    const wanted = await talk(fleet, 'calm')
    await calm.kill()
    assert(wanted.said.length === 7 && wanted.notes.includes('milk'), `without a kill: ${JSON.stringify(wanted)}`)
    let kills = 0
    for (let n = 1; n < mostSteps; n++)
      for (const side of ['before', 'after'] as const) {
        const crashing = await fleet.start('executor', { ...env, CRASH_AT: `append:${side}:${n}` })
        const follower = followUp(fleet, crashing)
        const found = await talk(fleet, `${side}-${n}`)
        const isKilled = !crashing.isRunning()
        await crashing.kill()
        await (await follower)?.kill()
        if (!isKilled) {
          note(`${kills} kills at ${n - 1} steps, the same end each time`)
          return
        }
        kills += 1
        assert(JSON.stringify(found) === JSON.stringify(wanted), `killed ${side} step ${n}: ${JSON.stringify(found)}`)
      }
    throw new Error(`The talk has more than ${mostSteps} steps.`)
  },
}

/** Starts another executor once this one was killed by itself. */
async function followUp(fleet: Fleet, crashing: Child): Promise<Child | undefined> {
  const { signal } = await crashing.ended
  return signal === 'SIGKILL' ? await fleet.start('executor', env) : undefined
}

/** What the model says depends on the request alone. */
async function scriptModel({ model }: Fleet): Promise<void> {
  const tools = (name: string, input = '{}') => ({
    kind: 'tools' as const,
    calls: [{ id: name, name, arguments: input }],
  })
  await model.script(
    { when: { text: 'Note milk', last: 'user' }, answer: tools('take_note', '{"text":"milk"}') },
    { when: { text: 'Note milk', last: 'tool' }, answer: { kind: 'text', text: 'Noted.' } },
    { when: { text: 'May you keep it', last: 'user' }, answer: tools('ask_to_keep') },
    { when: { text: 'They are kept' }, answer: { kind: 'text', text: 'Good.' } },
  )
}

type Found = { readonly said: readonly string[]; readonly notes: string }

async function talk(fleet: Fleet, chat: string): Promise<Found> {
  await fleet.answered(answeredMs, [await fleet.ask(chat, 'Note milk')])
  await fleet.answered(answeredMs, [await fleet.ask(chat, 'May you keep it')])
  await press(fleet, chat, 'Keep')
  await press(fleet, chat, 'Count')
  const conversation = `web:${chat}`
  const run = `${partitionPrefix(toPartition(conversation))}r:${conversation}`
  return {
    said: (await shown(fleet, chat)).map(({ text }) => text),
    notes: (await fleet.redis.admin.hget(run, 'f.notes')) ?? '',
  }
}

const message = z.object({
  text: z.string(),
  buttons: z.array(z.array(z.object({ id: z.string(), label: z.string() }))).default([]),
})

async function shown({ kernel }: Fleet, chat: string): Promise<readonly z.infer<typeof message>[]> {
  const items = await kernel.readOut(`web:${chat}`, '0', 100)
  return items.flatMap((item) => (item.role === 'bot' && item.body.kind === 'send' ? [message.parse(item.body)] : []))
}

/** Presses the button with this label, and waits for the answer. */
async function press(fleet: Fleet, chat: string, label: string): Promise<void> {
  const conversation = `web:${chat}`
  const button = (await shown(fleet, chat))
    .toReversed()
    .flatMap(({ buttons }) => buttons.flat())
    .find((one) => one.label === label)
  const [question = '', choice = ''] = button?.id.split('.') ?? []
  const [id, principal, atMs] = [`press-${chat}-${label}`, 'web:owner', Date.now()]
  const event = wonPress({ id, conversation, principal, at: atMs, question, choice })
  const won = await fleet.kernel.resolve({
    question,
    actor: principal,
    chat: conversation,
    choice,
    event,
    asAdmin: false,
  })
  assert(won.kind === 'WON', `${chat}: the press of ${label} is ${won.kind}`)
  const asked = { id, conversation, text: label, seq: 0, atMs }
  fleet.talk.note(asked)
  await fleet.hints.inbound(conversation)
  await fleet.answered(answeredMs, [asked])
}
