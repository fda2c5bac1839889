// Orders to memory in plain Chinese: the whole message is one of them.
import type { SlashCommand } from '#shared/chat/event.ts'
import { findNamedSlots } from './asked-slot.ts'
import { readOwnSlot } from './comparing.ts'
import { findThing, fits, toForget, toMemory, toPatterns } from './plain-patterns.ts'

/** Taken off the head and the end. */
const polite =
  /^(?:你好|嗨|嘿|请|請|麻烦你?|拜托|帮我|那|对了|好的?)?[,，、 ]{0,2}(?:你?(?:能不能|可不可以|能否|可以|能)(?:请|帮我)?(?=忘|删|把|别|不要|停|暂停))?/u
const polished = /(?:吧|呢|啊|呀|哦|谢谢)?[\s。！？!?~～…]{0,4}$/u
/** "Can you …?" orders, too. */
const asksFor =
  /^(?:你好|嗨|嘿|请|請)?[,，、 ]{0,2}你?(?:能不能|可不可以|能否|可以|能)(?:请|帮我)?(?:忘|删|把|别|不要|停|暂停)/u

/** What is theirs, in their own words: 我的地址. */
const thing = '(?:我|咱)们?家?的?[\\p{Script=Han}a-z\\d]{1,20}?'
const whose = '(?:我|咱)们?家?的[\\p{Script=Han}a-z\\d]{1,12}?'
const knows = '(?:都|还|现在){0,2}(?:记得|记住|记着|记下|知道|了解)了?'
const what = '(?:什么|哪些|多少)(?:事情?|信息|东西|内容)?'
const all = '(?:一切|全部|所有)?(?:的?(?:事情?|记忆|信息|内容|东西))?'

const looksAtAll = toPatterns(
  `(?:现在)?你${knows}(?:关于)?我的?(?:些)?${what}`,
  `关于我[,，]?你${knows}(?:些)?${what}`,
  `你(?:都)?(?:记了|存了|保存了|有)(?:关于)?我的?(?:些)?${what}`,
  `(?:看看|给我看看|告诉我)?你(?:都|还){0,2}(?:记得|记住|记下|记|存)了?(?:些)?(?:什么|哪些(?:事情?|信息|东西|内容)?)`,
  '你(?:对我|对我都)(?:了解|知道)(?:多少|些什么|什么|哪些)',
  '你的?记忆里?(?:都)?有(?:些)?(?:什么|哪些)',
  '(?:看看|给我看看|列出|打开|显示)你?(?:的|对我的|关于我的)记忆',
  `(?:看看|给我看看|列出|告诉我)你?(?:都)?(?:记住|记得|记下)的${all}`,
)
const looksAt = toPatterns(
  `关于(${whose})[,，]?你${knows}(?:些)?${what}`,
  `你${knows}(?:关于)?(${whose})的${what}`,
  `(?:提醒我|告诉我|说说|看看|给我看看)(?:一下)?你?${knows}的?(?:关于)?(${whose})的${all}`,
)

/** Of what was just said: that is no memory of theirs. */
const talk = /从|上[一个条次]|问题|消息|刚才|刚刚|前面|这[句条个]|那[句条个]|的话|指令|要求|意思|错/u

const removes = '(?:忘掉|忘了|忘记|删掉|删除|清除|抹掉)'
const kept = '(?:你?(?:所?知道|记得|记住|记下)的)?(?:所有|一切)?关于'
const forgets = toPatterns(
  `${removes}(第? ?\\d{1,9} ?条)`,
  `(?:别|不要)(?:再)?(?:记|记住)(${whose})`,
  `把(${thing})从(?:你的?)?记忆[里中]?(?:删掉|删了|删除|去掉)`,
  `${removes}${kept}(我|${whose})(?:的${all})?`,
  `把${kept}(我|${whose})(?:的${all})?(?:都|全)?(?:忘掉|忘了|忘记|删掉|删了|删除)`,
  '把((?:我|咱)们?家?的?[\\p{Script=Han}a-z\\d]{1,20}?)(?:都|给)?(?:忘掉|忘了|忘记)',
  '忘掉((?:我|咱)们?家?的?[\\p{Script=Han}a-z\\d]{1,20})',
)
const forgetsAll = toPatterns(
  '忘掉(?:关于)?我的?(?:一切|所有事情?|全部)|把(?:关于)?我的?(?:一切|所有事情?|全部)都?(?:忘掉|忘了)',
  '(?:忘掉|忘了|忘记)(?:我|一切|全部|所有事情?)',
  '(?:清空|清除|删除|删掉|抹掉)(?:关于)?(?:所有|全部)?(?:你|我)的?(?:所有|全部)?的?(?:记忆|个人数据|数据|个人信息)',
)
/** What was kept or told last, or what is replied to. */
const that = '(?:(?:这|那)(?:个|条|一条|件事)|我?(?:刚才|刚刚)说的话?)'
const forgetsThat = toPatterns(
  `(?:忘掉|忘了|忘记)${that}`,
  `把${that}(?:都|给)?(?:忘掉|忘了|忘记)`,
  `(?:别|不要)(?:记|记住)${that}`,
)

