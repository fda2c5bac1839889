// Finds an explicit wish for brevity or detail, and what negation makes of it: "不要太详细" wishes brevity, "别太简单"
// detail, both at once nothing. The same words as plain adjectives ("快速排序", "a full-time job") are no wish. Pure.
import { anyOf } from './pattern-source.ts'
import type { RoutingConfig } from './patterns.ts'
import type { NormalText } from './normalise.ts'
import { formsOf } from './grammar.ts'

const grammar = formsOf('wish')

type Wish = 'brief' | 'detailed'
type Sighting = { readonly wish: Wish; readonly at: number; readonly negated: boolean }
type Forms = {
  readonly wish: Wish
  readonly anywhere: RegExp
  readonly framed: readonly RegExp[]
  readonly noun: RegExp
}

const say =
  '(?:说|讲|谈|聊|介绍|解释|描述|回答|回复|概括|总结|归纳|阐述|说明|分析|剖析|梳理|列出|列举|列|告诉|展开|看|查|答|评价|对比|比较|探讨|过一遍|过一下|了解|汇报|讨论|论述|讲解|解读|评估|概述|点评|给我|搜|复盘)'
const to = '(?:地|的|点|一点|点儿|一些|些)?(?:给我|跟我|向我|帮我|为我|和我|再|来)?'
const sayGuard = '(?!来就是|就是|白了就是|书|文档|页|功能|模式|按钮|设置|通道|过的|的人|在哪|在什么)'
const soft =
  '(?:这块|这里|这点|这部分|这个|第.[点条部分]+|请|要|得|再|更|尽量|尽可能|稍微|能不能|能|可以|麻烦|回答|回复|内容|写|说|讲|来|给|我|你|希望|想|最好|就|越|还是|那|的|还|稍|也|帮|把|它|答案|解释|介绍|一下|描述|这次|别的|后面|下面|尽|力|求|弄|搞)'
const tail =
  '(?:一?点儿?|一?些|一下|为主|就行|就好|即可|就可以|就够|越好)?(?:了|的|吧|吗|呢|好吗|可以吗|行吗|谢谢|就行|就好|即可|就可以了?|版|版本|版的)?'
const zhNouns = {
  brief: '结论|思路|看法|意见|建议|重点|要点|大纲|说明|介绍|解释|概述|总结|回答|答案|概括|摘要|描述|回复|版本|版',
  detailed:
    '介绍|说明|解释|分析|报告|方案|教程|步骤|攻略|指南|计划|规划|流程|总结|答案|回答|版本|过程|讲解|清单|列表|代码|大纲|概述|评估|对比|文档|描述|综述|对照|解读|回复|调研|策略|设计|说法|行程|信息|原因|资料|日程|版',
}
const enSay =
  '(?:explain|describe|tell|summari[sz]e|answer|outline|list|introduce|discuss|compare|analy[sz]e|review|give|define|show|say|recap|describe|look|check|go over|run through|walk|cover|what|why|how|who|search|reply|respond|sum up|state|mention|talk|document|report|detail|note|elaborate)'
const enNouns =
  'explanation|analysis|report|guide|answer|breakdown|overview|description|walkthrough|review|summary|account|plan|instructions|tutorial|write-?up|comparison|history|list|steps|picture|version|documentation|itinerary|proposal|essay|response|rundown|outline|look|discussion|study|research|report|strategy|design|recap|reply|intro|introduction|details?|information|info|detail|notes|examples?'
const everything =
  '(?<![a-z])as (?:detailed|thorough|specific|comprehensive|complete|deep) as (?:possible|you can|you could|you like)|^(?:can you |could you |please )*(?:tell me more|say more|more details?|(?:give me )?more info|more information)(?: please| pls)?$|(?<![a-z])(?:tell|give|teach|share|explain)(?: me| us)? (?:everything|all)(?: about| you| there)(?![a-z])|'
