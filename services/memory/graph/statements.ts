// What the items of a walk say together: the same thing said in several messages is one statement; what was unsure counts once it is said in another
// message; and of what holds only once, such as where somebody lives, the newer takes the place of the older. All of it is told by what is there, so that
// a message that is forgotten takes back what it changed.
import { toEntityKey, toPlainName } from '#shared/memory/entity-key.ts'
import type { GraphItem, WalkedItem } from '#shared/memory/graph.ts'
import { sureFrom } from './choose.ts'

export type Statement = {
  /** The newest of those that say it. */
  readonly item: GraphItem
  readonly items: readonly GraphItem[]
  readonly hop: number
  /** 0–1; what is confirmed is 1. */
  readonly confidence: number
  readonly isConfirmed: boolean
  /** Until when it held, ms since 1970. */
  readonly validTo?: number
}

/** Of whom one of these holds at a time. */
const once =
  /^(?:(?:lives?|living|resides?|based|located|home|works?|working|employed|stud(?:ies|ying)) ?(?:in|at|for)?|(?:full |first |last )?name|is (?:called|named)|called|nickname|age|birth ?(?:day|date)|date of birth|born(?: on| in)?|home ?town|city|address|residence|employer|company|job(?: title)?|role|position|occupation|profession|time ?zone|married to|spouse|husband|wife|住(?:在|址)?|居住地?|工作(?:于|单位|地点)?|就职于?|公司|职位|职业|名字|姓名|叫|年龄|生日|出生(?:日期|地)?|家乡|城市|时区|配偶|丈夫|妻子)$/iu

/** In the order in which they were walked. */
export function toStatements(walked: readonly WalkedItem[]): readonly Statement[] {
  const alike = [...Map.groupBy(walked, ({ item }) => `${toSubject(item)}\n${toObject(item)}`).values()]
  const said = alike.map(toStatement).filter((one): one is Statement => one !== undefined)
  const newest = new Map<string, Statement>()
  for (const one of said) {
    const before = newest.get(toSubject(one.item))
    if (!before || weigh(one) > weigh(before)) newest.set(toSubject(one.item), one)
  }
  return said.map((one) => {
    const newer = newest.get(toSubject(one.item))
    const isPast =
      once.test(one.item.key) && newer !== undefined && newer !== one && newer.item.saidAt > one.item.saidAt
    return isPast && !one.isConfirmed ? { ...one, validTo: newer.item.saidAt } : one
  })
}

const weigh = ({ item }: Statement): number => item.saidAt
const toSubject = ({ kind, entity, key }: GraphItem): string => `${kind}\n${toEntityKey(entity)}\n${toPlainName(key)}`
const toObject = (item: GraphItem): string => (item.kind === 'fact' ? toPlainName(item.value) : toEntityKey(item.to))

function toStatement(walked: readonly WalkedItem[]): Statement | undefined {
  const items = walked.map(({ item }) => item).toSorted((a, b) => b.saidAt - a.saidAt)
  const [item] = items
  const isConfirmed = items.some(({ status }) => status === 'confirmed')
  const confidence = Math.max(...items.map((one) => one.confidence))
  if (!item || !(isConfirmed || confidence >= sureFrom || isSaidAgain(items))) return undefined
  const hop = Math.min(...walked.map((one) => one.hop))
  return { item, items, hop, confidence: isConfirmed ? 1 : confidence, isConfirmed }
}

/** Whether two of them came of different messages. */
function isSaidAgain(items: readonly GraphItem[]): boolean {
  const sources = items.map(({ from }) =>
    from.flatMap(({ conversation, messages }) => messages.map((id) => `${conversation} ${id}`)),
  )
  return sources.some((one, at) => {
    const known = new Set(one)
    return sources.slice(at + 1).some((other) => !other.some((id) => known.has(id)))
  })
}
