// Finds the order to remember in a message that is nothing but this order: "please remember that I live in Lyon", 记住我住在里昂. It gives what is to be
// kept, without the order and its politeness. It leaves to others: questions, wishes for a reminder, "remember this", jokes, quotations, and messages
// that say more than the order.
import { isStatement, type How } from './statement.ts'

/** Characters; a longer message is left to others. */
const mostChars = 1000
const mostFrames = 6

export type Order = { /** What is to be kept, in its speaker's words. */ readonly text: string }

/** Taken off the head, one after the other. A mention is the bot's own by its name; anybody else is not spoken to. */
const frame =
  /^(?:@\w{0,30}(?:bot|flotilla)|(?:(?:hi|hey|hello|ok|okay),? (?:bot|flotilla)|hi|hey|hello|ok|okay|please|pls|plz|so|and|now|also|oh|well|yes|no|nope|sorry|actually|right|then|but|hm{1,3}|update|correction|edit|ps|just|kindly|by the way|btw|fyi|one more thing|always|do|everyone|everybody|all|guys|team|folks|for (?:next time|the future|later|the record))(?![a-z'’])|(?:can|could|would|will) you(?: please| kindly| just| maybe| also)?(?![a-z'’])|you (?:should|must|need to|have to)(?![a-z'’])|i(?:['’]?d like| want| need|['’]?d love) you to(?![a-z'’])|i['’]?d appreciate it if you(?: could| would)?(?![a-z'’])|你好|您好|嗨|嘿|其实|更正(?:一下)?|大家|各位|好的?(?=[,，。! ])|对了|那个?(?=[,，])|另外|顺便(?:说一下)?|还有(?=[,，:： ]|请|麻烦|记)|麻烦(?:你|您)?|拜托(?:你|您)?|劳烦(?:你|您)?|[请請](?:你|您)?|(?:你|您)?(?:能不能|可不可以|可以|能否|可否|能)(?=请|麻烦|帮|替|给|记|牢|把|别|不)|(?:你|您)(?=要|可|一定|千万|务必|先|帮|给|替|记[住好牢着下一])|我(?:想|要|希望|需要)(?:你|您)|帮(?:我|忙)|替我|给我|为我|一定要?|千万要?|务必要?|要(?=记|牢)|先(?=记))[,，.。!！:：~ ]{0,3}/iu

/** An order that stands as a question: "could you remember that …?" */
const asked = /(?:can|could|would|will) you|能不能|可不可以|可以|能否|可否|能/iu

