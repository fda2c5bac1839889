// The whiteboard of a task (seed 004 §1.1): its ten core fields, and keys that last for one loop. Each function gives a new one. A model writes on it,
// so keys, values and sizes are checked. Pure.
import { z } from 'zod'
import { taskStates, type TaskState } from './states.ts'

const mostKeys = 20
const maxValueChars = 8000
/** Of the whole as JSON: it is kept as one text. */
const maxBoardChars = 60_000
const maxLevels = 8
const snapshotChars = 6000

const json = z.json()
export type Json = z.infer<typeof json>
const object = z.record(z.string(), json)
const list = z.array(json)
const core = z.object({
  task_specification: object,
  execution_plan: object,
  current_state: z.enum(taskStates),
  loop_counter: z.number().int().nonnegative(),
  completed_subtasks: list,
  pending_subtasks: list,
  intermediate_results: object,
  content_registry: list,
  checkpoint_data: object,
  /** What may be worth remembering for good (§2.2). */
  qmd_candidates: z.array(
    z
      .looseObject({
        content: z.string(),
        source: z.string(),
        fact_checked: z.boolean(),
        confidence_score: z.number().min(0).max(1),
        verification_status: z.string(),
      })
      .catchall(json),
  ),
})
type Core = z.infer<typeof core>
export type Whiteboard = Core & { readonly [key: string]: Json }

const fresh: Core = {
  task_specification: {},
  execution_plan: {},
  current_state: 'INIT',
  loop_counter: 0,
  completed_subtasks: [],
  pending_subtasks: [],
  intermediate_results: {},
  content_registry: [],
  checkpoint_data: {},
  qmd_candidates: [],
}
type CoreKey = keyof Core
const isCoreKey = (key: string): key is CoreKey => Object.hasOwn(fresh, key)
/** The machine alone changes these (STATE-01, WB-04). */
const machineKeys: ReadonlySet<string> = new Set(['current_state', 'loop_counter'])

/** A name of letters, digits, `_`, `-` and dots that no object has by itself. */
const isKey = (key: string): boolean => /^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,39}$/u.test(key) && !(key in {})

/** Whatever was stored: what is missing or has a wrong shape is as in a fresh one, and keys that it may not have are dropped. */
export function readWhiteboard(unchecked: unknown): Whiteboard {
  const given = z.record(z.string(), z.unknown()).catch({}).parse(unchecked)
  let board: Whiteboard = fresh
  for (const [key, value] of Object.entries(given)) {
    const changed = set(board, key, value)
    if (changed.kind === 'updated') board = changed.board
  }
  return board
}

export type Updated =
  | { readonly kind: 'updated'; readonly board: Whiteboard }
  /** A sentence for the model. */
  | { readonly kind: 'refused'; readonly problem: string }

/** For the model: `current_state` and `loop_counter` are refused. A core field keeps its shape; null takes another key away. */
export const update = (board: Whiteboard, key: string, value: unknown): Updated =>
  machineKeys.has(key) ? refused(`"${key}" follows the task and is not written.`) : set(board, key, value)

export const get = (board: Whiteboard, key: string): Json | undefined =>
  Object.hasOwn(board, key) ? board[key] : undefined

export const withState = (board: Whiteboard, state: TaskState): Whiteboard => ({ ...board, current_state: state })

/** WB-04. */
export const loopStart = (board: Whiteboard): Whiteboard => ({ ...board, loop_counter: board.loop_counter + 1 })

function set(board: Whiteboard, key: string, value: unknown): Updated {
  if (!isKey(key)) return refused('A key has at most 40 letters, digits, "_", "-" and ".".')
  if (!isPlain(value, maxLevels)) return refused(`"${key}" is to be plain JSON of at most ${maxLevels} levels.`)
  const chars = JSON.stringify(value).length
  if (chars > maxValueChars)
    return refused(`"${key}" has ${chars} characters; at most ${maxValueChars}. Shorten it, or write a file.`)
  if (isCoreKey(key)) {
    const read = core.shape[key].safeParse(value)
    if (!read.success) return refused(`"${key}" is ${toShape(key)}.`)
    return bounded({ ...board, [key]: read.data })
  }
  if (value === null) {
    const { [key]: _, ...rest } = board
    return bounded(rest)
  }
  return bounded({ ...board, [key]: value })
}

function toShape(key: CoreKey): string {
  if (key === 'qmd_candidates')
    return 'a list of objects with content, source, fact_checked, confidence_score (0 to 1) and verification_status'
  return Array.isArray(fresh[key]) ? 'a list' : typeof fresh[key] === 'object' ? 'an object' : 'no such value'
}

function bounded(found: Readonly<Record<string, Json>>): Updated {
  const board: Whiteboard = { ...fresh, ...found }
  const more = Object.keys(board).length - Object.keys(fresh).length
  if (more > mostKeys) return refused(`There are ${mostKeys} keys of its own already. Take one away by null.`)
  if (JSON.stringify(board).length > maxBoardChars)
    return refused(`The whiteboard is full: at most ${maxBoardChars} characters.`)
  return { kind: 'updated', board }
}

