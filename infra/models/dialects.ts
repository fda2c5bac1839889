// The table of dialects: what endpoints that call themselves compatible take differently, how their refusals say so, and what is done then. A refusal is
// understood by what it names, at any status and in any wording that is known; each row says it in the words of several servers. What was found holds for
// its model until the process ends. Pure.

export type Dialect = {
  /** The field that bounds the answer. */
  readonly limit: 'max_tokens' | 'max_completion_tokens' | 'none'
  /** The most that the field may say, where that is known. */
  readonly mostOutputTokens?: number
  /** How system messages are sent: as they are, all in one at the beginning, or as words of the user. */
  readonly systems: 'any' | 'one' | 'none'
  /** User and assistant take turns. */
  readonly alternates: boolean
  readonly sendsTools: boolean
  /** With `lean`, of a tool's schema only what every server knows. */
  readonly schemas: 'whole' | 'lean'
  readonly sendsTemperature: boolean
  readonly asksUsage: boolean
  /** What came with a call goes back with it: as it came, never, or also where nothing came (`given-back.ts`). */
  readonly givesBack: 'kept' | 'never' | 'always'
  /** The ids of calls: as they came, or of nine letters and digits each, which every endpoint takes. */
  readonly callIds: 'as they came' | 'short'
}

export const widestDialect: Dialect = {
  limit: 'max_tokens',
  systems: 'any',
  alternates: false,
  sendsTools: true,
  schemas: 'whole',
  sendsTemperature: true,
  asksUsage: true,
  givesBack: 'kept',
  callIds: 'as they came',
}

/** `said`: all words of the refusal, in lower case. `asked`: the limit of output tokens that was refused. */
type Refused = { readonly said: string; readonly asked: number; readonly status: number }

type Row = {
  /** As `FLOTILLA_MODEL_DIALECT` names it. */
  readonly id: string
  /** For operators: how this endpoint differs. */
  readonly what: string
  /** Whether the refusal says so. */
  readonly means: RegExp | ((refused: Refused) => boolean)
  /** What is done; undefined where it is done already. */
  change(dialect: Dialect, refused: Refused): Dialect | undefined
}

/** A sentence that refuses what stands before or behind it. */
const no = String.raw`(?:not (?:be )?(?:support|available|allow|permit|enabl|valid|implement|recogni[sz]|accept|use[d]? with|have|exist)|n['’]t support|cannot|can['’]t|unsupported|unknown|unrecogni[sz]ed|unexpected|invalid|illegal|incompatible|deprecated|no longer|extra (?:input|field|param)|extra_forbidden|additional propert|forbidden|disabled|no endpoints? found|no connected provider|不支持|不允许|无效|未知)`
const refuses = (named: string): RegExp => new RegExp(`${named}[^]{0,120}?${no}|${no}[^]{0,120}?${named}`)

