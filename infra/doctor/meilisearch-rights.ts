// Looks at the rights of Meilisearch's keys: each key is tried at what it must not do. No attempt changes anything, even where it is let through.
import type { Finding } from '#infra/checks/finding.ts'
import { memoryUid, type MeilisearchSettings } from '#infra/search/meilisearch-client.ts'

const about = 'Meilisearch rights'
const requestMs = 5000

type Attempt = { readonly method: string; readonly path: string; readonly body?: unknown; readonly key?: string }

const search: Attempt = {
  method: 'POST',
  path: `indexes/${memoryUid}/search`,
  body: { q: '', limit: 0, filter: 'scope IN []' },
}
const add: Attempt = { method: 'POST', path: `indexes/${memoryUid}/documents`, body: [] }
const listKeys: Attempt = { method: 'GET', path: 'keys' }
const version: Attempt = { method: 'GET', path: 'version' }

/** Throws where the server is not there. */
export async function checkRights({ url, keys }: MeilisearchSettings): Promise<Finding[]> {
  const statusOf = async (attempt: Attempt): Promise<number> => await askStatus(url, attempt)
  const [without, wrong] = [await statusOf(version), await statusOf({ ...version, key: 'f'.repeat(64) })]
  if (without === 200 || wrong === 200) return [open]
  if (without !== 401 || wrong !== 403) {
    const found = `a request without a key got ${without}, and one with a wrong key ${wrong}, where 401 and 403 belong`
    return [
      {
        level: 'error',
        about,
        found,
        fix: 'See what stands between: does a proxy take the header Authorization away, or answer itself?',
      },
    ]
  }
  const { reader, writer, operator } = keys
  const tried: readonly (readonly [who: string, may: string, attempt: Attempt])[] = [
    ['reader', 'add documents', { ...add, key: reader }],
    ['writer', 'search', { ...search, key: writer }],
    ['reader', 'list keys', { ...listKeys, key: reader }],
    ['writer', 'list keys', { ...listKeys, key: writer }],
    ...(operator === undefined ? [] : [['operator', 'list keys', { ...listKeys, key: operator }] as const]),
  ]
  const broad: string[] = []
  for (const [who, may, attempt] of tried) if ((await statusOf(attempt)) !== 403) broad.push(`the ${who} may ${may}`)
  if (broad.length === 0)
    return [{ level: 'ok', about, found: 'nobody comes in without a key, and each key opens what it should' }]
  const fix = 'Make the keys anew as infra/docs/meilisearch.md says, and put them into MEILISEARCH_KEYS.'
  return [{ level: 'error', about, found: `more than is needed: ${broad.join(', ')}`, fix }]
}

const open: Finding = {
  level: 'error',
  about,
  found: 'everybody may read and change everything, for the server has no master key',
  fix: 'Start it with --env production and a master key of 16 bytes or more, and make the keys again.',
}

async function askStatus(url: string, { method, path, body, key }: Attempt): Promise<number> {
  const answer = await fetch(new URL(path, url.endsWith('/') ? url : `${url}/`), {
    method,
    redirect: 'error',
    signal: AbortSignal.timeout(requestMs),
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  await answer.body?.cancel()
  return answer.status
}
