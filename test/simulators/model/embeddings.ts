// `POST /v1/embeddings`: vectors by a made-up meaning. Each word has a direction by its hash; words of a small table have the direction of what they mean,
// in two languages. Words that say little count nothing. Faults on demand.
import { hash } from 'node:crypto'
import { z } from 'zod'
import { parseJson, readBody, sendJson, type Exchange } from '#test/simulators/http-server.ts'
import { pause } from '#test/simulators/signals.ts'

/** What is wrong with answers: the first vector is too short, holds no number or nothing but zeros, one is missing, they are no JSON, or a status alone. */
export type EmbeddingFault =
  | 'wrong-length'
  | 'not-a-number'
  | 'zeros'
  | 'one-missing'
  | 'no-json'
  | { readonly status: number }

export type Embeddings = {
  /** The texts of each request, in order. */
  readonly asked: readonly (readonly string[])[]
  fault: EmbeddingFault | undefined
  latencyMs: number
  dimensions: number
  /** Requests with a text that holds this are refused, as one that is too long is: with 400 unless this says another. */
  refused: string | undefined
  refusedWith: number
  /** A text that holds this has a vector of nothing but zeros. */
  empty: string | undefined
}

/** Words of one line mean the same. */
const meanings = [
  ['home', 'house', 'live', 'lives', 'lived', 'dwell', 'address', '家', '住', '住址', '居住'],
  ['dog', 'puppy', 'hound', 'pet', '狗', '宠物'],
  ['car', 'vehicle', 'automobile', '车', '汽车'],
  ['job', 'work', 'works', 'profession', 'employed', '工作', '职业'],
  ['doctor', 'physician', '医生', '大夫'],
  ['boat', 'ship', 'vessel', '船'],
] as const
const little = new Set(
  'a an and are at be by called did do does for from has have how i in is it me my of on or she that the their this to was what when where which who why you your'.split(
    ' ',
  ),
)

const request = z.strictObject({
  model: z.string().min(1),
  input: z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(2048)]),
  encoding_format: z.enum(['float', 'base64']).optional(),
  dimensions: z.number().int().positive().optional(),
  user: z.string().optional(),
})

export function createEmbeddings(): Embeddings & { answer(exchange: Exchange): Promise<void> } {
  const asked: (readonly string[])[] = []
  const state: Embeddings = {
    asked,
    fault: undefined,
    latencyMs: 0,
    dimensions: 1024,
    refused: undefined,
    refusedWith: 400,
    empty: undefined,
  }
  return Object.assign(state, {
    async answer({ req, res }: Exchange) {
      const parsed = request.safeParse(parseJson(await readBody(req)))
      if (!parsed.success) return refuse(res, 400, z.prettifyError(parsed.error))
      const texts = typeof parsed.data.input === 'string' ? [parsed.data.input] : parsed.data.input
      asked.push(texts)
      const { fault, latencyMs, refused, refusedWith, empty, dimensions } = state
      if (latencyMs > 0) await pause(latencyMs, new AbortController().signal)
      if (typeof fault === 'object') return refuse(res, fault.status, `Simulated error at ${JSON.stringify(texts)}.`)
      if (refused !== undefined && texts.some((text) => text.includes(refused)))
        return refuse(res, refusedWith, 'This model takes no text that is so long.')
      if (fault === 'no-json') return void res.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
      const vectors: unknown[] = texts.map((text, index) => ({
        object: 'embedding',
        index,
        embedding: spoil(toVector(text, dimensions), isEmpty(text, empty) ? 'zeros' : index === 0 ? fault : undefined),
      }))
      if (fault === 'one-missing') vectors.pop()
      const usage = { prompt_tokens: texts.length, total_tokens: texts.length }
      sendJson(res, 200, { object: 'list', data: vectors, model: parsed.data.model, usage })
    },
  })
}

const isEmpty = (text: string, empty: string | undefined): boolean => empty !== undefined && text.includes(empty)

function refuse(res: Exchange['res'], status: number, message: string): void {
  sendJson(res, status, { error: { message, type: 'invalid_request_error', param: null, code: null } })
}

function spoil(vector: readonly number[], fault: EmbeddingFault | undefined): readonly (number | null)[] {
  if (fault === 'wrong-length') return vector.slice(1)
  // JSON has no NaN: servers write null.
  if (fault === 'not-a-number') return [null, ...vector.slice(1)]
  return fault === 'zeros' ? vector.map(() => 0) : vector
}

/** Of length 1. */
export function toVector(text: string, dimensions: number): readonly number[] {
  const vector = Array.from({ length: dimensions }, () => 0)
  for (const word of toWords(text)) {
    const line = meanings.findIndex((words) => words.some((one) => one === word))
    const at =
      line >= 0
        ? line
        : meanings.length + (parseInt(hash('sha256', word).slice(0, 8), 16) % (dimensions - meanings.length))
    vector[at] = (vector[at] ?? 0) + 1
  }
  const length = Math.hypot(...vector)
  // What says nothing stands apart from everything.
  return length === 0 ? vector.map((_, at) => (at === dimensions - 1 ? 1 : 0)) : vector.map((one) => one / length)
}

/** Latin words without those that say little; of Chinese the words of the table, and else each character. */
function toWords(text: string): readonly string[] {
  const han = meanings.flat().filter((word) => /\p{Script=Han}/u.test(word))
  const rest = han
    .toSorted((a, b) => b.length - a.length)
    .reduce((sofar, word) => sofar.replaceAll(word, ` ${word} `), text)
  return [...rest.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)]
    .map(([word]) => word)
    .flatMap((word) => (/\p{Script=Han}/u.test(word) && !han.some((one) => one === word) ? [...word] : [word]))
    .filter((word) => !little.has(word) && !/^[我你他她的在是什么哪里谁]$/u.test(word))
}
