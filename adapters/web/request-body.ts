// Reads request bodies up to a limit and as the type they claim; a longer one is refused without being held in memory.
import type { z } from 'zod'

export const maxBodyBytes = 1024 * 1024

export type BodyProblem = {
  readonly status: 400 | 413 | 415
  readonly code: string
  readonly message: string
}
export type Body<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'refused'; readonly problem: BodyProblem }

const refused = (status: BodyProblem['status'], code: string, message: string) =>
  ({ kind: 'refused', problem: { status, code, message } }) as const

/** The body's bytes, at most `maxBytes`. */
async function readBytes(request: Request, maxBytes = maxBodyBytes): Promise<Body<Uint8Array<ArrayBuffer>>> {
  const tooLarge = refused(413, 'too-large', `At most ${maxBytes.toLocaleString('en')} bytes can be sent at once.`)
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return tooLarge
  const chunks: Uint8Array[] = []
  let bytes = 0
  const stream: ReadableStream<Uint8Array> | null = request.body
  for await (const chunk of stream ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) return tooLarge
    chunks.push(chunk)
  }
  const all = new Uint8Array(bytes)
  let offset = 0
  for (const chunk of chunks) {
    all.set(chunk, offset)
    offset += chunk.byteLength
  }
  return { kind: 'ok', value: all }
}

/** UTF-8 text. */
export async function readText(request: Request, maxBytes = maxBodyBytes): Promise<Body<string>> {
  const body = await readBytes(request, maxBytes)
  if (body.kind === 'refused') return body
  try {
    return { kind: 'ok', value: new TextDecoder('utf-8', { fatal: true }).decode(body.value) }
  } catch {
    return refused(400, 'bad-input', 'The body is not valid UTF-8.')
  }
}

/** Any JSON. Browsers cannot send this content type to another origin without asking first. */
export async function readAnyJson(request: Request, maxBytes = maxBodyBytes): Promise<Body<unknown>> {
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? '')) {
    return refused(415, 'bad-input', 'Send JSON with the header Content-Type: application/json.')
  }
  const body = await readText(request, maxBytes)
  if (body.kind === 'refused') return body
  try {
    return { kind: 'ok', value: JSON.parse(body.value) }
  } catch {
    return refused(400, 'bad-input', 'The body is not JSON.')
  }
}

/** JSON of the schema's shape, which its description shows. */
export async function readJson<T>(request: Request, schema: z.ZodType<T>): Promise<Body<T>> {
  const body = await readAnyJson(request)
  if (body.kind === 'refused') return body
  const parsed = schema.safeParse(body.value)
  if (parsed.success) return { kind: 'ok', value: parsed.data }
  return refused(400, 'bad-input', `The body must look like ${schema.description ?? 'what is documented'}.`)
}
