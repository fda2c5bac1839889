// Finds everything wrong with the environment and says it in plain sentences: the variable, the shape of its value
// (never a secret's value), and the fix. It decides nothing about what the settings mean.
import type { z } from 'zod'
import { findHomeless } from './http-variables.ts'
import { findHalfMeilisearch } from './meilisearch-variables.ts'
import { findNearest } from '#shared/nearest.ts'
import { environment } from './variables.ts'
import { secretVariables } from './secret-variables.ts'
import type { Environment } from './variables.ts'

type Env = Readonly<Record<string, string | undefined>>

const names = Object.keys(environment.shape)

/** Variables of ours that no one else uses: an unknown one is always a mistake. */
const ownPrefix = 'FLOTILLA_'
/** Prefixes that others share: only what is nearly one of our names, which is not set, is taken for a slip of the pen. */
const sharedPrefixes = ['TELEGRAM_', 'DISCORD_', 'FEISHU_', 'OPENAI_', 'REDIS_', 'MEILISEARCH_']
const maxSlips = 2

/** A sentence for every `FLOTILLA_*` that does not exist and for near misses of the other names. */
export function findUnknown(env: Env): string[] {
  return Object.keys(env).flatMap((name) => {
    if (names.includes(name) || env[name] === undefined) return []
    if (name.startsWith(ownPrefix)) {
      const { name: nearest, slips } = findNearest(name, names)
      const hint =
        slips <= Math.max(maxSlips, name.length / 4)
          ? `Did you mean ${nearest}?`
          : 'infra/docs/settings.md lists all settings.'
      return [`${name} is not a setting. ${hint} Correct or unset it.`]
    }
    const meant = sharedPrefixes.some((prefix) => name.startsWith(prefix)) ? findMeant(name) : undefined
    const slip = meant !== undefined && env[meant] === undefined
    return slip ? [`${name} is not a setting. Did you mean ${meant}? Correct or unset it.`] : []
  })
}

/** A sentence for each variable whose value the schema refuses. */
export function toSentences(error: z.ZodError, env: Env): string[] {
  const refused = new Set(error.issues.map((issue) => String(issue.path[0])))
  return names
    .filter((name) => refused.has(name))
    .map((name) => {
      return `${name} ${toShape(name, env[name] ?? '')}. It must be ${describeVariable(name)}.`
    })
}

/** A sentence for each pair of settings that cannot both hold. */
export function findContradictions(values: Environment): string[] {
  const found: string[] = []
  const webhook = values.TELEGRAM_WEBHOOK_URL !== undefined
  if (webhook && values.TELEGRAM_WEBHOOK_SECRET === undefined) {
    found.push(
      'TELEGRAM_WEBHOOK_URL is set without TELEGRAM_WEBHOOK_SECRET, so anybody could forge messages. Set TELEGRAM_WEBHOOK_SECRET too.',
    )
  }
  if (!webhook && values.TELEGRAM_WEBHOOK_SECRET !== undefined) {
    found.push(
      'TELEGRAM_WEBHOOK_SECRET is set without TELEGRAM_WEBHOOK_URL. Set TELEGRAM_WEBHOOK_URL too, or unset the secret to fetch updates instead.',
    )
  }
  if (webhook && values.TELEGRAM_BOT_TOKEN === undefined) {
    found.push(
      'TELEGRAM_WEBHOOK_URL is set without TELEGRAM_BOT_TOKEN. Set TELEGRAM_BOT_TOKEN too, or unset the webhook.',
    )
  }
  found.push(...findFeishu(values))
  if (values.FLOTILLA_FALLBACK_MODEL !== undefined && values.FLOTILLA_FALLBACK_MODEL === values.FLOTILLA_MODEL) {
    found.push('FLOTILLA_FALLBACK_MODEL names the same model as FLOTILLA_MODEL. Name another one, or unset it.')
  }
  for (const name of ['FLOTILLA_DAILY_USD', 'FLOTILLA_TURN_USD'] as const) {
    if (values[name] === undefined || values.FLOTILLA_MODEL_PRICES !== undefined) continue
    found.push(
      `${name} is set without FLOTILLA_MODEL_PRICES, so money cannot be counted. Set FLOTILLA_MODEL_PRICES, or unset the limit.`,
    )
  }
  if (
    values.FLOTILLA_EMBEDDING_MODEL !== undefined &&
    values.OPENAI_API_KEY === undefined &&
    values.OPENAI_BASE_URL === undefined
  ) {
    found.push(
      'FLOTILLA_EMBEDDING_MODEL is set without an endpoint that has it. Set OPENAI_BASE_URL or OPENAI_API_KEY too, or unset it.',
    )
  }
  found.push(...findHalfMeilisearch(values))
  found.push(...findHomeless(values.FLOTILLA_HTTP_HOSTS, values.FLOTILLA_HTTP_SECRETS))
  if (
    values.FLOTILLA_HISTORY_TOKENS !== undefined &&
    values.FLOTILLA_HISTORY_TOKENS >= (values.FLOTILLA_CONTEXT_TOKENS?.main ?? Infinity)
  ) {
    found.push(
      'FLOTILLA_HISTORY_TOKENS is not below FLOTILLA_CONTEXT_TOKENS. Lower FLOTILLA_HISTORY_TOKENS, or unset it.',
    )
  }
  return found
}

