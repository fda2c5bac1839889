// Reads a message as a run of courtesies: words of thanks, agreement, greeting, laughter, names, emoji, in any order.
// Says what kinds it found, or that the message holds something else. Pure and linear.
import { fold } from './normalise.ts'
import { anyOf } from './pattern-source.ts'
import type { RoutingConfig } from './patterns.ts'
import type { NormalText } from './normalise.ts'
import { formsOf } from './grammar.ts'

const grammar = formsOf('phatic')

type PhaticKind = 'social' | 'acknowledge' | 'proceed' | 'refusal'
/**
 * `whole`: nothing but courtesies. `asks`: with a question mark that no greeting explains. `aside`: begins with thanks,
 * praise or a farewell, and what follows is a short remark that by its words wants nothing.
 */
type PhaticReading = {
  readonly whole: boolean
  readonly asks: boolean
  readonly aside: boolean
  readonly kinds: ReadonlySet<PhaticKind>
}

const adjectives =
  'great|good|perfect|nice|awesome|fine|amazing|excellent|lovely|fantastic|helpful|wonderful|cool|beautiful|brilliant|right|correct|clear|hilarious|funny|cute|adorable|smart|clever|sweet|kind|genius|impressive|interesting|fun|crazy|wild|true|fair|insane|lifesaver|star|legend|gem|angel|treat|fast|quick|easy'
const degree = '(?: (?:so|too|such|really|very|just|absolutely|pretty|super|totally|all|quite|the|an?))*'
const ended = '(?![\\p{L}\\p{N}])'

