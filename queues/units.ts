// Loads the Lua units and calls them. Each is safe to repeat, so a call whose reply was lost is made again until `patienceMs` is over.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createReadyWait } from './ready-wait.ts'
import { toStoreFailure } from './store-failure.ts'
import { toUnitText } from './unit-text.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'

const common = ['prelude', 'mailbox'] as const
const asking = ['timers/units/timers', 'questions/units/questions'] as const
const answering = [...asking, 'questions/units/answers'] as const
const writing = 'letters/units/letters'
const recording = 'records/units/records'
const tasking = 'tasks/units/tasks'
const working = 'records/units/jobs'
const keeping = 'artifacts/units/artifacts'
const remembering = 'memory/units/memory'
const graphing = [remembering, 'memory/units/graph'] as const
const parts = {
  ingest: [...common, 'shown/units/erased', 'ingest'],
  halt: [...common, 'halt'],
  inbox: [...common, 'inbox'],
  route: [...common, ...answering, recording, 'route'],
  claim: [...common, 'claim'],
  renew: [...common, 'renew'],
  pending: [...common, 'pending'],
  append: [...common, ...asking, writing, recording, keeping, tasking, 'append'],
  release: [...common, 'release'],
  disown: [...common, 'disown'],
  excuse: [...common, 'excuse'],
  leave: [...common, 'leave'],
  draft: [...common, 'draft'],
  begin: [...common, ...asking, recording, 'delivery', 'begin'],
  settle: [...common, ...asking, recording, 'delivery', 'settle'],
  promote: [...common, ...asking, recording, 'delivery', 'promote'],
  resolve: [...common, ...answering, 'questions/units/resolve'],
  cards: [...common, 'questions/units/cards'],
  due: [...common, 'due'],
  fire: [...common, ...asking, 'timers/units/fire'],
  giveOut: [...common, writing, 'letters/units/give-out'],
  receive: [...common, 'shown/units/erased', 'letters/units/receive'],
  acknowledge: [...common, writing, 'letters/units/acknowledge'],
  giveUp: [...common, recording, 'records/units/give-up'],
  blank: [...common, recording, 'records/units/blank'],
  start: [...common, 'records/units/start'],
  pass: [...common, writing, working, 'records/units/pass'],
  addJob: [...common, working, 'records/units/add-job'],
  takeJobs: [...common, working, 'records/units/take-jobs'],
  beginJob: [...common, working, 'records/units/begin-job'],
  moveJob: [...common, working, 'records/units/move-job'],
  endJob: [...common, writing, working, 'records/units/end-job'],
  archive: [...common, recording, 'records/units/orphans', 'archive'],
  park: [...common, 'park'],
  replay: [...common, 'replay'],
  repair: [...common, 'repair'],
  artifacts: [...common, keeping, 'artifacts/units/read'],
  readOut: [...common, 'shown/units/read-out'],
  forget: [...common, ...asking, recording, keeping, tasking, 'shown/units/forget'],
  erase: [...common, 'shown/units/erased', recording, tasking, 'shown/units/erase'],
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
  desk: ['fleet/units/desk'],
  memoryWrite: [...common, remembering, 'memory/units/write'],
  memoryChange: [...common, remembering, 'memory/units/change'],
  memoryDrop: [...common, ...graphing, 'memory/units/drop'],
  memoryUse: [...common, remembering, 'memory/units/use'],
  memoryFade: [...common, remembering, 'memory/units/fade'],
  memoryRead: [...common, remembering, 'memory/units/recall'],
  memoryLead: [...common, remembering, 'memory/units/lead'],
  memoryBar: [...common, remembering, 'memory/units/bar'],
  memoryMove: [...common, remembering, 'memory/units/move'],
  memoryPoint: [...common, 'memory/units/point'],
  memoryUnpoint: [...common, 'memory/units/unpoint'],
  memoryPointers: [...common, 'memory/units/pointers'],
  memoryLog: [...common, 'memory/units/log'],
  graphWrite: [...common, ...graphing, 'memory/units/graph-write'],
  graphTake: [...common, ...graphing, 'memory/units/graph-take'],
  graphWalk: [...common, ...graphing, 'memory/units/graph-walk'],
  graphConfirm: [...common, ...graphing, 'memory/units/graph-confirm'],
  graphSweep: [...common, ...graphing, 'memory/units/graph-sweep'],
  graphNote: [...common, 'memory/units/graph-note'],
  graphClaim: [...common, 'memory/units/graph-claim'],
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
