// Keys and what they allow. A key's value follows from its id and the master key; a tenant token is signed with a key that may search, and narrows it.
import { createHmac, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { ApiError, noHeader, refusedKey } from './api-error.ts'
import { readFields } from './search.ts'

export type Key = {
  readonly uid: string
  readonly key: string
  readonly name: string | null
  readonly description: string | null
  readonly actions: readonly string[]
  readonly indexes: readonly string[]
  readonly expiresAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** What a request may do. */
export type Grant = {
  readonly isMaster: boolean
  /** Throws 403. Without an index: whether it may be done at all. */
  demand(action: string, index?: string): void
  may(action: string, index?: string): boolean
  /** What a token adds to each search in this index; undefined adds nothing. */
  rule(index: string): unknown
}

export const creation = z.strictObject({
  uid: z.uuid().optional(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  actions: z.array(z.string().regex(/^(?:\*|[a-zA-Z]+(?:\.(?:\*|[a-zA-Z]+))?)$/)),
  indexes: z.array(z.string().regex(/^(?:\*|[\w-]{1,400}\*?)$/)),
  expiresAt: z.iso.datetime({ offset: true }).or(z.iso.date()).nullable(),
})

const freshKeys = [
  ['Default Search API Key', ['search']],
  ['Default Admin API Key', ['*']],
  ['Default Read-Only Admin API Key', ['*.get', 'keys.get']],
  ['Default Chat API Key', ['chatCompletions', 'search']],
] as const

export function createKeys(masterKey: string | undefined) {
  const keys = new Map<string, Key>()
  const sign = (uid: string): string =>
    createHmac('sha256', masterKey ?? '')
      .update(uid)
      .digest('hex')
  const add = (given: z.infer<typeof creation>): Key => {
    const { uid = randomUUID(), name = null, description = null, actions, indexes, expiresAt } = given
    if (keys.has(uid))
      throw new ApiError(
        409,
        'api_key_already_exists',
        `\`uid\` field value \`${uid}\` is already an existing API key.`,
      )
    const now = new Date().toISOString()
    const key = { uid, key: sign(uid), name, description, actions, indexes, expiresAt, createdAt: now, updatedAt: now }
    keys.set(uid, key)
    return key
  }
  for (const [name, actions] of masterKey === undefined ? [] : freshKeys) {
    add({ name, actions: [...actions], indexes: ['*'], expiresAt: null })
  }
  return {
    add: (body: unknown): Key => add(readKey(body)),
    list: (): Key[] => [...keys.values()].toReversed(),
    find: (named: string): Key => {
      const found = keys.get(named) ?? [...keys.values()].find(({ key }) => key === named)
      if (!found) throw new ApiError(404, 'api_key_not_found', `API key \`${named}\` not found.`)
      return found
    },
    remove: (uid: string): void => void keys.delete(uid),
    /** Throws 401 without a header in the right form, 403 for a key that is not known or has expired. */
    grant: (header: string | undefined, action: string | undefined): Grant => {
      if (action === undefined) return everything
      if (masterKey === undefined && !action.startsWith('keys.')) return everything
      if (masterKey === undefined) {
        const message = 'The master key is missing: keys need one. Start the server with `--master-key`.'
        throw new ApiError(401, 'missing_master_key', message)
      }
      const token = /^Bearer (\S+)$/.exec(header ?? '')?.[1]
      if (token === undefined) throw noHeader()
      if (token === masterKey) return everything
      const key = [...keys.values()].find((one) => one.key === token)
      if (key) return toGrant(key)
      return toTenant(token, (uid) => keys.get(uid))
    },
  }
}

/** Throws 400 by the field that is wrong or missing. */
function readKey(body: unknown): z.infer<typeof creation> {
  for (const [field, code] of [
    ['actions', 'missing_api_key_actions'],
    ['indexes', 'missing_api_key_indexes'],
    ['expiresAt', 'missing_api_key_expires_at'],
  ] as const) {
    if (typeof body === 'object' && body !== null && !(field in body)) {
      throw new ApiError(400, code, `Missing field \`${field}\``)
    }
  }
  return readFields(creation, body, 'api_key')
}

const everything: Grant = { isMaster: true, demand: () => {}, may: () => true, rule: () => undefined }

function toGrant(key: Key): Grant {
  if (key.expiresAt !== null && Date.parse(key.expiresAt) <= Date.now()) throw refusedKey()
  const may = (action: string, index?: string): boolean =>
    key.actions.some((allowed) => fits(allowed, action)) &&
    (index === undefined || key.indexes.some((allowed) => fits(allowed, index)))
  return { isMaster: false, may, rule: () => undefined, demand: (...asked) => demand(may(...asked)) }
}

function demand(isAllowed: boolean): void {
  if (!isAllowed) throw refusedKey()
}

/** `*` alone, at the end, or at the beginning. */
function fits(pattern: string, name: string): boolean {
  if (pattern.startsWith('*.')) return name.endsWith(pattern.slice(1))
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name
}

const tokenClaims = z.object({
  apiKeyUid: z.string(),
  exp: z.number().optional(),
  searchRules: z.union([
    z.array(z.string()),
    z.record(z.string(), z.strictObject({ filter: z.unknown().optional() }).nullable()),
  ]),
})

/** A tenant token: it searches, where its key may, and nothing else. */
function toTenant(token: string, find: (uid: string) => Key | undefined): Grant {
  const [header = '', payload = '', signature = ''] = token.split('.')
  const claims = tokenClaims.safeParse(decode(payload)).data
  const key = claims && find(claims.apiKeyUid)
  if (!claims || !key) throw refusedKey()
  const { alg } = z.object({ alg: z.string() }).catch({ alg: '' }).parse(decode(header))
  const expected = createHmac('sha256', key.key).update(`${header}.${payload}`).digest('base64url')
  if (alg !== 'HS256' || signature !== expected) throw refusedKey()
  if (claims.exp !== undefined && claims.exp * 1000 <= Date.now()) throw refusedKey()
  const { searchRules } = claims
  const rules = Array.isArray(searchRules)
    ? searchRules.map((name) => [name, null] as const)
    : Object.entries(searchRules)
  const ruleOf = (index: string) =>
    rules.find(([name]) => name === index) ?? rules.find(([name]) => name.endsWith('*') && fits(name, index))
  const base = toGrant(key)
  const may = (action: string, index?: string): boolean =>
    action === 'search' && base.may(action, index) && (index === undefined || ruleOf(index) !== undefined)
  return {
    isMaster: false,
    may,
    demand: (...asked) => demand(may(...asked)),
    rule: (index) => ruleOf(index)?.[1]?.filter,
  }
}

function decode(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}
