// Whether what follows an order to remember is one statement: not a question, not a thing without anything said of it ("the milk"), not a deed to be
// reminded of ("to call Ann"), and not several sentences.

/** What led to it: a colon, "that", the order alone, or an order that mostly asks for deeds (don't forget, 记得). */
export type How = 'colon' | 'that' | 'bare' | 'firm'

const pair = /[!?！？。\n]\s{0,9}\S|[a-z)’']{3}\.\s{1,9}\S|\d\.\s{1,9}[A-Z]/u

const asks =
  /^(?:(?:where|when|who|whom|whose|what|which|why|how|if|whether)(?![a-z])|the (?:time|days?|night|one) (?:we|i|you|when) |(?:time|day|night|days|times|guy|place|one) )/iu
const deed =
  /^to (?!(?:always|never|only) |(?:call|address) me [A-Z]|(?:answer|reply|respond|speak|write)(?: to)?(?: me)? (?:in|with|by|without) |use (?:the )?(?:metric|imperial|celsius|fahrenheit|euros?|dollars?|british|american|iso|\d\d-hour)(?![a-z]))/u
const pointing =
  /^(?:this|that|it|these|those|them|everything|all(?: of)?(?: this| that)?|me|us|him|her|the following|what i (?:said|told you|wrote)|my words)(?: (?:one|again|well|all|too))?$/iu
const reproach =
  /^(?:remember|you)(?![a-z])(?! (?:can|may|should|must|have to|need to|ought to) (?:(?:always|never|not|only|please) ){0,2}(?:call|address|answer|reply|respond|speak|write|use|keep|be|give|say|avoid)(?![a-z]))/iu
/** Said to an audience. */
const spoken = /^(?:kids|folks|guys|people|children|ladies|everyone|everybody)[,:!]/iu
const recalled = /^(?:i|we) (?:told|said|asked|talked|spoke|discussed|mentioned|did|had|went|met|were)(?![a-z])/iu
/** Only the talk says what it is about. */
const vague =
  /^(?:this|that|it|these|those)(?:['’]s)?(?![a-z'’])(?! (?:my|our)(?![a-z])| (?:chat|group|channel|thread|team|room|project|bot|year|month|week)(?![a-z])| (?:takes|costs|rains|snows)(?![a-z]))/iu
const subject = /^(?:i|we|he|she|they|im|ive|id|ill|it['’]s|there['’]s|(?:i|we|he|she|they)['’](?:m|ve|d|ll|re|s)) \S/iu
/** "Remember that pizza place": a thing is pointed at. */
const pointed =
  /^(?:(?!the |my |our |your |his |her |their |its |a |an |all |every |each |both |some |no )[^\s,.;:]{1,30} ){0,3}(?:time|day|night|evening|morning|summer|winter|weekend|year|trip|guy|girl|boy|man|woman|dude|person|kid|place|restaurant|bar|cafe|café|shop|hotel|beach|movie|film|series|show|song|album|book|article|story|joke|game|party|dinner|picture|photo|video|link|site|scene|moment|episode|quote|thing|stuff|one|idea|question|word|sentence|phrase|message|chat|conversation|talk|feeling|dream)s?(?:$|[,.!] | (?:we|i|you|he|she|they|where|when|that|who|which|from|in|at|on|with|about|of|last|back|by|near)(?![a-z]))/iu
const finite =
  /(?<![a-z])(?:is|are|am|isn['’]?t|aren['’]?t|was|were|has|have|had|must|mustn['’]?t|should|shouldn['’]?t|shall|can|can['’]?t|cannot|will|won['’]?t|may|needs?|does|doesn['’]?t|do|don['’]?t|likes?|loves?|hates?|prefers?|wants?|lives?|works?|starts?|begins?|ends?|opens?|closes?|takes?|goes|costs?|comes?|runs?|moves?|moved|turns?|expires?|leaves?|arrives?|speaks?|eats?|drinks?|uses?|keeps?|owns?|never|always|only|got|stands?|belongs?|means?|called)(?![a-z])|(?<=[a-z])['’](?:s|re|m|ve) [a-z\d]/iu

const hanAsks =
  /吗|呢$|么$|(?:什么|哪[儿里个位些]?|谁|怎么|多少|几[点号岁个])(?![^，,。]{0,6}[都也])|是否|有没有|是不是|(?<![^，,。])上次|(?<![^，,。])那[次天时]/u
const hanAny = /不管|无论/u
const hanPointing =
  /^(?:[这那](?:个|些|点|一点|句话?|件事|条|段话?|张图|份|里|篇|次)?(?:内容|东西|话|信息|消息)?|它|这样|上面.{0,12}|以上.{0,12}|刚才.{0,12}|前面.{0,12}|我(?:刚才|刚刚|上面|前面|之前|现在|等下|等会儿?|待会儿?|接下来|马上)?要?(?:说|讲|发|写|给你)(?:过)?的.{0,8}|我们?|你们?|没有?|要点|重点|密码|会议纪要|(?:今天|昨天|现在|刚才|这次|本次|上次|当前|目前|最近)的[^，。,是有在]{1,6})$|^[这那]些[，,]/u
/** A deed, or something said of the bot. */
const hanDeed = /^(?:要|去|别(?!名|墅)|不要|把|你)/u
const hanFirm = /^(?:我|咱|俺|本人|家里|他|她|群里|本群|公司|大家)/u
const hanSaid =
  /[是在要有叫住用姓属爱怕吃喝会能得改换到从骑开做教学去买搬养戴穿坐跑打写]|不|没|喜欢|讨厌|过敏|必须|禁止|负责|定|为|[\d一二三四五六七八九十两百千][点号月元块毛岁年米斤楼层室天人]|[：:]|最[多少迟]|周[一二三四五六日]/u

/** Long enough to say something, and no mere name of a thing. */
const hanThing = /的[^的]{0,5}$|(?:内容|时间|地址|电话|号码|密码|名字|计划|安排|细节|规则|步骤|方法|流程|事情|情况)$/u
const hanClauseChars = 6

/** `how`: by which words the order leads to it. Linear in the text. */
export function isStatement(text: string, how: How): boolean {
  if (pair.test(text)) return false
  return /\p{Script=Han}/u.test(text) ? isHan(text, how) : isLatin(text, how)
}

function isLatin(text: string, how: How): boolean {
  if (deed.test(text) || pointing.test(text) || reproach.test(text) || vague.test(text) || spoken.test(text))
    return false
  if (how === 'that') return /\S \S+ \S/u.test(text) && !pointed.test(text)
  if (asks.test(text) || (how === 'bare' && recalled.test(text))) return false
  if (how === 'colon') return /\S \S/u.test(text)
  return text.startsWith('to ') || subject.test(text) || finite.test(text)
}

function isHan(text: string, how: How): boolean {
  if (hanPointing.test(text) || (hanAsks.test(text) && !hanAny.test(text))) return false
  if (how === 'colon') return true
  if (hanDeed.test(text)) return false
  if (how === 'firm' && !hanFirm.test(text)) return false
  return hanSaid.test(text) || (text.length >= hanClauseChars && !hanThing.test(text))
}
