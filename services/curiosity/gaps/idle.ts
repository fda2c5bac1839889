// Questions that no person needs to answer: one look-up closes them, no answer would change a reply, or they are nobody's to tell.

/** Public matters: one search tells. */
const publicMatter =
  /\b(?:weather|forecast|opening (?:hours|times)|timetable|departure|exchange rate|train|flight|bus|ferry|ticket prices?|entry fee|population|capital of|the law|public holiday|sunrise|sunset|distance (?:from|to|between)|traffic)\b.{0,40}\?|\bwhat (?:is|are|does) (?:an? )?\w+\?$|天气|气温|汇率|营业时间|开放时间|车次|时刻表|票价|门票|航班|日出时间|日落时间|路况|放假安排|实时|行情|批发价|机票|油价|股价/iu
const own = /\b(?:you|your|the (?:slot|class|group|team|club|guests?|meeting|party))\b|你|您|群|班|组/iu
/** Reasons, quarrels, feelings: the person asked cannot or should not speak of them. */
const others =
  /\b(?:why|quarrel|argue|argument|angry|upset|relationship|divorced?|affair|in love|religio\w+|political|politics|gossip|personal reasons|family matters|bad mood|in a mood|temper|fired|laid off|resign\w*|break-?up|absence|late so often|lost (?:his|her|their) (?:job|temper))\b|为什么|为啥|吵架|闹矛盾|矛盾|生气|离婚|恋爱|感情|私事|隐私|家事|家里(?:出|有)事|分手|被辞|辞职|离职原因|请假原因|没来的?原因|缺席的?原因|老迟到|总迟到|心情(?:不|好)/iu

export function isIdle(ask: string): boolean {
  return others.test(ask) || (publicMatter.test(ask) && !own.test(ask))
}

/** A question about the world, not a task of somebody's: what an answer to it does not know is to be looked up. */
export function isAboutTheWorld(request: string): boolean {
  const said = request
    .replaceAll(/@\S{1,40}/gu, ' ')
    .trim()
    .slice(0, 300)
  if (
    /\b(?:i|my|mine|we|us|our)\b|\bme\b(?<!to me)|我|咱|帮|给|写|做|排|推荐|安排|买|家|房|孩子|爸|妈|今天|晚上|周/iu.test(
      said,
    )
  )
    return false
  return (
    /^(?:please |can you |could you )?(?:explain|define)\b/iu.test(said) ||
    /^(?:hi |hey |hello |so |and |ok |please )?(?:what(?:['’]s|s)?|who|when|where|how|why|is|are|does|do|did|was|were)\b/iu.test(
      said,
    ) ||
    /(?:什么|啥)(?:区别|意思|原理|不同)|是什么|是谁|等于|多(?:高|大|远|少|久|重)|怎么(?:样)?(?:把|读|拼|念|实现|倒)|为什么|[吗么]？?$/u.test(
      said,
    )
  )
}
