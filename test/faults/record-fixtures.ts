// Records what this release stores into `test/faults/fixtures/<name>-*.json`: `node test/faults/record-fixtures.ts 001`.
// Run it once per release that changes a stored shape; never change a file that is there.
import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { fixturePath, takeFixture } from '#test/faults/rig/fixtures.ts'
import type { Asked } from '#test/faults/rig/transcripts.ts'

const name = process.argv[2] ?? ''
if (!/^\d{3}$/.test(name)) throw new Error('Give the fixtures a number of three digits that is not taken.')

await using fleet = await startFleet()
const router = await fleet.start('router')
const executor = await fleet.start('executor')
await fleet.answered(10_000, [await fleet.ask('fixture-open', 'what was first?')])
await fleet.answered(10_000, [await fleet.ask('fixture-open', 'what was second?')])
const idle = await fleet.ask('fixture-idle', 'what is idle?')
await fleet.answered(10_000, [idle])

// A turn nobody ends, a message nobody routes.
await fleet.model.script({ gate: { name: 'never' } })
const before = (await fleet.model.counters()).requests
const open = await fleet.ask('fixture-open', 'what was third?')
await fleet.model.asked(before + 1)
await router.kill()
await executor.kill()
const unrouted = await fleet.ask('fixture-open', 'what was fourth?')
await fleet.pause(fleet.leaseMs * 2)
await save(fleet, 'open-turn', 'two answered, a turn begun, one message not routed', [open, unrouted])
await save(fleet, 'idle', 'one answered, nothing waits', [], idle.conversation)

async function save(of: Fleet, what: string, words: string, asked: readonly Asked[], known?: string): Promise<void> {
  const conversation = known ?? asked[0]?.conversation ?? ''
  const taken = await takeFixture(of, {
    what: words,
    conversation,
    open: asked.map(({ id, text, seq }) => ({ id, text, seq })),
  })
  writeFileSync(fixturePath(`${name}-${what}.json`), `${JSON.stringify(taken, null, 2)}\n`)
}
