// Reads in an order what code can check: how many parts or examples, how long, which files, in which language. Where it is not plain that the order asks
// for that, nothing is found: the rest is left to a model. Chinese and English. Takes time in proportion to the text.
import type { Language } from '#shared/chat/message.ts'
import { toNormalForm } from '#shared/chat/normal-form.ts'
import { amount, count, findBound, toCount, zhAmount, zhCount, type Bound } from './order-words.ts'

export type Countable = 'parts' | 'chapters' | 'sections' | 'examples' | 'points'
/** Null: no bound on that side. */
type Range = { readonly min: number | null; readonly max: number | null }
export type Order = {
  readonly counts: readonly (Range & { readonly what: Countable })[]
  /** With what people tolerate. `words` counts Latin words and Chinese characters, `characters` every sign. */
  readonly length?: Range & { readonly unit: 'words' | 'characters' }
  /** Names of files to make. */
  readonly files: readonly string[]
  readonly language?: Language
}

const maxChars = 10_000
const leadChars = 40
/** What is quoted or is code is not asked for. */
const quoted = /```[^`]{0,4000}```|`[^`\n]{0,200}`|"[^"\n]{0,200}"|“[^”\n]{0,200}”|「[^」\n]{0,200}」/gu
const question =
  /^\s?(?:how|why|what|when|who|where|which|is|are|do (?:you|i|we|they|people)|does|did|was|were|should)(?![a-z])|^\s?(?:请问)?(?:为什么|怎么|是否|什么|有没有)|(?:吗|呢|有哪些|什么区别)\s?$/iu
