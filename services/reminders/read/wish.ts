// Finds the wish to be reminded in a message of ordinary words, so that it is set without the model: "could you remind me in 5 minutes to drink
// tea?", 明早八点叫我起床. It takes a message only where it says nothing else, with a time that is read whole and a text; the rest is the model's.
import { readWhen } from './read-when.ts'

const mostChars = 160
const mostFrames = 6

/** Taken off the head, one after the other. */
const frame =
  /^(?:@[\p{L}\p{N}_]{1,40}|(?:hi|hey|hello|ok|okay|thanks|thank you|great|please|pls|so|and|now|also|then|yes|sure|good morning|good evening)(?![a-z])|(?:can|could|would|will) you(?: please)?(?![a-z])|i(?:'d like| want| need) you to(?![a-z])|你好|您好|嗨|好的?(?=[,，。! ])|谢谢|请你?|那(?=[,，])|麻烦你?|能不能|可不可以|可以|(?:你)?能(?=[在帮提到])|帮我|帮忙|到时候?)[,，.。!！~ ]{0,3}/iu
const ending =
  /(?:[\s,，.。!！~?？]|(?<![a-z])(?:please|pls|thanks|thank you|thx|ok|okay)|谢谢|好吗|可以吗|行吗|好不好|吧|哦|呀|哈){1,6}$/iu
/** More is said than the wish. */
const goesOn =
  /[!！?？。\n]|[a-z]{3}\. |(?<![a-z])(?:and|then|but|or) (?:then )?(?:tell|show|write|explain|give|what|how|why|who|also|send|if)(?![a-z])|(?<![a-z])(?:if|unless|when|whenever|as soon as|once) (?:i|you|he|she|it|they|we|the|my)(?![a-z])|然后|顺便|如果|要是|的时候|告诉我/iu
/** Only the talk says what it is. */
const pointing =
  /^(?:(?:about|of|to|do|read|check|answer|see) )?(?:this|that|it|them|these|those|again)(?: (?:again|one|message|please))?$|^(?:看|做|回|处理)?(?:这个?|那个?|它|这件事|那件事|这条|一下|这些)$/iu

const remind =
  /^(?:remind|nudge|ping|buzz|alert|notify) me (?!what|how|why|who|when|where|which|about |of |again|if )/iu
const forget = /^don'?t let me forget (?:to |about )?/iu
const remindBehind = /^([^]{2,60}?),? (?:please )?(?:remind|nudge|ping|buzz|alert) me(?: (?:to|that|about))? ([^]+)$/iu
const setOne =
  /^(?:set|make|create|add|start|put)(?: up)?(?: me)? (?:an?|another|the|my) (reminder|alarm|timer)(?: for me)?,? ?([^]*)$/iu
const wake = /^wake me(?: up)? ([^]+)$/iu
const wakeBehind = /^([^]{2,60}?),? (?:please )?wake me(?: up)?$/iu
const hanRemind = /^([^不别没]{0,30}?)(提醒|叫|喊)(?:一下)?我(?:一?下|一声)?(?:要|去|记得)?[,，:： ]?([^]{0,100})$/u
const hanForget = /^别让我忘(?:了|记)?([^]+)$/u
const hanSet =
  /^(?:设|定|订|上|开|建|加|来)(?:置|定)?(?:一?个)?([^]{1,40}?)的?(闹钟|提醒|定时器?|倒计时|计时器?)[,，:： ]?(?:提醒我)?([^]*)$/u
const hanTimer = /^(?:定时|倒?计时)([^]{1,20})$/u

/** What `/remind` is to be told, a time and a text; undefined where it is no such wish, or not all of it is understood. */
export function findWish(said: string): string | undefined {
  if (said.length > mostChars) return undefined
  const wish = withoutFrames(said.trim())
  if (goesOn.test(wish)) return undefined
  const typed = readForm(wish)
  if (typed === undefined) return undefined
  const reading = readWhen(typed)
  return reading.kind === 'read' && reading.rest !== '' && !pointing.test(reading.rest) ? typed : undefined
}

function withoutFrames(said: string): string {
  let wish = said.replace(ending, '')
  for (let n = 0; n < mostFrames; n += 1) {
    const left = wish.replace(frame, '')
    if (left === wish || left === '') break
    wish = left
  }
  return wish
}

/** The wish as a time and a text, in one of the orders that are read. */
function readForm(wish: string): string | undefined {
  return /\p{Script=Han}/u.test(wish) ? readHan(wish) : readLatin(wish)
}

function readLatin(wish: string): string | undefined {
  const head = remind.exec(wish) ?? forget.exec(wish)
  if (head) return wish.slice(head[0].length)
  const [, before = '', text] = remindBehind.exec(wish) ?? []
  if (text !== undefined) return isTime(before) ? `${before} ${text}` : undefined
  const [, what = '', rest] = setOne.exec(wish) ?? []
  if (rest !== undefined) return withText(rest.replace(/^(?:for|at|on|to|about|that) (?=[^])/iu, ''), what)
  const [, time] = wake.exec(wish) ?? wakeBehind.exec(wish) ?? []
  return time === undefined || !isTime(time) ? undefined : `${time} wake up`
}

function readHan(wish: string): string | undefined {
  const [, forgotten] = hanForget.exec(wish) ?? []
  if (forgotten !== undefined) return forgotten
  const [, before = '', verb, text = ''] = hanRemind.exec(wish) ?? []
  // 叫我小明 is a name.
  if (verb !== undefined && (before !== '' || verb === '提醒')) {
    if (before !== '' && !isTime(before)) return undefined
    return before === '' ? text : `${before} ${text || (verb === '提醒' ? '' : '时间到了')}`
  }
  const [, time, what = '', about = ''] = hanSet.exec(wish) ?? []
  if (time !== undefined) return withText(`${time} ${about}`.trim(), what)
  const [, length] = hanTimer.exec(wish) ?? []
  return length === undefined ? undefined : withText(length, '定时')
}

/** A length of time alone is one from now; a time alone gets the thing that was asked for as its text. */
function withText(rest: string, what: string): string {
  const isHan = /\p{Script=Han}/u.test(rest)
  const tries = isHan ? [rest, `${rest}后`] : [rest, `in ${rest}`]
  const alone = tries.find(isTime)
  return alone === undefined ? rest : `${alone} ${what}`
}

function isTime(text: string): boolean {
  const reading = readWhen(text)
  return reading.kind === 'read' && reading.rest === ''
}
