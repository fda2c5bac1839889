// What the model endpoint shall do with which request. Rules are tried in the order they were added; the first that
// matches and is not used up wins; without one the answer is the echo. It decides only; sending is elsewhere.
import { z } from 'zod'
import { lastUserText, type CompletionRequest } from './request.ts'

const toolCall = z.strictObject({ id: z.string().optional(), name: z.string(), arguments: z.string() })

/** What the endpoint says. `error` answers with an HTTP status instead of a completion. */
export const modelAnswer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('echo') }),
  z.strictObject({
    kind: z.literal('text'),
    text: z.string(),
    finish: z.enum(['stop', 'length', 'content_filter']).optional(),
  }),
  /** `chunks` streamed pieces "piece 1 ", "piece 2 ", … */
  z.strictObject({ kind: z.literal('long'), chunks: z.number().int().positive() }),
  /** So many bytes of "x", in pieces of 64 KB. */
  z.strictObject({ kind: z.literal('huge'), bytes: z.number().int().positive().default(50_000_000) }),
  z.strictObject({ kind: z.literal('empty') }),
  z.strictObject({ kind: z.literal('whitespace') }),
  /** `field`: where the thought stands, as OpenAI-compatible servers or as Ollama have it; `answer` is said after it. */
  z.strictObject({
    kind: z.literal('reasoning'),
    text: z.string().default('thinking'),
    field: z.enum(['reasoning_content', 'reasoning']).default('reasoning_content'),
    answer: z.string().optional(),
  }),
  /**
   * Arguments are sent as they are, so they may be malformed; ids may repeat; names may be unknown. `shape`: as Ollama has sent them, each call
   * whole in one chunk, all numbered 0, ending with `stop`; or even with its arguments as an object instead of as text.
   */
  z.strictObject({
    kind: z.literal('tools'),
    calls: z.array(toolCall).min(1),
    text: z.string().optional(),
    shape: z.enum(['ollama', 'ollama-object']).optional(),
  }),
  z.strictObject({
    kind: z.literal('error'),
    status: z.number().int().min(400).max(599),
    retryAfterS: z.number().nonnegative().optional(),
    message: z.string().optional(),
    /** The body is `{"error": message}`, as of Ollama's own interface. */
    bare: z.boolean().optional(),
  }),
])
export type ModelAnswer = z.infer<typeof modelAnswer>

/**
 * What goes wrong on the way, after so many chunks of content were sent:
 * `stall` leaves the connection open and silent; `end` closes it cleanly without finish reason; `mid-json` closes it within a
 * chunk; `reset` drops the socket; `malformed` sends one chunk that is not JSON and then goes on; `told` sends an error as its last chunk.
 */
export const modelFault = z.strictObject({
  kind: z.enum(['stall', 'end', 'mid-json', 'reset', 'malformed', 'told']),
  afterChunks: z.number().int().nonnegative().default(0),
})
export type ModelFault = z.infer<typeof modelFault>

const timing = {
  /** How many requests this rule serves; without it, all. */
  times: z.number().int().positive().optional(),
  /** Before the first byte. */
  latencyMs: z.number().nonnegative().optional(),
  chunkDelayMs: z.number().nonnegative().optional(),
  /** Sends single bytes this far apart. */
  byteDelayMs: z.number().positive().optional(),
  /** Waits, before the first byte or after so many chunks, until the gate of this name is opened. */
  gate: z.strictObject({ name: z.string(), afterChunks: z.number().int().positive().optional() }).optional(),
  answer: modelAnswer.optional(),
  /** The tokens of the prompt as they are told, or no usage at all; counted when left out. */
  usage: z.union([z.literal('none'), z.number().int().nonnegative()]).optional(),
  fault: modelFault.optional(),
}

/** A rule as another process may post it: `text` is contained in the last user text, `pattern` a regular expression on it, `last` whose turn the request continues. */
export const postedModelRule = z.strictObject({
  when: z
    .strictObject({
      model: z.string().optional(),
      text: z.string().optional(),
      pattern: z.string().optional(),
      last: z.enum(['user', 'tool']).optional(),
    })
    .optional(),
  ...timing,
})

const heldRule = z.strictObject(timing)

/** A rule given in this process may also match by a predicate on the last user text and the whole request, and answer by what it was asked. */
export type ModelRule = Omit<z.input<typeof postedModelRule>, 'when' | 'answer'> & {
  readonly answer?:
    | z.input<typeof modelAnswer>
    | ((request: CompletionRequest) => z.input<typeof modelAnswer>)
    | undefined
  readonly when?: z.input<typeof postedModelRule>['when'] | ((text: string, request: CompletionRequest) => boolean)
}

export type ChosenRule = Omit<z.infer<typeof heldRule>, 'times'>

/** Says of each request all that is done with it, or nothing where other rules do. */
export type ModelDecider = (request: CompletionRequest) => z.input<typeof heldRule> | undefined

export type ModelScript = {
  /** Throws when the rule has an unknown field or a value out of range. */
  add(rule: ModelRule): void
  /** From now on asks this first. */
  decideBy(decider: ModelDecider): void
  clear(): void
  /** The rule for this request, counted as used. */
  choose(request: CompletionRequest): ChosenRule
}

const echo: ChosenRule = {}

export function createModelScript(): ModelScript {
  let rules: {
    readonly matches: (request: CompletionRequest) => boolean
    readonly toRule: (request: CompletionRequest) => ChosenRule
    left: number
  }[] = []
  let decide: ModelDecider = () => undefined
  return {
    decideBy: (decider) => {
      decide = decider
    },
    add: ({ when, answer, ...rest }) => {
      const given = typeof answer === 'function' ? undefined : answer
      const { times, ...rule } = heldRule.parse({ ...rest, ...(given ? { answer: given } : {}) })
      const toRule = (request: CompletionRequest): ChosenRule =>
        typeof answer === 'function' ? { ...rule, answer: modelAnswer.parse(answer(request)) } : rule
      rules.push({ matches: toMatcher(when), toRule, left: times ?? Number.POSITIVE_INFINITY })
    },
    clear: () => {
      rules = []
    },
    choose: (request) => {
      const decided = decide(request)
      if (decided) return heldRule.parse(decided)
      if (rules.length === 0) return echo
      const found = rules.find((one) => one.left > 0 && one.matches(request))
      if (found === undefined) return echo
      found.left -= 1
      return found.toRule(request)
    },
  }
}

function toMatcher(when: ModelRule['when']): (request: CompletionRequest) => boolean {
  if (when === undefined) return () => true
  if (typeof when === 'function') return (request) => when(lastUserText(request), request)
  const pattern = when.pattern === undefined ? undefined : new RegExp(when.pattern, 'u')
  return (request) => {
    const text = lastUserText(request)
    return (
      (when.model === undefined || when.model === request.model) &&
      (when.text === undefined || text.includes(when.text)) &&
      (when.last === undefined || when.last === request.messages.findLast(({ role }) => role !== 'system')?.role) &&
      (pattern === undefined || pattern.test(text))
    )
  }
}
