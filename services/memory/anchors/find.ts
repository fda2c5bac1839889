// Finds by rules what people settle as they talk: decisions, constraints, patterns that are used again, and metrics. Nothing comes of questions, of what is
// only weighed, of somebody else's quoted words, and of what one person must do. What is doubtful is left out: people can say /anchor.
import type { JudgedMessage } from '#services/memory/candidates/message.ts'
import { toSentences } from '#services/memory/candidates/sentences.ts'
import { toProse } from '#services/memory/candidates/setting.ts'
import { mostTopicChars, type AnchorKind } from '#shared/memory/anchor.ts'

export type FoundAnchor = {
  readonly kind: AnchorKind
  /** The sentence, in its speaker's words, at most 400 characters. */
  readonly text: string
  /** Of a metric, where the sentence names it. */
  readonly topic?: string
}

const mostChars = 400

/** At most ten, in the order in which they are said. Linear in the text. */
export function findAnchors(message: JudgedMessage): readonly FoundAnchor[] {
  const prose = toProse(message)
  if (prose === undefined) return []
  return toSentences(prose)
    .filter(({ isQuestion, explicit, text }) => !isQuestion && !explicit && text.length <= mostChars)
    .flatMap(({ text }) => judge(text.trim()) ?? [])
    .slice(0, 10)
}

function judge(text: string): FoundAnchor | undefined {
  if (quoted.test(text)) return undefined
  return /\p{Script=Han}/u.test(text) ? judgeHan(text) : judgeEnglish(text.replaceAll('’', "'"))
}

