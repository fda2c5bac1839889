// The table of what a Discord message can hold, by the name of its field. Each kind is read (its sender's own words, or words of others),
// or told as what it is. A message with nothing of these holds a kind that is not known yet, and is told so: it never stays without an
// answer. A forward's words stand in a snapshot, which is such a message itself (`quotes.ts`). Pure.
// https://docs.discord.com/developers/resources/message#message-object
import { z } from 'zod'
import { unknownKind, type Media } from '#shared/chat/quotation.ts'
import { toRecord } from '#adapters/events/to-record.ts'
import { toSaid, type Reader } from './addressing.ts'
import type { DcContent } from './payloads.ts'
import { withReferences } from './references.ts'

export type Content = {
  /** Without mentions of the bot. */
  readonly text: string
  /** Words that stand in embeds and components. */
  readonly shown: string
  readonly media: readonly Media[]
}

/** https://docs.discord.com/developers/resources/message#embed-object-embed-limits: 6000 characters in ten embeds. */
const mostShownChars = 12_000
const mostParts = 500
const mostLevels = 8
/** https://docs.discord.com/developers/resources/message#message-object-message-flags */
const voiceFlag = 1 << 13

const words = z.string().transform((text) => text.slice(0, mostShownChars))
const answer = z.object({ poll_media: z.object({ text: words }) })
const poll = z.object({ question: z.object({ text: words }), answers: z.array(z.unknown()).catch([]) })

export function toContent(said: DcContent, reader: Reader): Content {
  const own = toSaid(said, reader)
  const asked = toPoll(said.poll)
  const text = [own, asked ?? ''].filter((part) => part !== '').join('\n')
  const { lines, pictures } = readShown(said)
  const shown = withReferences(lines.join('\n').slice(0, mostShownChars).toWellFormed(), reader.names)
  const media = [
    ...toFiles(said),
    ...(said.poll && asked === undefined ? [{ kind: 'poll' }] : []),
    ...(said.activity ? [{ kind: 'activity' }] : []),
    ...(said.shared_client_theme ? [{ kind: 'theme' }] : []),
  ]
  const isUnknown = said.content === '' && text === '' && shown === '' && media.length + pictures === 0
  if (isUnknown) return { text, shown, media: [{ kind: unknownKind }] }
  return { text, shown, media: shown === '' && pictures > 0 ? [...media, { kind: 'image' }] : media }
}

/** As metadata only: nothing is downloaded. */
function toFiles({ attachments, sticker_items: stickers, flags = 0 }: DcContent): Media[] {
  return [
    ...attachments.map(({ filename, content_type: type, size }) => ({
      kind: (flags & voiceFlag) === 0 ? (/^(image|video|audio)\//.exec(type ?? '')?.[1] ?? 'document') : 'voice',
      ...(filename === '' ? {} : { name: filename.toWellFormed().slice(0, 200) }),
      ...(size === undefined ? {} : { bytes: size }),
    })),
    ...stickers.map(({ name }) => ({ kind: 'sticker', name: name.toWellFormed().slice(0, 200) })),
  ]
}

function toPoll(given: unknown): string | undefined {
  const { question, answers } = poll.safeParse(given).data ?? {}
  if (!question || !answers) return undefined
  const options = answers.slice(0, 20).flatMap((one) => answer.safeParse(one).data?.poll_media.text ?? [])
  return [`Poll: ${question.text}`, ...options.map((option) => `- ${option}`)].join('\n')
}

type Shown = { readonly lines: string[]; pictures: number; parts: number }

function readShown({ embeds, components }: DcContent): Shown {
  const shown: Shown = { lines: [], pictures: 0, parts: 0 }
  for (const embed of embeds.slice(0, 20)) readEmbed(shown, toRecord(embed))
  readComponents(shown, components, 0)
  return shown
}

function add(shown: Shown, ...parts: readonly unknown[]): void {
  const line = parts.filter((part) => typeof part === 'string' && part !== '').join(': ')
  if (line !== '') shown.lines.push(line.slice(0, mostShownChars))
}

function readEmbed(shown: Shown, embed: Readonly<Record<string, unknown>>): void {
  const { author, title, description, fields, footer } = embed
  add(shown, toRecord(author)['name'])
  add(shown, title)
  add(shown, description)
  for (const field of Array.isArray(fields) ? fields.slice(0, 50) : []) {
    const { name, value } = toRecord(field)
    add(shown, name, value)
  }
  add(shown, toRecord(footer)['text'])
  for (const kind of ['image', 'thumbnail', 'video'] as const) {
    if (embed[kind] === undefined || embed[kind] === null) continue
    shown.pictures += 1
    add(shown, toRecord(embed[kind])['description'])
  }
}

const button = 2
/** Buttons and menus have words to be chosen, none that are said. https://docs.discord.com/developers/components/reference */
const chosen: ReadonlySet<unknown> = new Set([button, 3, 4, 5, 6, 7, 8])

/** Texts wherever they stand: in containers, in sections, beside pictures, or in a component that does not exist yet. */
function readComponents(shown: Shown, given: unknown, level: number): void {
  for (const one of Array.isArray(given) ? given : [given]) {
    const component = toRecord(one)
    shown.parts += 1
    if (shown.parts > mostParts || level > mostLevels || chosen.has(component['type'])) continue
    const { content, title, description, label, media, file } = component
    for (const text of [label, title, content, description]) add(shown, text)
    if (media ?? file) shown.pictures += 1
    for (const part of ['components', 'component', 'items', 'accessory'] as const) {
      if (component[part] !== undefined) readComponents(shown, component[part], level + 1)
    }
  }
}
