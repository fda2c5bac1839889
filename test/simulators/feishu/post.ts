// A rich text (`post`): paragraphs of pieces, and what people read of them.
// https://open.feishu.cn/document/uAjLw4CM/ukTMukTMukTM/im-v1/message/create_json#45e0953e
import { isObject, type CardJson } from './card-json.ts'
import type { Mention } from './world.ts'

export type PostText = { readonly text: string; readonly mentions: readonly Mention[] }

/** Undefined for what is no rich text, such as a piece of an unknown kind. */
export function toPostText(
  { title = '', content }: CardJson,
  nameOf: (openId: string) => string | undefined,
): PostText | undefined {
  if (typeof title !== 'string' || !Array.isArray(content)) return undefined
  const mentions: Mention[] = []
  const lines: string[] = title === '' ? [] : [title]
  for (const paragraph of content) {
    if (!Array.isArray(paragraph)) return undefined
    const pieces = paragraph.map((piece) => (isObject(piece) ? toPiece(piece, mentions, nameOf) : undefined))
    if (pieces.includes(undefined)) return undefined
    lines.push(pieces.join(''))
  }
  return { text: lines.join('\n'), mentions }
}

function toPiece(
  piece: CardJson,
  mentions: Mention[],
  nameOf: (openId: string) => string | undefined,
): string | undefined {
  const { tag, text, href, user_id: userId, language } = piece
  switch (tag) {
    case 'text':
    case 'md':
      return typeof text === 'string' ? text : undefined
    case 'a':
      return typeof text === 'string' && typeof href === 'string' ? `[${text}](${href})` : undefined
    case 'at': {
      if (typeof userId !== 'string') return undefined
      const name = userId === 'all' ? 'all' : (nameOf(userId) ?? userId)
      mentions.push({ key: `@_user_${mentions.length + 1}`, openId: userId, name })
      return `@${name}`
    }
    case 'code_block':
      return typeof text === 'string'
        ? `\`\`\`${typeof language === 'string' ? language : ''}\n${text}\`\`\``
        : undefined
    case 'hr':
      return '---'
    case 'img':
    case 'media':
    case 'emotion':
      return `[${tag}]`
    default:
      return undefined
  }
}
