// The words that frame a request, taken off its head: 请帮我, "can you please", "then", "tomorrow at nine". A strong frame makes
// what follows a request even in the form of a question; a mild one only in a statement ("我想…", "we need to…"). Pure.
import { anyOf } from './pattern-source.ts'

/** `rest`: what follows the frame. `gives`: a thing is asked for. `from`: where 给/为/跟 + someone began, if it was taken. */
export type Frame = {
  readonly rest: string
  readonly strong: boolean
  readonly gives: boolean
  readonly from: string | undefined
}

const strongLead = list(
  "what i need is for you to|i was wondering if you could|i was hoping you could|i was hoping you can|wondering if you could|is it possible for you to|is it possible to|any chance you could|any chance you can|do you mind|mind|could someone|不知道能不能|你看能不能|看能不能|方便的话|求你|求|你帮我|你帮|看看能不能|麻烦你|麻烦您|麻烦|帮我|帮忙|帮|替我|劳驾|烦请|能不能帮我|能不能|能否|可不可以|可否|能给我|我想让你|我要你|我希望你|需要你|你能不能|你能|你可以|请你|请您|请帮我|请|please|pls|plz|kindly|can you|could you|would you mind|would you|will you|can u|could u|i need you to|i want you to|i would like you to|i'd like you to|help me to|help me|do me a favor and|let's|lets|go ahead and|can someone|i need help to|be so kind as to|want you to|need you to|咱们|我们来|记得|务必|一定要|拜托你|请问能|请问可以|是否可以",
)
const mildLead = list(
  "we need to|i need to|i want to|i would like to|i'd like to|can we|could we|have to|need to|我想要|我想|我要|我需要|我们需要|需要|想要|想|要|可以|能",
)
const weakLead = list(
  "如果可能的话|有时间的话|有空的话|顺便再|if possible|when you have time|if you can|开始|继续|start|begin|continue|proceed with|彻底|全面|完全|永久|安全|手动|简单|continue to|that you|那么|那你|那|就|先|首先|第一|第二|第三|其次|再|然后|接着|最后|另外|还有|顺便|同时|现在|马上|立刻|立即|尽快|赶紧|快点|快|来|去|不过|但是|但|所以|对了|直接|重新|自动|也|还|顺手|我们|你|您|一起|一下|仔细|快速|认真|给我|给我们|和我|跟我|为我|都|全部|统一|批量|定期|每天|每周|今天|明天|如果可以|有空|辛苦|话说|因此|于是|又|并且|并|and|then|also|now|just|so|but|first|second|third|next|finally|lastly|afterwards|after that|ok|okay|btw|by the way|actually|maybe|instead|quickly|again|immediately|asap|hey|hi|yes|sure|you should|you can|you|to|quick|simply|try to|try and|once done|when done|when you're done|oh|well|alright|great|thanks|thank you|好的|谢谢|ok呀|and now|start to|start by|carefully|properly|completely|fully|automatically",
)
const time =
  /(?:(?:今|明|后|每)天|[今明]晚|明早|今早|(?:这|本|下|每)?(?:周|星期|礼拜)[一二三四五六日天末]|每周|下周|早上|上午|中午|下午|晚上|凌晨|\d{1,2}(?:点半?|[:：]\d{2}|分钟[后内]|小时[后内])|[一二三四五六七八九十两]{1,3}(?:点半?|分钟[后内]|个?小时[后内])|tomorrow|tonight|today|every (?:day|morning|week|hour|monday)|at \d{1,2}(?::\d{2})? ?(?:am|pm)?|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|in \d{1,3} (?:minutes?|hours?|days?))(?![a-z])/uy
const giving = /(?:给我们?|给|来|出)(?=一?[个份套篇版]|点)/uy
const leads = {
  strong: new RegExp(anyOf(strongLead), 'uy'),
  mild: new RegExp(anyOf(mildLead), 'uy'),
  weak: new RegExp(anyOf(weakLead), 'uy'),
}

const inner =
  /(?<!谢谢?你?)(?:帮我|帮忙|替我|麻烦你?|劳烦|(?<![a-z])(?<!(?:how|what|why|when|where|which|who) )(?:(?:can|could|would|will) you(?: please)?|please|pls|help me) )/u

/** Takes the frame off `text`, a clause. */
export function unframe(text: string, question: boolean): Frame {
  let at = 0
  let strong = false
  let gives = false
  let from: string | undefined
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const match = pattern.exec(text)?.[0]
    if (match === undefined) return undefined
    at += match.length
    while (text[at] === ' ') at += 1
    return match
  }
  for (let turn = 0; turn < 12; turn += 1) {
    const word = take(leads.strong)
    if (word !== undefined) {
      strong = true
      continue
    }
    if (/^想(?:出|[个几些一两二三四五六七八九十\d])/u.test(text.slice(at))) break
    const mild = take(leads.mild)
    if (mild !== undefined) {
      strong ||= !question
      gives ||= /需要|想要|^要|我要/u.test(mild)
      continue
    }
    if (take(giving) !== undefined) {
      gives = true
      break
    }
    if (take(time) !== undefined) continue
    const start = at
    const weak = take(leads.weak)
    if (weak !== undefined && /^[给为跟和]/u.test(weak)) from = text.slice(start)
    if (weak === undefined) break
    gives ||= /^给我|来/u.test(weak)
  }
  return { rest: text.slice(at), strong, gives, from }
}

/** The clause from a strong frame in its middle on ("服务器又挂了你帮我看看"), if there is one. */
export function innerRequest(text: string): string | undefined {
  const found = inner.exec(text)
  return found === null || found.index === 0 ? undefined : text.slice(found.index)
}

function list(text: string): string[] {
  return text.split('|')
}
