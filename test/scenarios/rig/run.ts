// One run of a scenario: played to its end, and what came of it.
import { setTimeout as sleep } from 'node:timers/promises'
import { toTask } from '#shared/chat/address.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { compactTimer } from '#services/executor/state/features.ts'
import { createPerson, type Played } from './person.ts'
import type { Scenario } from './scenario.ts'
import type { Stand } from './stand.ts'
import { findKill, readSteps, type StoredStep } from './steps.ts'

export type Outcome = {
  /** What the bot shows at the end, with its buttons, oldest first; without what differs from run to run. */
  readonly said: readonly string[]
  /** What was done outside: each thing by its key, and how often it came. */
  readonly done: readonly Deed[]
  /** How often the model was asked what. */
  readonly asked: ReadonlyMap<string, number>
  readonly steps: readonly StoredStep[]
  readonly artifacts: number
  readonly records: number
  readonly timers: number
  /** That are open. */
  readonly questions: number
  readonly killedAtMs: number | undefined
  readonly tookMs: number
}

export type Deed = { readonly what: string; readonly key: string; readonly hits: number }

const quietLooks = 3
const settledWithinMs = 60_000

/** Plays it under this name, which says where it loses a process, or nothing of it. */
export async function playRun(
  stand: Stand,
  scenario: Scenario,
  run: string,
  onOpened: () => void = () => {},
): Promise<Outcome> {
  const conversation = `web:${run}`
  const direct = `${conversation}-direct`
  const person = createPerson(stand, run)
  const startedAtMs = Date.now()
  await scenario.opening?.play(person)
  onOpened()
  await scenario.play(person)
  const task = toTask(conversation, 1)
  await settle(stand, [conversation, direct, task])
  const steps = [conversation, direct].flatMap((one) => readSteps(stand.stepsFolder, one))
  return {
    said: await readSaid(stand, person, run),
    done: countDone(stand, run),
    asked: stand.model.askedIn(run),
    steps: steps.toSorted((a, b) => a.at - b.at),
    artifacts: (await Promise.all([conversation, task].map((one) => stand.kernel.listArtifacts(one)))).flat().length,
    records: await countKept(stand, 'tr', conversation),
    timers: await countKept(stand, 't', conversation),
    questions: (await countKept(stand, 'cards', conversation)) + (await countKept(stand, 'cards', direct)),
    killedAtMs: findKill(stand.stepsFolder, conversation),
    tookMs: Date.now() - startedAtMs,
  }
}

function countDone(stand: Stand, run: string): readonly Deed[] {
  const deeds = new Map<string, Deed>()
  for (const { tool, what, key } of stand.world.doneFor(run)) {
    const known = deeds.get(key)
    deeds.set(key, { what: toCommon(stand, `${tool} ${what}`, run), key, hits: (known?.hits ?? 0) + 1 })
  }
  return [...deeds.values()]
}

const toCommon = ({ world }: Stand, text: string, run: string): string =>
  text
    .replaceAll(run, 'RUN')
    .replaceAll(`127.0.0.1:${world.port}`, 'WORLD')
    .replaceAll(/\b\d\d:\d\d\b/g, 'TIME')
    // What was asked again has its cost.
    .replaceAll(/[\d,]+ tokens so far/g, 'TOKENS so far')

async function readSaid(stand: Stand, person: Played, run: string): Promise<readonly string[]> {
  const seen = await person.said()
  return seen.map(({ text, buttons }) =>
    toCommon(stand, [text, ...buttons.flat().map(({ label }) => `[${label}]`)].join(' '), run),
  )
}

/** Waits until nobody works on the conversations, and nothing waits in them but timers other than the one by which they are summed up. */
async function settle(stand: Stand, conversations: readonly string[]): Promise<void> {
  let quiet = 0
  for (const endMs = Date.now() + settledWithinMs; quiet < quietLooks; await sleep(60)) {
    if (Date.now() > endMs) throw new Error(`${conversations[0]} does not come to rest.`)
    const busy = await Promise.all(conversations.map((conversation) => isBusy(stand, conversation)))
    quiet = busy.includes(true) ? 0 : quiet + 1
  }
}

async function isBusy({ redis, kernel }: Stand, conversation: string): Promise<boolean> {
  const prefix = partitionPrefix(toPartition(conversation))
  const [isHeld, isCrowded, letters, [seq, routed], waiting] = await Promise.all([
    redis.admin.exists(`${prefix}lease:${conversation}`),
    redis.admin.hexists(`${prefix}t:${conversation}`, compactTimer),
    redis.admin.hlen(`${prefix}l:${conversation}`),
    // What is stored and not routed yet, as after a kill between the two, is to come.
    redis.admin.hmget(`${prefix}c:${conversation}`, 'seq', 'routed'),
    kernel.pending(conversation, 0),
  ])
  return isHeld + isCrowded + letters > 0 || seq !== routed || waiting.events.length > 0
}

/** How much is kept in a hash of the conversation: `tr` the records of its work, `t` what its timers will say, `cards` its open questions. */
const countKept = async ({ redis }: Stand, kind: 'tr' | 't' | 'cards', conversation: string): Promise<number> =>
  await redis.admin.hlen(`${partitionPrefix(toPartition(conversation))}${kind}:${conversation}`)
