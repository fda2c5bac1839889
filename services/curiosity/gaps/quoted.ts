// A doubt of which the rules see the sign but cannot make a question: the bot's own clause is quoted, and the person is asked how it is. Every pattern is bounded.
import type { Doubt } from './dialogue.ts'
import { assumedAfter, assumedBefore, leftAlone, missing, unknownAfter } from './en-frames.ts'
import { toPieces } from './en-text.ts'
import { isHan, shorten, wordsOf } from './words.ts'
import {
  assumedAfter as takenHan,
  assumedBefore as guessedHan,
  leftAlone as leftAloneHan,
  unknown as unknownHan,
} from './zh-frames.ts'

const mostChars = 120
/** A quote of fewer words says too little. */
const fewestWords = 4

const signs: readonly RegExp[] = [
  /\b(?:I|we) (?:have|had|found|saw) (?:it |that |this |them )?nowhere\b|\bnothing (?:newer|else|more recent|better) (?:is|was)\b|\b(?:is|was|are|were) (?:on no|in none of|not among)\b/iu,
  /\b(?:since|because|as|though|although|but) (?:you|nobody|no one|they|the \w{2,15}) (?:never |has |have |had ){0,2}(?:named|gave|said|mentioned|wrote|told|listed|chose)\b|\bno(?:ne| \w{2,15}) (?:was|were|is|had been) (?:named|given|mentioned|said|listed|chosen)\b|\byou never (?:mentioned|said|named|told|gave|wrote)\b/iu,
  /\b(?:an?|the) (?:usual|average|typical|customary|standard|common|ordinary) \w{3,15}\b|, the (?:average|usual|norm|default|standard)\b/iu,
  /\b(?:made up|provisional(?:ly)?|at random|blindly|by feel|by guess(?:work)?|on a hunch|a stopgap|pencilled|penciled|for want of|for lack of|tentative(?:ly)?|my own (?:guess|choice|idea|invention|number|figure))\b/iu,
  /\b(?:I|we) (?:settled on|went by|went for|opted for|plumped for|decided on)\b/iu,
  /\bone (?:has|would have) to (?:\w{3,12})\b|\bnobody can \w{3,10} (?:it |that |this )?(?:off |out )?from here\b/iu,
  /\bI took (?:yours|it|them|him|her) (?:to be|for)\b|\bran out\b|\b(?:may|might|could) (?:be|have) (?:out|over|old|outdated|expired|changed)\b/iu,
]
const signsHan =
  /编了|顶着|先顶|难分高下|不分上下|暂且|姑且|随手|随便|从没(?:讲|说|提|听)|没(?:听你|听谁|听人)|没在哪|瞧不(?:见|出|清)|悬着|一个字没有|没印象|没见过|没头绪|估摸|蒙的|占位|拍的脑袋|凭感觉|凭印象|我(?:挑|选|定|勾|取|加|填|写|放)的(?:是)?|(?:[，,]|^)我(?:挑|选|取)[^，,]{1,12}(?:写|算|放|排|填|用)了|没法(?:知道|确认)|不一定准|一处没把握|翻遍|找遍|查遍/u

const frames = [...unknownAfter, ...assumedAfter, ...assumedBefore, ...missing, ...signs]

/** "No tickets, because the trains run on your pass": it is known why. */
const known = / (?:because|since) (?!nobody|no one|no |nothing|none|you (?:named|gave|said|never|did not)|I\b)/iu

const isDoubtful = (clause: string): boolean => !known.test(clause) && frames.some((one) => one.test(clause))
/** Of the answer or of the two who speak: what a text says of the world is no doubt of the bot's. */
const ownHan = /我|你|您|谁|没(?:有)?人|群里|资料|方案|清单|纪要|通知|表|图上|栏|格/u
const isDoubtfulHan = (clause: string): boolean =>
  signsHan.test(clause) || (ownHan.test(clause) && [unknownHan, takenHan, guessedHan].some((one) => one.test(clause)))

/** The first sentence that shows a doubt and that nobody made a question of. */
export function findQuoted(sentences: readonly string[], read: readonly Doubt[]): readonly Doubt[] {
  for (const said of sentences) {
    if (read.some((one) => one.said.includes(said) || said.includes(one.said))) continue
    const doubt = quote(said)
    if (doubt) return [doubt]
  }
  return []
}

/** What answers somebody's word takes it up, and doubts nothing. */
const reacting =
  /^(?:ok(?:ay)?|noted|changed|then|sure|corrected|right|understood|fine|good|updated|added)\b|^(?:好|明白|行|收到|知道|改|已改|那|没问题)/iu

/** Undefined where the sentence shows no doubt, or says too little. */
export function quote(said: string): Doubt | undefined {
  const han = isHan(said)
  if (/[?？!！]["”’]?$/u.test(said) || reacting.test(said) || leftAlone.test(said) || leftAloneHan.test(said))
    return undefined
  const clauses = han ? said.split(/(?<=[；;])/u) : toPieces(said)
  const clause = clauses.find((one) => (han ? isDoubtfulHan(one) : isDoubtful(one)))
  if (clause === undefined) return undefined
  const at = clauses.indexOf(clause)
  const before = clauses[at - 1] ?? ''
  const whole =
    wordsOf(clause).size < fewestWords * 2 && before !== '' ? `${before}${han ? '' : '; '}${clause}` : clause
  const plain = shorten(whole.trim().replace(/[。.;；，,]$/u, ''), mostChars)
  if (wordsOf(plain).size < fewestWords) return undefined
  return {
    ask: han ? `我写的是“${plain}”，实际是怎样的？` : `What is right where I wrote “${plain}”?`,
    kind: 'words',
    about: plain,
    premise: '',
    assumed: '',
    said,
    isWhole: true,
  }
}
