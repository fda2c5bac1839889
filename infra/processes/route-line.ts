// One line of `flotilla route --jsonl`: JSON in, JSON out, never a throw. Pure. A line holds a text, which is classified, or messages that
// were written in one go, each of which is decided of as a router does, those that belong together as one.
import { z } from 'zod'
import { addressedTogether, decidedTogether } from '#services/router/burst.ts'
import type { Classify } from '#services/router/classify.ts'
import { decide, type DecideDeps } from '#services/router/decide.ts'
import { replyModes } from '#shared/chat/conversation.ts'
import type { Classification, Decision } from '#shared/chat/decision.ts'
import type { MessageEvent } from '#shared/chat/event.ts'
import { parseCommand } from '#shared/chat/parse-command.ts'

// Further keys are ignored, so that a labelled set can be piped in as it is.
const textInput = z.object({
  text: z.string(),
  previousReply: z.string().nullish(),
  openQuestion: z.string().nullish(),
})
const message = z.object({
  text: z.string(),
  /** Who writes it. */
  from: z
    .string()
    .regex(/^\w{1,32}$/)
    .default('you'),
  /** How long after the first one. */
  afterMs: z.number().int().nonnegative().default(0),
  addressed: z.boolean().optional(),
  album: z.string().max(64).optional(),
  /** Words of others that it forwards. */
  forwards: z.string().optional(),
  /** A file that comes along. */
  file: z.string().max(32).optional(),
})
const burstInput = z.object({
  messages: z.array(message).min(1).max(100),
  /** Written in a group that answers in this mode; in a direct chat when left out. */
  group: z.enum(replyModes).optional(),
  previousReply: z.string().nullish(),
})

const forms =
  'write {"text": string, "previousReply"?: string, "openQuestion"?: string} or {"messages": [{"text": string}]}'

export type RouteDeps = DecideDeps & { readonly classify: Classify }

/** Decides of one JSONL line; a line that cannot be read gives `{"error": …}` saying what to write instead. */
export function routeLine(deps: RouteDeps, line: string): string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return JSON.stringify({ error: 'This line is not JSON; write one object a line, as {"text": "hello"}.' })
  }
  const isBurst = typeof value === 'object' && value !== null && 'messages' in value
  const input = isBurst ? burstInput.safeParse(value) : textInput.safeParse(value)
  if (!input.success) {
    const issue = input.error.issues[0]
    const where = issue === undefined || issue.path.length === 0 ? 'The line' : `"${issue.path.join('.')}"`
    return JSON.stringify({ error: `${where} does not fit (${issue?.message ?? 'unknown'}); ${forms}.` })
  }
  return JSON.stringify('messages' in input.data ? routeBurst(deps, input.data) : routeText(deps, input.data))
}

const toShown = ({ type, depth, complex, rule }: Classification) => ({ type, depth, complex, rule })

function routeText(
  { classify, findMeant }: RouteDeps,
  { text, previousReply, openQuestion }: z.infer<typeof textInput>,
) {
  const asked = typeof openQuestion === 'string' ? { openQuestion } : {}
  const shown = toShown(classify({ text, ...(typeof previousReply === 'string' ? { previousReply } : {}), ...asked }))
  const meant = findMeant(text, { group: false, replies: false })
  return meant ? { ...shown, command: `/${meant.name} ${meant.args}` } : shown
}

function routeBurst(deps: RouteDeps, { messages, group, previousReply }: z.infer<typeof burstInput>) {
  const access = { owner: false, person: true, chat: true, ...(group ? { mode: group } : {}) }
  const previous = typeof previousReply === 'string' ? { previousReply } : {}
  const events = addressedTogether(messages.map((one, i) => toEvent(one, i, group !== undefined)))
  const decisions = events.map((event) => decide(deps, { event, access, ...previous }))
  return { decisions: decidedTogether(events, decisions).map(toDecided) }
}

const toDecided = (decision: Decision) => ({
  act: decision.act,
  by: decision.rule,
  ...('class' in decision && decision.class ? toShown(decision.class) : {}),
})

function toEvent(
  { text, from, afterMs, addressed, album, forwards, file }: z.infer<typeof message>,
  i: number,
  group: boolean,
): MessageEvent {
  const command = parseCommand(text)
  return {
    v: 1,
    kind: 'message',
    id: `line-${i}`,
    conversation: group ? 'console:-1' : 'console:1',
    principal: `console:${from}`,
    at: afterMs,
    text,
    // A command speaks to the bot.
    addressed: addressed ?? (!group || command !== undefined),
    group,
    ...(command ? { command } : {}),
    ...(album === undefined ? {} : { album }),
    ...(forwards === undefined ? {} : { quoted: [{ how: 'forward', text: forwards }] }),
    ...(file === undefined ? {} : { media: [{ kind: file }] }),
  }
}
