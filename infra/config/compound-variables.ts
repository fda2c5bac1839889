// Checks of variables that hold more than one value, and the small ones that these are made of.
import { z } from 'zod'
import type { SearchSettings } from '#infra/web/search/services.ts'

export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max))
}

/** True for a URL with one of the protocols; credentials in it are allowed. */
export function isUrl(text: string, protocols: readonly string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol)
}

export const httpUrl = z.string().refine((text) => isUrl(text, ['http:', 'https:']))
export const serviceKey = z.string().regex(/^[\x21-\x7e]{1,500}$/)

export const usd = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,6})?$/)
  .transform(Number)
  .pipe(z.number().positive())

/** No model is as dear as that: whoever writes more means another unit. */
const price = z.number().nonnegative().max(1_000_000)
export const prices = z
  .string()
  .transform((text, context) => {
    try {
      const parsed: unknown = JSON.parse(text)
      return parsed
    } catch {
      context.addIssue('not JSON')
      return z.NEVER
    }
  })
  .pipe(z.record(z.string().min(1), z.strictObject({ in: price, out: price, cached: price.optional() })))

const window = wholeNumber(2000, 10_000_000)
/** That of the main model, and others of which it is known. */
export const windows = z
  .string()
  .regex(/^\d{1,15}(?:,(?:fast|fallback)=\d{1,15}){0,2}$/)
  .transform((text): { main: string; fast?: string | undefined; fallback?: string | undefined } => {
    const [main = '', ...rest] = text.split(',')
    const find = (role: string) => rest.find((one) => one.startsWith(`${role}=`))?.slice(role.length + 1)
    return { main, fast: find('fast'), fallback: find('fallback') }
  })
  .pipe(z.object({ main: window, fast: window.optional(), fallback: window.optional() }))

/** A few of the named amounts, in any order, none twice. */
export const dailyUsd = z
  .string()
  .max(200)
  .transform((text): readonly (readonly [string, string])[] =>
    text.split(',').map((one) => {
      const at = one.indexOf('=')
      return [one.slice(0, at).trim(), one.slice(at + 1).trim()]
    }),
  )
  .refine((pairs) => new Set(pairs.map(([scope]) => scope)).size === pairs.length)
  .transform((pairs): unknown => Object.fromEntries(pairs))
  .pipe(z.strictObject({ person: usd.optional(), chat: usd.optional(), total: usd.optional() }))

/** The service's name, and where it is or what it takes for a key. */
export const search = z.string().transform((text, context): SearchSettings => {
  const at = text.indexOf('=')
  const [kind, given] = [text.slice(0, at), text.slice(at + 1)]
  if (kind === 'searxng' && httpUrl.safeParse(given).success) return { kind, url: given }
  if ((kind === 'tavily' || kind === 'brave') && serviceKey.safeParse(given).success) return { kind, apiKey: given }
  context.addIssue('no service that is known')
  return z.NEVER
})

/** A whole number with a default, described. */
export function whole(bounds: { min: number; max: number; byDefault: number; what: string }) {
  const { min, max, byDefault, what } = bounds
  return wholeNumber(min, max)
    .default(byDefault)
    .describe(`${what}, a whole number from ${min} to ${max} (${byDefault} when unset)`)
}
