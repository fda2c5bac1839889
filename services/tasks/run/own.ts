// What a task keeps of itself, beside its texts: how far it is, and what it waits for. No words but notes stand in it; the order, the plan, the files and
// what steps came to are texts kept whole beside it.
import { z } from 'zod'
import { keptOf, ours, toOurs } from '#shared/feature/kept.ts'
import { storable, type Slice } from '#shared/feature/slice.ts'
import { freshMachine, machine } from '#services/tasks/graph/states.ts'

/** How long a task's cards may be answered, ms from when they are shown. */
export const cardLivesMs = 30 * 86_400_000

/** What the turn is for that runs, or ended last. */
const phases = ['none', 'plan', 'step', 'result', 'undo'] as const
/**
 * How that turn ended. `waits`: a person is asked for an approval, or for what a tool needs; `taken`: what it came to stands in the plan; `again`: people want it
 * otherwise.
 */
export const outcomes = ['none', 'done', 'taken', 'again', 'failed', 'stopped', 'waits'] as const
export type Outcome = (typeof outcomes)[number]
/** What the task itself waits for. */
export const waits = ['nothing', 'start', 'checkpoint', 'words', 'undo', 'recovery'] as const

/** Of a note, characters. */
export const noteChars = 500
const mostNotes = 3
export const mostPoints = 24
const mostWrites = 20
const mostForks = 30
export const mostUndos = 10

/** In `since` while a step is done as people wanted it otherwise: they look at it again, however many steps lie between two looks. */
export const lookNow = 10_000

/** The newest notes and points that are kept. */
export const keepNotes = <T>(notes: readonly T[]): readonly T[] => notes.slice(-mostNotes)
/** The same with one more, which the step that runs was not told. */
export function withNote<T>(own: { readonly notes: readonly T[]; readonly noted: number }, note: T) {
  const notes = keepNotes([...own.notes, note])
  return { notes, noted: Math.max(0, own.noted - (own.notes.length + 1 - notes.length)) }
}
export const keepForks = <T>(forks: readonly T[]): readonly T[] => forks.slice(-mostForks)
export const keepWrites = <T>(writes: readonly T[]): readonly T[] => writes.slice(-mostWrites)

/** A state that can be gone back to: after so many steps, in this generation of the plan. */
const point = z.object({
  step: z.number().int().nonnegative(),
  generation: z.number().int(),
  /** The artifact of its workspace; '' for none. */
  tree: ours,
  /** How many turns had changed something outside by then. */
  writes: z.number().int().nonnegative(),
})
export type Point = z.infer<typeof point>

/** Changes outside of one turn: which text has them, and the places of those that a call takes back. */
const written = z.object({
  nth: z.number().int().nonnegative(),
  undoable: z.array(z.number().int().nonnegative()).max(8).readonly(),
  /** The places of those that were taken back. */
  undone: z.array(z.number().int().nonnegative()).max(8).readonly(),
})
/** A change outside that is to be taken back, if somebody wants that. */
const undoing = z.object({ nth: z.number().int(), place: z.number().int() })
export type Undoing = z.infer<typeof undoing>

/** A generation of the plan goes on from a step of an earlier one. */
const fork = z.object({
  generation: z.number().int(),
  from: z.number().int(),
  step: z.number().int().nonnegative(),
})

const own = z.object({
  /** The number of the task in its conversation; 0 before it has begun. */
  number: z.number().int().nonnegative(),
  /** Who ordered it. */
  asker: ours,
  /** The platform's group of chats that it was ordered in; '' for none. */
  server: ours,
  /** Others read what is said where it was ordered. */
  group: z.boolean(),
  machine,
  phase: z.enum(phases),
  /** The step that runs or ran last; '' for none. */
  node: ours,
  outcome: z.enum(outcomes),
  /** Why the last turn failed: its ending. */
  why: ours,
  waits: z.enum(waits),
  /** How often the same step, or the plan, was tried. */
  tries: z.number().int().nonnegative(),
  /** Turns so far. */
  loop: z.number().int().nonnegative(),
  generation: z.number().int().nonnegative(),
  tree: ours,
  /** People look at the work after so many steps; 0 for never. */
  every: z.number().int().nonnegative(),
  /** Steps done since they last did. */
  since: z.number().int().nonnegative(),
  /** The model marked the last step as one to be looked at. */
  isMarked: z.boolean(),
  /** What people said to the next step. */
  notes: z
    .array(keptOf(z.string().max(noteChars)))
    .max(mostNotes)
    .readonly(),
  /** As many of them, the oldest, the step that runs was told. */
  noted: z.number().int().nonnegative(),
  forks: z.array(fork).max(mostForks).readonly(),
  points: z.array(point).max(mostPoints).readonly(),
  /** How many turns have changed something outside, and the newest of them. */
  writing: z.number().int().nonnegative(),
  /** The first of its turns with changes outside that the step which runs has made, or an earlier try of it. */
  writingSince: z.number().int().nonnegative(),
  writes: z.array(written).max(mostWrites).readonly(),
  /** What a rollback offers to take back, the next one first, and who said so. */
  undos: z.array(undoing).max(mostUndos).readonly(),
  undoneBy: ours,
  /** How often it was given more time and tokens. */
  grants: z.number().int().nonnegative(),
  tokens: z.number().nonnegative(),
  workMs: z.number().nonnegative(),
  /** Edits of its card so far. */
  edits: z.number().int().nonnegative(),
  /** When it began, ms since 1970. */
  begunAt: z.number().nonnegative(),
})
export type TaskOwn = z.infer<typeof own>
/** The fields that change. */
export type TaskChange = Partial<TaskOwn>

const fresh: TaskOwn = {
  number: 0,
  asker: toOurs(''),
  server: toOurs(''),
  group: false,
  machine: freshMachine,
  phase: 'none',
  node: toOurs(''),
  outcome: 'none',
  why: toOurs(''),
  waits: 'nothing',
  tries: 0,
  loop: 0,
  generation: 0,
  tree: toOurs(''),
  every: 0,
  since: 0,
  isMarked: false,
  notes: [],
  noted: 0,
  forks: [],
  points: [],
  writing: 0,
  writingSince: 0,
  writes: [],
  undos: [],
  undoneBy: toOurs(''),
  grants: 1,
  tokens: 0,
  workMs: 0,
  edits: 0,
  begunAt: 0,
}

export const taskSlice: Slice<TaskOwn, TaskChange> = {
  schema: storable(own),
  fresh,
  fold: (before, change) => ({ ...before, ...change }),
  inNewSession: (same) => same,
  atRest: (same) => same,
  forget: (before, id) =>
    before.notes.some(({ about }) => about.includes(id))
      ? { ...before, notes: without(before.notes, id), noted: without(before.notes.slice(0, before.noted), id).length }
      : before,
}

const without = (notes: TaskOwn['notes'], id: string): TaskOwn['notes'] =>
  notes.filter(({ about }) => !about.includes(id))

export const change = (changed: TaskChange) => ({ kind: 'change', change: changed }) as const
