// What the server holds: indexes by name, tasks and keys. Routes read it at once; what changes it goes through a task.
import { ApiError, indexNotFound } from './api-error.ts'
import { createKeys, type Grant } from './keys.ts'
import { createDocumentStore, type DocumentStore } from './document-store.ts'
import { createTasks } from './tasks.ts'

export type World = ReturnType<typeof createWorld>

export function createWorld({ masterKey, batchMs }: { masterKey: string | undefined; batchMs: number }) {
  const indexes = new Map<string, DocumentStore>()
  return {
    indexes,
    keys: createKeys(masterKey),
    tasks: createTasks(batchMs),
    /** Throws 404. */
    find: (uid: string): DocumentStore => {
      const found = indexes.get(uid)
      if (!found) throw indexNotFound(uid)
      return found
    },
    create: (uid: string, primaryKey: string | null): DocumentStore => {
      if (indexes.has(uid)) throw new ApiError(409, 'index_already_exists', `Index \`${uid}\` already exists.`)
      const made = createDocumentStore(uid, primaryKey, new Date())
      indexes.set(uid, made)
      return made
    },
  }
}

/** Whoever asks, what they ask by, and what they sent. */
export type Call = {
  readonly world: World
  readonly grant: Grant
  /** The parts of the path in the place of `:` names. */
  readonly uid: string
  readonly id: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}

export type Answer = { readonly status: number; readonly body?: unknown }
