// The model of this process, from the operator's settings.
import type { Settings } from '#infra/config/settings.ts'
import { readDialect } from '#infra/models/dialects.ts'
import { findModel, type FoundModel } from '#infra/models/find-model.ts'
import { createPricing } from '#infra/models/pricing.ts'
import { BotError } from '#shared/errors.ts'

/** Throws `config` where a limit in money could never be reached, since nothing says what the main model costs. */
export async function loadModel(settings: Settings, say?: (text: string) => void): Promise<FoundModel> {
  const { apiKey, baseUrl, main, fast, fallback, contextTokens, otherContextTokens, dialect } = settings.model
  const known = readDialect(dialect ?? '')
  const found = await findModel({
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(main === undefined ? {} : { model: main }),
    ...(fast === undefined ? {} : { fastModel: fast }),
    ...(fallback === undefined ? {} : { fallbackModel: fallback }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
    otherContextTokens,
    dialect: known.dialect,
    ...(known.waitMs === undefined ? {} : { waitMs: known.waitMs }),
    ...(say ? { say } : {}),
  })
  // A model of this machine, or none at all, costs nothing.
  if (apiKey !== undefined || baseUrl !== undefined) expectPrice(settings, found.port.describe().name)
  return found
}

function expectPrice({ daily, turnUsd, model }: Settings, name: string): void {
  const limits = [
    ...(Object.values(daily).some(({ usd }) => usd !== undefined) ? ['FLOTILLA_DAILY_USD'] : []),
    ...(turnUsd === undefined ? [] : ['FLOTILLA_TURN_USD']),
  ]
  const price = createPricing(model.prices).toMicros(name, { promptTokens: 1, completionTokens: 0 })
  if (limits.length === 0 || price !== undefined) return
  throw new BotError(
    'config',
    `FLOTILLA_MODEL_PRICES names no price of ${name}, so ${limits.join(' and ')} would limit nothing. Add "${name}" to it, or unset ${limits.length === 1 ? 'the limit' : 'the limits'}.`,
  )
}
