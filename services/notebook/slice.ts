// The notes of a conversation, each under a title of its own. Each goes with any of the messages that it comes from.
import { z } from 'zod'
import { toNormalForm } from '#shared/chat/normal-form.ts'
import { keptOf, ours, peek } from '#shared/feature/kept.ts'
import { storable, type Slice } from '#shared/feature/slice.ts'

export const mostTitleChars = 60
export const mostTextChars = 2000

const note = z.object({
  /** Counted in each conversation; the same as long as its title is. */
  id: z.number().int().positive(),
  /** For whom it was written last. */
  who: ours,
  said: keptOf(z.object({ title: z.string(), text: z.string() })),
})
export type Note = z.infer<typeof note>

const own = z.object({ last: z.number(), notes: z.array(note).readonly() })
export type Notes = z.infer<typeof own>

export type Change = { readonly write: Omit<Note, 'id'> } | { readonly drop: number }

export const slice: Slice<Notes, Change> = {
  schema: storable(own),
  fresh: { last: 0, notes: [] },
  fold,
  inNewSession: (all) => all,
  atRest: (all) => all,
  forget: (all, id) =>
    all.notes.some(({ said }) => said.about.includes(id))
      ? { ...all, notes: all.notes.filter(({ said }) => !said.about.includes(id)) }
      : all,
}

function fold(all: Notes, change: Change): Notes {
  if ('drop' in change) return { ...all, notes: all.notes.filter(({ id }) => id !== change.drop) }
  const before = findSame(all, change.write)
  if (!before) return { last: all.last + 1, notes: [...all.notes, { id: all.last + 1, ...change.write }] }
  const written = { id: before.id, ...change.write }
  return { ...all, notes: all.notes.map((one) => (one.id === before.id ? written : one)) }
}

const toKey = (title: string): string => toNormalForm(title, 'NFC').trim().toLowerCase()

/** Titles differ by more than capital letters. */
const findTitled = ({ notes }: Notes, title: string): Note | undefined =>
  notes.find(({ said }) => peek([said], ([one]) => one !== undefined && toKey(one.title) === toKey(title)))

/** The note that this one takes the place of. */
export const findSame = ({ notes }: Notes, { said: more }: Omit<Note, 'id'>): Note | undefined =>
  notes.find(({ said }) => peek([said, more], ([one, other]) => toKey(one?.title ?? '') === toKey(other?.title ?? '')))

/** By its number, or its title. */
export const findNote = (all: Notes, named: string): Note | undefined =>
  all.notes.find(({ id }) => String(id) === named.trim()) ?? findTitled(all, named)

const mostNotes = 20
const mostChars = 12_000
/** Below what a slice may have. Escapes and the ids of messages count here too. */
const mostStored = 15_000

/** Why there is no room for a note, in words for the model; undefined when there is. */
export function findFull(all: Notes, more: Omit<Note, 'id'>): string | undefined {
  const after = fold(all, { write: more })
  if (after.notes.length > mostNotes) return `there are ${mostNotes} notes already, and that is all there may be`
  const chars = peek(
    after.notes.map(({ said }) => said),
    (notes) => notes.reduce((sum, { title, text }) => sum + title.length + text.length, 0),
  )
  if (chars > mostChars) return `all notes together would have ${chars} characters, and may have ${mostChars}`
  return JSON.stringify(after).length > mostStored ? 'the notes would take more room than there is' : undefined
}
