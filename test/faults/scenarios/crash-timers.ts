// A process is killed right before and right after it lets the deadline of a question fire, a week after all was stopped: the question ends once, its
// card says so once, whoever takes over.
import { pressIn, scriptNotes, shownIn } from '#test/faults/rig/cards.ts'
import { startFleet } from '#test/faults/rig/fleet.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { startMovingClock } from '#test/rig/moving-clock.ts'

const waitMs = 20_000
const weekMs = 7 * 86_400_000
const over = 'Nobody said (deadline).'
const sides = ['before', 'after'] as const

export const crashTimers: Scenario = {
  name: 'crash-timers',
  rows: [1, 41],
  async run(note) {
    for (const side of sides) await crash(side)
    note(`killed ${sides.join(' and ')} the firing of a deadline: the question ended once`)
  },
}

async function crash(side: (typeof sides)[number]): Promise<void> {
  using clock = startMovingClock()
  await using fleet = await startFleet({ clock, env: { SAMPLE_FEATURE: '1' } })
  await scriptNotes(fleet)
  const first = await fleet.start('router,executor')
  await fleet.answered(waitMs, [await fleet.ask('late', 'May you keep it')])
  await first.stop()
  clock.step(weekMs + 60_000)

  const crashing = await fleet.start('router,executor', { CRASH_AT: `fire:${side}` })
  const ended = await Promise.race([crashing.ended, fleet.pause(waitMs).then(() => undefined)])
  assert(ended?.signal === 'SIGKILL', `the process ended by ${ended?.signal ?? 'nothing'}`)
  await fleet.start('router,executor')
  const shown = async (): Promise<number> => (await shownIn(fleet, 'late')).filter(({ text }) => text === over).length
  for (const endMs = Date.now() + waitMs; (await shown()) === 0; await fleet.pause(100))
    assert(Date.now() < endMs, `the question is open ${waitMs} ms after the crash`)
  // Whatever else is to come of it has come by then.
  await fleet.pause(3000)
  assert((await shown()) === 1, `its card was changed ${await shown()} times`)
  const { kind } = await pressIn(fleet, 'late', 'Keep', clock.now())
  assert(kind === 'UNKNOWN', `a press afterwards is ${kind}`)
  await expectInvariants(fleet, { extraModelCalls: 5, otherTexts: true })
}
