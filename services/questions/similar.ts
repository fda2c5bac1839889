// Whether two questions ask the same: word by word, or in other words where most of what they say is the same. Chinese is compared by pairs of
// characters. Numbers and question words must agree: "when" is not "where", and step 3 is not step 4.
import { toNormalForm } from '#shared/chat/normal-form.ts'

const filler = new Set(
  'a an the is are was were be do does did can could would will shall should may might you your me my i we our us it its please tell let know to of for in on at and or what whats so that this there with have has like want need just'.split(
    ' ',
  ),
)
const fillerPairs = /请问|请|告诉我|你的|您的|你|您|的|了|吗|呢|吧|一下|能不能|可以|是什么|什么/gu
/** The share of what both say. */
const sameShare = 0.75

export function asksTheSame(one: string, other: string): boolean {
  const [a, b] = [toSaid(one), toSaid(other)]
  if (a.whole === '' || b.whole === '') return false
  if (a.whole === b.whole) return true
  if (a.numbers !== b.numbers || a.asks !== b.asks) return false
  const all = new Set([...a.words, ...b.words])
  const both = [...a.words].filter((word) => b.words.has(word)).length
  return all.size > 0 && both / all.size >= sameShare
}

const questionWords = /when|where|who|whom|why|how|which|何时|什么时候|几点|哪里|哪儿|谁|为什么|怎么|如何|哪个|多少/gu

function toSaid(text: string) {
  const plain = toNormalForm(text, 'NFKC')
    .toLowerCase()
    .replaceAll(/[\p{P}\p{S}\p{C}]/gu, ' ')
  const words = plain.match(/[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]+/gu) ?? []
  const han = plain.replaceAll(fillerPairs, '').match(/\p{Script=Han}+/gu) ?? []
  const pairs = han.flatMap((run) =>
    run.length === 1 ? [run] : [...run].slice(1).map((sign, at) => `${[...run][at]}${sign}`),
  )
  return {
    whole: plain.replaceAll(/\s+/g, ''),
    numbers: (plain.match(/\p{N}+/gu) ?? []).join(' '),
    asks: [...new Set(plain.match(questionWords) ?? [])].toSorted().join(' '),
    words: new Set([...words.filter((word) => !filler.has(word)).map(toStem), ...pairs]),
  }
}

/** Plural or not. */
const toStem = (word: string): string => (word.length > 3 ? word.replace(/s$/, '') : word)
