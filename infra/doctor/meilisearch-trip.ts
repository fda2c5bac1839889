// One record goes to Meilisearch, is found by a word, and goes again: with the keys that the fleet works by, in a scope of its own.
import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { Finding } from '#infra/checks/finding.ts'
import { connectMeilisearch, memoryUid, toCause, type MeilisearchSettings } from '#infra/search/meilisearch-client.ts'
import { toDocumentId } from '#infra/search/meilisearch-documents.ts'
import { openMeilisearchEngine } from '#infra/search/meilisearch-engine.ts'
import { toDocument } from '#services/memory/search/document.ts'
import { BotError } from '#shared/errors.ts'

const about = 'Meilisearch round trip'
/** Writing one record takes longer where the server may use much memory: each batch has a price that grows with it. */
const slowMs = 300
const patience = { mostMs: 10_000, firstPollMs: 10 }
const readMs = 5000
const word = 'probe'

export async function tryRoundTrip(
  { url, keys }: MeilisearchSettings,
  { isIdle }: { readonly isIdle: boolean },
): Promise<Finding[]> {
  const { reader, writer } = keys
  // Without the operator's key nothing is set up on the way.
  const settings = { url, keys: { reader, writer } }
  const engine = openMeilisearchEngine(settings, { tell: () => undefined, patience, timeoutMs: readMs })
  const scope = `doctor:${randomUUID()}`
  const { signal } = new AbortController()
  try {
    const foreign = await engine.count([scope], [word], signal)
    if (foreign.entries > 0) return [leaking]
    const startMs = performance.now()
    await engine.put([toDocument({ scope, id: 'probe', kind: 'note', text: word, atMs: Date.now() })])
    const writtenMs = performance.now()
    const { having } = await engine.count([scope], [word], signal)
    const foundMs = performance.now()
    await engine.drop([{ scope, id: 'probe' }])
    const endMs = performance.now()
    const left = await engine.count([scope], [word], signal)
    if (having.get(word) !== 1 || left.entries > 0) return [lost]
    const ms = (from: number, to: number): string => `${Math.round(to - from)} ms`
    const found = `written in ${ms(startMs, writtenMs)}, found in ${ms(writtenMs, foundMs)}, gone in ${ms(foundMs, endMs)}`
    const isSlow = isIdle && writtenMs - startMs > slowMs
    const fix =
      'Start the server with --max-indexing-memory 256MiB: the price of each write grows with what it may use.'
    return [{ level: isSlow ? 'warning' : 'ok', about, found, ...(isSlow && { fix }) }]
  } catch (error) {
    await takeBack(settings, scope)
    const found = toCause(error instanceof BotError ? (error.cause ?? error) : error)
    const fix =
      'Where it says 403, make the keys anew as infra/docs/meilisearch.md says: the reader’s has a uid that is written there.'
    return [{ level: 'error', about, found, fix }]
  }
}

/** A queue that does not move takes the record in once it moves again: it goes behind it then. Nobody waits for that. */
async function takeBack({ url, keys }: MeilisearchSettings, scope: string): Promise<void> {
  const client = connectMeilisearch(url, keys.writer, readMs)
  const id = toDocumentId({ scope, id: 'probe' })
  await Promise.resolve(client.index(memoryUid).deleteDocuments([id])).catch(() => undefined)
}

const leaking: Finding = {
  level: 'error',
  about,
  found: 'a scope that is nobody’s has entries: the server does not keep scopes apart',
  fix: 'Run "npm run flotilla -- memory reindex", so that the index has its settings again.',
}

const lost: Finding = {
  level: 'error',
  about,
  found: 'a record was written and not found, or found after it was taken away',
  fix: 'Run "npm run flotilla -- memory reindex", so that the index has its settings again.',
}
