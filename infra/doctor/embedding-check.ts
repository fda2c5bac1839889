// Checks the embedding model: doctor asks it for two vectors, one after the other, since the first may have to load it.
import type { Finding } from '#infra/checks/finding.ts'
import { openEmbedder, type MeaningSettings } from '#infra/processes/open-meaning.ts'
import { toReason } from '#shared/errors.ts'

const mostMs = 30_000
/** So long a turn waits for the vector of its question. */
const turnMs = 100

export async function checkEmbedding(settings: MeaningSettings): Promise<Finding[]> {
  const embedder = openEmbedder(settings)
  if (!embedder) return []
  const about = `embedding model ${embedder.model}`
  try {
    await embedder.embed(['ping'], AbortSignal.timeout(mostMs))
    const fromMs = performance.now()
    const [vector] = await embedder.embed(['Where is the harbour?'], AbortSignal.timeout(mostMs))
    const tookMs = Math.round(performance.now() - fromMs)
    const found = `gives vectors of ${vector?.length ?? 0} numbers in ${tookMs} ms`
    if (tookMs <= turnMs) return [{ level: 'ok', about, found }]
    const fix = `A turn waits ${turnMs} ms for it, and goes by words alone then. A model that is nearer helps.`
    return [{ level: 'warning', about, found, fix }]
  } catch (error) {
    const fix = 'Check FLOTILLA_EMBEDDING_MODEL, and that the endpoint has a model of that name that makes vectors.'
    return [{ level: 'error', about, found: toReason(error), fix }]
  }
}
