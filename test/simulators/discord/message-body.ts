// What a message may carry when the bot sends or edits it: the schemas with Discord's limits, and the files that come along.
// https://discord.com/developers/docs/resources/message#create-message
import { z } from 'zod'
import { invalidField, refusals } from './api-error.ts'
import { messageFlags } from './bits.ts'
import { check, type CallBody, type UploadedFile } from './form-body.ts'
import { allowedMentions } from './mentions.ts'
import { dcEmbed, dcRow, type DcAttachment, type DcRow } from './types.ts'
import type { Channel, World } from './world.ts'

const uploadLimitBytes = 10 * 1024 * 1024
const embedsLimit = 6000

const rows = z
  .array(dcRow)
  .max(5)
  .superRefine((given, context) => {
    const seen = new Set<string>()
    for (const [r, row] of given.entries()) {
      for (const [c, { custom_id, url, label, emoji, style }] of row.components.entries()) {
        const path = [r, 'components', c]
        const refuse = (field: string, discord: string, message: string) =>
          context.addIssue({ code: 'custom', message, params: { discord }, path: [...path, field] })
        if (style === 5 ? url === undefined : custom_id === undefined) {
          refuse(style === 5 ? 'url' : 'custom_id', 'BASE_TYPE_REQUIRED', 'This field is required')
        }
        if (style === 5 && custom_id !== undefined) {
          refuse(
            'custom_id',
            'BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE',
            'A custom id and url cannot both be specified',
          )
        }
        if (label === undefined && emoji === undefined) {
          refuse('label', 'BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED', 'A button must have a label or an emoji')
        }
        if (custom_id === undefined) continue
        if (seen.has(custom_id)) {
          refuse('custom_id', 'COMPONENT_CUSTOM_ID_DUPLICATED', 'Component custom id cannot be duplicated')
        }
        seen.add(custom_id)
      }
    }
  })

const embeds = z
  .array(dcEmbed)
  .max(10)
  .superRefine((given, context) => {
    const length = given.reduce((sum, one) => sum + (one.title?.length ?? 0) + (one.description?.length ?? 0), 0)
    if (length <= embedsLimit) return
    const message = `Embed size exceeds maximum size of ${embedsLimit}`
    context.addIssue({ code: 'custom', message, params: { discord: 'MAX_EMBED_SIZE_EXCEEDED' } })
  })

const attachments = z.array(
  z.looseObject({ id: z.union([z.string(), z.number()]).transform(String), filename: z.string().optional() }),
)

/** A field that may be null, which means as if it were not there when creating, and emptied when editing. */
const content = z.string().max(2000).nullish()

const shared = {
  content,
  embeds: embeds.nullish(),
  components: rows.nullish(),
  allowed_mentions: allowedMentions.nullish(),
  flags: z.number().int().nullish(),
  attachments: attachments.nullish(),
}

export const createBody = z.looseObject({
  ...shared,
  tts: z.boolean().optional(),
  nonce: z.union([z.string().max(25), z.number().int()]).optional(),
  enforce_nonce: z.boolean().optional(),
  message_reference: z
    .looseObject({
      type: z.union([z.literal(0), z.literal(1)]).optional(),
      message_id: z.union([z.string(), z.number()]).transform(String).optional(),
      channel_id: z.string().optional(),
      guild_id: z.string().optional(),
      fail_if_not_exists: z.boolean().optional(),
    })
    .nullish(),
})
export type CreateBody = z.infer<typeof createBody>

export const editBody = z.looseObject(shared)
export type EditBody = z.infer<typeof editBody>

/** Checks a body for a new message. Throws 50035, or 50006 when it says nothing. */
export function checkCreate({ body, files }: CallBody): CreateBody {
  const parsed = check(createBody, body)
  const says = (parsed.content ?? '').trim() !== ''
  checkFlags(parsed.flags ?? 0)
  const shows = (parsed.embeds?.length ?? 0) > 0 || (parsed.components?.length ?? 0) > 0 || files.size > 0
  const forwards = parsed.message_reference?.type === 1
  if (!says && !shows && !forwards) throw refusals.emptyMessage()
  return parsed
}

export function checkEdit({ body }: CallBody): EditBody {
  const parsed = check(editBody, body)
  checkFlags(parsed.flags ?? 0)
  return parsed
}

function checkFlags(flags: number): void {
  if ((flags & messageFlags.ComponentsV2) === 0) return
  throw invalidField(['flags'], 'FLAGS_NOT_SUPPORTED', 'This simulator does not know Components V2')
}

/** Stores uploaded files; named ones take the name of their attachment. */
export function storeFiles(world: World, channel: Channel, { files, body }: CallBody): DcAttachment[] {
  const named = z.looseObject({ attachments }).safeParse(body).data?.attachments ?? []
  return [...files].map(([n, file]) => {
    if (file.bytes.length > uploadLimitBytes) throw refusals.tooLarge()
    const name = named.find(({ id }) => id === n)?.filename ?? file.name
    return storeFile(world, channel, { ...file, name })
  })
}

export function storeFile(world: World, channel: Channel, file: UploadedFile): DcAttachment {
  const id = world.newId()
  const path = `/attachments/${channel.id}/${id}/${encodeURIComponent(file.name)}`
  world.files.set(id, file)
  const url = `${world.origin}${path}`
  const type = file.type === '' ? 'application/octet-stream' : file.type
  return { id, filename: file.name, size: file.bytes.length, url, proxy_url: url, content_type: type }
}

/** The rows of a message; none for null. */
export function toRows(given: readonly DcRow[] | null | undefined): readonly DcRow[] {
  return given ?? []
}
