// Loads the Lua units and calls them. Each is safe to repeat, so a call whose reply was lost is made again until `patienceMs` is over.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createReadyWait } from './ready-wait.ts'
import { toStoreFailure } from './store-failure.ts'
import { toUnitText } from './unit-text.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'

const asking = ['timers/units/timers', 'questions/units/questions'] as const
const answering = [...asking, 'questions/units/answers'] as const
const writing = 'letters/units/letters'
const recording = 'records/units/records'
const working = 'records/units/jobs'
const keeping = 'artifacts/units/artifacts'
const remembering = 'memory/units/memory'
const graphing = [remembering, 'memory/units/graph'] as const
const parts = {
  ingest: ['prelude', 'shown/units/erased', 'ingest'],
  halt: ['prelude', 'halt'],
  inbox: ['prelude', 'inbox'],
  route: ['prelude', ...answering, recording, 'route'],
  claim: ['prelude', 'claim'],
  renew: ['prelude', 'renew'],
  pending: ['prelude', 'pending'],
  append: ['prelude', ...asking, writing, recording, keeping, 'append'],
  release: ['prelude', 'release'],
  disown: ['prelude', 'disown'],
  excuse: ['prelude', 'excuse'],
  leave: ['prelude', 'leave'],
  draft: ['prelude', 'draft'],
  begin: ['prelude', ...asking, recording, 'delivery', 'begin'],
  settle: ['prelude', ...asking, recording, 'delivery', 'settle'],
  promote: ['prelude', ...asking, recording, 'delivery', 'promote'],
  resolve: ['prelude', ...answering, 'questions/units/resolve'],
  cards: ['prelude', 'questions/units/cards'],
  due: ['prelude', 'due'],
  fire: ['prelude', ...asking, 'timers/units/fire'],
  giveOut: ['prelude', writing, 'letters/units/give-out'],
  receive: ['prelude', 'shown/units/erased', 'letters/units/receive'],
  acknowledge: ['prelude', writing, 'letters/units/acknowledge'],
  giveUp: ['prelude', recording, 'records/units/give-up'],
  blank: ['prelude', recording, 'records/units/blank'],
  start: ['prelude', 'records/units/start'],
  pass: ['prelude', writing, working, 'records/units/pass'],
  addJob: ['prelude', working, 'records/units/add-job'],
  takeJobs: ['prelude', working, 'records/units/take-jobs'],
  beginJob: ['prelude', working, 'records/units/begin-job'],
  moveJob: ['prelude', working, 'records/units/move-job'],
  endJob: ['prelude', writing, working, 'records/units/end-job'],
  archive: ['prelude', recording, 'records/units/orphans', 'archive'],
  park: ['prelude', 'park'],
  replay: ['prelude', 'replay'],
  repair: ['prelude', 'repair'],
  artifacts: ['prelude', keeping, 'artifacts/units/read'],
  readOut: ['prelude', 'shown/units/read-out'],
  forget: ['prelude', ...asking, recording, keeping, 'shown/units/forget'],
  erase: ['prelude', 'shown/units/erased', recording, 'shown/units/erase'],
  gate: ['fleet/units/permits', 'fleet/units/gate'],
  enter: ['fleet/units/permits', 'fleet/units/enter'],
  refuse: ['fleet/units/permits', 'fleet/units/refuse'],
  lease: ['fleet/units/lease'],
  live: ['fleet/units/live'],
  chats: ['fleet/units/chats'],
  people: ['fleet/units/people'],
  send: ['fleet/units/send'],
  gateway: ['fleet/units/gateway'],
  app: ['fleet/units/app'],
  note: ['fleet/units/note'],
  memoryWrite: ['prelude', remembering, 'memory/units/write'],
  memoryChange: ['prelude', remembering, 'memory/units/change'],
  memoryDrop: ['prelude', ...graphing, 'memory/units/drop'],
  memoryUse: ['prelude', remembering, 'memory/units/use'],
  memoryFade: ['prelude', remembering, 'memory/units/fade'],
  memoryRead: ['prelude', remembering, 'memory/units/recall'],
  memoryPoint: ['prelude', 'memory/units/point'],
  memoryUnpoint: ['prelude', 'memory/units/unpoint'],
  memoryPointers: ['prelude', 'memory/units/pointers'],
  memoryLog: ['prelude', 'memory/units/log'],
  graphWrite: ['prelude', ...graphing, 'memory/units/graph-write'],
  graphWalk: ['prelude', ...graphing, 'memory/units/graph-walk'],
  graphConfirm: ['prelude', ...graphing, 'memory/units/graph-confirm'],
  graphSweep: ['prelude', ...graphing, 'memory/units/graph-sweep'],
  graphNote: ['prelude', 'memory/units/graph-note'],
  graphClaim: ['prelude', 'memory/units/graph-claim'],
} as const
export type UnitName = keyof typeof parts

