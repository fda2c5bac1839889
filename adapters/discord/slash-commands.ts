// The commands behind Discord's slash: written only when they differ, since every start of every process would write them.
import { z } from 'zod'
import type { CommandInfo } from '#shared/feature/feature.ts'
import { withId } from './payloads.ts'
import { oddResponse, type RestApi } from './rest-api.ts'

const timeoutMs = 5000
const stringOption = 3
const listed = z.array(
  z.object({
    name: z.string(),
    description: z.string(),
    description_localizations: z.record(z.string(), z.string()).nullish(),
    options: z.array(z.object({ name: z.string(), type: z.number(), required: z.boolean().optional() })).optional(),
  }),
)

/** English is the default, Chinese for Chinese clients. A failure is left for the next start. */
export async function keepCommands(api: RestApi, commands: readonly CommandInfo[], signal: AbortSignal): Promise<void> {
  const limit = { timeoutMs, signal }
  const application = await api.call({ method: 'get', path: '/applications/@me', shape: withId }, limit)
  if (application.kind !== 'ok') return
  const path = `/applications/${application.value.id}/commands` as const
  const query = { with_localizations: 'true' }
  const known = await api.call({ method: 'get', path, query, shape: listed }, limit)
  const wanted = commands.map(toWanted)
  // Commands of another shape are none of ours.
  const isOther = known.kind === 'unclear' && known.reason === oddResponse
  if (known.kind !== 'ok' && !isOther) return
  if (known.kind === 'ok' && isSame(known.value.map(toComparable), wanted.map(toComparable))) return
  await api.call({ method: 'put', path, body: wanted, shape: z.array(z.unknown()) }, limit)
}

function toWanted({ name, help }: CommandInfo) {
  const zh = help.zh.slice(0, 100)
  return {
    name,
    type: 1,
    description: help.en.slice(0, 100),
    description_localizations: { 'zh-CN': zh, 'zh-TW': zh },
    options: [
      {
        name: 'text',
        type: stringOption,
        required: false,
        description: 'What follows the command',
        description_localizations: { 'zh-CN': '命令后面的内容', 'zh-TW': '命令後面的內容' },
      },
    ],
  }
}

/** What a person would see change. */
function toComparable(one: z.infer<typeof listed>[number]): string {
  const options = (one.options ?? []).map(({ name, type, required = false }) => [name, type, required])
  const chinese = one.description_localizations?.['zh-CN'] ?? ''
  return JSON.stringify([one.name, one.description, chinese, options])
}

function isSame(known: readonly string[], wanted: readonly string[]): boolean {
  return known.length === wanted.length && new Set([...known, ...wanted]).size === wanted.length
}
