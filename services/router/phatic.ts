// Reads a message as a run of courtesies: words of thanks, agreement, greeting, laughter, names, emoji, in any order.
// Says what kinds it found, or that the message holds something else. Pure and linear.
import { fold } from './normalise.ts'
import { anyOf } from './pattern-source.ts'
import type { RoutingConfig } from './patterns.ts'
import type { NormalText } from './normalise.ts'

type PhaticKind = 'social' | 'acknowledge' | 'proceed' | 'refusal'
/** `whole`: nothing but courtesies. `asks`: with a question mark that no greeting explains. */
type PhaticReading = { readonly whole: boolean; readonly asks: boolean; readonly kinds: ReadonlySet<PhaticKind> }

const emoji =
  /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0f|\u20e3)+|[0-9#*]\ufe0f?\u20e3/uy
const emoticon = /(?::['-]?[)(dpo3*]|;-?\)|\^[_o.-]?\^|t[_.]t|o[_.]o|orz|<3|xdd?|qaq|qwq|=[)d])(?![a-z0-9])/iuy
const gap = /[\s\p{P}\p{S}]+/uy
const laugh =
  /(?:哈|嘿|嘻|呵|啊|嗯|哦|呜|h|2?3{3,}|6{2,}|8{2,})+(?![a-z0-9])|(?:a?(?:ha|he|hi)+h?|l(?:o+l)+|(?:lo)+l|no+ice|ye+s|so+|oh+|ah+|aw+|hm+|mm+|wo+w+|o+k+|ye+a+h*|thanks+|bye+|(?:bye ?)+)(?![a-z0-9])/uy
const mention = /@[\p{L}\p{N}_]{1,40}/uy
const thanksFor =
  /for (?:(?!now |and |but |can |could |please |then |what |how |why )[a-z']+ ?){1,5}(?=[^a-z' ]|$)|(?:你|您|大家)?的?[^\s\p{P}请帮再吗]{0,8}?(?:帮助|帮忙|提醒|解释|分享|回答|解答|建议|支持|指点|告知|耐心|配合|理解|回复|关心|祝福|夸奖|说明|介绍)了?/uy
const latinName = /(?:(?:Dr|Mr|Ms|Mrs|Prof)\.? )?(?:[A-Z]\p{Ll}{1,14})(?: [A-Z]\p{Ll}{1,14})?(?![\p{L}\p{N}])/uy
const hanName =
  /(?:老|小|阿)[\u4e00-\u9fff]{1,2}|[\u4e00-\u9fff]{1,2}(?:总|哥|姐|叔|老师|先生|女士|医生|经理|同学|老板|酱|君)/uy
const praise =
  /祝(?:你|您|大家|各位|愿)?[^\s\p{P}帮请问吗]{1,12}|(?:really |truly |much |so |i |we )*appreciate (?:it|that|this|your|the|all|you)(?: (?!but|and|can|could|please|now)[a-z]+){0,3}(?= ?(?:[^a-z ]|$))|(?:那?我)?(?:先|要|得|该)去?(?:吃饭|睡觉|睡|开会|忙|上班|下班|洗澡|休息|干活|工作|走|撤|上课|下线)(?:了|啦|咯|喽)|(?:the|this|that|your|it|its|everything|all|these|those)(?: (?!what|how|why)[a-z]+){0,3} (?:looks|look|is|was|sounds|seems|works|worked|are)(?: (?:so|really|very|just|absolutely|pretty|all))?(?: (?:great|good|perfect|nice|awesome|fine|amazing|excellent|lovely|fantastic|helpful|wonderful|cool|beautiful|brilliant|right|correct|clear))(?![a-z])|(?:这个?|你的?|那个?)?(?:方案|设计|回答|主意|想法|建议|解释|计划|答案|总结|结果|报告|翻译|文章|写|说|讲|做|分析|画|代码|图)(?:得|的)?(?:真|很|挺|太|非常|都)?(?:的)?(?:不错|好|棒|赞|完美|可以|清楚|对|有用|有帮助|厉害|漂亮|到位|有道理)(?:了|啊|呀|的|极了)?(?![\u4e00-\u9fff])|(?:你|这|也|真是|简直)*(?:太|真|好|超级?|真是)(?:搞笑|好笑|逗|可爱|感动|有趣|有意思|好玩|厉害|贴心|暖心|棒|好|强|牛|赞|神|神奇|聪明|开心|高兴|酷|帅|美|及时|给力|专业|优秀|完美|有用|方便|惊喜|温柔|周到|懂我)(?:了|啦|啊|呀|吧|哦)?(?![\u4e00-\u9fff])|(?:you're|you are|that's|that is|this is|it's|that was|it was|so)(?: (?:so|really|very|just|absolutely|pretty|super|a|such a))*(?: (?:hilarious|funny|cute|adorable|smart|clever|sweet|kind|genius|impressive|interesting|fun|helpful|good|great|nice|cool|crazy|wild|true|fair|beautiful|insane|lifesaver|star|legend))+(?: of you| bot)?(?![a-z])/uy
const greetQuestion =
  /(?:how are|how's it|how is it|what's up|whats up|wassup|sup|you there|anyone there|how do you do|在吗|在么|在不|你好吗|怎么样|最近好吗|吃了)/u

/** Builds the reader once from the configured lists. */
export function createPhaticReader(config: RoutingConfig): (message: NormalText) => PhaticReading {
  const kinds = ['refusal', 'proceed', 'acknowledge', 'social'] as const
  const lists = new Map<string, PhaticKind | 'filler'>()
  for (const word of config.filler) lists.set(fold(word).toLowerCase(), 'filler')
  for (const kind of kinds.toReversed()) for (const word of config[kind]) lists.set(fold(word).toLowerCase(), kind)
  const lexicon = new RegExp(anyOf([...lists.keys()]), 'uy')

  return ({ cased, text }) => {
    const found = new Set<PhaticKind>()
    let at = 0
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
      if (take(praise) !== undefined) {
        found.add('social')
        continue
      }
      const word = take(lexicon)
      const kind = word === undefined ? undefined : lists.get(word)
      if (word !== undefined && kind !== undefined) {
        if (kind === 'filler') filled = true
        else found.add(kind)
        thanked = /谢|感激|thank|thx|cheers|appreciate|sorry|ty/u.test(word) || (thanked && kind === 'filler')
        nameable = true
      } else if (take(emoji) !== undefined || take(emoticon) !== undefined) found.add('social')
      else if (take(gap) !== undefined) continue
      else if (take(laugh) !== undefined) found.add('social')
      else if (nameable && cased.length === text.length && take(latinName, cased) !== undefined) nameable = false
      else if (nameable && take(hanName) !== undefined) nameable = false
      else return { whole: false, asks: false, kinds: found }
    }
    const asks = /[?？]|(?<!不)([\u4e00-\u9fff])不\1/u.test(text) && !greetQuestion.test(text)
    return { whole: found.size > 0 || (text !== '' && !filled && !asks), asks, kinds: found }
  }
}
