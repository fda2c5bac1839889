// Nobody takes the hints of a queue for a minute, under load: its workers were killed, or ended in order with work in their hands.
// What waits in every queue stays bounded by the conversations with work, and whoever comes back serves what has been due longest first.
import { hintPayload } from '#queues/jobs/hints.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import type { Asked } from '#test/faults/rig/transcripts.ts'

type Kind = 'router' | 'executor' | 'telegram'
type How = {
  readonly kind: Kind
  readonly gone: 'killed' | 'ended'
  readonly awayMs: number
  readonly inFlight: number
}

/** Work that became due within so short a time may be served in any order. */
const sameTimeMs = 700
const queues = ['inbound', 'execute', 'outbound-telegram'] as const

export const noWorker: readonly Scenario[] = (['router', 'executor', 'telegram'] as const).flatMap((kind) =>
  (['killed', 'ended'] as const).map((gone) => ({
    name: `no-${kind}-${gone}`,
    rows: ['no worker'],
    run: (note) => takeAway({ kind, gone, awayMs: 60_000, inFlight: 40 }, note),
  })),
)

export const noWorkerQuick: Scenario = {
  name: 'no-executor-quick',
  rows: ['no worker'],
  run: (note) => takeAway({ kind: 'executor', gone: 'killed', awayMs: 4000, inFlight: 10 }, note),
}

async function takeAway({ kind, gone, awayMs, inFlight }: How, note: (line: string) => void): Promise<void> {
  await using fleet = await startFleet({ telegram: true })
  const roles = ['router', 'executor', 'telegram'] as const
  const children = new Map(await Promise.all(roles.map(async (role) => [role, await fleet.start(role)] as const)))
  const victim = children.get(kind)
  assert(victim !== undefined, `no ${kind} was started`)
  // Executor and sender have work in their hands when they go: turns stand still at the model, and their drafts are shown.
  await fleet.model.script({ gate: { name: 'held', afterChunks: 1 } })
  const asked: Asked[] = []
  const half = inFlight / 2
  for (let n = 0; n < half; n++) asked.push(await fleet.ask(`held-${n}`, `what is held here?`))
  for (let n = 0; n < half; n++) asked.push(await fleet.askTelegram(900 + n, `what is held here?`))
  await fleet.model.asked(inFlight)
  if (gone === 'killed') await victim.kill()
  else assert((await victim.stop()) === 0, `the ${kind} did not end in order:\n${victim.tail()}`)
  await fleet.model.clearScript()
  await fleet.model.open('held')
  await fleet.pause(sameTimeMs)

  let most = 0
  const untilMs = Date.now() + awayMs
  for (let n = 0; Date.now() < untilMs; n++) {
    asked.push(await fleet.ask(n % 4 === 3 ? `held-${n % half}` : `more-${n}`, `what is more of it?`))
    await fleet.pause(250)
    const counts = await Promise.all(queues.map((queue) => count(fleet, queue)))
    const conversations = new Set(asked.map(({ conversation }) => conversation)).size
    most = Math.max(most, ...counts.map((jobs) => jobs / conversations))
    const told = queues.map((queue, i) => `${queue} ${counts[i]}`).join(', ')
    assert(Math.max(...counts) <= conversations * 2, `${told} jobs wait for ${conversations} conversations`)
  }
  const before = (await fleet.model.counters()).requests
  const open = [...fleet.talk.open].flatMap((id) => fleet.talk.asked.get(id) ?? [])
  if (kind === 'executor') await untilHinted(fleet, open)
  const dueAt = kind === 'executor' ? await readDueTimes(fleet, open) : undefined
  // One thing at a time, so that the order shows.
  await fleet.start(kind, { FLOTILLA_EXECUTOR_CONCURRENCY: '1' })
  await fleet.answered(60_000)
  if (dueAt) await expectOrder(fleet, { open, dueAt }, before)
  await expectInvariants(fleet, { extraModelCalls: kind === 'executor' ? inFlight : 0 })
  note(
    `${kind} ${gone} for ${awayMs} ms: at most ${most.toFixed(2)} jobs a conversation waited in a queue; ` +
      `${open.length} of ${asked.length} were open and answered on its return`,
  )
}

