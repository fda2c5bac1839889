// What a Chinese statement tells the only value of.
import { findHanThing } from './slot-things.ts'
import type { Told } from './told.ts'

/** Of a person there is one. */
const roles: Readonly<Record<string, string>> = {
  妈妈: 'mother',
  母亲: 'mother',
  妈: 'mother',
  爸爸: 'father',
  父亲: 'father',
  爸: 'father',
  老婆: 'wife',
  妻子: 'wife',
  太太: 'wife',
  老公: 'husband',
  丈夫: 'husband',
  爱人: 'spouse',
  女朋友: 'girlfriend',
  女友: 'girlfriend',
  男朋友: 'boyfriend',
  男友: 'boyfriend',
  老板: 'boss',
  上司: 'boss',
  经理: 'manager',
  房东: 'landlord',
}
const role = Object.keys(roles).join('|')
/** Others are named by two to four signs, or in Latin. */
const name = '(?![我你您他她它咱俺这那谁哪大])(?:\\p{Script=Han}{2,4}?|[A-Za-z]{2,20})'
const self = '我|俺|本人|我们|咱们'
const who = `(?<who>${self}|我的?(?:${role})|${name})`
const whose = `(?<who>${self}|我的?(?:${role})|${name})(?:的|家的)?`
const adverb = '(?:现在|目前|如今|已经?|刚刚?|最近|一直|终于|今年|从今天起|就)?(?:是)?'
const place = '(?![了过得不院校酒宿一])(?<value>.{1,30}?)(?:了|啦|这边|那边)?'
const given = '(?<value>.{1,40}?)(?:了|啦|哦|呀)?'
const is = '(?:改成了?|换成了?|改为|变成了?|就?是|为|：|:)'

const rules: readonly (readonly [string, string])[] = [
  ['home', `${who}${adverb}(?:住在|住到了?|住进了?|居住在|定居在?|常住|住)${place}`],
  ['home', `${who}${adverb}(?:搬家?[到去来]了?|搬进了?|搬回了?)${place}`],
  ['home', `${whose}家(?:现在)?(?:在|搬[到去]了?)${place}`],
  ['address', `${whose}(?:家庭|收货)?(?:住址|地址)(?:现在)?${is}${given}`],
  ['work', `${who}${adverb}在(?!家|线|晚|夜|早|白|周|外)(?<value>.{1,30}?)(?:上班|工作|任职|就职|供职)(?:了|啦)?`],
  ['work', `${who}${adverb}(?:就职于|任职于|供职于|受雇于|入职了?|跳槽[到去]了?)${given}`],
  ['work', `${whose}(?:公司|单位|雇主)(?:现在)?${is}${given}`],
  ['job', `${whose}(?:职业|职位|岗位|工作)(?:现在)?${is}${given}`],
  ['spouse', `(?<who>我)的?(?:老婆|妻子|太太|老公|丈夫|爱人|配偶)(?:的名字)?(?:名叫|叫做|叫|名字[是叫])${given}`],
  [
    'manager',
    `(?<who>我|我们)的?(?:新)?(?:老板|上司|领导|经理)(?:的名字)?(?:现在)?(?:名叫|叫做|叫|名字[是叫]|换成了?|变成了?|是)${given}`,
  ],
  [
    'name',
    `(?<who>${self}|我的?(?:${role}))(?:的(?:名字|姓名|全名))?(?:现在)?(?:名叫|叫做|叫|名字[是叫])(?![他她你您人大了过])${given}`,
  ],
  ['name', `(?<who>${self})的(?:名字|姓名|全名)(?:现在)?${is}${given}`],
  ['surname', `(?<who>我|本人)姓(?<value>.{1,4})`],
  [
    'called',
    `(?:以后|你|您|大家|可以|请|就|都)*(?:叫|称呼|喊)(?<who>我)(?:做|为)?(?!起|的时候)${given}(?:就行|就好|吧|即可)?`,
  ],
  ['birthday', `${whose}(?:农历|阴历|阳历)?(?:生日|出生日期)(?:现在)?(?:是|在|为|：|:)${given}`],
  ['birthday', `${who}(?:是|在)?(?<value>[\\d一二三四五六七八九十年月日号]{3,14})(?:出生|生)的?`],
  ['age', `${who}(?:今年|现在)?(?<value>\\d{1,3}|[一二三四五六七八九十百]{1,4})岁了?`],
  ['email', `${whose}(?:电子)?(?:邮箱|邮件地址|邮箱地址)(?:现在)?${is}${given}`],
  ['phone', `${whose}(?:电话|手机)(?:号码?)?(?:现在)?${is}${given}`],
  ['zone', `${whose}时区(?:现在)?${is}${given}`],
]
const patterns = rules.map(([relation, pattern]) => [relation, new RegExp(`^${pattern}$`, 'u')] as const)
const favourite = new RegExp(
  `^${who}(?:现在)?最(?:喜欢|爱)[吃喝看听玩用]?的(?<what>\\p{Script=Han}{1,6}?)(?:就?是)${given}$`,
  'u',
)

/** More than one value, or one that is not sure. */
const unsure =
  /[和或及、?？]|以及|或者|还有|有时|偶尔|周末|一半|可能|也许|大概|如果|打算|准备|之一|以前|曾经|过去|的时候|因为|但是?|不过/u
const cities =
  /^(?:北京|上海|天津|重庆|广州|深圳|杭州|南京|苏州|成都|武汉|西安|长沙|郑州|青岛|大连|厦门|宁波|合肥|福州|昆明|沈阳|济南|哈尔滨|长春|南昌|贵阳|兰州|海口|香港|澳门|台北|高雄|东京|大阪|首尔|新加坡|曼谷|伦敦|巴黎|里昂|里尔|柏林|慕尼黑|马德里|罗马|米兰|纽约|旧金山|洛杉矶|西雅图|波士顿|多伦多|温哥华|悉尼|墨尔本|.{1,8}[市省区县州国镇村路街楼层])$/u

/** Linear in the text. */
export function findChinese(text: string): Told | undefined {
  const said = text.replaceAll(/[ ,，]{1,9}(?=\p{Script=Han})|(?<=\p{Script=Han}) {1,9}/gu, '')
  if (unsure.test(said)) return undefined
  const liked = favourite.exec(said)?.groups
  if (liked) return toTold(`favourite ${liked['what'] ?? ''}`, liked)
  for (const [relation, pattern] of patterns) {
    const found = pattern.exec(said)?.groups
    if (found) return toTold(relation, found)
  }
  return findHanThing(said)
}

function toTold(relation: string, groups: Readonly<Record<string, string | undefined>>): Told {
  const { who: said = '', value = '' } = groups
  // Where somebody works and for whom are two things.
  const told = relation === 'work' && cities.test(value) ? 'work in' : relation
  return { relation: told, subject: toSubject(said), value }
}

function toSubject(said: string): string {
  if (/^(?:我|俺|本人)$/u.test(said)) return 'self'
  if (/^(?:我们|咱们)$/u.test(said)) return 'we'
  return roles[said.replace(/^我的?/u, '')] ?? said
}
