// The file of the SQLite index. Words stand in an FTS5 table without content of its own: a term is the scope's number, "s" and the token, so that a
// search meets nothing of other scopes, and what the file counts of a term is the scope's.

/** "FLOT": the file is ours. */
export const applicationId = 0x464c4f54
/** A file of an older version is made anew: it is but a projection. */
export const schemaVersion = 2

/**
 * Scopes, ids and sessions are JSON text, which holds lone surrogates too. `entries` and `length` of a scope are sums over its entries. Numbers of
 * scopes are never used again. A vector goes with its entry, and when another text takes its place.
 */
export const schema = `
CREATE TABLE scopes (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  scope TEXT NOT NULL UNIQUE,
  entries INTEGER NOT NULL DEFAULT 0,
  length INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE entries (
  row INTEGER PRIMARY KEY,
  scope INTEGER NOT NULL,
  id TEXT NOT NULL,
  session TEXT,
  ordinal INTEGER,
  entry TEXT NOT NULL,
  tokens TEXT NOT NULL,
  length INTEGER NOT NULL,
  UNIQUE (scope, id)
);
CREATE INDEX places ON entries (scope, session, ordinal) WHERE session IS NOT NULL;
CREATE TABLE vectors (
  scope INTEGER NOT NULL,
  id TEXT NOT NULL,
  model TEXT NOT NULL,
  mark TEXT NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (scope, id)
);
CREATE INDEX marks ON vectors (mark);
CREATE VIRTUAL TABLE words USING fts5(terms, content='', tokenize='unicode61');
CREATE VIRTUAL TABLE terms USING fts5vocab('words', 'row');
INSERT INTO words(words, rank) VALUES ('secure-delete', 1);
PRAGMA application_id = ${applicationId};
PRAGMA user_version = ${schemaVersion};
`

/** Of each connection. Pages that hold nothing any more are written over with zeros. */
export const settings = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA secure_delete = ON;
PRAGMA journal_size_limit = 0;
`
