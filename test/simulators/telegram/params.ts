// Reads a method's parameters from JSON, form, multipart or query, and the schemas of those that many methods share.
import type { Exchange } from '#test/simulators/http-server.ts'
import { parseJson, readBody } from '#test/simulators/http-server.ts'
import { z } from 'zod'
import { badRequest } from './api-error.ts'
import { tgEntity, tgLinkPreview, tgReplyMarkup } from './types.ts'

export type UploadedFile = { readonly name: string; readonly bytes: Buffer }

export type CallParams = {
  readonly fields: Readonly<Record<string, unknown>>
  /** By the form field's name. */
  readonly files: ReadonlyMap<string, UploadedFile>
}

/** Fields that stay strings even when they look like a number or JSON. */
const plainFields: ReadonlySet<string> = new Set([
  'text',
  'caption',
  'parse_mode',
  'callback_query_id',
  'url',
  'secret_token',
])

export async function readParams({ req, url }: Exchange): Promise<CallParams> {
  const body = await readBody(req)
  const type = req.headers['content-type'] ?? ''
  const query = Object.fromEntries([...url.searchParams].map(([name, value]) => [name, fromText(name, value)]))
  if (body.length === 0) return { fields: query, files: new Map() }
  if (type.startsWith('application/json')) {
    const parsed = z.record(z.string(), z.unknown()).safeParse(parseJson(body))
    if (!parsed.success) throw badRequest("can't parse JSON object")
    return { fields: { ...query, ...parsed.data }, files: new Map() }
  }
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  const fields: Record<string, unknown> = { ...query }
  const files = new Map<string, UploadedFile>()
  for (const [name, value] of form) {
    if (typeof value === 'string') fields[name] = fromText(name, value)
    else files.set(name, { name: value.name, bytes: Buffer.from(await value.arrayBuffer()) })
  }
  return { fields, files }
}

function fromText(name: string, value: string): unknown {
  if (plainFields.has(name)) return value
  return parseJson(Buffer.from(value)) ?? value
}

/** Checks the fields; a wrong one is Telegram's 400 with the field's name. */
export function check<T>(schema: z.ZodType<T>, fields: unknown): T {
  const parsed = schema.safeParse(fields)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw badRequest(`wrong parameter ${issue?.path.join('.') ?? ''} in request: ${issue?.message ?? ''}`)
}

export const chatField = z.union([z.number().int(), z.string().min(1)])

const replyParameters = z.looseObject({
  message_id: z.number().int().optional(),
  allow_sending_without_reply: z.boolean().optional(),
})

const messageFields = {
  chat_id: chatField,
  message_thread_id: z.number().int().optional(),
  reply_parameters: replyParameters.optional(),
  reply_to_message_id: z.number().int().optional(),
  reply_markup: tgReplyMarkup.optional(),
  disable_notification: z.boolean().optional(),
  protect_content: z.boolean().optional(),
}

const formattingFields = {
  parse_mode: z.string().optional(),
  entities: z.array(tgEntity).optional(),
  link_preview_options: tgLinkPreview.optional(),
}

export const richMessage = z.looseObject({
  blocks: z.array(z.unknown()).optional(),
  html: z.string().optional(),
  markdown: z.string().optional(),
  skip_entity_detection: z.boolean().optional(),
})

export const sendMessageParams = z.looseObject({ ...messageFields, ...formattingFields, text: z.string().default('') })

export const sendRichMessageParams = z.looseObject({ ...messageFields, rich_message: richMessage })

export const sendDocumentParams = z.looseObject({
  ...messageFields,
  document: z.string().optional(),
  caption: z.string().default(''),
  parse_mode: z.string().optional(),
  caption_entities: z.array(tgEntity).optional(),
})

export const editMessageTextParams = z.looseObject({
  ...formattingFields,
  chat_id: chatField,
  message_id: z.number().int(),
  text: z.string().optional(),
  rich_message: richMessage.optional(),
  reply_markup: tgReplyMarkup.optional(),
})

export const messageParams = z.looseObject({ chat_id: chatField, message_id: z.number().int() })

export const draftParams = z.looseObject({
  ...formattingFields,
  chat_id: chatField,
  message_thread_id: z.number().int().optional(),
  draft_id: z.number().int(),
  text: z.string().default(''),
  rich_message: richMessage.optional(),
  can_stop: z.boolean().default(false),
})

export type MessageTarget = {
  readonly chat_id: number | string
  readonly message_thread_id?: number | undefined
  readonly reply_parameters?: z.infer<typeof replyParameters> | undefined
  readonly reply_to_message_id?: number | undefined
}
