// Looks for an Ollama on this machine and the chat models it has pulled. Absence is no error.
import { z } from 'zod'
import { openHttp, readBounded } from './http-transport.ts'

export const defaultOllamaUrl = 'http://127.0.0.1:11434'

const probeTimeoutMs = 300
const maxTagsBytes = 1024 * 1024
const tags = z.object({
  models: z.array(z.object({ name: z.string(), details: z.object({ family: z.string().nullish() }).nullish() })),
})

/** Names of the chat models, as `ollama list` orders them; undefined when none answers within 300 ms. */
export async function findOllamaModels(url: string = defaultOllamaUrl): Promise<readonly string[] | undefined> {
  try {
    const signal = AbortSignal.timeout(probeTimeoutMs)
    const response = await openHttp(`${url}/api/tags`, { method: 'GET', headers: {}, signal })
    const text = await readBounded(response, maxTagsBytes)
    if (response.statusCode !== 200) return undefined
    const { models } = tags.parse(JSON.parse(text))
    return models.filter((model) => !isEmbedder(model.name, model.details?.family)).map((model) => model.name)
  } catch {
    return undefined // nobody there, too slow, or something else on that port
  }
}

/** The pulled model meant by a name: `qwen3` is `qwen3:latest`. */
export function findPulled(pulled: readonly string[], name: string | undefined): string | undefined {
  return name === undefined ? undefined : pulled.find((each) => each === name || each === `${name}:latest`)
}

function isEmbedder(name: string, family: string | null | undefined): boolean {
  return /embed|^bge-|minilm|^e5-/i.test(name) || /bert/i.test(family ?? '')
}
