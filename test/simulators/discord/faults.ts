// What goes wrong on demand between the bot and Discord's REST API. It decides only; `api.ts` carries it out.
// Rules are tried in the order they were added; the first that matches and is not used up wins.
import { z } from 'zod'

/** With `accepted` the call takes effect first and only its answer is lost or wrong: the ambiguous case. */
const accepted = z.boolean().default(false)

export const discordFault = z.discriminatedUnion('kind', [
  /** 429, and again for every call of the same bucket, or of all, until the time is over. `shared` is not the bot's fault. */
  z.strictObject({
    kind: z.literal('rate-limit'),
    retryAfterS: z.number().positive(),
    scope: z.enum(['user', 'global', 'shared']).default('user'),
  }),
  z.strictObject({
    kind: z.literal('error'),
    status: z.number().int().min(400).max(599),
    /** Discord's JSON error code. */
    code: z.number().int().default(0),
    message: z.string(),
    accepted,
  }),
  /** 502 with an HTML page, as a proxy answers. */
  z.strictObject({ kind: z.literal('bad-gateway'), accepted }),
  /** The connection stays open and silent. */
  z.strictObject({ kind: z.literal('no-answer'), accepted }),
  z.strictObject({ kind: z.literal('reset'), accepted }),
  /** Whatever is written here, as a broken server or somebody else at its address answers. */
  z.strictObject({
    kind: z.literal('odd'),
    status: z.number().int().default(200),
    type: z.string(),
    body: z.string(),
    accepted,
  }),
])
export type DiscordFault = z.infer<typeof discordFault>

export const discordRule = z.strictObject({
  /** `route` is a name as in the ledger; `text` is contained in the content sent. Without `when`, every call but those for the gateway. */
  when: z
    .strictObject({ route: z.string().optional(), channel: z.string().optional(), text: z.string().optional() })
    .optional(),
  times: z.number().int().positive().optional(),
  /** Waits before the call takes effect; it does so even when the client has left by then. */
  delayMs: z.number().nonnegative().optional(),
  /** Waits at the gate of this name, before or after the call takes effect. A client that leaves before it is forgotten. */
  gate: z.strictObject({ name: z.string(), at: z.enum(['before', 'after']) }).optional(),
  fault: discordFault.optional(),
})
export type DiscordRule = z.input<typeof discordRule>
export type ChosenDiscordRule = Pick<z.infer<typeof discordRule>, 'delayMs' | 'gate' | 'fault'>

export type FaultyCall = { readonly route: string; readonly channel: string | undefined; readonly body: unknown }

export type Faults = {
  /** Throws when the rule has an unknown field. */
  add(rule: DiscordRule): void
  clear(): void
  choose(call: FaultyCall): ChosenDiscordRule
}

export function createFaults(): Faults {
  let rules: { readonly rule: z.infer<typeof discordRule>; left: number }[] = []
  return {
    add: (rule) => {
      const parsed = discordRule.parse(rule)
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

const content = z.looseObject({ content: z.string() })
const inner = z.looseObject({ data: content })

function matches({ when }: z.infer<typeof discordRule>, { route, channel, body }: FaultyCall): boolean {
  const isPlumbing = route === 'getGateway' || route === 'getGatewayBot'
  if (when === undefined) return !isPlumbing
  const text = content.safeParse(body).data?.content ?? inner.safeParse(body).data?.data.content ?? ''
  return (
    (when.route === undefined ? !isPlumbing : when.route === route) &&
    (when.channel === undefined || when.channel === channel) &&
    (when.text === undefined || text.includes(when.text))
  )
}
