// What a Chinese answer took without knowing, as a question: 时间是几点，八点对吗？
import type { QuestionKind } from './dialogue.ts'
import { yesNo } from './zh-frames.ts'

export type Asked = { readonly ask: string; readonly kind: QuestionKind; readonly options?: readonly string[] }

/** How a noun is asked for, by its ending. */
const asksFor: readonly (readonly [RegExp, string])[] = [
  [/(?:时长|多长时间|长短|借期|租期|工期|保质期|假期|期限)$/u, '是多长'],
  [/(?:大小|松紧)$/u, '是多大'],
  [/(?:多少|多寡)$/u, ''],
  [/(?:截止|截止时间|截止日期|日期|日子|哪天|那天|交付日|到货日)$/u, '是哪天'],
  [/(?:时间|时刻|钟点)$/u, '是几点'],
  [/(?:朝向|方向)$/u, '是哪边'],
  [/(?:地点|位置|地址|场地|地方|集合点|方位|产地)$/u, '在哪里'],
  [/(?:人数|人头)$/u, '是多少'],
  [/(?:名字|名称|称呼|标题|昵称|全称|落款|署名|抬头)$/u, '是什么'],
  [/(?:负责人|联系人|主持人|收件人|对接人|作者|讲师|嘉宾|组长|人选|接手人|主讲)$/u, '是谁'],
  [/(?:型号|牌子|品牌|规格|版本|格式|系统|颜色|材质|口味|语言|风格|语气|款式|类型|机型|尺寸|车型)$/u, '是哪一种'],
  [/(?:长度)$/u, '是多长'],
  [/(?:年份|年代)$/u, '是哪一年'],
  [/(?:致辞|发言|主持|讲话|报幕|独唱|领唱|主唱|司仪|裁判)$/u, '由谁来'],
  [/(?:厚度|[板墙料]厚)$/u, '是多厚'],
  [/(?:高度|身高|层高)$/u, '是多高'],
  [/(?:宽度)$/u, '是多宽'],
  [/(?:面积|大小|鞋码|尺码|码数|年龄|岁数)$/u, '是多大'],
  [/(?:重量|体重)$/u, '是多重'],
  [/(?:轮径|直径|口径|数量|份数|量|次数|张数|数|个数|页数|字数|比例|频率|用量|温度|单价|价格|数字|金额)$/u, '是多少'],
  [/(?:气氛|氛围|情况|条件|程度|水平|基础|习惯|要求|偏好|规矩|规则|流程|做法)$/u, '是怎样的'],
]
/** How a value is asked for, by its unit. */
const unitAsks: readonly (readonly [RegExp, string])[] = [
  [/(?:分钟|小时|钟头|天|周|星期|个月|年)$/u, '多长时间'],
  [/(?:点|点钟|点半|[:：]\d\d|点[一二三四五六七八九十]{1,3}分?)$/u, '几点'],
  [/(?:号|日|周[一二三四五六日天]|星期[一二三四五六日天]|月底|月初)$/u, '哪天'],
  [/(?:位|人|个人|名|口人)$/u, '几个人'],
  [/码(?:的|看|算)?$/u, '多大码'],
  [/(?:份|本|张|件|箱|斤|公斤|瓶|盒|寸|英寸|米|厘米|平米|平|个|辆|桌|间|页|字|克|毫升|升|度|折|次|遍|轮)$/u, '多少'],
]

