// Named collections of records (seed 004 §1.3): one is there once something is written into it, and what names none stands in `default`.
import type { Language } from '#shared/chat/message.ts'
import type { CommandContext } from '#shared/feature/feature.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import { say } from '#shared/feature/say.ts'
import { collectionName, type MemoryRecord } from '#shared/memory/record.ts'
import { mostFindChars, type Look } from './on-card.ts'
import { toPlace } from './place.ts'
import type { MemoryDeps } from './ports.ts'

/** Found by words at most. */
export const mostInCollection = 5

const unnamed = 'default'
/** Names that people mean wherever they write them. */
const known = new Set([
  unnamed,
  'task_patterns',
  'domain_knowledge',
  'user_preferences',
  'tool_experiences',
  'core_memory',
  'thoughts',
])

export const collectionOf = ({ collection = unnamed }: Pick<MemoryRecord, 'collection'>): string => collection

const into = /^(?:in|into|到|进|入)\s{0,3}([a-z][a-z0-9_]{0,39})\s{0,3}[:：]\s{0,9}/u

export type Into = { readonly text: string; readonly collection?: string }

/**
 * What is to be kept, and in which collection: `in tool_experiences: …`. `isCommand`: it stands behind /remember. In plain words a name that may be any word
 * is none: "remember in summer: we close at noon".
 */
export function readInto(args: string, isCommand: boolean): Into {
  const [led = '', name = ''] = into.exec(args) ?? []
  const isNamed = name !== '' && (isCommand || name.includes('_') || known.has(name))
  if (!isNamed) return { text: args }
  const text = args.slice(led.length)
  return name === unnamed ? { text } : { text, collection: name }
}

/** Behind what is told of a new record. */
export const tellCollection = (collection: string | undefined, language: Language): string =>
  collection === undefined ? '' : language === 'zh' ? `（在 ${collection} 里）` : ` in ${collection}`

const within = /^(?:in|集合)(?:\s+|$)/iu

/** `counts`: all collections are asked for. Undefined for another wish. */
export function readIn(args: string): Look | 'counts' | 'unclear' | undefined {
  if (!within.test(args)) return undefined
  const rest = args.replace(within, '').trim()
  if (rest === '') return 'counts'
  const [name] = rest.split(/\s/u, 1)
  const words = rest.slice(name?.length)
  const collection = collectionName.safeParse(name)
  if (!collection.success) return 'unclear'
  const sought = words.trim().slice(0, mostFindChars).toWellFormed()
  return { kind: 'in', collection: collection.data, ...(sought === '' ? {} : { words: sought }) }
}

/** /memory in: the collections that are here, each with how much stands in it. */
export async function listCollections(
  { memory }: MemoryDeps,
  context: CommandContext,
): Promise<readonly StepEffect<never>[]> {
  const { language, event } = context
  const reads = await Promise.all(toPlace({ ...context, group: event.group }).reads.map((scope) => memory.read(scope)))
  const read = reads.flatMap((one) => (one === 'same' ? [] : [one]))
  const records = read.flatMap((one) => one.records)
  const isPart = read.some((one) => one.count > one.records.length)
  const counts = new Map<string, number>()
  for (const one of records) counts.set(collectionOf(one), (counts.get(collectionOf(one)) ?? 0) + 1)
  if (counts.size === 0) return say(language, '这里还没有记住什么。', 'Nothing is kept here yet.')
  const lines = [...counts].toSorted(([a], [b]) => a.localeCompare(b)).map(([name, many]) => `- \`${name}\`: ${many}`)
  const isChinese = language === 'zh'
  const head = isChinese ? '这里的集合：' : 'The collections here:'
  const part = isPart ? [isChinese ? '只数了最近的。' : 'Only the newest are counted.'] : []
  const how = isChinese
    ? '`/memory in 名字` 列出一个，后面加上词就在里面查找；`/remember in 名字: …` 写进去。'
    : '`/memory in name` lists one of them, and words behind that look in it. `/remember in name: …` writes into it.'
  return [{ kind: 'send', text: [head, ...lines, ...part, `\n${how}`].join('\n') }]
}
