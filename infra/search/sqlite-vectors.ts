// Vectors of the SQLite index. The nearest are found by looking at all of a scope, a page at a time, so that the loop is never held for long.
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import type { DocumentVector } from '#services/memory/search/document.ts'
import type { NearEntry, Sought } from '#services/memory/search/engine.ts'
import type { SqliteFile } from './sqlite-file.ts'
import { findScope, prepare } from './sqlite-statements.ts'
import { parseEntry } from './stored-entry.ts'
import { fromBytes, toBytes, toCosine } from './vector-bytes.ts'

export type VectorPlace = { readonly scope: number; readonly id: string }

export function putVector(database: DatabaseSync, { scope, id }: VectorPlace, vector: DocumentVector): void {
  const put = prepare(database, 'INSERT OR REPLACE INTO vectors (scope, id, model, mark, bytes) VALUES (?, ?, ?, ?, ?)')
  put.run(scope, JSON.stringify(id), vector.model, vector.mark, toBytes(vector.values))
}

export function removeVector(database: DatabaseSync, { scope, id }: VectorPlace): void {
  prepare(database, 'DELETE FROM vectors WHERE scope = ? AND id = ?').run(scope, JSON.stringify(id))
}

const bytesRow = z.object({ bytes: z.instanceof(Uint8Array) })

export function readVectors(database: DatabaseSync, marks: readonly string[]): ReadonlyMap<string, Float32Array> {
  const one = prepare(database, 'SELECT bytes FROM vectors WHERE mark = ? LIMIT 1')
  return new Map(
    marks.flatMap((mark) => {
      const row = one.get(mark)
      return row === undefined ? [] : [[mark, fromBytes(bytesRow.parse(row).bytes)] as const]
    }),
  )
}

const pageSize = 250
const pageSql = `SELECT id, mark, bytes FROM vectors
  WHERE scope = ? AND id > ? AND model = ? AND length(bytes) = ? ORDER BY id LIMIT ${pageSize}`

type Near = { readonly scope: number; readonly id: string; readonly mark: string; readonly cosine: number }

export async function findNearest(
  file: Pick<SqliteFile, 'read'>,
  sought: Sought,
  signal: AbortSignal,
): Promise<readonly NearEntry[]> {
  let best: readonly Near[] = []
  for (const scope of sought.scopes) {
    for (let after: string | undefined = ''; after !== undefined; await nextTurn()) {
      const from: string = after
      const page = await file.read((database) => readPage(database, sought, { scope, after: from }), signal)
      best = [...best, ...page].toSorted((a, b) => b.cosine - a.cosine).slice(0, sought.most)
      after = page.length === pageSize ? page.at(-1)?.id : undefined
    }
  }
  return await file.read((database) => best.flatMap((one) => readEntry(database, one)), signal)
}

function readPage(
  database: DatabaseSync,
  { model, values }: Sought,
  { scope, after }: { readonly scope: string; readonly after: string },
): readonly Near[] {
  const number = findScope(database, scope)?.number
  if (number === undefined) return []
  const rows = prepare(database, pageSql).all(number, after, model, values.length)
  return rows.map(({ id, mark, bytes }) => ({
    scope: number,
    id: String(id),
    mark: String(mark),
    cosine: bytes instanceof Uint8Array ? toCosine(values, bytes) : 0,
  }))
}

const entryRow = z.object({ entry: z.string() })

function readEntry(database: DatabaseSync, { scope, id, mark, cosine }: Near): readonly NearEntry[] {
  const row = prepare(database, 'SELECT entry FROM entries WHERE scope = ? AND id = ?').get(scope, id)
  return row === undefined ? [] : [{ entry: parseEntry(entryRow.parse(row).entry), mark, cosine }]
}
