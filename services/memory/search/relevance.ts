// Whether what was found has to do with what is asked. The ranking orders whatever shares a word with a question, and most of what people ask has nothing to do
// with what they told: a single common word is no reason to tell the model of it. Pure.
import { isOfOthers, readKin } from './kin.ts'
import { toTokens } from './tokens.ts'

/** Of what a question says, so much has to stand in a record: where its person asks about themselves, and else. Signs of Chinese are many and short. */
const leastOwn = 0.25
const least = { latin: 0.5, han: 0.2 }

/** What such words say depends on the words beside them. */
const weakWords = new Set(
  toTokens(
    `go work call like get take say tell know think good best nice time thing people day week month year name make many much find put need want use look
    come give first last new old big small long place way lot bit today tonight tomorrow yesterday number live kind type sort favourite favorite size colour
    color code date word city town country address again please help let keep leave start end right left high low happen remember forget start run see
    hear talk ask mean feel try turn show play write read buy pay person man woman`,
  ),
)
const [weak, digits, named] = [0.3, 0.5, 2]
const signsOfWord = 3

const dative =
  /(?<![a-z])(?:tell|give|show|write|help|send|draw|make|find|get|teach|let|remind|read|sing|draft|recommend|suggest|bring|wish|explain to|translate for) me(?![a-z])|(?:帮|给|替|为|告诉|教|陪|请|让|跟)我(?!们)/giu
const own = /(?<![a-z])(?:i|me|my|mine|we|us|our|ours)(?![a-z])|我|咱|俺|本人/iu

/** Tokens of exact words stand beside those of their parts. */
const isExact = (token: string): boolean => /^x(?:[0-9a-f]{2}){3,}$/.test(token)
const isSign = (token: string): boolean => /^u(?:[0-9a-f]{4}|z[0-9a-f]{5,6})$/.test(token)
const pair = /^b([0-9a-f]{4}|z[0-9a-f]{5,6})([0-9a-f]{4}|z[0-9a-f]{5,6})$/

/** Takes about 0.05 ms for each text. */
export function createRelevance(question: string): (text: string) => boolean {
  const withKin = readKin(question)
  const asked = [...new Set(toTokens(withKin.text))].filter((token) => !isExact(token))
  const signs = asked.filter(isSign)
  const words = asked.filter((token) => !isSign(token) && !pair.test(token))
  // A word is as long as some signs.
  const times = signs.length > 0 ? signsOfWord : 1
  const isOwn = own.test(question.replaceAll(dative, ''))
  const owners = findOwners(withKin.text)
  const all = signs.length + times * words.reduce((sum, token) => sum + weigh(token), 0)
  const wanted = isOwn ? leastOwn : signs.length > 0 ? least.han : least.latin
  return (text) => {
    const told = readKin(text)
    if (all === 0 || isOfOthers(withKin, told)) return false
    const has = new Set(toTokens(told.text))
    if (owners.length > 0 && !owners.some((token) => has.has(token))) return false
    const shared = words.reduce((sum, token) => sum + (has.has(token) ? weigh(token) : 0), 0)
    // A sign alone is a part of many words: what is general has to share whole ones.
    const held = isOwn ? signs.filter((sign) => has.has(sign)) : inPairs(asked, { has, signs })
    // Half of it is enough where two whole words are shared: people also ask in long sentences.
    const whole = held.length + words.filter((token) => has.has(token) && weigh(token) >= 1).length
    const share = (times * shared + held.length) / all
    return share >= wanted || (whole >= 2 && share >= wanted / 2)
  }
}

/** "When is my mother's birthday?" is about a mother: another birthday does not answer it. */
const findOwners = (question: string): readonly string[] =>
  [
    ...question.matchAll(/(?<![a-z])(?:my|our)\s{1,3}((?:[a-z]{1,20}\s{1,3}){0,2}[a-z]{1,20})\s{0,3}['’]s(?![a-z])/giu),
  ].flatMap(([, owner = '']) => toTokens(owner))

function weigh(token: string): number {
  if (weakWords.has(token)) return weak
  if (/^\d+$/.test(token)) return digits
  return /\d/.test(token) && /^[a-z\d]*$/.test(token) && /^[a-z]/.test(token) ? named : 1
}

type Held = { readonly has: ReadonlySet<string>; readonly signs: readonly string[] }

/** Signs that stand beside each other in both. */
function inPairs(asked: readonly string[], { has, signs }: Held): readonly string[] {
  const held = asked.flatMap((token) => {
    const [, one, other] = (has.has(token) && pair.exec(token)) || []
    return one !== undefined && other !== undefined ? [[`u${one}`, `u${other}`]] : []
  })
  return [...new Set(held.filter((both) => both.every((sign) => signs.includes(sign))).flat())]
}
