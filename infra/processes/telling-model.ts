// A model whose troubles the operator is told of, with what helps.
import type { ModelPort } from '#shared/model/model-port.ts'

/** Tells the operator of what the endpoint said of its usage and nobody can believe. */
export function telling(port: ModelPort, trouble: (what: string) => void): ModelPort {
  return {
    ...port,
    async complete(request, onText, signal) {
      const result = await port.complete(request, onText, signal)
      if (result.kind === 'reply' && result.distrusted) {
        const { promptTokens, completionTokens } = result.distrusted
        const told = `${promptTokens} tokens read and ${completionTokens} written`
        trouble(`The model endpoint reports an impossible usage (${told}); our own estimate is counted instead.`)
      }
      if (result.kind === 'reply' && result.dropped) trouble(dropped(result.usage.promptTokens))
      return result
    },
  }
}

const dropped = (read: number): string =>
  `The model endpoint read ${read} tokens of a prompt that has many more: its window is smaller than FLOTILLA_CONTEXT_TOKENS says, and it drops the rest in silence. Set that to the window it has, or raise the window (of Ollama by OLLAMA_CONTEXT_LENGTH).`

/** By the kind of a failure. */
export const advice: Readonly<Record<string, string>> = {
  'too-long': ' Set FLOTILLA_CONTEXT_TOKENS to the window that the endpoint really has.',
  'no-model': ' Check FLOTILLA_MODEL and OPENAI_BASE_URL; with Ollama, pull the model.',
  auth: ' Check OPENAI_API_KEY and OPENAI_BASE_URL.',
  unavailable: ' Check OPENAI_BASE_URL and the network.',
}
