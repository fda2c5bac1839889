// What a message says: its text as people see it, and what comes along as metadata only; nothing is downloaded. Pure.
// https://open.feishu.cn/document/server-docs/im-v1/message-content-description/message_content
import { z } from 'zod'
import type { Media } from '#shared/chat/quotation.ts'

export type Content = { readonly text: string; readonly media: readonly Media[] }

/** How somebody is named in a text, by what stands there: `@_user_1`. */
export type Names = (key: string) => string | undefined

const nothing: Content = { text: '', media: [] }
const textContent = z.object({ text: z.string() })
const part = z.looseObject({
  tag: z.string(),
  text: z.string().optional().catch(undefined),
  href: z.string().optional().catch(undefined),
  user_id: z.string().optional().catch(undefined),
  user_name: z.string().optional().catch(undefined),
  emoji_type: z.string().optional().catch(undefined),
  language: z.string().optional().catch(undefined),
})
type Part = z.infer<typeof part>
const post = z.object({ title: z.string().default(''), content: z.array(z.array(part)) })
/** Asked for, some posts come in a language of their own. */
const localPosts = z.record(z.string(), post)
const file = z.object({ file_name: z.string().optional() }).catch({})
/** The title of a task or of a calendar entry. */
const entry = z
  .object({ summary: z.union([z.string(), post.transform((said) => toPost(said, () => undefined).text)]).optional() })
  .catch({})

const mostMedia = 50

/** Feishu's word for a kind of message, and ours for what it brings. */
const kinds: Readonly<Record<string, string>> = {
  image: 'photo',
  file: 'document',
  folder: 'document',
  audio: 'audio',
  media: 'video',
  sticker: 'sticker',
  share_chat: 'contact',
  share_user: 'contact',
  location: 'location',
  vote: 'poll',
  interactive: 'card',
  share_calendar_event: 'event',
  calendar: 'event',
  general_calendar: 'event',
  todo: 'task',
  video_chat: 'meeting',
  hongbao: 'gift',
}

/** Empty for what is no content of a person's: a note of the system. */
export function toContent(type: string, json: string, names: Names): Content {
  const content = parseJson(json)
  if (type === 'text') {
    const read = textContent.safeParse(content)
    return read.success ? { text: withNames(read.data.text, names), media: [] } : nothing
  }
  if (type === 'post') {
    const read = post.safeParse(content)
    const local = read.success ? undefined : Object.values(localPosts.catch({}).parse(content))[0]
    const said = read.data ?? local
    return said ? toPost(said, names) : nothing
  }
  if (type === 'interactive') {
    const text = cardText(content).join('\n').trim()
    return { text, media: text === '' ? [{ kind: 'card' }] : [] }
  }
  const kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined
  if (kind === undefined) return nothing
  const name = file.parse(content).file_name ?? entry.parse(content).summary
  return { text: '', media: [{ kind, ...(name ? { name: name.toWellFormed().slice(0, 200) } : {}) }] }
}

/** Whether a kind of message is one that a person sends. */
export const isSaid = (type: string): boolean => type === 'text' || type === 'post' || Object.hasOwn(kinds, type)

function withNames(text: string, names: Names): string {
  return text.replaceAll(/@_\w{1,40}/g, (key) => (key === '@_all' ? '@all' : (names(key) ?? key)))
}

function toPost({ title, content }: z.infer<typeof post>, names: Names): Content {
  const lines = content.map((line) => line.map((one) => toText(one, names)).join(''))
  const media = content
    .flat()
    .flatMap(({ tag }) =>
      tag === 'img' || tag === 'media' ? [{ kind: kinds[tag === 'img' ? 'image' : 'media'] ?? tag }] : [],
    )
    .slice(0, mostMedia)
  return { text: [title, ...lines].join('\n').trim(), media }
}

function toText(one: Part, names: Names): string {
  const { tag, text = '' } = one
  if (tag === 'a') return one.href && one.href !== text ? `${text} (${one.href})` : text
  if (tag === 'at')
    return one.user_id === '@_all' || one.user_id === 'all'
      ? '@all'
      : (names(one.user_id ?? '') ?? `@${one.user_name ?? ''}`)
  if (tag === 'code_block') return `\n\`\`\`${one.language?.toLowerCase() ?? ''}\n${text}\n\`\`\`\n`
  if (tag === 'emotion') return `:${one.emoji_type ?? ''}:`
  return text
}

/** A card of somebody's, as far as words can be found in it; the words of buttons are no words of the card. */
function cardText(node: unknown, depth = 0): string[] {
  if (depth > 12 || typeof node !== 'object' || node === null) return []
  if (Array.isArray(node)) return node.slice(0, 500).flatMap((one) => cardText(one, depth + 1))
  const { tag, content, text, title, header, elements, body, columns } = toRecord(node)
  if (tag === 'button') return []
  const own = [title, content, text].flatMap((one) =>
    typeof one === 'string' && one !== '' ? [one] : cardText(one, depth + 1),
  )
  return [...own, ...[header, elements, body, columns].flatMap((one) => cardText(one, depth + 1))]
}

const toRecord = (node: object): Readonly<Record<string, unknown>> => Object.fromEntries(Object.entries(node))

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
