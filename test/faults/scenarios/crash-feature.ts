// Row 1, for a feature that uses every part of the seam: its executor is killed before and after each step that is stored, and what people
// see and what is remembered at the end is what it is without a kill.
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { pressIn, scriptNotes, shownIn } from '#test/faults/rig/cards.ts'
import type { Child } from '#test/faults/rig/child.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'

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
    await scriptNotes(fleet)
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

type Found = { readonly said: readonly string[]; readonly notes: string }

async function talk(fleet: Fleet, chat: string): Promise<Found> {
  await fleet.answered(answeredMs, [await fleet.ask(chat, 'Note milk')])
  await fleet.answered(answeredMs, [await fleet.ask(chat, 'May you keep it')])
  await press(fleet, chat, 'Keep')
  await press(fleet, chat, 'Count')
  const conversation = `web:${chat}`
  const run = `${partitionPrefix(toPartition(conversation))}r:${conversation}`
  return {
    said: (await shownIn(fleet, chat)).map(({ text }) => text),
    notes: (await fleet.redis.admin.hget(run, 'f.notes')) ?? '',
  }
}

/** Presses the button with this label, and waits for the answer. */
async function press(fleet: Fleet, chat: string, label: string): Promise<void> {
  const { kind, asked } = await pressIn(fleet, chat, label)
  assert(kind === 'WON', `${chat}: the press of ${label} is ${kind}`)
  await fleet.answered(answeredMs, [asked])
}