const refused = (problem: string): Updated => ({ kind: 'refused', problem })

function isPlain(value: unknown, levels: number): value is Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || levels === 0) return false
  if (Array.isArray(value)) return value.every((one) => isPlain(one, levels - 1))
  return Object.entries(value).every(([name, one]) => !(name in {}) && name.length <= 200 && isPlain(one, levels - 1))
}

/** `preserveCore`: only the other keys go, as after every loop; else all begins anew. */
export function clear(board: Whiteboard, { preserveCore }: { readonly preserveCore: boolean }): Whiteboard {
  return preserveCore ? { ...fresh, ...core.parse(board) } : fresh
}

const keptAtEnd = ['key_decisions', 'risk_warnings'] as const
/** Names of what a loop made in full. */
const details = /^(?:full_)?(?:outputs?|content|results?|tool_calls?|raw|temp(?:orary)?)$/
const detailChars = 300

/** WB-05: keeps progress, decisions and risks (moved to `checkpoint_data`), and drops full outputs, tool calls and what was temporary. */
export function loopEnd(board: Whiteboard): Whiteboard {
  const kept = keptAtEnd.flatMap((key): [string, Json][] => {
    const found = get(board, key) ?? board.intermediate_results[key] ?? board.checkpoint_data[key]
    return found === undefined ? [] : [[key, found]]
  })
  // They stand first, so that they are the last to go where it is too much.
  const checkpoint = { ...Object.fromEntries(kept), ...board.checkpoint_data, ...Object.fromEntries(kept) }
  return {
    ...clear(board, { preserveCore: true }),
    intermediate_results: {},
    completed_subtasks: board.completed_subtasks.map(toOutline),
    content_registry: board.content_registry.map(toOutline),
    checkpoint_data: object.parse(shorten(checkpoint, maxValueChars)),
  }
}

function toOutline(value: Json): Json {
  if (typeof value === 'string')
    return value.length > detailChars ? `${value.slice(0, detailChars).toWellFormed()}…` : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(toOutline)
  const entries = Object.entries(value).filter(([name]) => !details.test(name))
  return Object.fromEntries(entries.map(([name, one]) => [name, toOutline(one)]))
}

/** What gives way first when a snapshot is too long. Keys that are not of the core go before all. */
const order: readonly CoreKey[] = [
  'intermediate_results',
  'content_registry',
  'qmd_candidates',
  'completed_subtasks',
  'execution_plan',
  'checkpoint_data',
  'pending_subtasks',
  'task_specification',
]
/** So many characters are left of each, one round after the other. */
const rounds = [1500, 500, 120, 20]

/** JSON of at most so many characters, never cut inside: fields become shorter, the least needed first. */
export function snapshot(board: Whiteboard, maxChars = snapshotChars): string {
  const shown = new Map<string, Json>(Object.entries(board))
  const toText = (): string => JSON.stringify(Object.fromEntries(shown))
  const others = [...shown.keys()].filter((key) => !isCoreKey(key))
  for (const left of rounds)
    for (const key of [...others, ...order]) {
      const text = toText()
      if (text.length <= maxChars) return text
      const value = shown.get(key)
      if (value !== undefined) shown.set(key, shorten(value, left))
    }
  for (const key of others) shown.delete(key)
  return toText()
}

/** The value with at most so many characters as JSON, 20 or more. Of a list the newest stay, of an object the first. */
function shorten(value: Json, maxChars: number): Json {
  if (JSON.stringify(value).length <= maxChars) return value
  if (typeof value === 'string') {
    // What JSON writes with more signs takes more room.
    let cut = value.slice(0, Math.max(0, maxChars - 3)).toWellFormed()
    while (cut !== '' && JSON.stringify(cut).length > maxChars - 1)
      cut = cut.slice(0, Math.floor(cut.length * 0.8)).toWellFormed()
    return `${cut}…`
  }
  if (typeof value !== 'object' || value === null) return value
  const isArray = Array.isArray(value)
  const all: readonly (readonly [string, Json])[] = isArray
    ? value.map((one) => ['', one] as const).toReversed()
    : Object.entries(value)
  const kept: (readonly [string, Json])[] = []
  let room = maxChars - 20
  for (const [name, one] of all) {
    const piece = shorten(one, Math.max(20, Math.floor(room / 3)))
    room -= JSON.stringify(piece).length + (isArray ? 1 : JSON.stringify(name).length + 2)
    if (room < 0) break
    kept.push([name, piece])
  }
  const missing = all.length - kept.length
  const note = missing > 0 ? `… ${missing} more` : undefined
  if (isArray) return [...(note ? [note] : []), ...kept.map(([, one]) => one).toReversed()]
  return Object.fromEntries([...kept, ...(note ? [['…', missing] as const] : [])])
}
