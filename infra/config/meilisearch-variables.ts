// The two variables of a Meilisearch that keeps the index of memory: where it is, and three keys of limited rights. The master key is none of them.
import { z } from 'zod'
import type { MeilisearchKeys, MeilisearchSettings } from '#infra/search/meilisearch-client.ts'
import { isUrl } from './compound-variables.ts'

/** A key as the server makes it; a master key is what its operator made up. */
const key = z.string().regex(/^[0-9a-f]{64}$/)

const meilisearchUrl = z
  .string()
  .max(500)
  .refine((text) => {
    if (!isUrl(text, ['http:', 'https:'])) return false
    const { username, password, search, hash } = new URL(text)
    return `${username}${password}${search}${hash}` === ''
  })

/** Each role once, and no key for two of them. */
const meilisearchKeys = z
  .string()
  .max(500)
  .transform((text): readonly (readonly [string, string])[] =>
    text.split(',').map((one) => {
      const at = one.indexOf('=')
      return [one.slice(0, at).trim(), one.slice(at + 1).trim()]
    }),
  )
  .refine((pairs) => new Set(pairs.map(([role]) => role)).size === pairs.length)
  .refine((pairs) => new Set(pairs.map(([, value]) => value)).size === pairs.length)
  .transform((pairs): unknown => Object.fromEntries(pairs))
  .pipe(z.strictObject({ reader: key, writer: key, operator: key.optional() }))

export const meilisearchVariables = {
  MEILISEARCH_URL: meilisearchUrl
    .optional()
    .describe(
      'the http:// or https:// URL of a Meilisearch that keeps the index of memory, without credentials (a file of the data folder keeps it when unset)',
    ),
  MEILISEARCH_KEYS: meilisearchKeys
    .optional()
    .describe(
      'three keys made for Flotilla, each of 64 hexadecimal digits and never the master key, like reader=…,writer=…,operator=… (operator may be left out where the index is there)',
    ),
}

type Values = { readonly [Name in keyof typeof meilisearchVariables]?: z.infer<(typeof meilisearchVariables)[Name]> }

export function toMeilisearch({
  MEILISEARCH_URL: url,
  MEILISEARCH_KEYS: keys,
}: Values): MeilisearchSettings | undefined {
  return url === undefined || keys === undefined ? undefined : { url, keys }
}

export const toMeilisearchSecrets = (keys: MeilisearchKeys | undefined): string[] =>
  Object.values(keys ?? {}).filter((one): one is string => one !== undefined)

/** A sentence where one is there without the other. */
export function findHalfMeilisearch({ MEILISEARCH_URL: url, MEILISEARCH_KEYS: keys }: Values): string[] {
  if ((url === undefined) === (keys === undefined)) return []
  const [is, isNot] =
    url === undefined ? ['MEILISEARCH_KEYS', 'MEILISEARCH_URL'] : ['MEILISEARCH_URL', 'MEILISEARCH_KEYS']
  return [`${is} is set without ${isNot}. Set both, or neither.`]
}
