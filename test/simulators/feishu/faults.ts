// What goes wrong on demand between the bot and Feishu's server API. It decides only; `api.ts` carries it out.
// Rules are tried in the order they were added; the first that matches and is not used up wins.
import { z } from 'zod'

/** With `accepted` the call takes effect first and only its answer is lost or wrong: the ambiguous case. */
const accepted = z.boolean().default(false)

export const feishuFault = z.discriminatedUnion('kind', [
  /** 99991400, and again for every call of the same route until the time is over. Older methods answer with 400. */
  z.strictObject({
    kind: z.literal('rate-limit'),
    resetS: z.number().positive(),
    status: z.union([z.literal(429), z.literal(400)]).default(429),
    /** Without the header, a client must guess. */
    hasHeader: z.boolean().default(true),
  }),
  /** 230020: too many messages in this chat, or changes of this message. */
  z.strictObject({ kind: z.literal('chat-limit') }),
  /** Any code of Feishu's; the HTTP state is 400 unless told otherwise, and 200 for some. */
  z.strictObject({
    kind: z.literal('error'),
    status: z.number().int().min(200).max(599).default(400),
    code: z.number().int(),
    message: z.string(),
    accepted,
  }),
  /** 502 with an HTML page, as a proxy answers. */
  z.strictObject({ kind: z.literal('bad-gateway'), accepted }),
  /** The connection stays open and silent. */
  z.strictObject({ kind: z.literal('no-answer'), accepted }),
  z.strictObject({ kind: z.literal('reset'), accepted }),
  /** The right answer, cut off in its middle. */
  z.strictObject({ kind: z.literal('half'), accepted: z.literal(true).default(true) }),
  /** Whatever is written here, as a broken server or somebody else at its address answers. */
  z.strictObject({
    kind: z.literal('odd'),
    status: z.number().int().default(200),
    type: z.string().default('application/json; charset=utf-8'),
    body: z.string(),
    accepted,
  }),
])
export type FeishuFault = z.infer<typeof feishuFault>

export const feishuRule = z.strictObject({
  /** `route` is a name as in the ledger, or several; `chat` and `message` stand in the call; `text` is contained in its body. Without `when`, every
   * call but those for tokens, the bot's own data and connections. */
  when: z
    .strictObject({
      route: z.union([z.string(), z.array(z.string())]).optional(),
      chat: z.string().optional(),
      message: z.string().optional(),
      text: z.string().optional(),
    })
    .optional(),
  times: z.number().int().positive().optional(),
  /** Waits before the call takes effect; it does so even when the client has left by then. */
  delayMs: z.number().nonnegative().optional(),
  /** Waits at the gate of this name, before or after the call takes effect. A client that leaves before it is forgotten. */
  gate: z.strictObject({ name: z.string(), at: z.enum(['before', 'after']) }).optional(),
  fault: feishuFault.optional(),
})
export type FeishuRule = z.input<typeof feishuRule>
export type ChosenFeishuRule = Pick<z.infer<typeof feishuRule>, 'delayMs' | 'gate' | 'fault'>

export type FaultyCall = {
  readonly route: string
  readonly chat: string | undefined
  readonly message: string | undefined
  readonly body: unknown
}

export type Faults = {
  /** Throws when the rule has an unknown field. */
  add(rule: FeishuRule): void
  clear(): void
  choose(call: FaultyCall): ChosenFeishuRule
}

const plumbing = new Set(['getTenantToken', 'getConnectUrl', 'getBot', 'listScopes', 'getApplication', 'listVersions'])

export function createFaults(): Faults {
  let rules: { readonly rule: z.infer<typeof feishuRule>; left: number }[] = []
  return {
    add: (rule) => {
      const parsed = feishuRule.parse(rule)
      rules.push({ rule: parsed, left: parsed.times ?? Number.POSITIVE_INFINITY })
    },
    clear: () => {
      rules = []
    },
    choose: (call) => {
      const found = rules.find(({ rule, left }) => left > 0 && matches(rule, call))
      if (found === undefined) return {}
      found.left -= 1
      return found.rule
    },
  }
}

function matches({ when }: z.infer<typeof feishuRule>, { route, chat, message, body }: FaultyCall): boolean {
  if (when === undefined) return !plumbing.has(route)
  return (
    (when.route === undefined ? !plumbing.has(route) : [when.route].flat().includes(route)) &&
    (when.chat === undefined || when.chat === chat) &&
    (when.message === undefined || when.message === message) &&
    (when.text === undefined || JSON.stringify(body ?? '').includes(JSON.stringify(when.text).slice(1, -1)))
  )
}
