// The methods that put a message into a chat: sendMessage, sendRichMessage, sendDocument, and the drafts.
// Refuses what Telegram refuses: empty and long texts, wrong buttons, unknown topics and reply targets, drafts in groups.
import { badRequest, ApiError } from './api-error.ts'
import { checkMarkup } from './buttons.ts'
import { detectEntities, findUrls } from './detect-entities.ts'
import { formatText } from './formatted-text.ts'
import {
  check,
  draftParams,
  sendDocumentParams,
  sendMessageParams,
  sendRichMessageParams,
  type CallParams,
  type MessageTarget,
} from './params.ts'
import { readBlocks, type RichContent } from './rich-blocks.ts'
import type { TgMessage } from './types.ts'
import { findMessage, findWritableChat, storeMessage, type ChatState, type StoredMessage, type World } from './world.ts'

const textLimit = 4096
const captionLimit = 1024
const richLimit = 32_768
const uploadLimitBytes = 50 * 1024 * 1024

export function sendMessage(world: World, { fields }: CallParams): TgMessage {
  const params = check(sendMessageParams, fields)
  const target = findTarget(world, params)
  if (params.text === '') throw badRequest('message text is empty')
  const { text, entities } = formatBody(params.text, params.parse_mode, params.entities)
  if (text === '') throw badRequest('text must be non-empty')
  checkMarkup(params.reply_markup)
  const stored = storeMessage(world, target.state, {
    from: world.bot,
    ...target,
    content: {
      text,
      entities: entities.length > 0 ? entities : undefined,
      reply_markup: params.reply_markup,
      link_preview_options: params.link_preview_options,
    },
  })
  unfurl(world, target.state, stored)
  endDrafts(target.state)
  return stored.wire
}

export function sendRichMessage(world: World, { fields }: CallParams): TgMessage {
  const params = check(sendRichMessageParams, fields)
  const target = findTarget(world, params)
  const rich = readRich(params.rich_message)
  checkMarkup(params.reply_markup)
  const stored = storeMessage(world, target.state, {
    from: world.bot,
    ...target,
    rich,
    content: { rich_message: toRichMessage(rich), reply_markup: params.reply_markup },
  })
  unfurl(world, target.state, stored)
  endDrafts(target.state)
  return stored.wire
}

export function sendDocument(world: World, { fields, files }: CallParams): TgMessage {
  const params = check(sendDocumentParams, fields)
  const target = findTarget(world, params)
  const document = findDocument(world, params.document, files)
  const { text, entities } = formatText({
    text: params.caption,
    parseMode: params.parse_mode,
    entities: params.caption_entities,
    limit: captionLimit,
    tooLong: 'message caption is too long',
  })
  checkMarkup(params.reply_markup)
  const stored = storeMessage(world, target.state, {
    from: world.bot,
    ...target,
    content: {
      document,
      caption: text === '' ? undefined : text,
      caption_entities: entities.length > 0 ? entities : undefined,
      reply_markup: params.reply_markup,
    },
  })
  endDrafts(target.state)
  return stored.wire
}

/** sendMessageDraft and sendRichMessageDraft; an empty text is Telegram's "Thinking…". */
export function sendDraft(world: World, { fields }: CallParams): true {
  const params = check(draftParams, fields)
  const state = findWritableChat(world, params.chat_id)
  if (state.chat.type !== 'private') throw badRequest('TEXTDRAFT_PEER_INVALID')
  if (params.draft_id === 0) throw badRequest('draft_id must be non-zero')
  const text =
    params.rich_message === undefined
      ? formatBody(params.text, params.parse_mode, params.entities).text
      : readRich(params.rich_message, true).text
  state.drafts.set(params.draft_id, { text, at: Date.now(), canStop: params.can_stop })
  return true
}

/** The text of a message within Telegram's limit. */
export function formatBody(
  text: string,
  parseMode: string | undefined,
  entities: Parameters<typeof formatText>[0]['entities'],
): ReturnType<typeof formatText> {
  return formatText({ text, parseMode, entities, limit: textLimit, tooLong: 'message is too long' })
}