/** What an executor had in its hands is hinted anew by the sweeper, which needs a moment on a busy machine. */
async function untilHinted(fleet: Fleet, open: readonly Asked[]): Promise<void> {
  const wanted = new Set(open.map(({ conversation }) => conversation))
  for (const untilMs = Date.now() + 20_000; ; await fleet.pause(200)) {
    const found = await hinted(fleet, 'execute')
    const without = [...wanted].filter((conversation) => !found.has(conversation))
    if (without.length === 0) return
    assert(Date.now() < untilMs, `nobody hinted ${without.join(', ')}`)
  }
}

/** Conversations that a queue has a hint for. */
async function hinted({ redis: { admin } }: Fleet, queue: (typeof queues)[number]): Promise<ReadonlySet<string>> {
  const key = `fl:{${queue}}:${queue}`
  const jobs = await admin.lrange(`${key}:wait`, 0, -1)
  const stored = await Promise.all(jobs.map((id) => admin.hget(`${key}:${id}`, 'data')))
  const payloads = stored.map((data) => hintPayload.parse(JSON.parse(data ?? '')))
  return new Set(payloads.flatMap(({ conversation, also = [] }) => [conversation, ...also]))
}

async function count({ redis: { admin } }: Fleet, queue: (typeof queues)[number]): Promise<number> {
  const key = `fl:{${queue}}:${queue}`
  const counts = await Promise.all([
    admin.llen(`${key}:wait`),
    admin.zcard(`${key}:delayed`),
    admin.zcard(`${key}:prioritized`),
  ])
  return counts.reduce((sum, one) => sum + one, 0)
}

/** Since when each conversation has had work for an executor, by Redis' clock, ms: a busy router may write that later than it was asked. */
async function readDueTimes({ redis: { admin } }: Fleet, open: readonly Asked[]): Promise<ReadonlyMap<string, number>> {
  const times = open.map(async ({ conversation }) => {
    const key = partitionPrefix(toPartition(conversation))
    const [late, wake] = await Promise.all(
      ['late', 'wake'].map((name) => admin.zscore(key + name, `run:${conversation}`)),
    )
    const time = late ?? wake
    assert(time !== undefined && time !== null, `${conversation} has no work`)
    return [conversation, Number(time)] as const
  })
  return new Map(await Promise.all(times))
}

type Waiting = { readonly open: readonly Asked[]; readonly dueAt: ReadonlyMap<string, number> }

/** A conversation is served when the turn of its oldest work has come, with all that waits in it. */
async function expectOrder(fleet: Fleet, { open, dueAt }: Waiting, from: number): Promise<void> {
  const { entries } = await fleet.model.asked()
  const prompts = entries.slice(from).map(({ messages }) => JSON.stringify(messages))
  const firsts = new Map<string, Asked>()
  for (const one of open.toSorted((a, b) => a.atMs - b.atMs))
    if (!firsts.has(one.conversation)) firsts.set(one.conversation, one)
  const served = [...firsts.values()].map(({ conversation, text }) => ({
    conversation,
    dueAtMs: dueAt.get(conversation) ?? 0,
    place: prompts.findIndex((prompt) => prompt.includes(text)),
  }))
  const never = served.filter(({ place }) => place < 0)
  assert(never.length === 0, `${never.length} conversations were never served`)
  const early = served.filter((one) =>
    served.some((other) => other.dueAtMs < one.dueAtMs - sameTimeMs && other.place > one.place),
  )
  const told = served.toSorted((a, b) => a.dueAtMs - b.dueAtMs).map(({ place, dueAtMs }) => `${place} (${dueAtMs})`)
  assert(early.length === 0, `${early.length} conversations were served before older ones: ${told.join(', ')}`)
}
