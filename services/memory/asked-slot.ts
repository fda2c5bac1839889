// Which of their own single facts somebody asks about: where they live, whom they work for, when their birthday is. Such a fact is found in whatever words and
// language it was told: 我搬到苏州了 answers "where do I live?".

const mostChars = 200
const adverb = '(?: (?:now|currently|actually|still|these days))?'
const is = "(?:'s|s| is| was)"

const english: Readonly<Record<string, string>> = {
  home: `where (?:do|am|are|did) (?:i|we)${adverb} (?:live|living|reside|based|move to|at home)|(?:which|what) (?:city|town|village|country|place) (?:do|am|is) (?:i|my)(?: home)?${adverb}(?: live| living| based| in)?|what${is} (?:my|our) (?:home ?town|(?:home )?city|town|place of residence)|where${is} (?:my|our) (?:home|house|flat|apartment)`,
  work: `where (?:do|am|are|did) (?:i|we)${adverb} (?:work|working|employed)|where${is} my (?:job|work|workplace|office)|who${is} my employer|whom? do i${adverb} work for|what${is} my (?:employer|company|workplace)|(?:which|what) company do i${adverb} work`,
  job: `what do i do for a living|what${is} my (?:job|profession|occupation|job title)`,
  manager: `who${is} (?:my|our) (?:boss|manager|supervisor)|what${is} (?:the name of my|my) (?:boss|manager|supervisor)`,
  birthday: `(?:when|what day|on which day|on what day)${is} (?:my birthday|i born)|what${is} my (?:birthday|date of birth|birth date)`,
  phone: `what${is} my (?:tele|mobile |cell )?(?:phone|mobile)(?: number)?|(?:how|on (?:which|what) number) can (?:people|one|they|you) (?:reach|call|phone) me`,
  email: `what${is} my e-?mail(?: address)?`,
  address: `what${is} (?:my|our) (?:home |postal |street )?address`,
  age: 'how old am i',
  spouse: `who${is} my (?:wife|husband|spouse)|what${is} (?:the name of my|my) (?:wife|husband|spouse)|who am i married to`,
  name: `what${is} my (?:full )?name|what am i called`,
}
const asksHan = '(?:在|是|叫|搬到|住在?|去)?[了着]?(?:哪|什么|何|谁|几|多)'
const now = '(?:现在|目前|如今|今年)?'
const chinese: Readonly<Record<string, string>> = {
  home: `我们?${now}(?:的)?(?:家)?${now}(?:住|搬|在)[^，。]{0,2}(?:哪|什么地方|什么城市|何处)|我们?的?家${now}在?(?:哪|什么)`,
  work: `我${now}在?(?:哪|什么)[^，。]{0,5}(?:上班|工作|任职|就职)|我的?(?:工作)?(?:公司|单位|雇主)${now}(?:的名字)?${asksHan}`,
  job: `我${now}(?:是)?做什么(?:工作|的)|我的(?:职业|职位|岗位)${asksHan}`,
  manager: `我们?的?(?:老板|上司|领导|经理)${now}(?:的名字|姓)?${asksHan}`,
  birthday: `我的?生日${asksHan}|我(?:是)?(?:哪[天一]|几[月号]|什么时候)[^，。]{0,2}(?:过?生日|出生)`,
  phone: `我的?(?:电话|手机)(?:号码?)?${asksHan}`,
  email: `我的?(?:电子)?(?:邮箱|邮件)(?:地址)?${asksHan}`,
  address: `我们?的?(?:家庭|收货)?(?:住址|地址)${asksHan}`,
  age: '我今?年?(?:多大|几岁|多少岁)',
  spouse: `我的?(?:丈夫|老公|先生|妻子|老婆|太太|爱人|配偶)(?:的名字)?${asksHan}`,
  name: '我(?:的名字)?(?:叫|是)什么名?字?$',
}
const patterns = Object.keys(english).map((relation) => ({
  relation,
  latin: new RegExp(`(?<![a-z])(?:${english[relation] ?? ''})(?![a-z])`, 'iu'),
  han: new RegExp(`(?<![\\p{Script=Han}])(?:请问)?(?:${chinese[relation] ?? ''})`, 'u'),
}))

/** Relations that tell the same. */
const also: Readonly<Record<string, readonly string[]>> = { work: ['work in'], home: ['address'] }

/** As a statement's own slot is called. Linear in the text. */
export function findAskedSlots(question: string): ReadonlySet<string> {
  const text = question.trim().replaceAll('’', "'")
  if (text.length > mostChars) return new Set()
  const found = patterns.filter(({ latin, han }) => latin.test(text) || han.test(text)).map(({ relation }) => relation)
  const relations = found.flatMap((relation) => [relation, ...(also[relation] ?? [])])
  const names = found.includes('spouse') ? ['name wife', 'name husband'] : []
  return new Set([...relations.flatMap((relation) => [`${relation} self`, `${relation} we`]), ...names])
}

/** Of what somebody names instead of asking for it: "my address", "我的生日". Where they live is their address, and the other way round. */
export function findNamedSlots(words: string): ReadonlySet<string> {
  const asked = [...findAskedSlots(`what is ${words}?`), ...findAskedSlots(`${words}是什么`)]
  const isAddress = asked.some((slot) => slot.startsWith('address '))
  return new Set([...asked, ...(isAddress ? ['home self', 'home we'] : [])])
}
