// Reads the `content` of a message, which is JSON in a string, by its type, as the server checks it: 230001 for what is no such content,
// 230025 for what is too long, 230099 for a bad card.
// https://open.feishu.cn/document/uAjLw4CM/ukTMukTMukTM/im-v1/message/create_json
import { badCard, refusals } from './api-error.ts'
import { isObject, type CardJson } from './card-json.ts'
import { readCard, type ShownCard } from './card.ts'
import { toPostText } from './post.ts'
import type { CardEntity, Mention, World } from './world.ts'

export type MessageContent = {
  /** As it is given back, with `@_user_1` for a person's name. */
  readonly content: string
  readonly text: string
  readonly mentions: readonly Mention[]
  readonly card?: ShownCard
  readonly entity?: CardEntity
}

const maxTextBytes = 150 * 1024
export const maxCardBytes = 30 * 1024

/** For messages of the bot. */
export function readContent(world: World, type: string, given: string): MessageContent {
  const json = parseContent(given)
  const maxBytes = type === 'text' ? maxTextBytes : maxCardBytes
  if (Buffer.byteLength(given) > maxBytes) throw refusals.tooLong()
  switch (type) {
    case 'text':
      return readText(world, json)
    case 'post':
      return readPost(world, json)
    case 'interactive':
      return readInteractive(world, json, given)
    case 'file':
    case 'image':
    case 'audio':
    case 'media':
    case 'sticker':
      return readResource(world, type, json)
    case 'share_chat':
    case 'share_user': {
      const id = json[type === 'share_chat' ? 'chat_id' : 'user_id']
      if (typeof id !== 'string') throw refusals.invalid(`invalid content: ${type}`)
      return { content: given, text: `[${type}]`, mentions: [] }
    }
    default:
      throw refusals.invalid('invalid msg_type.')
  }
}

function parseContent(given: string): CardJson {
  try {
    const json: unknown = JSON.parse(given)
    if (isObject(json)) return json
  } catch {
    // Refused below.
  }
  throw refusals.invalid('content is not a string in json format.')
}

function readText(world: World, { text }: CardJson): MessageContent {
  if (typeof text !== 'string') throw refusals.invalid('text is empty.')
  if (text === '') throw refusals.invalid('text content is empty.')
  const { text: marked, mentions } = findMentions(world, text)
  return { content: JSON.stringify({ text: marked }), text: withNames(marked, mentions), mentions }
}

/** `<at user_id="ou_…">name</at>` notifies a person of the chat; for anybody else it stays what it says. */
function findMentions(world: World, text: string): { readonly text: string; readonly mentions: readonly Mention[] } {
  const mentions: Mention[] = []
  const marked = text.replaceAll(/<at user_id="([^"]+)">([^<]*)<\/at>/g, (_, openId: string, given: string) => {
    if (openId === 'all') {
      mentions.push({ key: '@_all', openId: 'all', name: 'all' })
      return '@_all'
    }
    const name = world.users.get(openId)?.name ?? given
    const key = `@_user_${mentions.length + 1}`
    mentions.push({ key, openId, name })
    return key
  })
  return { text: marked, mentions }
}

/** The text as people see it. */
export function withNames(text: string, mentions: readonly Mention[]): string {
  return mentions.toReversed().reduce((shown, { key, name }) => shown.replaceAll(key, `@${name}`), text)
}

function readPost(world: World, json: CardJson): MessageContent {
  const languages = Object.entries(json).filter(([name]) => /^[a-z]{2}_[a-z]{2}$/.test(name))
  const [, post] = languages[0] ?? []
  if (!isObject(post)) throw refusals.invalid('invalid post content: no language.')
  const read = toPostText(post, (openId) => world.users.get(openId)?.name)
  if (read === undefined) throw refusals.invalid('invalid post content.')
  return { content: JSON.stringify({ title: post['title'] ?? '', content: post['content'] }), ...read }
}

function readInteractive(world: World, json: CardJson, given: string): MessageContent {
  if (json['type'] === 'template')
    throw badCard(200_380, 'template does not exist, please confirm whether this template has been released')
  if (json['type'] !== 'card') {
    const card = readCard(json)
    checkPeople(world, card)
    return { content: given, text: card.text, mentions: [], card }
  }
  const data = isObject(json['data']) ? json['data'] : {}
  const entity = typeof data['card_id'] === 'string' ? world.entities.get(data['card_id']) : undefined
  if (entity === undefined) throw badCard(11_310, 'cardid is invalid')
  if (entity.message !== undefined) throw badCard(11_310, 'cardid is invalid')
  return { content: given, text: entity.card.text, mentions: [], card: entity.card, entity }
}

/** A card names only people whom the tenant has. */
function checkPeople({ users, app }: World, { text }: ShownCard): void {
  const named = [...text.matchAll(/<at (?:id|ids)="?([\w,]+)"?>/g)].flatMap(([, ids = '']) => ids.split(','))
  const unknown = named.find((id) => id !== 'all' && id !== app.bot.openId && !users.has(id))
  if (unknown !== undefined)
    throw badCard(100_290, 'There is an invalid user resource(at/person) in your card', unknown)
}

function readResource(world: World, type: string, json: CardJson): MessageContent {
  const name = type === 'image' ? 'image_key' : 'file_key'
  const key = json[name]
  const file = typeof key === 'string' ? world.files.get(key) : undefined
  if (file === undefined) throw refusals.invalid(`invalid ${name}.`)
  return {
    content: JSON.stringify({ [name]: key, file_name: file.name }),
    text: `[${type}] ${file.name}`,
    mentions: [],
  }
}
