// The routes about files and pictures: uploaded first, then sent by their keys; those of people are read by message and key.
import { z } from 'zod'
import { refusals } from './api-error.ts'
import { newId } from './ids.ts'
import { check, type RouteCall, type RouteDeps, type RouteResult } from './route.ts'

const fileForm = z.looseObject({
  file_type: z.enum(['opus', 'mp4', 'pdf', 'doc', 'xls', 'ppt', 'stream']),
  file_name: z.string().min(1),
})
const imageForm = z.looseObject({ image_type: z.enum(['message', 'avatar']) })

const maxFileBytes = 30 * 1024 * 1024
const maxImageBytes = 10 * 1024 * 1024

export function uploadFile(deps: RouteDeps, call: RouteCall): RouteResult {
  const { file_name: name } = checkForm(fileForm, call)
  const key = store(deps, call, { field: 'file', name, maxBytes: maxFileBytes, key: newId.file() })
  return { data: { file_key: key } }
}

export function uploadImage(deps: RouteDeps, call: RouteCall): RouteResult {
  checkForm(imageForm, call)
  const key = store(deps, call, { field: 'image', name: 'image', maxBytes: maxImageBytes, key: newId.image() })
  return { data: { image_key: key } }
}

function checkForm<S extends z.ZodType>(schema: S, { body }: RouteCall): z.infer<S> {
  if (!schema.safeParse(body).success) throw refusals.badResource()
  return check(schema, body)
}

type Upload = { readonly field: string; readonly name: string; readonly maxBytes: number; readonly key: string }

function store({ world }: RouteDeps, { files }: RouteCall, { field, name, maxBytes, key }: Upload): string {
  if (!world.app.hasBotAbility) throw refusals.noBotAbilityForFile()
  const file = files.find((one) => one.field === field)
  if (file === undefined) throw refusals.badResource()
  if (file.bytes.length === 0) throw refusals.fileEmpty()
  if (file.bytes.length > maxBytes) throw refusals.fileTooLarge()
  world.files.set(key, { name, bytes: file.bytes, type: file.type })
  return key
}

/** Only by the message that it came with, in a chat that the bot is in. */
export function getResource({ world }: RouteDeps, { path, query }: RouteCall): RouteResult {
  const stored = world.messages.get(path['message'] ?? '')
  const key = path['file'] ?? ''
  if (stored === undefined || !['image', 'file'].includes(query.get('type') ?? '')) throw refusals.badResource()
  if (stored.isRecalled) throw refusals.deleted()
  if (!stored.chat.hasBot) throw refusals.resourceOutside()
  const file = world.files.get(key)
  if (file === undefined || !stored.content.includes(key)) throw refusals.fileNotInMessage()
  return { bytes: { type: file.type === '' ? 'application/octet-stream' : file.type, content: file.bytes } }
}