const toolWords = String.raw`(?:\btools?\b|工具|\btool[_ -]?(?:choice|use|calls?|calling)\b|\bfunctions?[_ -]call(?:s|ing)?\b|['"]functions?['"])`
const schemaWords = String.raw`(?:json[_ -]?schema|\bschema\b|additionalproperties|\$schema|\$ref|\$defs|anyof|oneof|allof|exclusiveminimum|exclusivemaximum|minlength|maxlength|prefixitems|function_declarations|\.parameters\b|\bproperties\b|\bproperty ['"]|input_schema)`
/** Of one message, which another dialect of tools would not mend. */
const ofOneCall =
  /tool_call_id|tool[_ ]call id|pars(?:e|ed|ing)\b|(?:invalid|malformed) tool[_ ]call|tool id\b|role ['"`]tool|prece+d|tool_calls?\[|tool_use\b|tool_result|without `?tools|cannot read propert|does not exist|not found for account|degraded|backend|host\b|temporar|tool_calls? must|must be followed|preceding message|tool messages?\b|failed to call|failed_generation|tool_use_failed|validation failed|\barguments\b/

const backRefused = refuses(
  String.raw`(?:reasoning(?:_content|_details|_text|_opaque)?|extra_content|thought_?signatures?|thinking_blocks)\b`,
)

/** The id of a call, by the names of Mistral, OpenAI, Anthropic and Bedrock. */
const callId =
  /\btool[_ ]?(?:call|use)[_ ]?ids?\b|\btooluseid\b|\btool_calls?(?:\[\d{1,4}\]|\.\d{1,4})?\.id\b|\btool_(?:use|result)\.(?:tool_use_)?id\b|\binput\[\d{1,4}\]\.(?:call_)?id\b/
const wantsOtherForm =
  /length (?:of )?\d|\b(?:maximum|max|minimum|exact) length|too long|alphanumeric|a-z|match(?:es)? (?:the )?(?:regex |regular expression )?pattern|regular expression|expected an id that begins|invalid (?:tool[_ ]call[_ ]id )?(?:format|characters)|at most \d{1,3} characters/

/** Whether a refusal is about the form of the ids of calls. */
export const isOfCallId = (said: string): boolean =>
  callId.test(said.toLowerCase()) && wantsOtherForm.test(said.toLowerCase())

export const dialectRows: readonly Row[] = [
  {
    id: 'max-completion-tokens',
    what: 'wants max_completion_tokens in place of max_tokens',
    means: ({ said }) => /max_completion_tokens/.test(said) && !hasNumberBelow(said, Infinity),
    change: (dialect) => (dialect.limit === 'max_tokens' ? { ...dialect, limit: 'max_completion_tokens' } : undefined),
  },
  {
    id: 'output-limit',
    what: 'writes at most {tokens} tokens in one answer',
    means: ({ said }) =>
      /max(?:imum)?[_ ]?(?:completion|output|new|generated?)?[_ ]?(?:tokens|length)|(?:completion|output|generated?|new) tokens|maxoutputtokens|num_predict/.test(
        said,
      ) &&
      !/higher max|increase|at least|must be greater than|below minimum|credits|afford/.test(said) &&
      /超出|范围|不能超过|at most|less|maximum|exceed|range|too (?:large|high|big|many)|greater|larger|above|<=?|>=?|limit|up to|between|supports? (?:only )?\d/.test(
        said,
      ),
    change(dialect, { said, asked }) {
      const known = findNumbers(said).filter((count) => count < asked && count >= leastLimit)
      const named = Math.max(0, ...known) - (/exclusive/.test(said) ? 1 : 0)
      const most = named >= leastLimit ? named : Math.floor(asked / 2)
      return most < leastLimit ? undefined : { ...dialect, mostOutputTokens: most }
    },
  },
  {
    id: 'no-limit',
    what: 'takes no limit for its answers',
    means: refuses(String.raw`\bmax_(?:completion_)?tokens\b`),
    change(dialect) {
      if (dialect.limit === 'none') return undefined
      return { ...dialect, limit: dialect.limit === 'max_tokens' ? 'max_completion_tokens' : 'none' }
    },
  },
  {
    id: 'no-stream-options',
    what: 'does not know stream_options, so that usage is estimated',
    means: /stream_options|include_usage/,
    change: (dialect) => (dialect.asksUsage ? { ...dialect, asksUsage: false } : undefined),
  },
  {
    id: 'no-temperature',
    what: 'takes no temperature',
    means: ({ said }) =>
      /\btemperature\b/.test(said) &&
      /support|only|allow|permit|must|invalid|unknown|unrecogni|deprecated|unexpected|extra|不/.test(said),
    change: (dialect) => (dialect.sendsTemperature ? { ...dialect, sendsTemperature: false } : undefined),
  },
  {
    id: 'not-given-back',
    what: 'does not take back what it sent with a call',
    // All else that stands on a message is of the standard.
    means: ({ said }) =>
      backRefused.test(said) ||
      /\bmessages?\b[^]{0,60}?(?:extra_forbidden|extra inputs|unknown (?:parameter|field|name)|unrecognized|additional propert)|(?:extra_forbidden|extra inputs|unknown (?:parameter|field|name)|unrecognized)[^]{0,60}?\bmessages?\b/.test(
        said,
      ),
    change: (dialect) => (dialect.givesBack === 'never' ? undefined : { ...dialect, givesBack: 'never' }),
  },
  {
    id: 'given-back',
    what: 'wants its thoughts or signatures back with each call of a tool',
    means:
      /(?:reasoning(?:_content|_details|_text|_opaque)?|thought_?signatures?|thinking(?:_blocks| blocks)?|signatures?)\b[^]{0,160}?(?:must|missing|required|expected|passed back|provide|include)|missing[^]{0,60}?(?:thought_?signature|reasoning|thinking)/,
    change: (dialect) => (dialect.givesBack === 'always' ? undefined : { ...dialect, givesBack: 'always' }),
  },
  {
    id: 'short-ids',
    what: 'takes only short ids of calls',
    means: ({ said }) => isOfCallId(said),
    change: (dialect) => (dialect.callIds === 'short' ? undefined : { ...dialect, callIds: 'short' }),
  },
  {
    id: 'alternating',
    what: 'wants user and assistant to take turns',
    means:
      /\balternat\w{0,4} |最后一条消息|must be an odd number|no user query|roles? must (?:be|follow|start)|(?:consecutive|successive|two|multiple|same)\b[^]{0,40}?\b(?:user|assistant) (?:messages?|roles?|turns?)\b|(?:expected|unexpected|invalid|wrong) (?:message )?(?:last )?role|(?:first|last) message (?:must|should|has to) be (?:from |of )?(?:the |a )?['"]?(?:user|human)|after (?:the )?(?:optional )?system message|multiturn requests? (?:should|must)|\bturns?\b[^]{0,40}?\b(?:user|model)\b[^]{0,40}?\border|function call turn comes/,
    change: (dialect) => (dialect.alternates ? undefined : { ...dialect, systems: toOne(dialect), alternates: true }),
  },
  {
    id: 'one-system',
    what: 'takes one system message, at the beginning',
    means: ({ said }) => speaksOfSystem(said) && !saysNoSystem(said),
    change: (dialect) => (dialect.systems === 'any' ? { ...dialect, systems: 'one' } : toWithout(dialect)),
  },
  {
    id: 'no-system',
    what: 'takes no system message',
    means: ({ said }) => speaksOfSystem(said) && saysNoSystem(said),
    change: toWithout,
  },
  {
    id: 'lean-schemas',
    what: 'takes only plain schemas of tools',
    means: ({ said }) => new RegExp(schemaWords).test(said) && !ofOneCall.test(said),
    change: (dialect) => (dialect.schemas === 'whole' ? { ...dialect, schemas: 'lean' } : toToolless(dialect)),
  },
  {
    id: 'no-tools',
    what: 'takes no tools, so that people are answered without them',
    means: ({ said }) =>
      !ofOneCall.test(said) &&
      (refuses(toolWords).test(said) || /--enable-auto-tool-choice|--tool-call-parser|--jinja/.test(said)),
    change: toToolless,
  },
]

/** As a setting may name them. */
export const dialectNames = dialectRows.map(({ id }) => (id === 'output-limit' ? 'output-limit=4096' : id)).join(', ')

/** Statuses that say nothing of the request's form. */
const otherStatuses = new Set([401, 402, 403, 408, 409, 425, 429])
const leastLimit = 64
const mostSaidChars = 4000
/** Names of errors, which say nothing of what is refused. */
const codes = /\b(?:invalid_\w{1,40}|bad_?request\w{0,20}|\w{1,40}_error|\w{1,40}error)\b/g

/** The dialect to try after this refusal; undefined where it is about something else. */
export function findDialect(dialect: Dialect, { said, status, asked }: Refused): Dialect | undefined {
  if (otherStatuses.has(status) || /^\s*(?:<[!a-z]|[a-z]*error: cannot read)/i.test(said)) return undefined
  const refused = { status, asked, said: said.slice(0, mostSaidChars).toLowerCase().replaceAll(codes, ' ') }
  for (const { means, change } of dialectRows) {
    const isMeant = means instanceof RegExp ? means.test(refused.said) : means(refused)
    const changed = isMeant ? change(dialect, refused) : undefined
    if (changed) return changed
  }
  return undefined
}

/** For operators: how a dialect differs from the widest. */
export function describeDialect(dialect: Dialect): readonly string[] {
  const has: Readonly<Record<string, boolean>> = {
    'max-completion-tokens': dialect.limit === 'max_completion_tokens',
    'output-limit': dialect.mostOutputTokens !== undefined,
    'no-limit': dialect.limit === 'none',
    'no-stream-options': !dialect.asksUsage,
    'no-temperature': !dialect.sendsTemperature,
    'given-back': dialect.givesBack === 'always',
    'not-given-back': dialect.givesBack === 'never',
    'short-ids': dialect.callIds === 'short',
    'one-system': dialect.systems === 'one',
    'no-system': dialect.systems === 'none',
    alternating: dialect.alternates,
    'lean-schemas': dialect.schemas === 'lean',
    'no-tools': !dialect.sendsTools,
  }
  return dialectRows.flatMap(({ id, what }) =>
    has[id] ? [what.replace('{tokens}', String(dialect.mostOutputTokens))] : [],
  )
}

export type ReadDialect = {
  readonly dialect: Dialect
  /** Before the first word of an answer. */
  readonly waitMs?: number
  /** What names nothing. */
  readonly unknown: readonly string[]
}

/** From `FLOTILLA_MODEL_DIALECT`: names of rows with commas between, `output-limit=4096`, `wait=300`. */
export function readDialect(names: string): ReadDialect {
  let read: ReadDialect = { dialect: widestDialect, unknown: [] }
  for (const name of names.split(',').map((part) => part.trim())) {
    const [id, value] = name.split('=')
    const row = dialectRows.find((one) => one.id === id)
    const count = /^\d{1,8}$/.test(value ?? '') ? Number(value) : 0
    if (id === 'wait' && count >= 5 && count <= 3600) read = { ...read, waitMs: count * 1000 }
    else if (id === 'output-limit' && count >= leastLimit)
      read = { ...read, dialect: { ...read.dialect, mostOutputTokens: count } }
    else if (row && id !== 'output-limit' && value === undefined)
      read = { ...read, dialect: row.change(read.dialect, { said: '', asked: 0, status: 400 }) ?? read.dialect }
    else if (name !== '') read = { ...read, unknown: [...read.unknown, name] }
  }
  return read
}

const speaksOfSystem = (said: string): boolean =>
  /invalid chat setting|system ?(?:只能|必须|消息)|system (?:messages?|role|prompts?|instructions?)|(?:role|roles)\b[^]{0,40}?['"`]?system\b|['"`]system['"`]/.test(
    said,
  )
const saysNoSystem = (said: string): boolean =>
  /(?:system (?:messages?|role|prompts?|instructions?)|['"`]?system['"`]?)[^]{0,60}?(?:not (?:be )?(?:support|allow|available|permit|enabled|valid)|unsupported|n['’]t support|disabled)|(?:unsupported|unknown|invalid|not support|n['’]t support|not enabled)[^]{0,80}?['"`]?system\b/.test(
    said,
  ) && !/multiple|more than one|only one|beginning|first|start/.test(said)

function toWithout(dialect: Dialect): Dialect | undefined {
  return dialect.systems === 'none' ? undefined : { ...dialect, systems: 'none' }
}
const toOne = ({ systems }: Dialect): Dialect['systems'] => (systems === 'any' ? 'one' : systems)
function toToolless(dialect: Dialect): Dialect | undefined {
  return dialect.sendsTools ? { ...dialect, sendsTools: false } : undefined
}

/** `4,096` and `8_192` are one number each. */
const findNumbers = (said: string): readonly number[] =>
  [...said.matchAll(/\d[\d,_]{0,12}/g)].map(([digits]) => Number(digits.replaceAll(/[,_]/g, '')))
const hasNumberBelow = (said: string, most: number): boolean =>
  findNumbers(said).some((count) => count >= leastLimit && count < most)