const quoted = /["“”「」『』]/u

/** What is only weighed, told of others, or not settled yet. */
const weighed =
  /(?<![a-z])(?:maybe|perhaps|might|could|if|unless|whether|suppose|imagine|i think|i guess|i wonder|probably|not sure|wish|hope|used to|they|he|she|nobody knows|has(?:n't| not)|have(?:n't| not)|did(?:n't| not)|not (?:decided|agreed|settled)|yet to|should we|almost|nearly|supposed|seems?|apparently|rumou?r|heard)(?![a-z'])/iu
const decided =
  /^(?:(?:so|ok|okay|then|and|alright|right|well|finally|today|yesterday|at the (?:meeting|retro|sync)),? ){0,2}(?:we(?:'ve| have)?(?: all| finally| now| just| both)? (?:decided|agreed|settled|voted|opted|resolved)(?: that| to| on| for| not| against)(?![a-z])|we(?:'ve| have) (?:chosen|picked) |we(?:(?:'ll| will| shall)? go(?:ing)?| are going|'re going|'ve gone| have gone|went) (?:ahead )?with (?!you|me|him|her|them|it(?![a-z]))|let's go with (?!you|me|him|her|them|it(?![a-z]))|(?:the )?(?:final )?decision(?: is|:)|it(?:'s| is| was| has been) (?:decided|agreed|settled)(?: that|:))/iu
const fromNow =
  /^(?:(?:so|ok|okay|and),? )?(?:from|as of|starting) (?:now|today|tomorrow|next (?:week|month)|monday)(?: on)?,? (?:we|everyone|everybody|all|every|each|the team)(?![a-z])/iu
const binding =
  /(?<![a-z])(?:must(?:n't| not)?|may not|shall not|(?:is|are) not allowed to|(?:has|have) to be|(?:can|may|must|should|is|are|takes?|needs?|keeps?|stays?|has|have)(?: be| have| take)? (?:at most|at least|no more than|no later than|no less than|limited to)|never more than) /iu
const due =
  /(?<![a-z])(?:deadline|due date|cut-?off)(?: (?:for|of) [^,.;:]{1,60}?)?(?: is| was moved to| moves to| stays|:)(?: on| at)? /iu
/** What one person must do is no rule of the place. */
const ownDuty = /^(?:and |so |but |ok,? |well,? )?(?:i|you|i'm|you're|my|your)(?![a-z])/iu
/** "It must be raining": a guess. */
const guess =
  /(?<![a-z])must (?:have|be (?:a|an|the|so|nice|fun|great|hard|kidding|joking|right|wrong|tired|raining|nearly))(?![a-z])/iu
const again =
  /^(?:every time|each time|whenever)(?![a-z])[^.!?]{3,200}?(?:, ?(?:then |first )?(?:we|always|please|run|check|restart|clear|update|rebuild|deploy|open|ask|write|test|tag|start|stop|call|send|add|bump|rotate|review|roll)(?![a-z])| then (?:we|always|run|check|restart|clear|update|rebuild|deploy|open|ask|write|test|tag|start|stop|call|send|add|bump|rotate|review|roll)(?![a-z]))|^(?:we|the team) always [^.!?]{3,120} (?:before|after|when|whenever) /iu
const metric =
  /(?<![a-z])((?:(?:error|request|monthly|daily|weekly|travel|build|cloud|test|page|memory|rate|speed|time|cost) ){0,2}(?:budget|threshold|limit|quota|target|slo|sla|cap|kpi|p9[059]|p99 latency|latency|uptime|coverage|error rate|response time|bundle size)(?: (?:for|of|on|per) [^,.;:\d]{1,50}?)?)(?: is| stays| should (?:be|stay)| must (?:be|stay)| may not exceed| is set to|:)(?: at| now| below| under| above| over| at (?:most|least)| no more than| less than| more than){0,2} [^\p{L}.;]{0,3}\d/iu
const mine = /(?<![a-z])(?:my|your|his|her|their|speed limit)(?![a-z])/iu

function judgeEnglish(text: string): FoundAnchor | undefined {
  if (weighed.test(text)) return undefined
  if (decided.test(text)) return { kind: 'decision', text }
  const measured = mine.test(text) ? undefined : metric.exec(text)
  if (measured) return withTopic('metric', text, measured[1])
  if (again.test(text) && !/(?<![a-z])i(?![a-z])/iu.test(text)) return { kind: 'pattern', text }
  if (due.test(text) && !mine.test(text)) return { kind: 'constraint', text }
  if (binding.test(text) && !ownDuty.test(text) && !guess.test(text)) return { kind: 'constraint', text }
  return fromNow.test(text) ? { kind: 'decision', text } : undefined
}

const hanWeighed =
  /如果|要是|假如|也许|可能|大概|或许|是不是|要不|不如|吗|呢|吧$|还没|尚未|没有?(?:决定|定|说好|商定)|听说|据说|好像|似乎|我觉得|我想|建议|他们|她们|以前|曾经|差点|本来|还在(?:讨论|商量)|到底|谁|什么|怎么|为何|为什么/u
const hanDecided =
  /^(?:(?:那|好|好的|所以|最后|最终|今天|昨天|会上|经过讨论|讨论后|刚才)[，, ]?){0,2}(?:(?:我们|咱们|咱|大家|团队|全组)(?:都|一起|已经|最后|最终|一致|商量后){0,2})?(?:决定|商定|敲定|约定|说好|定下来|拍板|一致同意)(?!权|性|因素|于)(?:了|好)?[^，。]|^(?:(?:那|好|好的|所以)[，, ]?){0,2}(?:我们|咱们|咱|大家)?就(?:用|选|定|按)(?!不|好了$)[^，。]/u
const hanFromNow =
  /^从?(?:现在|今天|明天|下周|下个?月|今)(?:开始|起|后|以后)[，, ]?(?:我们|咱们|大家|每|所有|都|一律|统一|全)/u
const hanBinding = /必须|不得|不许|不准|禁止|严禁|不能超过|不超过|不得超过|最多|至少|一律|务必|不可以/u
const hanDue =
  /(?:截止|最后期限|截止(?:日期|时间)|期限)[^，。；]{0,12}(?:是|为|到|在|：|:|改到|定在)|[\d一二三四五六七八九十]{1,3}(?:号|日|点)(?:之?前|以前)[^，。；]{0,6}(?:交|完成|提交|上线|发布)/u
const hanOwnDuty = /^(?:那|所以|但)?(?:我(?!们)|你|您|他|她)/u
const hanGuess = /至少(?:有|来了|还|听|走|花了|等了)|最多(?:也就|不过)|必须的|必须是/u
const hanAgain =
  /^(?:我们|咱们|大家)?(?:每次|每当|每逢|一旦|凡是)[^。！？我你他她]{1,120}?(?:都要|都得|都先|都必须|就要|就先|就得|要先|先|再|必须)[^。！？]/u
const hanMetric =
  /((?:[^，。；、\s：:我你他她]{0,16})(?:预算|阈值|上限|下限|限额|配额|目标|指标|门槛|覆盖率|延迟|错误率|响应时间|可用性))(?:现在|暂时|先|就)?(?:是|为|定为|定在|不超过|不能超过|不得超过|不低于|控制在|控制到|：|:|要达到|小于|大于|低于|高于|在)[^，。；]{0,8}?[\d０-９一二三四五六七八九十百千万两]/u

function judgeHan(text: string): FoundAnchor | undefined {
  if (hanWeighed.test(text)) return undefined
  if (hanDecided.test(text)) return { kind: 'decision', text }
  const measured = hanOwnDuty.test(text) ? undefined : hanMetric.exec(text)
  if (measured) return withTopic('metric', text, measured[1]?.replace(/^(?:们|的){1,2}/u, ''))
  if (hanAgain.test(text)) return { kind: 'pattern', text }
  if (hanOwnDuty.test(text)) return undefined
  if (hanDue.test(text)) return { kind: 'constraint', text }
  if (hanBinding.test(text) && !hanGuess.test(text)) return { kind: 'constraint', text }
  return hanFromNow.test(text) ? { kind: 'decision', text } : undefined
}

function withTopic(kind: AnchorKind, text: string, said = ''): FoundAnchor {
  const topic = said.trim().slice(0, mostTopicChars).toWellFormed()
  return { kind, text, ...(topic === '' ? {} : { topic }) }
}