/** A value of a topic: 集合时间 and 八点. Either may be empty, not both. */
export function askTaken(topic: string, value: string): Asked | undefined {
  const taken = cutValue(value)
    .replace(/^(?:了|的|成|为|在|是|大概|大约|约)/u, '')
    .replace(/(?:来|的|了)$/u, '')
    .trim()
  if (taken === '') return topic === '' ? undefined : askNoun(topic)
  const [, byTopic] = asksFor.find(([noun]) => noun.test(topic)) ?? []
  const [, byUnit] = unitAsks.find(([unit]) => unit.test(taken)) ?? []
  if (topic !== '' && byTopic !== undefined) return { ask: `${topic}${byTopic}，${taken}对吗？`, kind: 'words' }
  if (topic !== '' && byUnit !== undefined) return { ask: `${topic}是${byUnit}，${taken}对吗？`, kind: 'words' }
  if (byUnit !== undefined) return { ask: `应该是${byUnit}，${taken}对吗？`, kind: 'words' }
  if (/[一二三四五六七八九十\d]/u.test(topic) && /别|一般|去年|往年|习惯|惯例|其他/u.test(taken))
    return { ask: `${topic}，对吗？`, kind: 'yes-no' }
  return { ask: topic === '' ? `按“${taken}”来对吗？` : `${topic}按“${taken}”来对吗？`, kind: 'yes-no' }
}

/** 常见的 42 码看的库存 is 常见的 42 码. */
const cutValue = (value: string): string =>
  value.split(/(?:写|做|画|看|算|排|估|推荐|准备|列|出|来|查|配|备|设)(?:了|的|出)(?=.)|写了?$|算了?$|排了?$/u, 1)[0] ??
  ''

/** A noun without a value: 鞋码, 场地. */
export function askNoun(noun: string, isEmpty = false): Asked | undefined {
  const said = noun.replace(/(?:的|这一?栏|那一?栏|一栏|一项|那天|这一?块|一行)$/u, '').trim()
  if (
    [...said].length < 2 ||
    /(?:信息|资料|内容|结果|消息|情况|问题|错误|原因|数据源|服务)$|^(?:[一两三几][处点样个件项]|这|那|它|其他|别的|具体|之后|以后|细节)(?:个|些|里|样|点|边)?$/u.test(
      said,
    )
  )
    return undefined
  const [, how] = asksFor.find(([ending]) => ending.test(said)) ?? []
  // A row of words without a known ending is seldom a noun of which something is asked, but for a place that is left empty.
  if (how === undefined && !isEmpty) return undefined
  if (how === undefined && ([...said].length > 8 || /[有是在了都不没我你他看用写]/u.test(said))) return undefined
  return { ask: `${said}${how ?? '是什么'}？`, kind: 'words' }
}

/** A question that stands in a statement: 会议多长, 二老愿不愿意住山顶. */
export function askEmbedded(matter: string): Asked {
  const options = toOptions(matter)
  const kind = options ? 'choice' : yesNo.test(matter) ? 'yes-no' : 'words'
  return { ask: `${matter.replace(/(?:了|呢|吗)$/u, '')}？`, kind, ...(options ? { options } : {}) }
}

/** 还是 between two options: 男声还是女声. "Still" and "after all" are none: 但朱守谦还是和以前一样. */
export function isEither(clause: string): boolean {
  const at = clause.indexOf('还是')
  if (at < 2 || /没(?:有)?还是/u.test(clause)) return false
  const [left, right] = [clause.slice(0, at), clause.slice(at + 2)]
  // 集合还是六点半: as before.
  if (/^[一二三四五六七八九十两\d]/u.test(right) && !/[一二三四五六七八九十两\d]/u.test(left)) return false
  if (
    right === '' ||
    still.test(right) ||
    /(?:但|虽|却|然而|不过|最终|最多的?|当时|现在|依然|依旧|总归|毕竟|大概|终究)[^用选要是偏从]{0,4}$/u.test(left)
  )
    return false
  return true
}

const still =
  /^(?:一[个部样种直]|十分|很|非常|比较|和以前|跟以前|被|个|未|觉得|先|建议|会|得|不|没|可以|应该|有|这|那|老样|原来|更|最|挺|接受|让|照)/u

function toOptions(matter: string): readonly string[] | undefined {
  const [, one, other] = /([^，,是选要]{1,12})还是(.{1,14})$/u.exec(matter) ?? []
  return one === undefined || other === undefined ? undefined : [one.trim(), other.trim()]
}
