// The embedding model of the settings, where there is one.
import type { Settings } from '#infra/config/settings.ts'
import { openAiUrl } from '#infra/models/endpoint.ts'
import { createOpenAiEmbedder } from '#infra/models/openai-embedder.ts'
import { createMeaning, type Embedder, type Meaning } from '#services/memory/search/meaning.ts'

export type MeaningSettings = Pick<Settings, 'embedding' | 'model'>

export const openEmbedder = ({ embedding, model }: MeaningSettings): Embedder | undefined =>
  embedding &&
  createOpenAiEmbedder({ model: embedding.model, apiKey: model.apiKey ?? 'none', baseUrl: model.baseUrl ?? openAiUrl })

export function openMeaning(settings: MeaningSettings): Meaning | undefined {
  const embedder = openEmbedder(settings)
  const weight = settings.embedding?.weight
  return embedder && weight !== undefined
    ? createMeaning({ embedder, weight, nowMs: () => performance.now() })
    : undefined
}
