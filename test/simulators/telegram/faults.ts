// What goes wrong on demand between the bot and Telegram, and Telegram's rate limits. It decides only; `api.ts` carries it out.
// Rules are tried in the order they were added; the first that matches and is not used up wins.
import { z } from 'zod'
import { tooManyRequests } from './api-error.ts'

/** With `accepted` the method takes effect first and only its answer is lost or wrong: the ambiguous case. */
const accepted = z.boolean().default(false)

export const telegramFault = z.discriminatedUnion('kind', [
  /** 429, and again for every call to the chat, or to any chat, until the time is over. */
  z.strictObject({
    kind: z.literal('rate-limit'),
    retryAfterS: z.number().int().positive(),
    scope: z.enum(['chat', 'global']).default('chat'),
  }),
  z.strictObject({
    kind: z.literal('error'),
    status: z.number().int().min(400).max(599),
    description: z.string(),
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
export type TelegramFault = z.infer<typeof telegramFault>

export const telegramRule = z.strictObject({
  /** `text` is contained in the text sent. Without `when`, every method but getUpdates. */
  when: z
    .strictObject({ method: z.string().optional(), chat: z.number().optional(), text: z.string().optional() })
    .optional(),
  times: z.number().int().positive().optional(),
  /** Waits before the method takes effect; it does so even when the client has left by then. */
  delayMs: z.number().nonnegative().optional(),
  /** Waits at the gate of this name, before or after the method takes effect. A client that leaves before it is forgotten. */
  gate: z.strictObject({ name: z.string(), at: z.enum(['before', 'after']) }).optional(),
  fault: telegramFault.optional(),
})
export type TelegramRule = z.input<typeof telegramRule>
export type ChosenTelegramRule = Pick<z.infer<typeof telegramRule>, 'delayMs' | 'gate' | 'fault'>

/** Telegram's standing limits; none by default. A chat is counted as one, whatever the topic. */
export const telegramLimits = z.strictObject({
  /** Messages and edits; Telegram is not exact about a second. */
  perChatPerSecond: z.number().positive().optional(),
  /** All that people see: messages, edits, drafts, that the bot types. */
  perChatPerMinute: z.number().positive().optional(),
  /** The same, in groups. */
  perGroupPerMinute: z.number().positive().optional(),
  /** The same, in all chats together. */
  perSecond: z.number().positive().optional(),
  /** That the bot types, in a chat. */
  typingPer5S: z.number().positive().optional(),
  typingPer30S: z.number().positive().optional(),
})
export type TelegramLimits = z.infer<typeof telegramLimits>

/**
 * As the FAQ has it of messages (https://core.telegram.org/bots/faq), and as bots that were stopped report it of all else: typing and drafts count
 * with them, and typing has a bucket of its own besides.
 */
export const documentedLimits = {
  perChatPerSecond: 1,
  perChatPerMinute: 60,
  perGroupPerMinute: 20,
  perSecond: 30,
  typingPer5S: 20,
  typingPer30S: 40,
} as const satisfies TelegramLimits

export type Call = { readonly method: string; readonly fields: Readonly<Record<string, unknown>> }

export type Faults = {
  /** Throws when the rule has an unknown field. */
  add(rule: TelegramRule): void
  clear(): void
  setLimits(limits: TelegramLimits): void
  choose(call: Call): ChosenTelegramRule
  /** Throws the 429 of a closed window or of a limit; otherwise counts the call. */
  admit(call: Call): void
  /** Whether this call comes while its chat is closed: Telegram then has the bot wait anew. */
  isDuringWait(call: Call): boolean
  /** Closes the chat, or all, and throws the first 429. */
  closeWindow(call: Call, fault: Extract<TelegramFault, { kind: 'rate-limit' }>): never
}

const everywhere = 'all'
/** Calls that left before the telling answer can have arrived are not held against the bot. */
const graceMs = 250
/** What people see, or would. */
const counted = /^(?:send|edit|copy|forward|delete|setMessageReaction)/
const isMessage = /^(?:send(?!.*Draft|ChatAction)|edit|copy|forward)/
const isTyping = /^sendChatAction$/

export function createFaults(limits: TelegramLimits): Faults {
  let rules: { readonly rule: z.infer<typeof telegramRule>; left: number }[] = []
  let current = limits
  const closed = new Map<string, Closed>()
  const log: Logged[] = []
  const closedFor = (chat: string): Closed | undefined =>
    [closed.get(chat), closed.get(everywhere)]
      .filter((one) => one !== undefined && one.until > Date.now())
      .reduce((longest, one) => ((one?.until ?? 0) > (longest?.until ?? 0) ? one : longest), undefined)
  return {
    add: (rule) => {
      const parsed = telegramRule.parse(rule)
      rules.push({ rule: parsed, left: parsed.times ?? Number.POSITIVE_INFINITY })
    },
    clear: () => {
      rules = []
      closed.clear()
    },
    setLimits: (next) => {
      current = telegramLimits.parse(next)
      log.length = 0
    },
    choose: (call) => {
      const found = rules.find(({ rule, left }) => left > 0 && matches(rule, call))
      if (found === undefined) return {}
      found.left -= 1
      return found.rule
    },
    isDuringWait: (call) => {
      const chat = chatKey(call)
      const found = chat === undefined ? undefined : closedFor(chat)
      return found !== undefined && Date.now() > found.since + graceMs
    },
    admit: (call) => {
      const chat = chatKey(call)
      if (chat === undefined) return
      const now = Date.now()
      const found = closedFor(chat)
      if (found !== undefined) {
        if (now > found.since + graceMs) found.until = Math.max(found.until, now + found.retryAfterS * 1000)
        throw tooManyRequests(Math.ceil((found.until - now) / 1000))
      }
      const { method } = call
      if (Object.keys(current).length === 0 || !counted.test(method)) return
      const waitMs = Math.max(...toWaits(log, current, { chat, method, at: now }))
      if (waitMs > 0) throw tooManyRequests(Math.ceil(waitMs / 1000))
      log.push({ chat, method, at: now })
      while ((log[0]?.at ?? now) < now - 60_000) log.shift()
    },
    closeWindow: (call, { scope, retryAfterS }) => {
      const key = scope === 'global' ? everywhere : (chatKey(call) ?? everywhere)
      const since = Date.now()
      closed.set(key, { since, until: since + retryAfterS * 1000, retryAfterS })
      throw tooManyRequests(retryAfterS)
    },
  }
}

function matches({ when }: z.infer<typeof telegramRule>, { method, fields }: Call): boolean {
  if (when === undefined) return method !== 'getUpdates'
  const text = `${typeof fields['text'] === 'string' ? fields['text'] : ''}${JSON.stringify(fields['rich_message'] ?? '')}`
  return (
    (when.method === undefined ? method !== 'getUpdates' : when.method === method) &&
    (when.chat === undefined || String(when.chat) === chatKey({ method, fields })) &&
    (when.text === undefined || text.includes(when.text))
  )
}

function chatKey({ fields }: Call): string | undefined {
  const chat = fields['chat_id']
  return typeof chat === 'number' || typeof chat === 'string' ? String(chat) : undefined
}

type Closed = { readonly since: number; readonly retryAfterS: number; until: number }
type Logged = { readonly chat: string; readonly method: string; readonly at: number }

/** For each limit, how long until this call fits; 0 when it does. */
function toWaits(log: readonly Logged[], limits: TelegramLimits, { chat, method, at }: Logged): number[] {
  const waitFor = (calls: readonly Logged[], count: number | undefined, windowMs: number) => {
    if (count === undefined) return 0
    const recent = calls.filter((call) => call.at > at - windowMs)
    const first = recent.at(-count)
    return recent.length < count || first === undefined ? 0 : first.at + windowMs - at
  }
  const here = log.filter((call) => call.chat === chat)
  const alike = (kind: RegExp) => (kind.test(method) ? here.filter((call) => kind.test(call.method)) : [])
  return [
    waitFor(alike(isMessage), limits.perChatPerSecond, 900),
    waitFor(here, limits.perChatPerMinute, 60_000),
    chat.startsWith('-') ? waitFor(here, limits.perGroupPerMinute, 60_000) : 0,
    waitFor(log, limits.perSecond, 1000),
    waitFor(alike(isTyping), limits.typingPer5S, 5000),
    waitFor(alike(isTyping), limits.typingPer30S, 30_000),
  ]
}
