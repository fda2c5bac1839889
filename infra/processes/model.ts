// The model of this process, from the operator's settings.
import type { Settings } from '#infra/config/settings.ts'
import { findModel, type FoundModel } from '#infra/models/find-model.ts'

export async function loadModel(settings: Settings): Promise<FoundModel> {
  const { apiKey, baseUrl, main, fast, fallback, contextTokens, otherContextTokens } = settings.model
  return await findModel({
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(main === undefined ? {} : { model: main }),
    ...(fast === undefined ? {} : { fastModel: fast }),
    ...(fallback === undefined ? {} : { fallbackModel: fallback }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
    otherContextTokens,
  })
}
