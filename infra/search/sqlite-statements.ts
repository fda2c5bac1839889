// Statements of the SQLite index that are made ready once, and its scopes by name.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { z } from 'zod'

const prepared = new WeakMap<DatabaseSync, Map<string, StatementSync>>()

/** Making a statement ready takes longer than most of them run. */
export function prepare(database: DatabaseSync, sql: string): StatementSync {
  const known = prepared.get(database) ?? new Map<string, StatementSync>()
  prepared.set(database, known)
  const statement = known.get(sql) ?? database.prepare(sql)
  known.set(sql, statement)
  return statement
}

const scopeRow = z.object({ number: z.number(), entries: z.number(), length: z.number() })
type ScopeRow = z.infer<typeof scopeRow>

export function findScope(database: DatabaseSync, scope: string): ScopeRow | undefined {
  const row = prepare(database, 'SELECT number, entries, length FROM scopes WHERE scope = ?').get(JSON.stringify(scope))
  return row === undefined ? undefined : scopeRow.parse(row)
}

export const findScopes = (database: DatabaseSync, scopes: readonly string[]): readonly ScopeRow[] =>
  scopes.flatMap((scope) => findScope(database, scope) ?? [])