/**
 * Of all units only this one takes in what nobody waits for yet. The others run also while Redis is at its `maxmemory`: whatever makes
 * room writes a little first, so that refusing them would keep the memory full for ever.
 */
const refusedWhenFull: UnitName = 'ingest'
const runsWhenFull = '#!lua flags=allow-oom\n'

/** A conversation's units belong to the kernel; those of the fleet, and of what web and console show, name their folder. */
const toFile = (part: string): URL =>
  new URL(part.includes('/') ? `./${part}.lua` : `./kernel/units/${part}.lua`, import.meta.url)

/** Calls one unit. `key` names the slot. Throws BotError `store-unavailable` or `store-corrupt`. */
export type CallUnit = (name: UnitName, key: string, args: readonly (string | number)[]) => Promise<unknown>

/** Calls a unit of a conversation, and parks it when its keys are corrupt. */
export type CallOf = <T>(
  name: UnitName,
  conversation: ConversationId,
  args: readonly (string | number)[],
  read: (answer: readonly unknown[]) => T,
) => Promise<T>

/** What running scripts needs of a connection. */
export type ScriptClient = {
  evalsha(sha: string, keys: number, ...args: (string | number)[]): Promise<unknown>
  eval(script: string, keys: number, ...args: (string | number)[]): Promise<unknown>
  /** Where known: `ready` when commands can be sent, and an event of that name when they can again. */
  readonly status?: string
  once?(event: 'ready', listener: () => void): unknown
}

export type UnitOptions = {
  /** How long a call goes on trying while Redis is away, ms. Webhooks keep it short, so that the platform redelivers. */
  readonly patienceMs: number
  readonly signal?: AbortSignal
}

type Script = { readonly text: string; readonly sha: string }

/** All are read when this is loaded: a process that runs while its files are replaced goes on with its own. */
const texts = new Map<string, string>(
  [...new Set(Object.values(parts).flat())].map((part) => [part, readFileSync(toFile(part), 'utf8')]),
)

function makeScript(name: string, files: readonly string[]): Script {
  const own = files.map((part) => texts.get(part) ?? '')
  const code = toUnitText(own.slice(0, -1).join('\n'), own.at(-1) ?? '')
  const text = name === refusedWhenFull ? code : runsWhenFull + code
  return { text, sha: createHash('sha1').update(text).digest('hex') }
}

/** Made when they are first called: a process calls some of them, and all its connections the same ones. */
const made = new Map<UnitName, Script>()

function toScript(name: UnitName): Script {
  const script = made.get(name) ?? makeScript(name, parts[name])
  made.set(name, script)
  return script
}

/** The name of each unit, by the SHA-1 of its script. */
export const listUnits = (): ReadonlyMap<string, string> =>
  new Map(Object.entries(parts).map(([name, files]) => [makeScript(name, files).sha, name]))

export function createUnits(redis: ScriptClient, options: UnitOptions): CallUnit {
  const waitForReady = createReadyWait(redis)
  return async (name, key, args) => {
    const script = toScript(name)
    const until = performance.now() + options.patienceMs
    for (let attempt = 1; ; attempt++) {
      try {
        return await run(redis, script, key, args)
      } catch (error) {
        const failure = toStoreFailure(error, `the unit "${name}"`)
        const waitMs = Math.min(50 * 2 ** Math.min(attempt, 5), 1000)
        if (failure.retry === 'never' || performance.now() + waitMs > until || options.signal?.aborted) throw failure
        await (waitForReady(until - performance.now()) ?? sleep(waitMs))
      }
    }
  }
}

async function run(
  redis: ScriptClient,
  script: { text: string; sha: string },
  key: string,
  args: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await redis.evalsha(script.sha, 1, key, ...args)
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('NOSCRIPT'))
      return await redis.eval(script.text, 1, key, ...args)
    throw error
  }
}
