// One event of a Chat Completions stream, checked: unknown fields are dropped, wrong types make it malformed.
import { z } from 'zod'

/** Some endpoints send the arguments as they are instead of as text. */
const written = z.union([z.string(), z.looseObject({}).transform((given) => JSON.stringify(given))])

const toolDelta = z.object({
  index: z.number().int().nonnegative().nullish(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: written.nullish() }).nullish(),
})

const cached = z.number().int().positive().nullish().catch(undefined)

const chunk = z.object({
  model: z.string().nullish(),
  error: z.unknown().optional(),
  choices: z
    .array(
      z.object({
        delta: z.object({ content: z.string().nullish(), tool_calls: z.array(toolDelta).nullish() }).nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z
    .object({
      prompt_tokens: z.number().nonnegative(),
      completion_tokens: z.number().nonnegative(),
      // What came from the endpoint's cache, as OpenAI and as DeepSeek say it. It is only shown, so that a wrong type is none.
      prompt_tokens_details: z.object({ cached_tokens: cached }).nullish().catch(undefined),
      prompt_cache_hit_tokens: cached,
    })
    .nullish(),
})

export type ToolDelta = z.infer<typeof toolDelta>
export type ChatChunk = z.infer<typeof chunk>

/** Undefined for anything that is not a chunk of the protocol. */
export function parseChunk(data: string): ChatChunk | undefined {
  try {
    return chunk.safeParse(JSON.parse(data)).data
  } catch {
    return undefined
  }
}