// Sayings too free for a list of words; each may stand anywhere in the run.
const sayings = sticky(
  /祝(?:你|您|大家|各位|愿)?[^\s\p{P}帮请问吗]{1,12}/u,
  // Taking leave.
  /(?:那?我们?)?(?:先|要|得|该|也|就|准备|马上|终于|可以|去)*(?:吃饭|睡觉?|开会|忙|上班|下班|收工|洗澡|休息|干活|工作|走|撤|溜|闪|回家|上课|下线|出门|上车|登机)(?:去|觉)?[了啦咯喽噜]/u,
  /(?:see|c|catch|cu|talk to|speak to|write) (?:you|ya|y'all)(?: (?:all|both|guys|around|later|soon|then|tomorrow|tonight|there|again|next|week|time|month|year|a bit|morning|afternoon|evening|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|(?: (?:on|in|at|for|after) (?:the |your |a )?[a-z]{2,12}(?: [a-z]{2,9})?))*(?![a-z])/u,
  /(?:talk|chat|speak|catch up|sync)(?: (?:soon|later|tomorrow|then|tonight|again|more|next|week|on|(?:mon|tues|wednes|thurs|fri)day))+(?![a-z])/u,
  /(?:我们|咱们?)?(?:明早|明晚|今晚|[明后]天|明儿|下?(?:周|礼拜)[一二三四五六日天末]?|周末|节后|年后|会上|群里|公司|线下|晚点|晚上|下午|回头|待会儿?|等会儿?|一会儿?|改天|有空|有机会|下次|江湖)(?:再|上|里)?(?:见|聊|说|约|联系|会)/u,
  /(?:大家|你|你们|您|各位)?(?:也|都)?(?:要|记得)?(?:早点|早些|好好|注意|多多?|赶紧|快去?)(?:儿)?(?:回去|回家|去)?(?:休息|睡吧?|睡觉|保暖|身体|喝水|保重|吃饭|安全)/u,
  /(?:今天|外面|这天气|天气|今晚|这雨|周一|周末)*(?:真|好|太|可真|也太|真的)(?:冷|热|闷|堵|累|困|忙|快|开心|凉快|舒服|大|美)(?:啊|呀|了|哦)?(?![\u4e00-\u9fff])/u,
  /(?:that's|this is|it's|that is|that was|just|exactly)(?: (?:exactly|just|all|precisely|everything))? what (?:i|we) (?:needed|wanted|was after|were after|was looking for|were looking for|hoped for|had in mind)(?![a-z])/u,
  /(?:heading|going|off|logging|signing|headed) (?:out|off|home|to bed|to sleep|to lunch)(?: now| for (?:today|the day|tonight|now|lunch))?(?![a-z])/u,
  /(?:have|enjoy|wish(?:ing)? you)(?: (?:an?|your|the|you))*(?: (?:great|good|nice|lovely|wonderful|safe|fun|amazing|fantastic|relaxing|pleasant|blessed|beautiful|rest|of|the|your|and))*(?: (?:day|days|night|evening|morning|afternoon|weekend|week|trip|flight|one|holidays?|vacation|time|lunch|dinner|meal|rest|break|sleep))(?: (?:ahead|too|off|everyone|all))?(?![a-z])/u,
  /(?:it was |it's been |it is |this was )?(?:so |very |really |a real |an? |absolutely )*(?:good|nice|great|lovely|wonderful|pleasure|fun|enjoyed|delightful|pleasant)(?: (?:as always|time|it|to|was|our|a|the))* (?:talk|chat|speak|meet|see|work|catch|convers|conversation|hear)(?:ing|ting)?(?: (?:up|to|with|from|you|all|again|today|ya))*(?![a-z])/u,
  /(?:改天|下次|回头|有空|有机会|周末|下回)(?:一定)?请(?:你|您|大家|吃)[^帮\s\p{P}]{0,6}/u,
  // Thanks and praise.
  /(?:really |truly |much |so |i |we )*appreciate (?:it|that|this|your|the|all|you)(?: (?!but|and|can|could|please|now)[a-z]+){0,3}(?= ?(?:[^a-z ]|$))/u,
  `(?:the|this|that|your|it|its|everything|all|these|those)(?: (?!what|how|why)[a-z]+){0,3} (?:looks|look|is|was|sounds|seems|works|worked|are|went)${degree}(?: (?:${adjectives}|well))?(?![a-z])`,
  `(?:you're|you are|that's|that is|this is|it's|that was|it was|they're|so|what)${degree}(?: (?:${adjectives}))+(?: (?:of you|bot|one|idea|news|work|job|day|timing|help|stuff))?(?![a-z])`,
  `(?:(?:made|saved) my (?:day|life|evening|morning|week|bacon)|(?:good|great|nice|big|huge|cool|lovely|amazing|wonderful|quick|fast|clever|smart|awesome|excellent)(?: (?:catch|find|call|idea|news|work|job|stuff|help|save|thinking|win|bot|one|effort|progress|answer|response|point|tip|explanation|advice))+|(?:works?|worked|working) (?:great|perfectly|fine|well|now|like a charm)|(?:no (?:rush|hurry|biggie|sweat|stress|pressure|problemo)|not a problem|all good|all clear|all yours|take your time|my pleasure)|(?:you|u) (?:saved me|helped a lot|nailed it|got this|did great|rock|rule)|(?:i )?(?:love|like|enjoyed) (?:it|this|that|your (?:answer|style|humou?r|work))|couldn't have done it without you|(?:i )?owe you one|hope (?:you|all|everything)(?:'re| are| is|'s)? (?:well|ok|okay|fine|good)|long time no see|same to you|you too|back at you|right back at you|likewise|my apologies|so sorry|sorry (?:for|about) (?:the )?(?:delay|late reply|late response|confusion|trouble|noise|typo|that|spam|bother))${ended}`,
  /(?:这个?|你的?|那个?)?(?:方案|设计|回答|主意|想法|建议|解释|计划|答案|总结|结果|报告|翻译|文章|写|说|讲|做|分析|画|代码|图)(?:得|的)?(?:真|很|挺|太|非常|都)?(?:的)?(?:不错|好|棒|赞|完美|可以|清楚|对|有用|有帮助|厉害|漂亮|到位|有道理)(?:了|啊|呀|的|极了)?(?![\u4e00-\u9fff])/u,
  /(?:你|这|也|真是|简直|可|今天|一切|都)*(?:太|真|好|超级?|真是|很|挺|非常|特别|蛮)(?:有|让我)?(?:搞笑|好笑|逗|可爱|感动|有趣|有意思|意思|好玩|厉害|贴心|暖心|棒|好|强|牛|赞|神|神奇|聪明|开心|高兴|酷|帅|美|及时|给力|专业|优秀|完美|有用|方便|惊喜|温柔|周到|懂我|顺利|清楚|快|细心|靠谱|省心|有帮助|帮助|香|爽|绝|妙|服)(?:了|啦|啊|呀|吧|哦|的|滴|哒|呢)?(?![\u4e00-\u9fff])/u,
  /(?:帮|救)(?:了|到)?(?:我|咱|大家|了)*(?:大|一个大|很大|不少)?(?:忙|命|到我|大家)?了(?![\u4e00-\u9fff])|(?:爱|崇拜|佩服|膜拜)(?:死|上)?(?:你|您)[了啦]?|(?:有你|没你|多亏|幸亏|幸好|还好)(?:有|了)?(?:你|您)?(?:真好|不行|了|在|帮忙)?(?![\u4e00-\u9fff])|(?:好久不见|很高兴认识你?|认识你很高兴|幸会|久仰|初次见面|请?多多?(?:关照|指教)|别客气|不用谢|不用客气|不谢|应该的|小事一桩|小事儿?|举手之劳|同乐|同喜|你也是|您也是|彼此彼此|过奖了?|哪里哪里|客气客气|别见外|慢走|一路平安|路上小心|早日康复|保重|节哀|万事如意|心想事成|大吉大利|开工大吉)/u,
)
const signs = sticky(
  /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0f|\u20e3)+|[0-9#*]\ufe0f?\u20e3/u,
  /(?::['-]?[)(dpo3*]|;-?\)|\^[_o.-]?\^|t[_.]t|o[_.]o|orz|<3|xdd?|qaq|qwq|=[)d]|\(y\)|\\o\/|¯\\_\(ツ\)_\/¯)(?![a-z0-9])/u,
  // Sticker and emoji codes: [呲牙], :thumbsup:
  /\[(?!图片|文件|语音|视频|链接|位置|image|file|photo|video|link)[\u4e00-\u9fffa-z]{1,8}\]|:[a-z][a-z0-9_+-]{1,24}:/u,
)
const laugh = sticky(
  /(?:哈|嘿|嘻|呵|啊|嗯|哦|呜|嘤|呀|h|2?3{3,}|6{2,}|8{2,})+(?![a-z0-9])/u,
  /(?:a?(?:ha|he|hi)+h?|l(?:o+l)+|(?:lo)+l|no+ice|ye+s|so+|oh+|ah+|aw+|hm+|mm+|wo+w+|(?:o+k+)+|ye+a+h*|thanks+|bye+|(?:bye ?)+)(?![a-z0-9])/u,
)
const gap = /[\s\p{P}\p{S}]+/uy
const mention = /@[\p{L}\p{N}_]{1,40}/uy
const thanksFor = sticky(
  /(?:for|on|about|to) (?:(?!now |and |but |can |could |please |then |what |how |why )[a-z'-]+ ?){1,6}(?=[^a-z' ]|$)/u,
  /(?:你|您|大家)?(?:(?![请帮再吗把给问能想要但不还又怎什谁呢哪几多说讲译叫的是对])[\u4e00-\u9fff]){1,6}(?=$|[，。,.!！~])/u,
  /(?:你|您|大家)?的?[^\s\p{P}请帮再吗]{0,8}?(?:帮助|帮忙|提醒|解释|分享|回答|解答|建议|支持|指点|告知|耐心|配合|理解|回复|关心|祝福|夸奖|说明|介绍)了?/u,
)
const latinName = /(?:(?:Dr|Mr|Ms|Mrs|Prof)\.? )?(?:[A-Z]\p{Ll}{1,14})(?: [A-Z]\p{Ll}{1,14})?(?![\p{L}\p{N}])/uy
const hanName =
  /(?:老|小|阿)[\u4e00-\u9fff]{1,2}|[\u4e00-\u9fff]{1,2}(?:总|哥|姐|叔|老师|先生|女士|医生|经理|同学|老板|酱|君)/uy
// What a person undertakes to do, after a courtesy.
const commitment =
  /我?(?:现在|马上|这就|立刻|立马|稍后|待会儿?|一会儿?|回头)(?:就)?(?:去|来)?(?:处理|看|弄|改|办|来|去|发|到|回|安排|跟进|试|更新|提交|过去)(?:一下|下)?(?:给?[你您])?(?![\u4e00-\u9fff])/uy

/** Builds the reader once from the configured lists. */
export function createPhaticReader(config: RoutingConfig): (message: NormalText) => PhaticReading {
  const lists = new Map<string, PhaticKind | 'filler'>()
  for (const kind of ['filler', 'social', 'acknowledge', 'proceed', 'refusal'] as const)
    for (const word of config[kind].map((entry) => fold(entry).toLowerCase()))
      for (const end of word.endsWith('了') ? '了啦咯喽噜' : ' ')
        lists.set(end === ' ' ? word : word.slice(0, -1) + end, kind)
  const lexicon = new RegExp(anyOf([...lists.keys()]), 'uy')

  return ({ cased, text }) => {
    const kinds = new Set<PhaticKind>()
    const isAligned = cased.length === text.length
    let at = 0
    let turn = 0
    let nameable = false
    let thanked = false
    let filled = false
    const take = (pattern: RegExp, source = text): string | undefined => {
      pattern.lastIndex = at
      const match = pattern.exec(source)?.[0]
      if (match !== undefined) at += match.length
      return match
    }
    while (at < text.length) {
      if (take(mention) !== undefined) continue
      if (thanked && take(thanksFor) !== undefined) continue
      if (nameable && take(commitment) !== undefined) continue
      if (take(sayings) !== undefined) {
        kinds.add('social')
        nameable = true
        continue
      }
      const word = take(lexicon)
      const kind = word === undefined ? undefined : lists.get(word)
      if (word !== undefined && kind !== undefined) {
        if (kind === 'filler') filled = true
        else kinds.add(kind)
        thanked = grammar.thanks.test(word) || (thanked && kind === 'filler')
        nameable = true
        continue
      }
      if (take(signs) !== undefined || take(laugh) !== undefined) {
        kinds.add('social')
        continue
      }
      const pause = take(gap)
      if (pause !== undefined) {
        if (kinds.size > 0 && /[,，。.!~…;\n]/u.test(pause)) {
          turn = at
          thanked = false
        }
      } else if (nameable && (take(hanName) ?? (isAligned ? take(latinName, cased) : undefined)) !== undefined)
        nameable = false
      else return { whole: false, asks: false, aside: turn > 0 && isRemark(text.slice(turn)), kinds }
    }
    const asks = grammar.questioning.test(text) && !grammar.greetQuestion.test(text)
    return { whole: kinds.size > 0 || (text !== '' && !filled && !asks), asks, aside: false, kinds }
  }
}

function isRemark(rest: string): boolean {
  return (
    rest.split(' ').length <= 8 && (rest.match(/[\u3400-\u9fff]/gu)?.length ?? 0) <= 10 && !grammar.wanting.test(rest)
  )
}

function sticky(...forms: readonly (RegExp | string)[]): RegExp {
  return new RegExp(forms.map((form) => (typeof form === 'string' ? form : form.source)).join('|'), 'uy')
}
