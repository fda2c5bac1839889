// What the bot proposed and nobody took or refused, and what it looked up in vain. Who went on with something else did neither; who thanks has taken it, and
// who puts it off is not asked again. Every pattern is bounded.
import { bot, type Doubt, type Turn } from './dialogue.ts'
import { isHan, sharedWords, wordsOf } from './words.ts'

const proposed =
  /\bI(?:['’]d| would| will)? (?:suggest|propose|recommend) (?:that (?:you|we) )?((?!you\b|we\b|to\b|it\b|that\b|looking\b|checking\b|asking\b|reading\b)[^,;.?!]{6,80})/iu
const offered =
  /\b(?:(?:shall|should|may) I|(?:would you like|do you want) me to|I (?:can|could) also) ([^,;.?!]{6,80})/iu
const proposedHan = /(?:我)?(?:建议|提议)(?!你|您|先看|查|问|关注|留意|注意|多)([^，。；？！]{3,24})/u
const offeredHan = /(?:要不要|需要我|需不需要我|要我)(?:再|也|帮你)?([^，。；？！吗]{3,24})(?:吗)?[？?]/u

/** Taken, refused or put off: whatever the words say of it. */
const settles =
  /^(?:\W{0,3})(?:y(?:es|ep|eah|up)|no(?:pe|t)?|ok(?:ay)?|sure|fine|good|great|nice|perfect|thanks?|thx|ty|cool|lovely|please|do (?:it|that|so)|go ahead|sounds|agreed?|right|exactly|happy|love|hm+|later|maybe|ask me|let me|let['’]s|will do|top|super|never mind)\b|\b(?:thanks|thank you|good idea|sounds good|let me think|not (?:now|needed))\b|^\P{L}*$|^(?:好|行|可以|不|没|嗯|谢|对|是|要|成|赞|收到|明白|OK|回头|再|等|随便|都|算了|辛苦)|谢谢|不用|听你的|回头|再说|想想|考虑/iu

const vain =
  /\b(?:searched|looked|hunted) (?:for|up) ((?:the|your|our|any) [\w' -]{3,40}?)(?: (?:in|on|through|among) [^,;.]{3,60}?)?,? (?:in vain|without (?:success|result|luck)|but (?:it is|found) no\w*|and found no\w*)|\b(?:the |my )?search for ((?:the|your|our) [\w' -]{3,40}?) (?:failed|found nothing|gave nothing|brought nothing|came back empty|had no result)/iu
const vainHan =
  /(?:没有?|未能?|没能)(?:搜|查|找|翻)到(?!任何|什么|相关|关于|有关|资料|信息|结果|记录|依据|规定|说法)([^，。；？！的]{2,12})(?=[，。；]|$)/u

/** `after`: what was said behind this answer. */
export function findProposals(answer: string, after: readonly Turn[]): readonly Doubt[] {
  return answer.split(/(?<=[.!?]) |(?<=[。！？])|\n/u).flatMap((said) => {
    const [doubt] = [askVain(said), isLeft(said, after) ? askProposal(said) : undefined].filter(
      (one) => one !== undefined,
    )
    return doubt ? [doubt] : []
  })
}

/** Somebody went on, with other words. */
function isLeft(said: string, after: readonly Turn[]): boolean {
  const [next] = after.filter(({ who }) => who !== bot)
  if (!next || settles.test(next.text.trim())) return false
  const words = wordsOf(said)
  return after.every(({ text }) => sharedWords(words, wordsOf(text)).length === 0)
}

function askProposal(said: string): Doubt | undefined {
  const han = isHan(said)
  const suggested = (han ? proposedHan : proposed).exec(said)?.[1]
  if (suggested !== undefined)
    return toDoubt(
      said,
      suggested,
      han ? `我建议过${suggested}，要这样吗？` : `I suggested ${suggested}: do you want that?`,
    )
  const offer = (han ? offeredHan : offered).exec(said)?.[1]
  return offer === undefined
    ? undefined
    : toDoubt(said, offer, han ? `要不要${offer}？` : `Do you want me to ${offer.replaceAll(/\bmy\b/gu, 'the')}?`)
}

const toDoubt = (said: string, about: string, ask: string): Doubt => ({
  ask,
  kind: 'yes-no',
  about,
  premise: '',
  assumed: '',
  said,
  isAsked: true,
})

function askVain(said: string): Doubt | undefined {
  const [, one, other] = (isHan(said) ? vainHan : vain).exec(said) ?? []
  const thing = one ?? other
  if (thing === undefined) return undefined
  const ask = isHan(said)
    ? `我没有找到${thing}，能不能发给我，或者告诉我在哪里？`
    : `I did not find ${thing}: could you send it, or say where it is?`
  return { ask, kind: 'action', about: thing, premise: '', assumed: '', said, isWhole: true }
}