const verb =
  /^(?:re[me]{1,5}b[er]{1,3}|memori[sz]e|(?:keep|bear) in mind|keep in memory|(?:make|take|keep)(?: yourself)?(?: a| another)?(?: mental)? note|note down|note(?= that )|note to self|write down|jot down)(?![a-z'’-])/iu
const forgetNot = /^(?:do not|don['’]?t|never)(?: you)?(?: ever)? forget(?![a-z'’-])/iu
/** Of these, "add: milk" and "commit: fix the parser" alone are no such order. */
const store =
  /^(?:(?:save|store|keep)(?: (?:this|that|it|the following))?(?: (?:in|to|into) (?:your |my |the )?(?:long-term )?memory| for later| for me)?|record(?: (?:this|that|it|the following))(?: for later| for me)?|(?:record|add|put|commit)(?: (?:this|that|it|the following))?(?: (?:in|to|into) (?:your |my |the )?(?:long-term )?memory| for later| for me))(?= ?[:：])/iu
/** A text is wanted: "write down a list of what I need". */
const wanted =
  /^(?:write|jot|note) down ?[:：]? ?(?:a|an|the|some|your|all|any|two|three|five|ten|\d{1,3})(?: [\w-]{1,20}){0,2} (?:lists?|ideas?|steps?|recipes?|poems?|stor(?:y|ies)|summar(?:y|ies)|outlines?|scripts?|names?|examples?|questions?|reasons?|words?|sentences?|points?|lines?|thoughts)(?:$|[,.]| (?:of|for|about|on|to|that|which|how|why|from|in|with)(?![a-z]))/iu
/** Only for a task that is being told. */
const task =
  /(?<![a-z])(?:in|for) (?:this|the following|the next|our) (?:short |little |word )?(?:story|tale|game|problem|puzzle|exercise|scene|play|example|question|task|text|riddle|quiz|round)(?![a-z])|until the end of (?:this|the) (?:story|game|puzzle|exercise|quiz)(?![a-z])|(?:这个|本|下面的?|接下来的?|这道)(?:游戏|故事|题目?|谜题|场景|例子|练习|小说|剧本)[里中]/iu
const hanVerb =
  /^把(?:这个|这条|这点|这件事|下面这?[个条点])(?:给我|帮我|都)?(?:记[住下好]来?|存下来?)(?=[:：])|^(?:牢牢|永远|都|好好)?(?:[记計计記]住|记主|记[好牢着]|牢记|谨记|记下来?|记一下|记一记|记录(?:一下|下来)?|存一下|保存一下|(?:存|加|写|记)(?:到|进|入)(?:你的?|长期)?记忆里?)/u
const hanForgetNot = /^(?:记得|記得|(?:别|別|不要|勿|不能|可别|可別)忘(?:了|记|記|掉)?)/u

/** Between the order and what is to be kept, where a colon follows. */
const beforeColon =
  /^(?:,? (?:this|that|it|the following|these|one thing|something|down|for me|for later|for next time|for the future|for ever|for good|forever|from now on|always|too|as well|in future|about me|to self|please|well|of this|carefully)){0,4} ?(?:[:：]|[–—-] )\s{0,9}(?=\S)/iu
const beforeThat =
  /^(?:,? (?:for me|for later|for next time|for the future|for ever|for good|forever|from now on|always|too|well|in future|about me|please|also)){0,3},? (?:of )?(?:the fact )?that /iu
const beforeBare =
  /^(?:,? (?:for me|for later|for next time|for the future|for ever|for good|forever|from now on|always|please|also|well)){0,3}[,，]?\s{1,9}/iu
const hanLink =
  /^(?:了|啦|哦|噢|啊|哈|呀|吧|喽|咯|嘛|一下|一点|一件事|个事|这一点(?=[:：,，。 \n])|这点(?=[:：,，。 \n])|这个(?=[:：,，。 \n])|这件事(?=[:：,，。 \n])|这条(?=[:：,，。 \n])|下面的?(?=[:：])|以下(?=[:：])|[:：,，、~ !！\n]|\.{1,3}|…){0,8}/u

/** The order behind what is to be kept, in the same sentence. */
const behind =
  /[,，;.!] ?(?:and |so )?(?:(?:please|pls|plz|kindly|can you|could you|would you|do) ){0,3}(?:(?:re[me]{1,5}b[er]{1,3}|memori[sz]e|note|don['’]?t forget) (?:that|this|it)|(?:keep|bear) (?:that|this|it) in mind|please (?:do )?re[me]{1,5}b[er]{1,3})$/iu
const hanBehind =
  /[,，;；。！ ](?:这个|这点|这一点|这条|这事|这|请|麻烦|你|您|帮我|给我|都|一定|千万|务必|好好|要|可|大家){0,5}(?:[记计]住|记[好牢着]|记一下|记下来?|别忘|不要忘记?)(?:了|一下|哦|噢|啊|哈|呀|吧|喽|咯){0,3}$/u

const laughing =
  /[😂🤣🙄😜😝😹🤪😏]|(?<![a-z])(?:lo+l|lmao|rofl|(?:ha){2,9}h?|jk|just kidding|kidding)(?![a-z])|哈哈|开玩笑|逗你|嘿嘿/iu
/** Somebody else's words, or words that are no prose. */
const quoting = /`|^[ \t]{0,9}[>"“”«「『【]|^(?:fwd?|re):/imu
const unwanted =
  /(?:do not|don['’]?t|no need to|never|not to) (?:\w+ )?(?:re[me]{1,5}b[er]{1,3}|note|save|store|record|keep (?:this|it|that))(?![a-z])|off the record|(?:别|不用|不要|无需|不必|甭)(?:帮我|给我)?(?:记(?!错)|存|保存)/iu
/** Reminders have a reader of their own. */
const reminder =
  /(?<![a-z])(?:remind|wake|nudge|ping|alert) me(?![a-z])|提醒(?:一下)?我|(?:叫|喊)(?:一下)?我(?:去|来|起|一声|吃|开|接|出|上|下)|叫醒/iu
const ending =
  /(?:[\s,，.。!！~～?？;；]|\ufe0f|\p{Extended_Pictographic}|(?<![a-z])(?:please|pls|plz|thanks|thank you|thx|ty|cheers|ok|okay|will you|would you|could you|can you|for me|for later|(?<=thanks |you )(?:so much|a lot|very much))|谢谢(?:你|您|啦|了)?|多谢|拜托了?|好吗|可以吗|行吗|好不好|行不行|吧|哦|噢|呀|哈|啊|啦|嘛|喽){1,10}$/iu

/** Undefined where the message is no such order, or says more. Linear in the text. */
export function findOrder(text: string): Order | undefined {
  if (text.length > mostChars || quoting.test(text) || laughing.test(text)) return undefined
  if (unwanted.test(text) || reminder.test(text) || task.test(text)) return undefined
  const kept = splitOrder(text)
  return kept && isStatement(kept.text, kept.how) ? { text: withoutTo(kept.text) } : undefined
}

/** The order of one sentence, and what it is about, which may be no statement. */
export function splitOrder(text: string): Kept | undefined {
  const said = text.trim().replaceAll(/[ \t\u3000]{1,40}/gu, ' ')
  const body = said.replace(ending, '')
  const { rest, isAsked } = withoutFrames(body)
  if (/[?？]/u.test(said.slice(body.length)) && !isAsked) return undefined
  return findAhead(rest) ?? findBehind(rest)
}

type Kept = { readonly text: string; readonly how: How }

function withoutFrames(said: string): { readonly rest: string; readonly isAsked: boolean } {
  let rest = said
  let isAsked = false
  for (let n = 0; n < mostFrames; n += 1) {
    const [found = ''] = frame.exec(rest) ?? []
    if (found === '') break
    isAsked ||= asked.test(found)
    rest = rest.slice(found.length)
  }
  return { rest, isAsked }
}

function findAhead(said: string): Kept | undefined {
  const han = hanVerb.exec(said) ?? hanForgetNot.exec(said)
  if (han) return findHan(said.slice(han[0].length), hanVerb.test(said))
  if (wanted.test(said)) return undefined
  const stored = store.exec(said)
  const head = stored ?? verb.exec(said) ?? forgetNot.exec(said)
  if (!head) return undefined
  const rest = said.slice(head[0].length)
  const colon = beforeColon.exec(rest)
  if (colon) return toKept(rest.slice(colon[0].length).replace(/^that /iu, ''), 'colon')
  const that = beforeThat.exec(rest)
  if (that) return toKept(rest.slice(that[0].length), 'that')
  const bare = beforeBare.exec(rest)
  if (!bare) return undefined
  const inHan = /^\p{Script=Han}/u.test(rest.trimStart())
  return inHan ? findHan(rest, true) : toKept(rest.slice(bare[0].length), forgetNot.test(said) ? 'firm' : 'bare')
}

/** 记得 and 别忘了 ask for a deed, unless it is said of whom. */
function findHan(rest: string, isPlain: boolean): Kept | undefined {
  // 记住的英文是…: the word itself is spoken of.
  if (rest.startsWith('的')) return undefined
  const [link = ''] = hanLink.exec(rest) ?? []
  const how = /[:：]/u.test(link) ? 'colon' : isPlain ? 'bare' : 'firm'
  return toKept(rest.slice(link.length), how)
}

function findBehind(said: string): Kept | undefined {
  const found = behind.exec(said) ?? hanBehind.exec(said)
  const before = found ? said.slice(0, found.index) : ''
  return /\p{Script=Han}|\S \S+ \S|^i['’]m \S/iu.test(before) ? toKept(before, 'bare') : undefined
}

function toKept(text: string, how: How): Kept | undefined {
  const trimmed = text.trim()
  return trimmed === '' ? undefined : { text: trimmed, how }
}

/** "remember to call me Mo" keeps "call me Mo". */
const withoutTo = (text: string): string => text.replace(/^to (?=[a-z])/u, '')
