// The table of what a Feishu message can hold, by Feishu's word for its kind. Each is read, or told as what it is; a kind that is not in
// the table, such as one that Feishu adds later, is told as unknown, so that it never stays without an answer. Nothing is downloaded. Pure.
// https://open.feishu.cn/document/server-docs/im-v1/message-content-description/message_content
import { z } from 'zod'
import { unknownKind, type Media } from '#shared/chat/quotation.ts'
import { toRecord } from '#adapters/events/to-record.ts'
import { parseJson } from '#shared/json.ts'

export type Content = { readonly text: string; readonly media: readonly Media[] }

/** How somebody is named in a text, by what stands there: `@_user_1`. */
export type Names = (key: string) => string | undefined

const nothing: Content = { text: '', media: [] }
const unread: Content = { text: '', media: [{ kind: unknownKind }] }
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
const mostMedia = 50

/** Told as what it is: by Feishu's word for it, ours. */
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

const short = z.string().transform((text) => text.toWellFormed().slice(0, 1000))
/** ms since 1970, as a number or as text. */
const time = z
  .union([z.string(), z.number()])
  .optional()
  .catch(undefined)
  .transform((stamp) => {
    const at = new Date(Number(stamp ?? Number.NaN))
    return Number(stamp) > 0 && Number.isFinite(at.getTime())
      ? `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
      : undefined
  })
const heading = z.union([short, post.transform((said) => toPost(said, () => undefined).text.slice(0, 1000))])
const timed = (word: string, known: readonly (string | undefined)[]): string =>
  `${word}: ${known.filter((one) => one !== undefined && one !== '').join(', ')}`
const reader =
  <T>(shape: z.ZodType<T>, write: (value: T) => string) =>
  (value: unknown): string | undefined => {
    const read = shape.safeParse(value)
    return read.success ? write(read.data) : undefined
  }
const entry = reader(
  z.object({ summary: heading, start_time: time, end_time: time }),
  ({ summary, start_time: start, end_time: end }) =>
    timed('Event', [summary, start && `from ${start}`, end && `to ${end}`]),
)

/** What has words beside a text and a post. Where they cannot be read, it is told as what it is. */
const words: Readonly<Record<string, (content: unknown) => string | undefined>> = {
  interactive: (content) => cardText(content).join('\n').trim() || undefined,
  todo: reader(z.object({ summary: heading, due_time: time }), ({ summary, due_time: due }) =>
    timed('Task', [summary, due && `due ${due}`]),
  ),
  share_calendar_event: entry,
  calendar: entry,
  general_calendar: entry,
  video_chat: reader(z.object({ topic: short, start_time: time }), ({ topic, start_time: start }) =>
    timed('Meeting', [topic, start && `from ${start}`]),
  ),
  location: reader(
    z.object({ name: short, longitude: z.coerce.number(), latitude: z.coerce.number() }),
    ({ name, longitude, latitude }) => timed('Location', [name, `${latitude}, ${longitude}`]),
  ),
  vote: reader(z.object({ topic: short, options: z.array(short).catch([]) }), ({ topic, options }) =>
    [`Poll: ${topic}`, ...options.slice(0, 50).map((option) => `- ${option}`)].join('\n'),
  ),
}

/** Whether a kind of message holds its sender's own words; those of a card, a task or a place are others'. */
export const isOwn = (type: string): boolean => type === 'text' || type === 'post' || type === 'vote'

/** A note of Feishu's about something done, such as a person who came into the group. */
const service = 'system'
/** Whether a kind of message is one that a person sends, whether we know it or not. */
export const isSaid = (type: string): boolean => type !== service

/** Empty for a note of Feishu's. */
export function toContent(type: string, json: string, names: Names): Content {
  if (!isSaid(type)) return nothing
  const content = parseJson(json)
  if (type === 'text') {
    const read = textContent.safeParse(content)
    return read.success ? { text: withNames(read.data.text, names), media: [] } : unread
  }
  if (type === 'post') {
    const read = post.safeParse(content)
    const local = read.success ? undefined : Object.values(localPosts.catch({}).parse(content))[0]
    const said = read.data ?? local
    const found = said ? toPost(said, names) : nothing
    return found.text === '' && found.media.length === 0 ? unread : found
  }
  const text = Object.hasOwn(words, type) ? words[type]?.(content) : undefined
  if (text !== undefined) return { text, media: [] }
  const kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined
  if (kind === undefined) return unread
  const name = file.parse(content).file_name
  return { text: '', media: [{ kind, ...(name ? { name: name.toWellFormed().slice(0, 200) } : {}) }] }
}

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
  const { tag, content, text, title, header, elements, body, columns, rows, fields } = toRecord(node)
  if (tag === 'button') return []
  const own = [title, content, text].flatMap((one) =>
    typeof one === 'string' && one !== '' ? [one] : cardText(one, depth + 1),
  )
  return [
    ...own,
    ...[header, elements, fields, body, columns].flatMap((one) => cardText(one, depth + 1)),
    ...(tag === 'table' ? tableText(columns, rows) : []),
  ]
}

/** https://open.feishu.cn/document/feishu-cards/card-json-v2-components/content-components/table */
function tableText(columns: unknown, rows: unknown): string[] {
  const heads = z
    .array(z.object({ name: z.string(), display_name: z.string().optional() }))
    .catch([])
    .parse(columns)
  const lines = z.array(z.record(z.string(), z.unknown())).catch([]).parse(rows).slice(0, 200)
  const shown = lines.map((row) =>
    heads.map(({ name }) => (['string', 'number'].includes(typeof row[name]) ? String(row[name]) : '')).join(' | '),
  )
  return [heads.map(({ name, display_name: display = name }) => display).join(' | '), ...shown]
}
