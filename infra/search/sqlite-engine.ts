// The index of one machine: SQLite's FTS5, in one file. Nobody's text meets its query language: terms are made of tokens of `[a-z0-9]` alone.
import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import type { SearchDocument } from '#services/memory/search/document.ts'
import type { EntryKey, SearchEngine } from '#services/memory/search/engine.ts'
import { findScope, findScopes, prepare } from './sqlite-statements.ts'
import { openSqliteFile, type SqliteFileOptions } from './sqlite-file.ts'
import { parseEntry } from './stored-entry.ts'
import { findNearest, putVector, readVectors, removeVector } from './sqlite-vectors.ts'

export type SqliteEngine = SearchEngine & { close(): void }

/** See `openSqliteFile` for what it throws. */
export function openSqliteEngine(options: SqliteFileOptions): SqliteEngine {
  const file = openSqliteFile(options)
  return {
    put: async (documents) => await file.write((database) => putAll(database, documents)),
    async drop(keys) {
      await file.write((database) => dropAll(database, keys))
      await file.empty()
    },
    count: async (scopes, tokens, signal) =>
      await file.read((database) => countTokens(database, scopes, tokens), signal),
    readAll: async (scopes, most, signal) =>
      await file.read((database) => {
        const all = prepare(database, 'SELECT entry, tokens FROM entries WHERE scope = ? LIMIT ?')
        return findScopes(database, scopes)
          .flatMap(({ number }) => all.all(number, most).map(toDocument))
          .slice(0, most)
      }, signal),
    propose: async ({ scopes, weights, most }, signal) =>
      await file.read((database) => {
        const terms = findScopes(database, scopes).flatMap(({ number }) =>
          [...weights.keys()].map((token) => `"${toTerm(number, token)}"`),
        )
        if (terms.length === 0) return []
        return prepare(database, proposeSql).all(terms.join(' OR '), most).map(toDocument)
      }, signal),
    readPlaces: async (places, signal) =>
      await file.read((database) => {
        const one = prepare(
          database,
          'SELECT entry, tokens FROM entries WHERE scope = ? AND session = ? AND ordinal = ?',
        )
        return places.flatMap(({ scope, session, ordinals }) => {
          const number = findScope(database, scope)?.number
          if (number === undefined) return []
          return ordinals.flatMap((ordinal) => one.all(number, JSON.stringify(session), ordinal).map(toDocument))
        })
      }, signal),
    proposeNear: async (sought, signal) => await findNearest(file, sought, signal),
    findVectors: async (marks) => await file.read((database) => readVectors(database, marks)),
    close: () => file.close(),
  }
}

function putAll(database: DatabaseSync, documents: readonly SearchDocument[]): void {
  const at = prepareWriting(database)
  for (const document of documents) {
    const { scope, id } = document.entry
    const number = at.numberOf(scope)
    const before = at.remove(number, id)
    at.insert(number, document)
    if (document.vector) putVector(database, { scope: number, id }, document.vector)
    else if (before !== document.entry.text) removeVector(database, { scope: number, id })
  }
}

function dropAll(database: DatabaseSync, keys: readonly EntryKey[]): void {
  const at = prepareWriting(database)
  for (const { scope, id } of keys) {
    const number = findScope(database, scope)?.number
    if (number === undefined) continue
    at.remove(number, id)
    removeVector(database, { scope: number, id })
    at.removeIfEmpty(number)
  }
}

const proposeSql = `SELECT entry, tokens FROM entries
  WHERE row IN (SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?)`

/** Tokens are checked where they come near the query language. */
function toTerm(scope: number, token: string): string {
  if (!/^[a-z0-9]{1,100}$/.test(token)) throw new TypeError('A token of the memory index is not of a-z and 0-9.')
  return `${scope}s${token}`
}

const termRow = z.object({ doc: z.number() })

function countTokens(database: DatabaseSync, scopes: readonly string[], tokens: readonly string[]) {
  const rows = findScopes(database, scopes).filter(({ entries }) => entries > 0)
  const entries = rows.reduce((sum, row) => sum + row.entries, 0)
  const length = rows.reduce((sum, row) => sum + row.length, 0)
  const one = prepare(database, 'SELECT doc FROM terms WHERE term = ?')
  const having = new Map<string, number>()
  for (const token of tokens) {
    for (const { number } of rows) {
      const row = one.get(toTerm(number, token))
      if (row !== undefined) having.set(token, (having.get(token) ?? 0) + termRow.parse(row).doc)
    }
  }
  return { entries, having, meanLength: length / Math.max(1, entries) }
}

const oldRow = z.object({ row: z.number(), entry: z.string(), tokens: z.string(), length: z.number() })

function prepareWriting(database: DatabaseSync) {
  const addScope = prepare(database, 'INSERT INTO scopes (scope) VALUES (?) ON CONFLICT DO NOTHING')
  const find = prepare(database, 'SELECT row, entry, tokens, length FROM entries WHERE scope = ? AND id = ?')
  const removeWords = prepare(database, "INSERT INTO words (words, rowid, terms) VALUES ('delete', ?, ?)")
  const removeEntry = prepare(database, 'DELETE FROM entries WHERE row = ?')
  const addEntry = prepare(
    database,
    'INSERT INTO entries (scope, id, session, ordinal, entry, tokens, length) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const addWords = prepare(database, 'INSERT INTO words (rowid, terms) VALUES (?, ?)')
  const sum = prepare(database, 'UPDATE scopes SET entries = entries + ?, length = length + ? WHERE number = ?')
  /** The name of a scope that holds nothing goes, too. Its number is never used again. */
  const removeScope = prepare(database, 'DELETE FROM scopes WHERE number = ? AND entries = 0')
  const toTerms = (scope: number, tokens: readonly string[]): string =>
    tokens.map((token) => toTerm(scope, token)).join(' ')
  return {
    numberOf(scope: string): number {
      addScope.run(JSON.stringify(scope))
      const found = findScope(database, scope)
      if (found === undefined) throw new Error('A scope of the memory index is not there after it was written.')
      return found.number
    },
    /** The text that stood there; undefined where nothing did, or what a newer release wrote. */
    remove(scope: number, id: EntryKey['id']): string | undefined {
      const found = find.get(scope, JSON.stringify(id))
      if (found === undefined) return undefined
      const old = oldRow.parse(found)
      removeWords.run(old.row, toTerms(scope, toTokenList(old.tokens)))
      removeEntry.run(old.row)
      sum.run(-1, -old.length, scope)
      return toText(old.entry)
    },
    removeIfEmpty(scope: number): void {
      removeScope.run(scope)
    },
    insert(scope: number, { entry, tokens }: SearchDocument): void {
      const { id, session, ordinal } = entry
      const { lastInsertRowid: row } = addEntry.run(
        scope,
        JSON.stringify(id),
        session === undefined ? null : JSON.stringify(session),
        ordinal ?? null,
        JSON.stringify(entry),
        tokens.join(' '),
        tokens.length,
      )
      addWords.run(row, toTerms(scope, tokens))
      sum.run(1, tokens.length, scope)
    },
  }
}

function toText(stored: string): string | undefined {
  try {
    return parseEntry(stored).text
  } catch {
    return undefined
  }
}

const toTokenList = (tokens: string): readonly string[] => (tokens === '' ? [] : tokens.split(' '))

const storedRow = z.object({ entry: z.string(), tokens: z.string() })
function toDocument(row: unknown): SearchDocument {
  const { entry, tokens } = storedRow.parse(row)
  return { entry: parseEntry(entry), tokens: toTokenList(tokens) }
}
