// One run of a scenario: played to its end, and what came of it.
import { setTimeout as sleep } from 'node:timers/promises'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { compactTimer } from '#services/executor/state/features.ts'
import { createPerson, type Played } from './person.ts'
import type { Scenario } from './scenario.ts'
import type { Stand } from './stand.ts'
import { readSteps, toRunName, wasKilled, type KillPoint, type StoredStep } from './steps.ts'

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
  readonly isKilled: boolean
  readonly tookMs: number
}

export type Deed = { readonly what: string; readonly key: string; readonly hits: number }

const quietLooks = 3
const settledWithinMs = 60_000

export async function playRun(stand: Stand, scenario: Scenario, point: KillPoint): Promise<Outcome> {
  const run = toRunName(scenario.name, point)
  const conversation = `web:${run}`
  const person = createPerson(stand, run)
  const startedAtMs = Date.now()
  await scenario.play(person)
  await settle(stand, conversation)
  return {
    said: await readSaid(person, run),
    done: countDone(stand, run),
    asked: stand.model.askedIn(run),
    steps: readSteps(stand.stepsFolder, conversation),
    artifacts: (await stand.kernel.listArtifacts(conversation)).length,
    records: await countKept(stand, 'tr', conversation),
    timers: await countKept(stand, 't', conversation),
    isKilled: wasKilled(stand.stepsFolder, conversation),
    tookMs: Date.now() - startedAtMs,
  }
}

function countDone(stand: Stand, run: string): readonly Deed[] {
  const deeds = new Map<string, Deed>()
  for (const { tool, what, key } of stand.world.doneFor(run)) {
    const known = deeds.get(key)
    deeds.set(key, { what: toCommon(`${tool} ${what}`, run), key, hits: (known?.hits ?? 0) + 1 })
  }
  return [...deeds.values()]
}

const toCommon = (text: string, run: string): string => text.replaceAll(run, 'RUN').replaceAll(/\b\d\d:\d\d\b/g, 'TIME')

async function readSaid(person: Played, run: string): Promise<readonly string[]> {
  const seen = await person.said()
  return seen.map(({ text, buttons }) =>
    toCommon([text, ...buttons.flat().map(({ label }) => `[${label}]`)].join(' '), run),
  )
}

/** Waits until nobody works on the conversation, and nothing waits in it but timers other than the one by which it is summed up. */
async function settle(stand: Stand, conversation: string): Promise<void> {
  const prefix = partitionPrefix(toPartition(conversation))
  const lease = `${prefix}lease:${conversation}`
  let quiet = 0
  for (const endMs = Date.now() + settledWithinMs; quiet < quietLooks; await sleep(60)) {
    if (Date.now() > endMs) throw new Error(`${conversation} does not come to rest.`)
    const [isHeld, isCrowded, waiting] = await Promise.all([
      stand.redis.admin.exists(lease),
      stand.redis.admin.hexists(`${prefix}t:${conversation}`, compactTimer),
      stand.kernel.pending(conversation, 0),
    ])
    quiet = isHeld + isCrowded === 0 && waiting.events.length === 0 ? quiet + 1 : 0
  }
}

/** How much is kept in a hash of the conversation: `tr` the records of its work, `t` what its timers will say. */
const countKept = async ({ redis }: Stand, kind: 'tr' | 't', conversation: string): Promise<number> =>
  await redis.admin.hlen(`${partitionPrefix(toPartition(conversation))}${kind}:${conversation}`)