type RichInput = {
  readonly blocks?: readonly unknown[] | undefined
  readonly html?: string | undefined
  readonly markdown?: string | undefined
  readonly skip_entity_detection?: boolean | undefined
}

/** A rich message in exactly one of its three forms. Blocks are read; of the other two the source is kept. */
export function readRich({ blocks, html, markdown, ...input }: RichInput, isDraft = false): RichContent {
  const given = [markdown, html, blocks].filter((one) => one !== undefined)
  if (given.length !== 1) {
    throw badRequest('exactly one of the rich message fields html, markdown and blocks must be specified')
  }
  const content = blocks === undefined ? readSource(markdown ?? html ?? '') : readBlocks(blocks, isDraft)
  if (input.skip_entity_detection === true) return content
  return { ...content, entities: [...content.entities, ...detectEntities(content.text, content.entities)] }
}

function readSource(text: string): RichContent {
  if (!text.isWellFormed()) throw badRequest('strings must be encoded in UTF-8')
  if (text.trim() === '') throw badRequest('rich message must be non-empty')
  if (Array.from(text).length > richLimit) throw badRequest('rich message is too long')
  const images = text.matchAll(/!\[[^\]]*\]\((https?:[^)\s]+)|<img[^>]+src="([^"]+)"/g)
  return { text, entities: [], media: [...images].map((image) => image[1] ?? image[2] ?? '') }
}

export function toRichMessage({ text, blocks }: RichContent): object {
  return { blocks: blocks ?? [{ type: 'paragraph', text }] }
}

/** Notes what Telegram would fetch: URLs of a message whose preview is on, images of a rich message always. */
export function unfurl(world: World, state: ChatState, { wire, rich }: StoredMessage): void {
  const note = (url: string) => world.unfurled.push({ chat: state.chat.id, message: wire.message_id, url })
  if (rich !== undefined) {
    for (const url of rich.media) note(url)
    return
  }
  if (wire.link_preview_options?.is_disabled === true) return
  const text = wire.text ?? ''
  for (const url of findUrls(text, wire.entities ?? detectEntities(text))) note(url)
  if (wire.link_preview_options?.url !== undefined) note(wire.link_preview_options.url)
}

function findTarget(
  world: World,
  params: MessageTarget,
): { readonly state: ChatState; readonly topic: number | undefined; readonly replyTo: StoredMessage | undefined } {
  const state = findWritableChat(world, params.chat_id)
  const topic = params.message_thread_id
  if (topic !== undefined && !state.topics.has(topic)) throw badRequest('message thread not found')
  const wanted = params.reply_parameters?.message_id ?? params.reply_to_message_id
  const replyTo = findMessage(state, wanted)
  if (wanted !== undefined && replyTo === undefined && params.reply_parameters?.allow_sending_without_reply !== true) {
    throw badRequest('message to be replied not found')
  }
  return { state, topic, replyTo }
}

function findDocument(world: World, given: string | undefined, files: CallParams['files']): object {
  const attached = given?.startsWith('attach://') ? given.slice('attach://'.length) : 'document'
  const upload = files.get(attached)
  if (upload === undefined) {
    const known = given === undefined ? undefined : world.files.get(given)
    if (given === undefined || known === undefined) throw badRequest('wrong remote file identifier specified')
    return { file_id: given, file_unique_id: `u-${given}`, file_name: known.name, file_size: known.size }
  }
  if (upload.bytes.length > uploadLimitBytes) throw new ApiError(413, 'Request Entity Too Large')
  if (upload.bytes.length === 0) throw badRequest('file must be non-empty')
  const id = `file-${world.files.size + 1}`
  world.files.set(id, { name: upload.name, bytes: upload.bytes, size: upload.bytes.length })
  return { file_id: id, file_unique_id: `u-${id}`, file_name: upload.name, file_size: upload.bytes.length }
}

/** A real message replaces the previews. */
function endDrafts(state: ChatState): void {
  state.drafts.clear()
  state.action = undefined
}
