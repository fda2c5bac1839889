// A message as sentences: which of them ask, which are ordered to be kept. Sentences with quotations or code in them are left out, since their words
// are somebody else's.
import { splitOrder } from '#services/memory/order.ts'
import { isStatement } from '#services/memory/statement.ts'
import type { Sentence } from './message.ts'

const mostSentences = 40
const end = /(?<=[。！？!?\n；;])|(?<=[a-z\d)’'\p{Extended_Pictographic}]{2}\.)\s{1,9}(?=\S)|(?<=\.\.\.|…)\s{1,9}/u
const quoted = /[“"「『‘]([^”"」』’]{1,400})[”"」』’]/gu
const codeLike =
  /`|=>|[{}]|;$|\(\)|==|\$ ?\w{1,20} |<\/?\w{1,20}>|(?:^|\s)(?:const|let|var) \w{1,30} ?=|(?:^|\s)(?:def|function) \w{1,30}\(|SELECT \S{1,40} |(?:^|\s)(?:WARN|ERROR|INFO|DEBUG) |\w\(.{0,40}\)|\w_\w{1,30} ?=|https?:\/\//u
const onlyOrder =
  /^(?:please |pls |plz |can you |could you |so |and )*(?:do )?(?:re[me]{1,5}b[er]{1,3}|note|keep|save|store|don['’]?t forget)(?: (?:that|this|it|them))?(?: (?:in mind|down|please|pls|for me|ok|okay|thanks|thx|for later|for next time)){0,3}$|^(?:请|麻烦|你|您|帮我|给我|都|一定|千万|要|大家|这个?|这点|这些|这条){0,5}(?:[记计]住|记[好牢着]|记一下|记下来?|别忘|存一下)(?:了|一下|哦|噢|啊|哈|呀|吧|喽|咯|谢谢){0,3}$/iu
const signs = /[\p{Extended_Pictographic}\ufe0f]{1,9}/gu
const shortName = /^[^\s，。,.!?！？]{1,4}$|^\S{1,20}$/u

export function toSentences(prose: string): readonly Sentence[] {
  const found: Sentence[] = []
  for (const part of prose.split(end).slice(0, mostSentences)) {
    const said = part
      .replaceAll(signs, ' ')
      .replaceAll(/[ \t\u3000]{1,40}/gu, ' ')
      .trim()
    const bare = said.replace(/[\s。.！!？?；;～~]{1,9}$/u, '')
    if (bare === '') continue
    if (onlyOrder.test(bare)) {
      const before = found.pop()
      if (before) found.push({ ...before, explicit: true })
      continue
    }
    const isOthers =
      codeLike.test(said) || [...said.matchAll(quoted)].some(([, inside = '']) => !shortName.test(inside.trim()))
    if (isOthers) continue
    const sentence = toSentence(said, bare)
    if (sentence) found.push(sentence)
  }
  return found
}

function toSentence(said: string, bare: string): Sentence | undefined {
  const order = splitOrder(said)
  // An order that keeps nothing: a deed for somebody, or a question about memory.
  if (order)
    return isStatement(order.text, order.how) ? { text: order.text, isQuestion: false, explicit: true } : undefined
  return { text: bare, isQuestion: /[?？]\s{0,3}$/u.test(said), explicit: false }
}
