// Reads a request's body: JSON, or a form with one file.
import { parseJson, readBody, type Exchange } from '#test/simulators/http-server.ts'
import { refusals } from './api-error.ts'

export type UploadedFile = {
  readonly field: string
  readonly name: string
  readonly bytes: Buffer
  readonly type: string
}

export type CallBody = {
  /** A form's fields, where it is a form. */
  readonly body: unknown
  readonly files: readonly UploadedFile[]
}

export async function readCallBody({ req }: Exchange): Promise<CallBody> {
  const bytes = await readBody(req)
  const type = req.headers['content-type'] ?? ''
  if (bytes.length === 0) return { body: undefined, files: [] }
  if (type.startsWith('multipart/form-data')) return await readForm(bytes, type)
  const body = parseJson(bytes)
  // The vendor's Python SDK sends JSON without saying so.
  if (body === undefined || !(type === '' || type.startsWith('application/json'))) throw refusals.badJson()
  return { body, files: [] }
}

async function readForm(bytes: Buffer, type: string): Promise<CallBody> {
  // The SDK gives no file name for bytes; without one, they would be read as text.
  const named = bytes
    .toString('latin1')
    .replaceAll(/(Content-Disposition: form-data; name="(?:file|image)")\r\n/gi, '$1; filename="file"\r\n')
  const whole = new Uint8Array(Buffer.from(named, 'latin1'))
  const form = await new Response(whole, { headers: { 'content-type': type } }).formData()
  const body: Record<string, string> = {}
  const files: UploadedFile[] = []
  for (const [field, value] of form) {
    if (typeof value === 'string') body[field] = value
    else files.push({ field, name: value.name, bytes: Buffer.from(await value.arrayBuffer()), type: value.type })
  }
  return { body, files }
}
