// Reads a request's body (JSON, or multipart with `payload_json` and `files[n]`) and checks it against a schema; what does not fit
// becomes 50035 with the tree of errors that Discord answers.
import type { z } from 'zod'
import { parseJson, readBody, type Exchange } from '#test/simulators/http-server.ts'
import { invalidForm, refusals, type DiscordError, type FormError, type FormErrors } from './api-error.ts'

export type UploadedFile = { readonly name: string; readonly bytes: Buffer; readonly type: string }

export type CallBody = {
  readonly body: unknown
  /** By the `n` of `files[n]`. */
  readonly files: ReadonlyMap<string, UploadedFile>
}

export async function readCallBody({ req }: Exchange): Promise<CallBody> {
  const bytes = await readBody(req)
  const type = req.headers['content-type'] ?? ''
  if (bytes.length === 0) return { body: undefined, files: new Map() }
  if (type.startsWith('application/json')) return { body: toJson(bytes), files: new Map() }
  if (!type.startsWith('multipart/form-data')) throw refusals.unsupportedMedia()
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  const files = new Map<string, UploadedFile>()
  let body: unknown = {}
  for (const [name, value] of form) {
    if (name === 'payload_json') body = toJson(await bytesOf(value))
    else if (typeof value !== 'string') {
      const n = /^files\[(\d+)\]$/.exec(name)?.[1] ?? String(files.size)
      files.set(n, { name: value.name, bytes: Buffer.from(await value.arrayBuffer()), type: value.type })
    }
  }
  return { body, files }
}

/** A form field's content, sent as text or as a file. */
async function bytesOf(value: string | Blob): Promise<Buffer> {
  return typeof value === 'string' ? Buffer.from(value) : Buffer.from(await value.arrayBuffer())
}

function toJson(bytes: Buffer): unknown {
  const parsed = parseJson(bytes)
  if (parsed === undefined) throw refusals.notJson()
  return parsed
}

/** The body as the schema reads it. Throws 50035. */
export function check<S extends z.ZodType>(schema: S, body: unknown): z.infer<S> {
  const parsed = schema.safeParse(body ?? {})
  if (parsed.success) return parsed.data
  throw toFormError(parsed.error.issues)
}

type Issue = z.core.$ZodIssue

export function toFormError(issues: readonly Issue[]): DiscordError {
  const root: MutableErrors = {}
  for (const issue of issues) {
    const leaf = issue.path.reduce<MutableErrors>((at, step) => {
      const next = at.fields?.[String(step)] ?? {}
      at.fields = { ...at.fields, [String(step)]: next }
      return next
    }, root)
    leaf.own = [...(leaf.own ?? []), toError(issue)]
  }
  return invalidForm(toTree(root))
}

type MutableErrors = { fields?: Record<string, MutableErrors>; own?: FormError[] }

function toTree({ fields = {}, own }: MutableErrors): FormErrors {
  const inner = Object.fromEntries(Object.entries(fields).map(([name, errors]) => [name, toTree(errors)]))
  return own === undefined ? inner : { ...inner, _errors: own }
}

function toError(issue: Issue): FormError {
  switch (issue.code) {
    case 'too_big':
      return issue.origin === 'string'
        ? { code: 'BASE_TYPE_MAX_LENGTH', message: `Must be ${issue.maximum} or fewer in length.` }
        : { code: 'BASE_TYPE_BAD_LENGTH', message: `Must be ${issue.maximum} or fewer in length.` }
    case 'too_small':
      return issue.origin === 'string'
        ? { code: 'BASE_TYPE_MIN_LENGTH', message: `Must be ${issue.minimum} or more in length.` }
        : { code: 'BASE_TYPE_BAD_LENGTH', message: `Must be ${issue.minimum} or more in length.` }
    case 'invalid_type':
      return issue.message.endsWith('received undefined')
        ? { code: 'BASE_TYPE_REQUIRED', message: 'This field is required' }
        : { code: `${issue.expected.toUpperCase()}_TYPE_CONVERT`, message: `Not a well formed ${issue.expected}.` }
    case 'invalid_value':
      return { code: 'BASE_TYPE_CHOICES', message: `Value must be one of (${issue.values.map(String).join(', ')}).` }
    case 'custom': {
      const code = issue.params?.['discord']
      return { code: typeof code === 'string' ? code : 'BASE_TYPE_INVALID', message: issue.message }
    }
    case 'invalid_union':
      return { code: 'BASE_TYPE_CHOICES', message: 'Value is not one of those allowed here.' }
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      return { code: 'BASE_TYPE_INVALID', message: issue.message }
  }
}