const denied =
  '(?<=(?:(?<!要)不要|不用|不必|不需要|无需|(?<!特|区|级|分)别|没必要)(?:说|讲|写|回答|搞|弄|给|我|那么|这么|太|过于|过分|得|只|很|做|是){0,6})'
const deniedWords = {
  brief: '(?:简单|简略|简短|简洁|粗略|笼统|短|敷衍|少)',
  detailed: '(?:详细|详尽|深入|细致|仔细|具体|全面|长|啰嗦|复杂|细|多)',
}
const enDenied = {
  brief:
    "(?<=(?<![a-z])(?:not|don't be|do not be|don't make it|never be)(?: too| so| that| very| overly| just| just a| only| a)* )(?:brief|short|concise|superficial|shallow|vague)(?![a-z])",
  detailed:
    "(?<=(?<![a-z])(?:not|(?:don't|do not|no need to|needn't)(?: be| need| want| give(?: me)?| write(?: me)?| make it| send(?: me)?| go into| get into| provide)?|no need for|no|without)(?: too| so| that| very| overly| much| many| any| a| an| the| many| more)* )(?:detailed|details?|thorough|comprehensive|in-depth|exhaustive|long|lengthy|verbose|wordy|elaborate)(?![a-z])(?! enough)",
}

/** Builds the finder; the last wish of a message holds, and opposite negated ones cancel each other. */
export function createWishFinder(config: RoutingConfig): (message: NormalText) => Wish | undefined {
  const forms: readonly Forms[] = [
    build('brief', config.brief, config.briefPhrases),
    build('detailed', config.detailed, config.detailedPhrases),
  ]
  return (message) => {
    const sightings: Sighting[] = []
    const limit = grammar.lengthLimit.exec(message.bare)
    if (limit !== null) sightings.push({ wish: 'brief', at: limit.index, negated: false })
    for (const form of forms) sightings.push(...sight(message.bare, form.anywhere, form.wish))
    let offset = 0
    for (const { text } of message.clauses) {
      offset = Math.max(offset, message.bare.indexOf(text, offset))
      const shift = (found: Sighting): Sighting => ({ ...found, at: found.at + offset })
      const complaint = grammar.excess.exec(text)?.[0] ?? grammar.enExcess.exec(text)?.[0]
      if (complaint !== undefined)
        sightings.push({ wish: lack(complaint) ? 'detailed' : 'brief', at: offset, negated: false })
      else for (const form of forms) sightings.push(...framed(text, form).map(shift))
    }
    const kinds = new Set(sightings.map((found) => found.wish))
    if (kinds.size === 2 && sightings.length > 1 && sightings.every((found) => found.negated)) return undefined
    return sightings.toSorted((a, b) => a.at - b.at).at(-1)?.wish
  }
}

