// What calls of models cost, in whole micro-dollars (a dollar has a million), rounded up. Counted in integers, from counts that nobody vouches for.
import type { Usage } from '#shared/model/model-port.ts'

/** US dollars per million tokens; `cached`: of a prompt's tokens that the endpoint had in its cache, as dear as others when left out. */
export type Price = { readonly in: number; readonly out: number; readonly cached?: number | undefined }

export type Pricing = {
  /** Undefined where the model has no price. */
  toMicros(model: string, usage: Usage): number | undefined
  /** What a call counts in a budget of tokens: one from the cache counts as much as it costs beside one that is not. */
  toTokens(model: string, usage: Usage): number
}

/** A name that an endpoint gives to one edition of a model: a date, a version or `latest` behind the name that it was asked for. */
const edition = /^[-@:](?:latest|v?\d[\d.-]*)$/

export function createPricing(prices: Readonly<Record<string, Price>>): Pricing {
  // USD per million tokens are micro-dollars per token: per million of these they are whole.
  const whole = (usd: number): bigint => BigInt(Math.round(usd * 1_000_000))
  const known = new Map(
    Object.entries(prices).map(([name, price]) => [
      name,
      { in: whole(price.in), out: whole(price.out), cached: whole(price.cached ?? price.in) },
    ]),
  )
  const find = (model: string) =>
    known.get(model) ??
    known.entries().find(([name]) => model.startsWith(name) && edition.test(model.slice(name.length)))?.[1]
  return {
    toMicros(model, { promptTokens, completionTokens, cachedTokens = 0 }) {
      const price = find(model)
      if (!price) return undefined
      const prompt = toCount(promptTokens)
      const cached = toCount(cachedTokens) < prompt ? toCount(cachedTokens) : prompt
      const millionths = (prompt - cached) * price.in + cached * price.cached + toCount(completionTokens) * price.out
      return Number((millionths + 999_999n) / 1_000_000n)
    },
    toTokens(model, { promptTokens, completionTokens, cachedTokens = 0 }) {
      const price = find(model)
      const all = promptTokens + completionTokens
      if (!price || price.in === 0n || price.cached >= price.in) return all
      const prompt = toCount(promptTokens)
      const cached = toCount(cachedTokens) < prompt ? toCount(cachedTokens) : prompt
      return all - Number(cached - (cached * price.cached + price.in - 1n) / price.in)
    },
  }
}

/** No number that an endpoint gives is taken for more than it can be. */
const toCount = (tokens: number): bigint => (Number.isSafeInteger(tokens) && tokens > 0 ? BigInt(tokens) : 0n)
