// The router's words and thresholds and their check. The defaults stand in default-routing.json, in Chinese
// and English; every key may be replaced in `flotilla.config.json`.
import { z } from 'zod'
import { patternProblem } from './pattern-source.ts'
import defaults from './default-routing.json' with { type: 'json' }

const maxWords = 1000
const isEveryWordShort = (list: readonly string[]): boolean =>
  list.length <= maxWords && list.every((word) => word.length <= 80)

/** Words or phrases; one string may hold several, parted by ` | `, so that the file stays readable. */
const words = z
  .array(z.string())
  .transform((lines) => lines.flatMap((line) => line.split(/(?<!\s)\s+\|\s+/u).map((word) => word.trim())))
  .transform((list) => list.filter((word) => word !== ''))
  .refine(isEveryWordShort, `holds a word of more than 80 characters, or more than ${maxWords} words`)
const pattern = z.string().superRefine((source, context) => {
  const problem = patternProblem(source)
  if (problem !== undefined)
    context.addIssue({ code: 'custom', message: `the pattern "${source.slice(0, 60)}" ${problem}` })
})
const patterns = z.array(pattern).max(200)

const detector = defaults.complexity_detector
const complexity = z.strictObject({
  enabled: z.boolean().default(detector.enabled),
  step_keywords: patterns.prefault(detector.step_keywords),
  multi_tool_domains: z.record(z.string().min(1).max(40), words).prefault(detector.multi_tool_domains),
  /** How many domains in one message make it complex. */
  multi_tool_threshold: z.number().int().min(1).max(20).default(detector.multi_tool_threshold),
  /** A message of more characters (code points) than this is complex. */
  message_length_threshold: z.number().int().min(1).max(100_000).default(detector.message_length_threshold),
  /** In the bot's previous reply. */
  continuation_markers: words.prefault(detector.continuation_markers),
})

/** The router's part of `flotilla.config.json`; every key may be left out. Unknown keys are refused. */
export const routingConfig = z.strictObject({
  /** Words that may fill a whole courtesy. `acknowledge` and `proceed` accept an offer; `proceed` alone is work. */
  social: words.prefault(defaults.social),
  acknowledge: words.prefault(defaults.acknowledge),
  proceed: words.prefault(defaults.proceed),
  filler: words.prefault(defaults.filler),
  /** A whole message that declines or puts off what was offered. */
  refusal: words.prefault(defaults.refusal),
  /** Adverbs and adjectives of a wish for brevity or detail: they count only where they qualify the reply. */
  brief: words.prefault(defaults.brief),
  detailed: words.prefault(defaults.detailed),
  /** Phrases that are such a wish wherever they stand, unless negated or quoted. */
  briefPhrases: words.prefault(defaults.briefPhrases),
  detailedPhrases: words.prefault(defaults.detailedPhrases),
  /** Count only as the thing asked for: the verb of a request, or the head of its object. */
  deepKeywords: words.prefault(defaults.deepKeywords),
  /** Of these, the ones that are never the verb of a request. */
  deepObjects: words.prefault(defaults.deepObjects),
  /** Verbs of work: `produce` makes a thing (its object may be deep), `act` does one, `build` is many steps by nature. */
  produce: words.prefault(defaults.produce),
  act: words.prefault(defaults.act),
  build: words.prefault(defaults.build),
  buildObjects: words.prefault(defaults.buildObjects),
  /** Verbs that ask for information: an action among others, never a work product by themselves. */
  inform: words.prefault(defaults.inform),
  /** Looking at these is work on a machine, not a question to the world. */
  workObjects: words.prefault(defaults.workObjects),
  /** What is said of a thing that is out of order; looking into it is many steps. */
  symptoms: words.prefault(defaults.symptoms),
  /** Things to hand over: a wish for one ("给我一份周报", "gimme a haiku") is work. */
  products: words.prefault(defaults.products),
  /** What opens a question: "请问", "just wondering". */
  askFrames: words.prefault(defaults.askFrames),
  /** What frames a request, before its verb: an order even as a question; a wish; and words that only lead in. */
  orderFrames: words.prefault(defaults.orderFrames),
  wishFrames: words.prefault(defaults.wishFrames),
  leadIns: words.prefault(defaults.leadIns),
  /** The bot's own nature and state: a clause about "you" and one of these is `meta`, as is one a `meta` pattern fits. */
  selfNouns: words.prefault(defaults.selfNouns),
  meta: patterns.prefault(defaults.meta),
  /** A whole message that stops the running work, as `/stop` does. */
  stop: words.prefault(defaults.stop),
  /** Chat spellings and what they stand for. */
  slang: z.record(z.string().min(1).max(20), z.string().max(40)).prefault(defaults.slang),
  complexity_detector: complexity.prefault({}),
})
export type RoutingConfig = z.infer<typeof routingConfig>

/** What holds without a configuration. */
export const defaultRouting: RoutingConfig = routingConfig.parse({})
