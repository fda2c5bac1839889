// What memory costs a turn: the time from a message to the question that the model gets, of people who have records that fit, records that do not, and none.
import { remembered } from '#test/rig/remembered.ts'
import { startFleet, type Fleet } from '#test/rig/fleet.ts'
import { percentile, round } from './figures.ts'

const records = 200
const fitting = 5
const warmUp = 10
const people = ['none', 'unfit', 'found'] as const
type Person = (typeof people)[number]

/** Each of `turns` is taken once for each person, one after the other, in a conversation of its own. */
export async function measureTurns(turns: number): Promise<object> {
  await using fleet = await startFleet()
  for (const person of people) {
    await fleet.runtime.access.admit('person', `web:${person}`, 'bench')
    if (person !== 'none') await fill(fleet, person)
  }
  const times: Record<Person, number[]> = { none: [], unfit: [], found: [] }
  let withMemory = 0
  for (let turn = -warmUp; turn < turns; turn++)
    for (const person of people) {
      const { tookMs, prompt } = await ask(fleet, person, turn)
      if (turn < 0) continue
      times[person].push(tookMs)
      if (person === 'found' && prompt.includes('the crane at quay')) withMemory += 1
    }
  const [none, unfit, found] = people.map((person) => percentile(times[person], 50))
  return {
    turnMs: none,
    turnUnfitMs: round((unfit ?? 0) - (none ?? 0)),
    turnOverheadMs: round((found ?? 0) - (none ?? 0)),
    turnsWithMemory: round(withMemory / turns),
  }
}

async function fill({ runtime }: Fleet, person: Person): Promise<void> {
  const speaker = `web:${person}`
  for (let n = 0; n < records; n++) {
    const text =
      n < fitting ? `the crane at quay ${n} belongs to number ${n}` : `locker ${n} holds the ropes of berth ${n}`
    const at = { conversation: `web:told-${person}`, message: `m${n}` }
    await runtime.memory.write(`user:${speaker}`, remembered(text, at, { speaker, confirmedBy: speaker }))
  }
}

async function ask(fleet: Fleet, person: Person, turn: number): Promise<{ tookMs: number; prompt: string }> {
  let [atMs, prompt] = [0, '']
  fleet.model.decideBy(({ messages }) => {
    atMs ||= performance.now()
    prompt ||= JSON.stringify(messages)
    return { answer: { kind: 'text', text: 'Yes.' } }
  })
  const question = person === 'unfit' ? 'Why does paper burn so well?' : 'Why does the crane stand at the quay?'
  const startedMs = performance.now()
  await fleet.ask(question, { conversation: `web:${person}-${turn + warmUp}`, principal: `web:${person}` })
  return { tookMs: atMs - startedMs, prompt }
}
