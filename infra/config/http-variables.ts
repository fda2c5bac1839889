// The two variables of http_request: the hosts it may speak to, and what is put into requests to them. No value of a secret is ever repeated.
import { z } from 'zod'
import type { HttpSecrets } from '#infra/web/request/blank.ts'
import { parseHost, type HttpHost } from '#infra/web/request/hosts.ts'

const mostHosts = 50

/** What the request itself is made of, or how it is carried. */
const ownHeaders =
  /^(?:host|connection|content-length|content-type|transfer-encoding|te|trailer|upgrade|expect|accept-encoding|idempotency-key|keep-alive|proxy-.*)$/

export const httpHosts = z.string().transform((text, context): readonly HttpHost[] => {
  const hosts = text
    .split(',')
    .filter((one) => one.trim() !== '')
    .map(parseHost)
  const known = hosts.flatMap((one) => one ?? [])
  const isTwice = new Set(known.map(({ entry }) => entry)).size < known.length
  if (known.length === hosts.length && known.length > 0 && known.length <= mostHosts && !isTwice) return known
  context.addIssue('not a list of hosts')
  return z.NEVER
})

const header = z
  .string()
  .regex(/^[\w-]{1,100}$/)
  .transform((name) => name.toLowerCase())
  .refine((name) => !ownHeaders.test(name))
/** Long enough to be found in an answer, and blanked there. */
const value = z.string().regex(/^[\x21-\x7e][\x20-\x7e]{6,3998}[\x21-\x7e]$/)

export const httpSecrets = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue('not JSON')
      return z.NEVER
    }
  })
  .pipe(
    z.record(
      z
        .string()
        .max(300)
        .transform((host) => host.toLowerCase()),
      z.record(header, value),
    ),
  )

/** A sentence for each secret that would go nowhere. */
export function findHomeless(hosts: readonly HttpHost[] | undefined, secrets: HttpSecrets | undefined): string[] {
  const listed = new Set(hosts?.map(({ entry }) => entry))
  return Object.keys(secrets ?? {})
    .filter((host) => !listed.has(host))
    .map(
      (host) =>
        `FLOTILLA_HTTP_SECRETS has a secret for ${JSON.stringify(host.slice(0, 60))}, which FLOTILLA_HTTP_HOSTS does not list. List it there in the same form, or take its secret out.`,
    )
}