const negated =
  /(?:(?<![a-z])(?:don['’]t|do not|not|never|without|instead of|avoid)(?![a-z])(?! more than| (?:to )?exceed)[^,，。]{0,30}|(?:不要|别|不用|不必|无需|没有|不能|请勿)(?!超过|少于|多于|低于)[^,，。]{0,8})$/iu
/** Each one has its own: what is asked of it is not asked of the whole. */
const apiece = /(?:(?<![a-z])(?:each|every|per)(?![a-z])|[每各])[^,，。、]{0,12}$/iu
const makes =
  /(?<![a-z])(?:write|draft|make|create|need|want|produce|compose|prepare|give|build|plan|design|outline|generate|explain|describe|summari[sz]e|split|divide|structure|list|tell)(?![a-z])/iu

type Sentence = {
  readonly text: string
  /** With what stood in quotation marks. */
  readonly whole: string
}

export function readOrder(text: string): Order {
  const whole = toNormalForm(text.slice(0, maxChars), 'NFKC').replaceAll(/```[^`]{0,4000}```/gu, ' ')
  const sentences = toSentences(whole)
    .filter((one) => !question.test(one))
    .map((one): Sentence => ({ whole: one, text: one.replaceAll(quoted, '□') }))
  const length = only(sentences.flatMap(findLengths))
  const language = only(sentences.flatMap(findLanguages))
  return {
    counts: toCounts(sentences.flatMap(findCounts)),
    ...(length ? { length } : {}),
    files: [...new Set(sentences.flatMap(findFiles))],
    ...(language ? { language } : {}),
  }
}

const toSentences = (text: string): readonly string[] => text.split(/[!?;。!?;\n]|\.(?=\s|$)/u)

/** What is said twice in two ways is not plain. */
const only = <T>(all: readonly T[]): T | undefined =>
  new Set(all.map((one) => JSON.stringify(one))).size === 1 ? all[0] : undefined

function toCounts(found: Order['counts']): Order['counts'] {
  const kinds = [...new Set(found.map(({ what }) => what))]
  return kinds.flatMap((kind) => only(found.filter(({ what }) => what === kind)) ?? [])
}

const things: readonly (readonly [Countable, RegExp])[] = [
  ['parts', /^(?:parts?|部分)$/iu],
  ['chapters', /^(?:chapters?|章)$/iu],
  ['sections', /^(?:sections?|小?节)$/iu],
  ['examples', /^(?:examples?|例子|示例|案例|实例)$/iu],
  ['points', /^(?:points?|要点|[点条])$/iu],
]
const enThings = new RegExp(
  String.raw`(?<![a-z\d.,])(${count})(?:(?: ?- ?| to )(${count}))?(-| )(?:(?:simple|short|key|main|brief|clear|different|concrete|real|good|bullet|practical|important|major|separate) ){0,2}(part|chapter|section|example|point)(s?)(?![a-z])`,
  'giu',
)
const zhThings = new RegExp(
  String.raw`(${zhCount})(?:[到至~-](${zhCount}))? ?(?:个|条|大|小)?(部分|章|小?节|例子|示例|案例|实例|要点|[点条](?=说明|建议|理由|原因|意见|措施|想法|阐述|论述))`,
  'gu',
)
/** Directly before the number. */
const strong =
  /(?<![a-z])(?:(?:give|show|tell)(?: me| us)?|list|write|provide|need|want|make|draft|create|add|name|include|should have|must have|should contain)\s?$/iu
const weak = /(?<![a-z])(?:in|into|with|including|containing|consisting of|made up of)\s?$/iu
const article = /(?<![a-z])(?<!(?:of|about|on|for|from|with|in) )an?\s(?:[a-z]{2,15}\s){0,2}$/iu
const zhStrong =
  /(?:分|分成|分为|一共|总共|共|写|写个|写一[份篇本个部]|举|举出|给|给我|给出|列|列出|列举|提|提出|提供|包含|包括|[结写做括纳]成|要|需要|来|补充|附上?|加|加上|用) ?$/u

function findCounts({ text }: Sentence): Order['counts'] {
  const english = [...text.matchAll(enThings)].flatMap((match) => {
    const [, from = '', to = '', join = '', , plural = ''] = match
    const { lead, bound, ...around } = lookAround(text, match)
    const hasVerb = makes.test(around.before)
    const isAsked =
      plural === '' && join === '-'
        ? hasVerb && article.test(lead)
        : plural !== '' && (strong.test(lead) || bound !== undefined || (hasVerb && weak.test(lead)))
    return isAsked ? toCountOf(match[4] ?? '', [from, to], bound) : []
  })
  const chinese = [...text.matchAll(zhThings)].flatMap((match) => {
    const { lead, bound } = lookAround(text, match)
    const isAsked = zhStrong.test(lead) || bound !== undefined
    return isAsked ? toCountOf(match[3] ?? '', [match[1] ?? '', match[2] ?? ''], bound) : []
  })
  return [...english, ...chinese]
}

function toCountOf(noun: string, [from, to]: readonly [string, string], bound: Bound | undefined): Order['counts'] {
  const what = things.find(([, form]) => form.test(noun))?.[0]
  const [least, most] = [toCount(from), toCount(to)]
  if (what === undefined || least === undefined || least === 0) return []
  if (most !== undefined) return [{ what, min: least, max: most }]
  if (bound === 'most') return [{ what, min: null, max: least }]
  return [{ what, min: least, max: bound === 'exactly' ? least : null }]
}

type Around = {
  readonly lead: string
  readonly before: string
  readonly rest: string
  readonly bound: Bound | undefined
}

/** An empty lead, which asks for nothing, where the number is denied or is each one's. */
function lookAround(text: string, match: RegExpExecArray): Around {
  const before = text.slice(0, match.index)
  const lead = before.slice(-leadChars)
  const rest = text.slice(match.index + match[0].length, match.index + match[0].length + leadChars)
  if (negated.test(lead) || apiece.test(lead)) return { lead: '', before: '', rest, bound: undefined }
  return { lead, before, rest, bound: findBound(lead, rest) }
}

const enLength = new RegExp(
  String.raw`(?<![\w.,])(${amount})(?:(?: ?- ?| to | and )(${amount}))?[- ]?(word|character|char)s?(?![a-z])`,
  'giu',
)
const zhLength = new RegExp(
  String.raw`(${zhAmount})(?: ?[到至~-] ?(${zhAmount}))? ?个?(字符|汉字|字(?![母段体号幕节数面典库条画帖]))`,
  'gu',
)
const lengthLead = /(?<![a-z])(?:in|write|between|to|(?<!(?:list|set|vocabulary) )of)\s?$/iu
const lengthRest = /^ (?:long|in length|in total)(?![a-z])/iu
const zhLengthLead = /(?:写|一[篇份个段封]|写成|控制在|篇幅|字数) ?$/u
const zhTold = /[这那第有了]\S{0,2}$/u
/** Less than that is about words, not a length. */
const least = { words: 20, characters: 50 }

function findLengths({ text }: Sentence): readonly NonNullable<Order['length']>[] {
  const read = (match: RegExpExecArray, isAsked: boolean, bound: Bound | undefined): NonNullable<Order['length']>[] => {
    const unit = /^(?:char|字符)/iu.test(match[3] ?? '') ? 'characters' : 'words'
    const [from, to] = [toCount(match[1] ?? ''), toCount(match[2] ?? '')]
    if (!isAsked || from === undefined || from < least[unit]) return []
    return [{ unit, ...toTolerated({ from, to, bound, slack: unit === 'words' ? 0.05 : 0 }) }]
  }
  const english = [...text.matchAll(enLength)].flatMap((match) => {
    const { lead, before, rest, bound } = lookAround(text, match)
    const isRate = /^ ?(?:per|each|a day|every)(?![a-z])/iu.test(rest)
    const isAsked =
      bound !== undefined ||
      lengthLead.test(lead) ||
      lengthRest.test(rest) ||
      (article.test(lead) && makes.test(before))
    return read(match, isAsked && lead !== '' && !isRate, bound)
  })
  const chinese = [...text.matchAll(zhLength)].flatMap((match) => {
    const { lead, bound } = lookAround(text, match)
    return read(match, (bound !== undefined || zhLengthLead.test(lead)) && !zhTold.test(lead), bound)
  })
  return [...english, ...chinese]
}

function toTolerated(said: {
  readonly from: number
  readonly to: number | undefined
  readonly bound: Bound | undefined
  readonly slack: number
}): Range {
  const { from, to, bound, slack } = said
  const [down, up] = [
    (one: number, by: number) => Math.round(one * (1 - by)),
    (one: number, by: number) => Math.round(one * (1 + by)),
  ]
  if (to !== undefined) return { min: down(from, slack), max: up(to, slack) }
  if (bound === 'least') return { min: down(from, slack), max: null }
  if (bound === 'most') return { min: null, max: up(from, slack) }
  const by = bound === 'exactly' ? 0.02 : bound === 'about' ? 0.25 : 0.15
  return { min: down(from, by), max: up(from, by) }
}

const ending = 'md|txt|csv|tsv|json|ya?ml|html?|css|jsx?|tsx?|py|sh|xml|svg|sql|toml|ini|log|tex|rst'
const fileName = new RegExp(
  String.raw`(?<![\p{L}\p{N}_./\\-])[\p{L}\p{N}_][\p{L}\p{N}_-]{0,60}(?:\.[a-z\d_-]{1,20}){0,2}?\.(?:${ending})(?![\w./\\])`,
  'giu',
)
/** Names of software. */
const software =
  /^(?:node|next|vue|nuxt|three|d3|express|react|angular|ember|backbone|chart|p5|moment|discord|alpine|electron)\.js$/iu
const making =
  /(?<![a-z])(?:save|write|create|make|generate|produce|put|output|export|store|build)(?![a-z])|保存|存[成到为入]|写[到入进成]|生成|输出|创建|新建|建立|命名|导出|放[到进在]|整理成|做成/giu
/** Also `that` and `which`: a script that writes a file is what is asked for, not the file. */
const using =
  /(?<![a-z])(?:(?:read|open|look|see|fix|edit|check|review|load|parse|run|import|convert|delete)(?:s|ing|ed)?|(?:us|updat|chang|analy[sz]|renam|remov)(?:es?|ing|ed)|based on|from|according to|that|which)(?![a-z])|读取?|打开|根据|参考|查看|看看|基于|使用|分析|修改|检查|修复|删除|从/giu
/** What a program does when it runs. */
const programs = /(?<![a-z])(?:scripts?|programs?|functions?|tools?)(?![a-z])|脚本|程序|函数|工具/iu
const ofProgram = /^(?:generate|produce|output|export|生成|输出|导出)$/iu
const fileLeadChars = 80

function findFiles({ whole }: Sentence): readonly string[] {
  return [...whole.matchAll(fileName)].flatMap((match) => {
    const [written] = match
    if (software.test(written)) return []
    const lead = whole.slice(Math.max(0, match.index - fileLeadChars), match.index)
    if (negated.test(lead.slice(-leadChars))) return []
    // Chinese writes the verb and the name without a space between them.
    const chinese = /^\p{Script=Han}*/u.exec(written)?.[0] ?? ''
    const said = lead + chinese
    const [{ verb, end: made }, { end: used }] = [lastOf(said, making), lastOf(said, using)]
    if (made <= used || (ofProgram.test(verb) && programs.test(said))) return []
    const name = written.slice(Math.max(0, made - lead.length)).replace(/^[为成到在进入和与及叫名]{1,3}(?=[^.])/u, '')
    return [name]
  })
}

/** The last one that fits, and where it ends; 0 for none. */
function lastOf(text: string, form: RegExp): { readonly verb: string; readonly end: number } {
  const last = [...text.matchAll(form)].at(-1)
  return last === undefined ? { verb: '', end: 0 } : { verb: last[0], end: last.index + last[0].length }
}

const enLanguage = /(?<![a-z])(?:in|into) (english|chinese|mandarin)(?![a-z])(?: ?([a-z]{1,12})(?: ([a-z]{1,12}))?)?/giu
const goesOn = new Set('please with for of about on to so but using and then'.split(' '))
const told = /(?<![a-z])(?:is|was|were|are|wrote|read|written|said|spoke)(?![a-z])[^,，]{0,30}$/iu
const tongue = '(英文|英语|中文|汉语)'
const zhLanguages = [
  new RegExp(`[用以]${tongue}(?:来|进行)?(?:[写答说]|回[答复]|输出|撰写|解释|介绍|总结|描述|[,，]|$)`, 'gu'),
  new RegExp(`[译写]成${tongue}(?![和与、])`, 'gu'),
  new RegExp(`写[^,，。]{0,4}${tongue}的?(?:文章|报告|邮件|信|作文|介绍|说明|总结|摘要|简历|文案|演讲)`, 'gu'),
]

function findLanguages({ text }: Sentence): readonly Language[] {
  const english = [...text.matchAll(enLanguage)].flatMap((match): Language[] => {
    const [, name = '', word = '', after = ''] = match
    const lead = text.slice(0, match.index).slice(-leadChars)
    const isOther =
      (word !== '' && !goesOn.has(word.toLowerCase())) || /^(?:english|chinese|french|german|spanish)$/iu.test(after)
    if (isOther || told.test(lead) || negated.test(lead)) return []
    return [name.toLowerCase() === 'english' ? 'en' : 'zh']
  })
  const chinese = zhLanguages.flatMap((form) =>
    [...text.matchAll(form)].flatMap((match): Language[] =>
      negated.test(text.slice(0, match.index).slice(-leadChars)) ? [] : [match[1]?.startsWith('英') ? 'en' : 'zh'],
    ),
  )
  return [...english, ...chinese]
}
