// Which of a turn's words are looked through for people and things, by rules: statements in its person's own words that name something or tell of
// themselves. Questions, requests, quotations, jokes, secrets and what was said in private are left out.
import type { TurnRecord } from '#shared/run/record.ts'
import { toSentences } from '#services/memory/candidates/sentences.ts'
import { toProse } from '#services/memory/candidates/setting.ts'
import { findRefusal } from '#services/memory/refuse.ts'

const mostChars = 1500
const leastWords = 3
const leastSigns = 5

const request =
  /^(?:please|pls|can|could|would|will|should|what|when|where|who|why|how|which|is|are|do|does|did|write|tell|show|give|make|help|explain|find|search|look|translate|summari[sz]e|list|create|draw|compare|describe|suggest|recommend|calculate|read|open|let['’]?s|hi|hello|hey|thanks|thank)(?![a-z])|^(?:请|帮|麻烦|能不能|可以|可否|告诉|给我|帮我|写|翻译|解释|总结|列出|查|找|搜|比较|推荐|谢谢|你好|您好)/iu
/** A capital letter within the sentence, or a word of letters that no plain word has. */
const name = /(?<=[\p{Ll}\p{N}\p{Script=Han},;:'’"(] ?)\p{Lu}[\p{L}\p{N}]|\p{Ll}\p{Lu}|\p{L}\d|\d\p{L}{2}/u
const self = /(?<![a-z])(?:i|i['’](?:m|ve|d|ll)|my|we|our)(?![a-z])/iu
const hanTells = /[我咱俺他她]|[叫是在用住做属]|负责|认识|喜欢|来自|名字|公司|项目|团队|同事|朋友/u

/** Undefined where nothing in it is worth a look. Linear in the text. */
export function toOwnWords(record: TurnRecord): string | undefined {
  const { asked, group, last, taint = [] } = record
  if (record.for !== undefined || last !== undefined || taint.length > 0 || /^\s{0,9}\//u.test(asked)) return undefined
  if (findRefusal(asked, { group: group === true })) return undefined
  const prose = toProse({
    text: asked,
    chat: group ? 'group' : 'direct',
    atMs: record.begunAt,
    speaker: record.name ?? '',
  })
  if (prose === undefined) return undefined
  const told = toSentences(prose).flatMap(({ text, isQuestion }) => (isQuestion || request.test(text) ? [] : [text]))
  return told.some(tells) ? told.join('\n').slice(0, mostChars).toWellFormed() : undefined
}

function tells(text: string): boolean {
  const signs = text.match(/\p{Script=Han}/gu)?.length ?? 0
  if (signs > 0 && signs >= leastSigns && hanTells.test(text)) return true
  return text.split(/\s{1,9}/u).length >= leastWords && (name.test(text) || self.test(text))
}
