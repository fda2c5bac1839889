// Run in a copy of the tree whose list of capabilities has the demo memory: says what its command, prompt part, tool, reader, letter, question and setting do in
// a fleet, as one line of JSON.
import { listCommands } from '#infra/processes/features.ts'
import { openFeatures } from '#infra/processes/open-features.ts'
import { loadModel } from '#infra/processes/model.ts'
import { startReaders } from '#infra/processes/readers.ts'
import { startFleet, until } from '#test/rig/fleet.ts'

await using fleet = await startFleet({ env: { FLOTILLA_ALLOW: '*', FLOTILLA_TIME_ZONE: 'Europe/Berlin' } })
const { settings } = fleet.runtime
const reflection = startReaders(fleet.runtime, openFeatures(fleet.runtime, await loadModel(settings)).all, 'reflection')
const said = async (text: string): Promise<string> =>
  await until(async () => (await fleet.said()).map((row) => row.text).findLast((one) => one.includes(text)))

const command = (await fleet.ask('/memo milk is white', { slash: 'memo' })).text
fleet.model.script({
  when: { text: 'how many' },
  answer: { kind: 'tools', calls: [{ name: 'count_facts', arguments: '{}' }] },
})
await fleet.ask('how many facts?')
const asked = JSON.stringify(fleet.model.ledger.entries.map(({ messages }) => messages))
await fleet.ask('Learn apples are red')
const card = await said('Shall I keep')
await fleet.ask('Keep')
const answered = await said('Kept: ')
const own = (await fleet.ask('/memo_groups not', { slash: 'memo_groups' })).text
await reflection.stop(0)
process.stdout.write(
  `${JSON.stringify({
    listed: listCommands().some(({ name }) => name === 'memo'),
    command,
    prompt: asked.includes('Facts: milk is white'),
    tool: asked.includes('1 kept'),
    card,
    answered,
    own,
  })}\n`,
)
