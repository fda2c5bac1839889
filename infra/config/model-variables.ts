// The operator settings of the models (`variables.ts`).
import { z } from 'zod'
import { dialectNames, readDialect } from '#infra/models/dialects.ts'
import { httpUrl, prices, serviceKey, whole, windows } from './compound-variables.ts'

const modelName = z.string().regex(/^[^\s"']{1,200}$/)

export const modelVariables = {
  OPENAI_API_KEY: serviceKey.optional().describe('the key of the model endpoint, printable characters without blanks'),
  OPENAI_BASE_URL: httpUrl
    .optional()
    .describe('the http:// or https:// URL of an OpenAI-compatible endpoint, usually ending in /v1'),
  FLOTILLA_MODEL: modelName.optional().describe("the main model's name, without blanks or quotes"),
  FLOTILLA_FAST_MODEL: modelName.optional().describe("the fast model's name, without blanks or quotes"),
  FLOTILLA_FALLBACK_MODEL: modelName.optional().describe("the fallback model's name, without blanks or quotes"),
  FLOTILLA_EMBEDDING_MODEL: modelName
    .optional()
    .describe(
      'the name of a model at the same endpoint that makes vectors of texts, so that memory finds other words and the other language, without blanks or quotes (memory is searched by words alone when unset)',
    ),
  FLOTILLA_EMBEDDING_WEIGHT: z
    .string()
    .regex(/^(?:0(?:\.\d{1,4})?|1(?:\.0{1,4})?)$/)
    .default('0.7')
    .transform(Number)
    .describe('how much the meaning counts in a search of memory, from 0 to 1; words have the rest (0.7 when unset)'),
  FLOTILLA_CONTEXT_TOKENS: windows
    .optional()
    .describe(
      'the main model’s context window in tokens, a whole number from 2000 to 10000000, and behind it those of others, like 128000,fast=16000,fallback=32000',
    ),
  FLOTILLA_MODEL_DIALECT: z
    .string()
    .refine((text) => readDialect(text).unknown.length === 0)
    .optional()
    .describe(
      `names, with commas between, of what the model endpoint takes differently, where that cannot be found out: ${dialectNames}; and wait=300 for the seconds that a model may take before its first word, from 5 to 3600 (60 when unset, 300 for a model that thinks or that runs in this network)`,
    ),
  FLOTILLA_MODEL_CONCURRENCY: whole({
    min: 1,
    max: 100_000,
    byDefault: 1024,
    what: 'model calls at once over all workers',
  }),
  FLOTILLA_MODEL_PRICES: prices
    .optional()
    .describe(
      'JSON with USD per million tokens by model, of prompts, answers and prompts from the cache, like {"some-model":{"in":2.5,"out":10,"cached":1.25}}',
    ),
}