function findFeishu(values: Environment): string[] {
  const { FEISHU_APP_ID: app, FEISHU_APP_SECRET: secret, FEISHU_WEBHOOK_URL: webhook } = values
  const keys = ['FEISHU_ENCRYPT_KEY', 'FEISHU_VERIFICATION_TOKEN'] as const
  const found: string[] = []
  if ((app === undefined) !== (secret === undefined)) {
    const [is, isNot] =
      app === undefined ? ['FEISHU_APP_SECRET', 'FEISHU_APP_ID'] : ['FEISHU_APP_ID', 'FEISHU_APP_SECRET']
    found.push(`${is} is set without ${isNot}. Set both, or neither.`)
  }
  if (webhook === undefined) {
    const [key] = keys.filter((name) => values[name] !== undefined)
    if (key)
      found.push(
        `${key} is set without FEISHU_WEBHOOK_URL. Set FEISHU_WEBHOOK_URL too, or unset the key: the long connection needs none.`,
      )
    return found
  }
  if (app === undefined && secret === undefined) {
    found.push('FEISHU_WEBHOOK_URL is set without FEISHU_APP_ID. Set FEISHU_APP_ID too, or unset the webhook.')
  }
  for (const name of keys) {
    if (values[name] !== undefined) continue
    found.push(
      `FEISHU_WEBHOOK_URL is set without ${name}, so anybody could forge messages. Set ${name} too, from the page Events & Callbacks of the developer console.`,
    )
  }
  return found
}

/** A name with few slips, or one of ours with a word left out: DISCORD_TOKEN for DISCORD_BOT_TOKEN. */
function findMeant(name: string): string | undefined {
  const { name: nearest, slips } = findNearest(name, names)
  if (slips <= (name.startsWith('REDIS_') ? 1 : maxSlips)) return nearest
  const words = name.split('_').filter(Boolean)
  return words.length < 2 ? undefined : names.find((known) => words.every((word) => known.split('_').includes(word)))
}

function describeVariable(name: string): string {
  const entry = Object.entries(environment.shape).find(([known]) => known === name)
  return entry?.[1].description ?? 'left unset'
}

/** The shape of a value: for a secret only its length and kinds of characters, else the value itself, cut. */
function toShape(name: string, value: string): string {
  const length = `${value.length} character${value.length === 1 ? '' : 's'}`
  if (!secretVariables.has(name)) return `is ${JSON.stringify(value.slice(0, 60))} (${length})`
  const kinds = [
    /[A-Za-z]/.test(value) ? 'letters' : '',
    /\d/.test(value) ? 'digits' : '',
    /\s/.test(value) ? 'blanks' : '',
    /[^A-Za-z\d\s]/.test(value) ? 'signs' : '',
  ].filter(Boolean)
  return `has ${length} (${kinds.join(', ')}; hidden here)`
}