const not = '(?:别|不要|不许|不准)(?:再)?'
const groups = '(?:那个|这个|任何)?群(?:里的?人?|聊里?|聊|友|组里?|组)?'
const people = '(?:别人|其他人|任何人)'
const tells = '(?:说|提|讲|提起|用|透露|分享)?'
const hides = toPatterns(
  `${not}(?:告诉|跟|和|对|向|在)${groups}(?:里)?(?:再)?${tells}到?((?:我|咱)们?的?[\\p{Script=Han}a-z\\d]{1,20})?(?:的事)?`,
  `${not}(?:告诉|跟|和|对|向)${people}${tells}(${whose})(?:的事)?`,
  `${not}把(${whose})(?:的事)?(?:告诉|说给|透露给|分享给)(?:${groups}|${people})`,
  `${not}让(?:${groups}|${people})知道(${whose})(?:的事)?`,
  `(${whose})(?:的事)?(?:要|请)?保密`,
  `(${whose})(?:的事情?)?[,，]?${not}(?:告诉|跟|和|对|向|在)${groups}(?:里)?${tells}`,
  `([\\p{Script=Han}]{2,8}?)的事情?[,，]?${not}(?:告诉|跟|和|对|向|在)${groups}(?:里)?${tells}`,
)

const isWrong = '(?:这|那|你)?(?:都|全)?(?:不对|错了|记错了|弄错了|搞错了|是错的|不是这样的?)'
const wrong = toPatterns(`(?:不对|不是|错了?)?[,，。!！ ]{0,2}${isWrong}`)
const corrects = toPatterns(`(?:(?:${isWrong}|错)[,，。;；:：!！ ]{1,2}){1,2}(?:其实|应该是)?((?:我|咱).{2,60})`)
const namesWrong = toPatterns(
  '(我的[\\p{Script=Han}]{1,8}?)(?:不对|错了|记错了|是错的)',
  '你记错了?(我的[\\p{Script=Han}]{1,8}?)',
)
const changes = /^把((?:我|咱)们?的[\p{Script=Han}]{1,8}?)(?:改成|改为|换成|更新为|更正为)(.{1,40})$/u

const said = '(?:我[说讲]的(?:话|事|东西|任何东西)?|东西|任何事情?|任何东西)'
const pauses = toPatterns(
  `(?:别|不要)(?:再(?:记|记住|记录)${said}?了?|(?:记|记住|记录)(?:了|${said}))`,
  '(?:停止|暂停|关闭|关掉)(?:你的)?(?:记忆|记住)(?:我[说讲]的话)?',
)
const resumes = toPatterns(
  `(?:继续|重新开始)(?:记|记住)${said}?`,
  `你?(?:又|现在)?可以(?:再|重新|继续)(?:记|记住)${said}?了?`,
  '(?:恢复|继续|打开|开启)(?:你的)?记忆',
)

/** Linear in the text. */
export function findChinese(text: string, replies: boolean): SlashCommand | undefined {
  const bare = text.replace(polished, '')
  if (bare === '') return undefined
  if (fits(wrong, bare)) return toMemory('不对')
  const isWish = asksFor.test(bare)
  const body = bare.replace(polite, '').replace(isWish ? /吗$/u : '', '')
  const isAsked = !isWish && /[?？吗]$/u.test(text)
  const right = isAsked ? undefined : findRight(bare, body)
  if (right !== undefined) return toMemory(`不对 ${right}`)
  const named = findThing(namesWrong, bare) ?? ''
  if (!isAsked && named !== '' && findNamedSlots(named).size > 0) return toMemory(`关于 ${named}`)
  if (!isAsked && fits(forgetsThat, body)) return toForget('这个')
  if (replies) return undefined
  if (fits(looksAtAll, body)) return toMemory('全部')
  const about = findThing(looksAt, body)
  if (about !== undefined) return talk.test(about) ? undefined : toMemory(`关于 ${about}`)
  return isAsked ? undefined : findChange(body)
}

/** The right words, of something of theirs that has one value alone. */
function findRight(bare: string, body: string): string | undefined {
  const [, named = '', value = ''] = changes.exec(body) ?? []
  const right = named !== '' && findNamedSlots(named).size > 0 ? `${named}是${value}` : findThing(corrects, bare)
  const slot = right === undefined ? undefined : readOwnSlot({ text: right })
  if (!slot || talk.test(slot.of)) return undefined
  // 我觉得是十二个 tells of nothing that is theirs.
  return slot.of.endsWith(' self') || /^.们?的/u.test(right ?? '') ? right : undefined
}

function findChange(body: string): SlashCommand | undefined {
  if (fits(forgetsAll, body)) return toForget('全部')
  const about = findThing(forgets, body)
  if (about !== undefined && !talk.test(about)) return toForget(about === '我' ? '全部' : about)
  const hidden = findThing(hides, body)
  if (hidden !== undefined) return toMemory(`保密 ${hidden}`.trim())
  if (fits(pauses, body)) return toMemory('暂停')
  return fits(resumes, body) ? toMemory('继续') : undefined
}
