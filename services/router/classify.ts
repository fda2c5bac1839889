// The router's classifier: type, depth and complexity of one message, by rules tried in the order of ROUTE-02. Makes no
// model call and no I/O; the same input always gives the same answer.
import type { Classification, Depth, MessageType } from '#shared/chat/decision.ts'
import { createComplexity } from './complexity.ts'
import { createMetaFinder } from './meta.ts'
import { normalise } from './normalise.ts'
import { findOffer } from './offer.ts'
import { createPhaticReader } from './phatic.ts'
import { createSpelling } from './spelling.ts'
import { createWorkFinder } from './task.ts'
import { createWishFinder } from './wish.ts'
import type { NormalText } from './normalise.ts'
import type { RoutingConfig } from './patterns.ts'
import { formsOf } from './grammar.ts'

const grammar = formsOf('answer')

/** `previousReply`: the bot's last message here. `openQuestion`: text of a question card open to this person. */
type ClassifyInput = {
  readonly text: string
  readonly previousReply?: string
  readonly openQuestion?: string
  /** True when the adapter has already read the message as a slash command. */
  readonly isSlashCommand?: boolean
}
export type Classify = (input: ClassifyInput) => Classification
type Verdict = Omit<Classification, 'complex'>

const slash = /^\s*\/[a-z][a-z0-9_]{0,31}(?:@[a-z0-9_]+)?(?=\s|$)/iu
const replyTailChars = 800

/** Builds the classifier once for a configuration; throws `config` for a pattern that could run away. */
export function createClassifier(config: RoutingConfig): Classify {
  const readPhatic = createPhaticReader(config)
  const findWish = createWishFinder(config)
  const findWork = createWorkFinder(config)
  const isComplex = createComplexity(config.complexity_detector)
  const isMeta = createMetaFinder(config)
  const spell = createSpelling(config)
  const stop = new Set(config.stop.map((word) => word.toLowerCase()))

  const offered = (input: ClassifyInput): Verdict | undefined => {
    const card = input.openQuestion?.slice(-replyTailChars)
    const source = card === undefined || card.trim() === '' ? input.previousReply?.slice(-replyTailChars) : card
    if (source === undefined) return undefined
    const action = findOffer(normalise(source, spell).bare, source === card)
    if (action === undefined) return undefined
    // Read as the request it would be if the person had made it.
    const message = normalise(
      grammar.asksBack.test(action) ? action : /^[a-z]/u.test(action) ? `please ${action}` : `帮我${action}`,
      spell,
    )
    const wish = findWish(message) === 'detailed'
    const work =
      findWork(message) ??
      (/继续|开始|执行|proceed|continue|go ahead|start/u.test(action) && !wish ? { deep: false } : undefined)
    const depth = wish || work?.deep === true ? 'deep' : 'standard'
    return verdict(work === undefined ? 'query' : 'task', depth, 'offer.accepted', 'medium')
  }

  const decide = (input: ClassifyInput, message: NormalText): Verdict => {
    if (input.isSlashCommand === true || slash.test(input.text.slice(0, 200)))
      return verdict('command', 'light', 'command.slash', 'high')
    if (stop.has(message.text.replace(/[\s\p{P}]+$/u, ''))) return verdict('command', 'light', 'command.stop', 'high')
    const phatic = readPhatic(message)
    if (phatic.whole && !phatic.asks) {
      if (phatic.kinds.has('refusal')) return verdict('social', 'light', 'social.refusal', 'high')
      const accepts =
        phatic.kinds.has('acknowledge') || phatic.kinds.has('proceed') || /谢|thank|thx/u.test(message.text)
      const offer = accepts ? offered(input) : undefined
      if (offer !== undefined) return offer
      if (phatic.kinds.has('proceed')) return verdict('task', 'standard', 'task.proceed', 'medium')
      return verdict('social', 'light', 'social.whole', 'high')
    }
    const wish = findWish(message)
    if (wish === 'brief') return verdict('command', 'light', 'explicit.brief', 'high')
    if (wish === 'detailed') return verdict('command', 'deep', 'explicit.detailed', 'high')
    if (isMeta(message)) return verdict('meta', 'standard', 'meta', 'high')
    const work = findWork(message)
    if (work !== undefined) return verdict('task', work.deep ? 'deep' : 'standard', work.rule, 'medium')
    if (isFragment(message) && grammar.choice.test(input.openQuestion ?? input.previousReply?.slice(-200) ?? '')) {
      const answered = offered(input)
      if (answered !== undefined) return { ...answered, rule: 'offer.answered' }
    }
    const pending = /[?？]/u.test((input.openQuestion ?? input.previousReply ?? '').slice(-replyTailChars))
    if (phatic.aside && !pending && !message.clauses.some((clause) => clause.question))
      return verdict('social', 'light', 'social.aside', 'medium')
    return verdict('query', 'standard', 'query.default', 'high')
  }

  return (input) => {
    const message = normalise(input.text, spell)
    const reply = (input.previousReply ?? '').slice(0, replyTailChars * 4).toLowerCase()
    return { ...decide(input, message), complex: isComplex(input.text, message.text, reply) }
  }
}

// A bare word or two in answer to a choice ("PDF", "第二个"), as against a remark of its own.
function isFragment(message: NormalText): boolean {
  return message.text.length <= 16 && message.clauses.length === 1 && !message.clauses.some((clause) => clause.question)
}

function verdict(type: MessageType, depth: Depth, rule: string, confidence: Classification['confidence']): Verdict {
  return { type, depth, rule, confidence }
}
