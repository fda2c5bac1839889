// Finds in a short message that is nothing but this: what is known of its sender, that something is to be forgotten or not to be told in groups, or that an
// answer was wrong. It leaves to others whatever says more, and asks nothing of a longer talk.
import type { SlashCommand } from '#shared/chat/event.ts'

/** Characters; a longer message is left to others. */
const mostChars = 80

/** `replies`: to a message of the bot's. */
export type Said = { readonly group: boolean; readonly replies: boolean }

/** Taken off the head and the end. */
const polite =
  /^(?:(?:hi|hey|hello|ok|okay|well|so|and|please|pls|now|actually|sorry|no|(?:can|could|would|will) you(?: please)?)[,.!]? ){1,3}/iu
const polished = /(?:[,\s]{0,3}(?:please|pls|thanks|thank you|now|for me|then))?[\s.!?~。！？～…]{0,4}$/iu
const hanPolite = /^(?:你好|嗨|嘿|请|請|麻烦你?|拜托|帮我|那|对了|好的?)[,，、 ]{0,2}/u
const hanPolished = /(?:吧|呢|啊|呀|哦|谢谢)?[\s。！？!?~～…]{0,4}$/u

const known: readonly RegExp[] = [
  /^what(?: all| else)? (?:do|did|can) you (?:know|remember|keep|store|save)(?: in (?:your )?memory)? (?:about|of|on|for) me$/iu,
  /^what(?: all| else)? have you (?:remembered|kept|saved|stored|noted|learned|learnt)(?: about| of| on| for)? me$/iu,
  /^what (?:information|info|data|facts|things) (?:do|have) you (?:have|keep|store|stored|saved|kept) (?:about|of|on) me$/iu,
  /^(?:what do you have|what have you got) (?:on|about) me$/iu,
  /^(?:tell|show) me (?:everything |all )?(?:what |that )?you (?:know|remember|keep|have)(?: stored| saved)? (?:about|of|on) me$/iu,
  /^(?:show|list|open)(?: me)? (?:your|my) memor(?:y|ies)(?: (?:of|about) me)?$/iu,
  /^what(?:['’]s| is) in your memory(?: (?:about|of) me)?$/iu,
]
const hanKnown: readonly RegExp[] = [
  /^(?:现在)?你(?:现在)?(?:都|还)?(?:记得|记住|记着|知道|了解)了?(?:关于)?我的?(?:些)?(?:什么|哪些|多少)(?:事情?|信息|东西|内容)?$/u,
  /^(?:关于)我[,，]?你(?:都|还)?(?:记得|记住|记着|知道|了解)了?(?:些)?(?:什么|哪些|多少)(?:事情?|信息|东西)?$/u,
  /^你(?:都)?(?:记|存|保存)了我的?(?:些)?(?:什么|哪些|多少)(?:事情?|信息|东西|内容)?$/u,
  /^你(?:都)?(?:记住|记|存)了(?:些)?什么$/u,
  /^你(?:对我|对我都)(?:了解|知道)(?:多少|些什么|什么|哪些)$/u,
  /^你的?记忆里?(?:都)?有(?:些)?(?:什么|哪些)$/u,
  /^(?:看看|给我看看|列出|打开)你?(?:的|对我的|关于我的)记忆$/u,
]

/** Not of what was just said: that is no memory of theirs. */
const talk =
  /(?<![a-z])(?:last|previous|first|earlier|questions?|messages?|requests?|points?|comments?|ideas?|words?|instructions?|orders?|prompts?|texts?|sentences?|mistakes?|typos?|manners?|answers?)(?![a-z])/iu
const hanTalk = /从|上[一个条次]|问题|消息|刚才|刚刚|前面|这[句条个]|那[句条个]|的话|指令|要求|错/u

/** It says a second thing. */
const several = /(?<![a-z])(?:and|but|then|or|because|so|while|until|if|when i tell)(?![a-z])/iu

const forgets: readonly RegExp[] = [
  /^forget (?:about )?((?:my|our) [\p{L}\d][\p{L}\d '’-]{1,38})$/iu,
  /^forget (?:about )?(where i (?:live|work|study)|how old i am|(?:who|what) i am|when i was born)$/iu,
  /^forget that (i(?:['’]m)? [\p{L}\d][\p{L}\d '’-]{3,48}|my [\p{L}\d][\p{L}\d '’-]{3,48})$/iu,
]
const deletes = /^(?:delete|erase|remove) ((?:my|our) [\p{L}\d][\p{L}\d '’-]{1,38}?) from (?:your |the )?memory$/iu
const hanDeletes = /^把((?:我|咱)们?的?[\p{Script=Han}a-z\d]{1,20}?)从(?:你的?)?记忆[里中]?(?:删掉|删了|删除|去掉)$/iu
const forgetsAll =
  /^forget (?:everything|all)(?: (?:that )?you (?:know|remember|keep)(?: (?:about|of) me)?| about me)$/iu
const hanForgets: readonly RegExp[] = [
  /^把((?:我|咱)们?家?的?[\p{Script=Han}a-z\d]{1,20}?)(?:都|给)?(?:忘掉|忘了|忘记)$/iu,
  /^忘掉((?:我|咱)们?家?的?[\p{Script=Han}a-z\d]{1,20})$/iu,
  /^忘掉?(?:关于)((?:我|咱)们?家?的?[\p{Script=Han}a-z\d]{1,20})$/iu,
]
const hanForgetsAll =
  /^(?:忘掉(?:关于)?我的?(?:一切|所有事情?|全部)|把(?:关于)?我的?(?:一切|所有事情?|全部)都?(?:忘掉|忘了))$/u

const hides =
  /^(?:do not|don['’]?t|never) (?:tell|say|mention|share|use|show)(?: (?:that|this|it))?(?: (?:to|in|with))? ?(?:(?:the|any|this|our|my) )?(?:groups?|group chats?|others in (?:the )?groups?)(?: (?:about )?((?:my|our|where i|that i|how old i) ?[\p{L}\d '’-]{0,40}))?$/iu
const hidesThing =
  /^(?:do not|don['’]?t|never) (?:tell|say|mention|share|use|show) ((?:my|our|where i) [\p{L}\d][\p{L}\d '’-]{1,38}?) (?:to|in|with) (?:(?:the|any|our) )?(?:groups?|group chats?)$/iu
const hanHides =
  /^(?:别|不要|不许|不准)(?:再)?(?:告诉|跟|和|对|向|在)(?:那个|这个|任何)?群(?:里的?人?|聊里?|聊|友|组里?|组)?(?:里)?(?:再)?(?:说|提|讲|提起|用|透露|分享)?到?((?:我|咱)们?的?[\p{Script=Han}a-z\d]{1,20})?(?:的事)?$/iu

const wrong =
  /^(?:(?:no|nope)[,.]? )?(?:(?:(?:that|this|it)(?:['’]?s| is)(?: just| all| completely| totally)? (?:wrong|not right|incorrect|not true|not correct|false|outdated)|that is wrong)(?: about me)?|wrong|you (?:remember|remembered|have|got) (?:that|it|this|me) wrong(?:ly)?)$/iu
const hanWrong =
  /^(?:不对|不是|错了?)?[,，。!！ ]{0,2}(?:(?:这|那|你)?(?:都|全)?(?:不对|错了|记错了|弄错了|搞错了|是错的|不是这样的?)|不对)$/u

/** Undefined where the message says anything else, or more. Linear in the text. */
export function findPlain(text: string, { group, replies }: Said): SlashCommand | undefined {
  // In a group it may be said to anybody, and what is one's own is read elsewhere.
  if (group || text.length > mostChars || /[\n`"“”「『>]/u.test(text)) return undefined
  return /\p{Script=Han}/u.test(text) ? findHan(text.trim(), replies) : findLatin(text, replies)
}

const toMemory = (args: string): SlashCommand => ({ name: 'memory', args })
const toForget = (args: string): SlashCommand => ({ name: 'forget', args })
const fits = (all: readonly RegExp[], said: string): boolean => all.some((one) => one.test(said))

function findLatin(text: string, replies: boolean): SlashCommand | undefined {
  const said = text.trim().replaceAll(/\s{1,20}/gu, ' ')
  const bare = said.replace(polished, '')
  if (wrong.test(bare)) return toMemory('wrong')
  if (replies) return undefined
  const body = bare.replace(polite, '')
  if (fits(known, body)) return toMemory('all')
  // A question is no order: "forget my address?"
  const isAsked =
    said.endsWith('?') &&
    !/^(?:can|could|would|will) you /iu.test(bare.replace(/^(?:hi|hey|hello|ok|okay)[,.!]? /iu, ''))
  if (isAsked) return undefined
  if (several.test(body)) return undefined
  if (forgetsAll.test(body)) return toForget('all')
  const thing = findThing([...forgets, deletes], body)
  if (thing !== undefined && !talk.test(thing)) return toForget(thing)
  const hidden = hides.exec(body) ?? hidesThing.exec(body)
  return hidden ? toMemory(`private ${hidden[1] ?? ''}`.trim()) : undefined
}

function findHan(text: string, replies: boolean): SlashCommand | undefined {
  const bare = text.replace(hanPolished, '')
  if (hanWrong.test(bare) && bare !== '') return toMemory('不对')
  if (replies) return undefined
  const body = bare.replace(hanPolite, '')
  if (fits(hanKnown, body)) return toMemory('全部')
  if (/[?？吗]$/u.test(text.trim())) return undefined
  if (hanForgetsAll.test(body)) return toForget('全部')
  const thing = findThing([hanDeletes, ...hanForgets], body)
  if (thing !== undefined && !hanTalk.test(thing)) return toForget(thing)
  const hidden = hanHides.exec(body)
  return hidden ? toMemory(`保密 ${hidden[1] ?? ''}`.trim()) : undefined
}

const findThing = (all: readonly RegExp[], said: string): string | undefined =>
  all.map((one) => one.exec(said)?.[1]).find((found) => found !== undefined)
