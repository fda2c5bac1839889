// The list of models at an endpoint, and the windows that it names. It comes from outside and is only told to the operator.
import { z } from 'zod'

const listTimeoutMs = 3000
const mostListBytes = 2_000_000
const mostNames = 5000

export type Endpoint = { readonly baseUrl?: string | undefined; readonly apiKey?: string | undefined }
/** `windowTokens`: undefined where the list names none. */
export type ListedModel = { readonly id: string; readonly windowTokens: number | undefined }

const tokens = z.number().int().min(256).max(100_000_000).optional().catch(undefined)
/** Each server has a name of its own for the window: the one that is loaded goes before the most that the model could have. */
const listed = z
  .object({
    id: z.string().max(200),
    loaded_context_length: tokens,
    max_model_len: tokens,
    context_length: tokens,
    context_window: tokens,
    max_context_length: tokens,
    meta: z.object({ n_ctx: tokens, n_ctx_train: tokens }).optional().catch(undefined),
  })
  .transform((one): ListedModel => ({
    id: one.id,
    windowTokens:
      one.loaded_context_length ??
      one.max_model_len ??
      one.meta?.n_ctx ??
      one.context_length ??
      one.context_window ??
      one.max_context_length ??
      one.meta?.n_ctx_train,
  }))
const modelList = z.object({ data: z.array(listed) })

/** Undefined where there is no such list. */
export async function listModels(
  base: string,
  apiKey: string | undefined,
): Promise<readonly ListedModel[] | undefined> {
  try {
    const response = await fetch(`${base}/models`, {
      headers: apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(listTimeoutMs),
      // The key is for this address alone.
      redirect: 'error',
    })
    if (!response.ok || !response.body) return undefined
    let text = ''
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      text += piece
      if (text.length > mostListBytes) return undefined
    }
    return modelList.parse(JSON.parse(text)).data.slice(0, mostNames)
  } catch {
    return undefined
  }
}

/** The window that the endpoint names for `model`; a server with a single model answers to any name. */
export async function findWindow(model: string, { baseUrl, apiKey }: Endpoint): Promise<number | undefined> {
  if (baseUrl === undefined) return undefined
  const models = await listModels(baseUrl.replace(/(?<!\/)\/+$/, ''), apiKey)
  const [only, ...others] = models ?? []
  const found = models?.find(({ id }) => id === model) ?? (others.length === 0 ? only : undefined)
  return found?.windowTokens
}
