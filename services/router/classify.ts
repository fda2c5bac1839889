// The router's classifier: type, depth and complexity of one message, by rules in a fixed order, the first that fits. Makes no
// model call and no I/O; the same input always gives the same answer.
import type { Classification, Depth, MessageType } from '#shared/chat/decision.ts'
import { createComplexity } from './complexity.ts'
import { isLoose } from './loose.ts'
import { createMetaFinder } from './meta.ts'
import { normalise } from './normalise.ts'
import { findOffer } from './offer.ts'
import { createPhaticReader } from './phatic.ts'
import { createSpelling } from './spelling.ts'
import { createActionsFinder, createWorkFinder } from './task.ts'
import { createWishFinder } from './wish.ts'
import type { Action } from './action.ts'
import type { NormalText } from './normalise.ts'
import type { RoutingConfig } from './patterns.ts'
import type { PhaticReading } from './phatic.ts'
import { formsOf } from './grammar.ts'

const grammar = formsOf('answer')
const courtesies = formsOf('phatic')
const wanting = formsOf('wanting')

/** `previousReply`: the bot's last message here. `openQuestion`: text of a question card open to this person. */
type ClassifyInput = {
  readonly text: string
  readonly previousReply?: string
  readonly openQuestion?: string
  /** True when the adapter has already read the message as a slash command. */
  readonly isSlashCommand?: boolean
}
export type Classify = (input: ClassifyInput) => Classification
type Verdict = Omit<Classification, 'complex' | 'tells'>

const slash = /^\s*\/[a-z][a-z0-9_]{0,31}(?:@[a-z0-9_]+)?(?=\s|$)/iu
const replyTailChars = 800
const fragmentChars = 16
/** The rest are courtesies, commands and work. */
const mayTell = new Set(['query.default', 'meta', 'offer.answered', 'social.refusal'])
const warmUp = ['谢谢，帮我排查一下为什么登录这么慢？', 'could you plan my week in detail, please', '你记得我吗', 'ok']

/** Builds the classifier once for a configuration; throws `config` for a pattern that could run away. */
export function createClassifier(config: RoutingConfig): Classify {
  const readPhatic = createPhaticReader(config)
  const findWish = createWishFinder(config)
  const findActions = createActionsFinder(config)
  const findWork = createWorkFinder(config, findActions)
  const isComplex = createComplexity(config.complexity_detector)
  const isMeta = createMetaFinder(config)
  const spell = createSpelling(config)
  const stop = new Set(config.stop.map((word) => word.toLowerCase()))

  const offered = (asked: string, isCard: boolean): Verdict | undefined => {
    const action = findOffer(normalise(asked, spell).bare, isCard)
    if (action === undefined) return undefined
    // Read as the request it would be if the person had made it.
    const frame = grammar.asksBack.test(action) ? '' : /^[a-z]/u.test(action) ? 'please ' : '帮我'
    const message = normalise(frame + action, spell)
    const isDetailed = findWish(message) === 'detailed'
    const work = findWork(message)
    const isTask = work !== undefined || (grammar.goOn.test(action) && !isDetailed)
    return verdict(isTask ? 'task' : 'query', isDetailed || work?.deep === true ? 'deep' : 'standard', 'offer.accepted')
  }

  const decide = (input: ClassifyInput, message: NormalText): Verdict => {
    if (input.isSlashCommand === true || slash.test(input.text.slice(0, 200)))
      return verdict('command', 'light', 'command.slash')
    if (stop.has(message.text.replace(/(?<![\s\p{P}])[\s\p{P}]+$/u, '')))
      return verdict('command', 'light', 'command.stop')
    const isCard = (input.openQuestion ?? '').trim() !== ''
    const asked = ((isCard ? input.openQuestion : input.previousReply) ?? '').slice(-replyTailChars)
    const hasAsked = isCard || /[?？]/u.test(asked.slice(-200))
    const courtesy = decideCourtesy(message, readPhatic(message), { hasAsked, offer: () => offered(asked, isCard) })
    if (courtesy !== undefined) return courtesy
    const wish = findWish(message)
    if (wish !== undefined) return verdict('command', wish === 'brief' ? 'light' : 'deep', `explicit.${wish}`)
    if (isMeta(message)) return verdict('meta', 'standard', 'meta')
    const work = findWork(message)
    if (work !== undefined) return verdict('task', work.deep ? 'deep' : 'standard', work.rule, 'medium')
    const answered = isChoice(message, asked) ? offered(asked, isCard) : undefined
    if (answered !== undefined) return { ...answered, rule: 'offer.answered' }
    return verdict('query', 'standard', 'query.default')
  }

  const classify: Classify = (input) => {
    const message = normalise(input.text, spell)
    const reply = (input.previousReply ?? '').slice(0, replyTailChars * 4).toLowerCase()
    const found = decide(input, message)
    const isTelling = mayTell.has(found.rule) && tells(message, findActions(message))
    const complex = isComplex(input.text, message.text, reply)
    return { ...found, complex, ...(isTelling || isLoose('yes-no', input.text) ? { tells: true } : {}) }
  }
  return warm(classify)
}

/** A bare word or two in answer to a choice ("PDF", "第二个"), as against a remark of its own. */
const isChoice = ({ text, clauses: [first, ...more] }: NormalText, asked: string): boolean =>
  text.length <= fragmentChars &&
  first?.question === false &&
  more.length === 0 &&
  grammar.choice.test(asked.slice(-200).toLowerCase())

/** Undefined for a message that holds more than courtesies, or that answers what nobody asked. */
function decideCourtesy(
  message: NormalText,
  { whole, asks, kinds }: PhaticReading,
  { hasAsked, offer }: { readonly hasAsked: boolean; readonly offer: () => Verdict | undefined },
): Verdict | undefined {
  if (!whole || asks) return undefined
  const proceeds = kinds.has('proceed')
  if (kinds.has('refusal') && !proceeds)
    return !hasAsked && contradicts(message) ? undefined : verdict('social', 'light', 'social.refusal')
  const accepts = proceeds || kinds.has('acknowledge') || /谢|thank|thx/u.test(message.text)
  const accepted = accepts ? offer() : undefined
  if (accepted !== undefined) return accepted
  if (proceeds) return verdict('task', 'standard', 'task.proceed', 'medium')
  const isChoosing = message.clauses.some((clause) => courtesies.chooses.test(clause.text))
  return isChoosing ? undefined : verdict('social', 'light', 'social.whole')
}

/** A bare no that does not say that nothing more is wanted. */
const contradicts = ({ text, clauses }: NormalText): boolean =>
  clauses.some((clause) => courtesies.contradicts.test(clause.text)) && !courtesies.content.test(text)

/** The first use of a regular expression compiles it; better now than on the first person's message. */
function warm(classify: Classify): Classify {
  for (const text of warmUp) classify({ text, previousReply: '要我继续吗？' })
  return classify
}

function verdict(
  type: MessageType,
  depth: Depth,
  rule: string,
  confidence: Classification['confidence'] = 'high',
): Verdict {
  return { type, depth, rule, confidence: rule === 'offer.accepted' ? 'medium' : confidence }
}

/** No clause is a question, and none wants anything, so that it may answer a question of ours. */
const tells = ({ clauses, text }: NormalText, actions: readonly Action[]): boolean =>
  actions.length === 0 &&
  /[\p{L}\p{N}]/u.test(text) &&
  !clauses.some((clause) => clause.question || wanting.request.test(clause.text) || wanting.topic.test(clause.text))
