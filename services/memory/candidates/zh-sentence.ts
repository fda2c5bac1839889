// A Chinese sentence as clauses. A clause that only says more of the one before joins it; one that says something else is a statement of its own.
import { toKind } from '#services/memory/kind.ts'
import type { JudgedMessage, Sentence } from './message.ts'
import type { Rough } from './find-candidates.ts'
import { judgeHan, type HanVerdict } from './zh-judge.ts'
import { renderHan } from './zh-render.ts'
import { asking, lead, softLead, subject } from './zh-words.ts'

const mostLeads = 4
const condition = /^(?:如果|假如|要是|若是|倘若|假设|万一|当.{1,10}时)/u
/** A clause that gives a reason, a consequence or a wish. */
const aside =
  /^(?:所以|因为|不然|否则|要不|谢谢|辛苦|哈哈|好吗|行吗|可以吗|对吧|是吧|不好意思|抱歉|欢迎|请多|多多|希望|推荐|帮|有什么|哪|怎么|能|可以|免得|省得|别的|比如|像|特别是|尤其)/u
const detail = /^(?:比如|像|特别是|尤其|比方|包括|别的)/u
const mostDetailChars = 10

/** 不是五岁，是六岁: only the new state is kept. */
const withoutOld = (text: string): string => text.replace(/不是[^，,。]{1,12}了?[，,](?:而?是|应该是)/u, '是')

type Item = { readonly clause: string; readonly verdict: HanVerdict }

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
    const verdict = judgeHan(clause, { isGroup, explicit })
    const last = items.at(-1)
    if (last && joins(clause, verdict, last)) {
      items.splice(-1, 1, { clause: `${last.clause}，${clause}`, verdict: last.verdict })
    } else if (verdict) items.push({ clause: afterDecision(clause, verdict), verdict })
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
const afterDecision = (clause: string, verdict: HanVerdict): string =>
  verdict.topic === 'decision' &&
  /^(?:就?(?:想好|定|说好|决定|商定|敲定|确定|考虑好|选好|拍板)(?:了|下来了?|好了)?[哈啊呀哦啦]?|结论是?|最终决定)$/u.test(
    clause,
  )
    ? ''
    : clause

function joins(clause: string, verdict: HanVerdict | undefined, last: Item): boolean {
  if (last.clause === '') return true
  if (asking.test(clause)) return false
  if (verdict === undefined) {
    const isShort = clause.length <= mostDetailChars && (!subject.test(clause) || clause.length < 8)
    return isShort && (!aside.test(clause) || detail.test(clause))
  }
  if (last.verdict.topic === 'decision') return verdict.category !== 'todo' && verdict.topic !== 'decision'
  if (verdict.category !== last.verdict.category) return false
  if (verdict.topic === last.verdict.topic) return !subject.test(clause) || clause.length < mostDetailChars
  return !subject.test(clause) && verdict.topic === 'schedule'
}