function build(wish: Wish, words: readonly string[], phrases: readonly string[]): Forms {
  const han = anyOf(words.filter((word) => /[\u3400-\u9fff]/u.test(word)).concat('□□'))
  const latin = anyOf(words.filter((word) => /^[a-z]/u.test(word)).concat('□□'))
  const verb = wish === 'brief' ? say : `${say.slice(0, -1)}|排查|列|写一?下|写写|记录)`
  const all = wish === 'brief' ? '' : everything
  return {
    wish,
    anywhere: new RegExp(`${anyOf(phrases)}(?! (?:supply|term|order|notice|run|position|list|course)(?![a-z]))`, 'gu'),
    framed: [
      new RegExp(`${han}${to}${verb}${sayGuard}`, 'gu'),
      new RegExp(
        `(?:说|讲|谈|介绍|解释|描述|回答|回复|写|答|分析)(?:得|的|要|时|可以|能)*(?:再|更|稍微|尽量|太|最好)?${han}${tail}$`,
        'gu',
      ),
      new RegExp(
        `(?:说|讲|谈|介绍|解释|描述|回答|回复|答|分析)(?:得|的)?(?:再|更|稍微|尽量)*(?:${wish === 'brief' ? '短|少|简' : '细|深|全|透|长|具体'})(?:一?点儿?|一?些)(?:吧|吗|好吗)?$`,
        'gu',
      ),
      new RegExp(`(?:用|以)(?:最|更|尽量|比较|尽可能)?${han}的?(?:话|语言|方式|文字|语句|篇幅)`, 'gu'),
      new RegExp(`^${soft}*${han}(?:${han})?(?<!(?:简单|快速)(?=吗|的吗))${tail}$`, 'gu'),
      new RegExp(
        `${all}(?<![a-z])${enSay}(?![a-z]).{0,60}?${latin.replace('full|', '')}(?: please| pls| thanks| for me| if you can)*$|${latin}(?: and [a-z]+)? ${enSay}(?![a-z])|^(?:(?:but|and|please|a bit|slightly|a little|more|make it|make that|just|even|much|keep it|keep|your|the|my|all|answers?|replies|responses?|explanations?|everything|be|can you be|could you be|can you make it|could you make it|be more|now|ok|answer) )*${latin}(?: please| pls| this time| next time)?$`,
        'gu',
      ),
      new RegExp(
        `${denied}${wish === 'brief' ? deniedWords.brief : deniedWords.detailed}(?=一?点|一?些|地|了|啦|的?[，,]|的?$| |也|或|和|${say})|${enDenied[wish]}`,
        'gu',
      ),
    ],
    noun: new RegExp(
      `${wish === 'brief' ? '(?<!写.{0,4}(?=简单))' : ''}${han}的?(?:一点的?)?(?:[^\\s的]{0,6}?| ?[a-z0-9.+# ]{1,16})的?(?:${zhNouns[wish]})${wish === 'detailed' ? '|(?<![a-z])(?:more|further|additional|extra) details?(?![a-z])' : ''}|${latin}(?:,? (?!time)[a-z-]+){0,2} (?:${enNouns})(?![a-z])`,
      'gu',
    ),
  }
}

function framed(clause: string, form: Forms): readonly Sighting[] {
  const hits = form.framed
    .flatMap((pattern) => sight(clause, pattern, form.wish))
    .filter((hit) => !grammar.othersSpeak.test(clause.slice(0, hit.at)))
  const found = grammar.plainQuestion.test(clause) ? hits.filter((hit) => hit.negated) : hits
  const wanted =
    /给|写|(?<!概|纪|摘|主|重)要|来|出|提供|列|整理|想|制定|生成|准备|做|求/u.test(clause) &&
    !/吗$|什么|哪|多少|几|区别|差别|意思|不同/u.test(clause.replace(/(?:可以|行|好|能.*)吗$/u, ''))
  const asked = /[\u3400-\u9fff]/u.test(clause)
    ? wanted
    : (grammar.asks.test(clause) || /^(?:a |the )?[a-z-]+ /u.test(clause)) &&
      !grammar.plainQuestion.test(clause) &&
      (grammar.asks.test(clause) || !/(?<![a-z])(?:is|are|was|were|will|has)(?![a-z])/u.test(clause))
  return asked ? [...found, ...sight(clause, form.noun, form.wish)] : found
}

function sight(text: string, pattern: RegExp, wish: Wish): Sighting[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const before = text.slice(Math.max(0, match.index - 40), match.index).replace(/^.*[，。,.;；!！?？:：\n]/u, '')
    if (grammar.reported.test(before)) return []
    const negated = grammar.negation.test(before) && !grammar.rhetorical.test(before)
    return [{ wish: negated ? (wish === 'brief' ? 'detailed' : 'brief') : wish, at: match.index, negated }]
  })
}

function lack(complaint: string): boolean {
  return (
    grammar.lacking.test(complaint) ||
    /too (?:brief|short|vague|shallow|superficial|simple)|not (?:detailed|thorough|deep|long|specific|comprehensive)/u.test(
      complaint,
    )
  )
}
