// A Chinese sentence as clauses. A clause that only says more of the one before joins it; one that says something else is a statement of its own.
import { toKind } from '#services/memory/kind.ts'
import type { JudgedMessage, Rough, Sentence, Verdict } from './message.ts'
import { judgeHan } from './zh-judge.ts'
import { renderHan } from './zh-render.ts'
import { asking, kin, lead, softLead, subject } from './zh-words.ts'

const mostLeads = 4
const condition = /^(?:如果|假如|要是|若是|倘若|假设|万一|当.{1,10}时)/u
/** A clause that gives a reason, a consequence or a wish. */
const aside =
  /^(?:所以|因为|不然|否则|要不|谢谢|辛苦|哈哈|好吗|行吗|可以吗|对吧|是吧|不好意思|抱歉|欢迎|请多|多多|希望|推荐|帮|有什么|哪|怎么|能|可以|免得|省得|别的|比如|像|特别是|尤其)/u
const detail = /^(?:比如|像|特别是|尤其|比方|包括|别的)/u
const mostDetailChars = 10

/** 不是五岁，是六岁: only the new state is kept. */
const withoutOld = (text: string): string =>
  text
    .replace(/^不是[^，,。]{1,12}了?[，,](?:而?是|应该是)/u, '')
    .replace(/不是[^，,。]{1,12}了?[，,](?:而?是|应该是)/u, '是')

/** A clause of such a topic is a statement of its own, even where its subject is left out. */
const ownTopic = /^(?:home|job|name|health|trait|skill)$/u

type Item = {
  readonly clause: string
  readonly verdict: Verdict
  /** It is about a relative of the speaker. */ readonly isOthers?: boolean
}

export function findHan({ text, isQuestion, explicit }: Sentence, message: JudgedMessage): readonly Rough[] {
  const isGroup = message.chat === 'group'
  const clauses = withoutOld(text)
    .split(/[，,：:；;]|(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])/u)
    .map(withoutLead)
    .filter((clause) => clause !== '')
  if (clauses.some((clause) => condition.test(clause))) return []
  const told = isQuestion ? clauses.filter((clause, at) => at < clauses.length - 1 && !asking.test(clause)) : clauses
  const items: Item[] = []
  for (const clause of told) {
    const said = takesOn(clause, told[told.indexOf(clause) + 1])
    const verdict = said ?? judgeHan(clause, { isGroup, explicit })
    const last = items.at(-1)
    if (verdict === undefined && last?.verdict.topic === 'name' && isRole(clause, last.clause)) {
      items.push({ clause, verdict: { category: 'fact', topic: 'job' } })
      continue
    }
    if (last && joins(clause, verdict, last)) {
      items.splice(-1, 1, { ...last, clause: `${last.clause}，${clause}` })
    } else if (verdict) items.push({ clause: afterDecision(clause, verdict), verdict, isOthers: ofRelative(clause) })
  }
  const first = told[0]
  if (items.length === 0 && explicit && first !== undefined && !asking.test(text))
    items.push({ clause: told.join('，'), verdict: { category: toKind(text), topic: 'thing' } })
  return items.map(({ clause, verdict }) => ({
    category: verdict.category,
    topic: verdict.topic,
    content: renderHan(clause, verdict, message.speaker, isGroup),
  }))
}

const ofRelative = (clause: string): boolean => {
  const rest = clause.replace(/^(?:我|我们|咱|俺)(?:的|家(?:的|里)?)?/u, '')
  return rest !== clause && kin.some((word) => rest.startsWith(word))
}

/** 我叫高亮，是个程序员 says two things of the speaker. */
const isRole = (clause: string, before: string): boolean =>
  /^是[^不吗]/u.test(clause) && /^(?:我|本人|俺)?(?:叫|姓|的?名)/u.test(before)

/** 我负责订蛋糕，十八号之前搞定: the day stands in the next clause. */
function takesOn(clause: string, next = ''): Verdict | undefined {
  const isTaken =
    /^(?:我|俺)(?:来|负责|去|包)[^自]/u.test(clause) &&
    /(?:前|号|周[一二三四五六日天]|明天|后天|月底).{0,6}(?:搞定|完成|给|交|发|出|弄好|做好|订好)/u.test(next)
  return isTaken ? { category: 'todo', topic: 'todo' } : undefined
}

function withoutLead(clause: string): string {
  let rest = clause.trim()
  for (let n = 0; n < mostLeads; n += 1) {
    const left = rest.replace(lead, '').replace(softLead, '').trim()
    if (left === rest) break
    rest = left
  }
  return rest.replace(/[\s!！。~～]{1,9}$/u, '')
}

/** 想好了, 定了: what was settled stands in the next clause. */
const afterDecision = (clause: string, verdict: Verdict): string =>
  verdict.topic === 'decision' &&
  /^(?:就?(?:想好|定|说好|决定|商定|商量|讨论|敲定|确定|考虑好|选好|拍板)(?:了|下来了?|好了)?[哈啊呀哦啦]?|结论是?|最终决定)$/u.test(
    clause,
  )
    ? ''
    : clause

function joins(clause: string, verdict: Verdict | undefined, last: Item): boolean {
  if (last.clause === '') return true
  if (asking.test(clause)) return false
  if (verdict === undefined) {
    const isShort = clause.length <= mostDetailChars && (!subject.test(clause) || clause.length < 8)
    return isShort && (!aside.test(clause) || detail.test(clause))
  }
  if (last.verdict.topic === 'style') return !subject.test(clause) && clause.length < 14
  if (last.verdict.topic === 'decision') return verdict.category !== 'todo' && verdict.topic !== 'decision'
  // What is said on of a relative stays with them: 我妈今年退休，住在我这儿.
  const isBare = !subject.test(clause)
  if (
    isBare &&
    verdict.category === 'constraint' &&
    last.verdict.category === 'fact' &&
    /^(?:只能|不能|最多)/u.test(clause)
  )
    return true
  if (isBare && verdict.category === 'fact' && last.verdict.category === 'fact' && !ownTopic.test(verdict.topic))
    return true
  if (last.isOthers && !subject.test(clause) && verdict.category === 'fact') return true
  if (verdict.category !== last.verdict.category) return false
  if (verdict.topic === last.verdict.topic) return !subject.test(clause) || clause.length < mostDetailChars
  return !subject.test(clause) && verdict.topic === 'schedule'
}
