// What a statement tells of a thing, where it is the only thing of its kind that is true at a time: at what time it is, where it stands, which number or name
// it has. "The stand-up is at 10:00" takes the place of "the stand-up is at 9:30". Kinds of place are told apart: a room and a town are both true.
import type { Told } from './told.ts'

const of = "(?:my|our|the) (?<what>[\\p{L}\\d][\\p{L}\\d' -]{1,50}?)"
const adverb = '(?: (?:now|currently|actually|again|already))?'
const days =
  '(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|noon|midnight'
const time = `(?<value>(?:about )?(?:\\d|(?:the )?(?:${days})(?![a-z])|the \\d).{0,60})`
const place = '(?:parked|kept|stored|located|hidden|standing|back)'

const rules: readonly (readonly [string, string])[] = [
  ['time', `${of}${adverb} (?:is|are|starts?|begins?|leaves?|departs?|opens?)${adverb} (?:at|on) ${time}`],
  ['end', `${of}${adverb} (?:ends?|closes?|finish(?:es)?|is due|expires?)${adverb} (?:at|on|in) ${time}`],
  [
    'place',
    `${of}${adverb} (?:is|are|stands?)${adverb}(?: ${place})? (?<prep>in|at|on|under|behind|inside|with) (?<value>.{1,80})`,
  ],
  [
    'place',
    `i(?: have|'ve)?${adverb} (?:parked|put|left|keep|kept|stored|hid|moved) ${of} (?<prep>in|into|at|to|on|under|behind|inside|with) (?<value>.{1,80})`,
  ],
  [
    'value',
    "(?:my|our|the) (?<what>(?:[\\p{L}\\d'-]{1,20} ){0,3}(?:number|code|size|id|handle|username|extension|seat|gate|room|floor|desk|flight|plate|version|deadline|colou?r|day|slot|title|nickname|price|rate|budget|website|dentist|doctor|gp|plumber|landlord|landlady|accountant|lawyer|hairdresser))(?: is| was changed to| changed to) (?<value>.{1,60})",
  ],
]
const patterns = rules.map(([kind, pattern]) => [kind, new RegExp(`^${pattern}$`, 'iu')] as const)

/** "In love", "on sale", "at risk": no place. */
const idiom =
  /^(?:love|charge|trouble|progress|time|use|fire|sale|holidays?|vacation|leave|track|hold|risk|strike|order|sync|review|work|war|peace|fashion|need|touch|mind|schedule|demand|board|display|duty|purpose|average|top|least|most|my (?:mind|way|nerves|list)|an? |\d)/iu
/** What is said of people may be true beside another thing: they are at a university, and in a town. */
const people =
  /(?:^| )(?:sister|brother|son|daughter|wife|husband|mother|father|mum|mom|dad|parents?|friends?|cousin|uncle|aunt|partner|colleagues?|team|boss|kids?|child(?:ren)?|family|neighbou?rs?|people|company|problem|question|answer|idea|plan|point|thing|issue|reason)$/iu
/** In which of them: each is a kind of place of its own. */
const part =
  /^(?:the )?(?:\d{1,3}(?:st|nd|rd|th) |\w{1,12} )?(room|floor|building|street|shelf|drawer|row|hall|desk|cupboard|box|drive)(?![a-z])/iu
const near = new Set(['into', 'to', 'at', 'in'])

/** When it began to be so. */
const lately = / (?:now|again|today|these days|at the moment|instead|from now on)$/iu

/** `text` holds nothing that is unsure. Linear in the text. */
export function findThing(text: string): Told | undefined {
  const said = text.replace(lately, '')
  for (const [kind, pattern] of patterns) {
    const { what = '', value = '', prep = '' } = pattern.exec(said)?.groups ?? {}
    if (what === '' || value === '' || people.test(what)) continue
    // "At 10 on Sundays" holds beside what is true on other days.
    if (kind === 'time' && /\d/u.test(value) && /days(?![a-z])/iu.test(value)) continue
    if (kind === 'time' && part.test(value)) continue
    if (kind === 'place' && idiom.test(value)) continue
    // A number or a name: "the room is cold" tells neither.
    if (kind === 'value' && !/[\p{Lu}\d]/u.test(value)) continue
    return {
      relation: kind === 'place' ? toPlace(prep.toLowerCase(), value) : kind === 'time' ? toTime(value) : kind,
      subject: what.toLowerCase(),
      value,
    }
  }
  return findPlain(text)
}

const called = new RegExp(
  `^${of}(?:'s name is| (?:is|are)(?: now)? (?:called|named))(?: now)? (?<value>.{1,60})$`,
  'iu',
)
const plain = new RegExp(`^${of}(?: (?:is|are)| was changed to)(?: now)? (?<value>.{1,80})$`, 'iu')
/** Values of one shape: "a blue Skoda" and "a red Toyota", "the Prado Inn" and "the Casa Luna". */
const shapes = [
  ['a', /^an? /iu],
  ['name', /^(?:the )?\p{Lu}/u],
  ['number', /^\d/u],
] as const

/** "My car is a red Toyota now" takes the place of "my car is a blue Skoda". Without such a word both may be true. */
function findPlain(text: string): Told | undefined {
  const said = text.replace(lately, '')
  const isChange = said !== text || / (?:is|are) now |was changed to/iu.test(said)
  const kept = isChange ? {} : ({ keeps: true } as const)
  const { what: thing = '', value: name = '' } = called.exec(said)?.groups ?? {}
  if (thing !== '') return { relation: 'name', subject: thing.toLowerCase(), value: name, ...kept }
  const { what = '', value = '' } = plain.exec(said)?.groups ?? {}
  const shape = shapes.find(([, pattern]) => pattern.test(value))?.[0]
  if (what === '' || shape === undefined || people.test(what)) return undefined
  return { relation: `is ${shape}`, subject: what.toLowerCase(), value, ...kept }
}

/** The hour and the day are both true. */
const toTime = (value: string): 'time' | 'day' =>
  /^(?:about )?(?:\d{1,2}(?:[:.：]\d\d)?(?: ?[ap]m)?$|noon|midnight|早上|上午|中午|下午|晚上|[\d一二三四五六七八九十]{1,3}点)/iu.test(
    value,
  )
    ? 'time'
    : 'day'

function toPlace(prep: string, value: string): string {
  const kind = part.exec(value)?.[1]?.toLowerCase()
  return `place ${kind ?? (near.has(prep) ? 'in' : prep)}`
}

const hanOf = '(?:我们?的?|咱们?的?|本群的?)?(?<what>\\p{Script=Han}{1,8}?)(?:现在|目前)?'
const hanTime =
  '(?<value>(?:下?(?:周|星期|礼拜)[一二三四五六日天]|[今明后]天|早上|上午|中午|下午|晚上|\\d|[一二三四五六七八九十]{1,3}[点月号]).{0,20}?)'
const hanRules: readonly (readonly [string, string])[] = [
  ['time', `${hanOf}(?:是在|定在|改在|改到|换到|推迟到|提前到|改成|改为|在)${hanTime}了?`],
  [
    'value',
    '(?:我们?的?|咱们?的?|本群的?)?(?<what>\\p{Script=Han}{0,6}(?:号|号码|尺码|航班|座位|车牌|房间|会议室|楼层|车次|车位|快递柜|代码|暗号|房东|牙医|医生|班主任|保姆|昵称|网名|型号|版本|截止日期))(?:现在)?(?:是|叫|姓|改成了?|换成了?|变成了?|换到了?|改到了?|改为|在)(?<value>.{1,30}?)了?',
  ],
  ['place', `${hanOf}(?:停在|停到|放在|放到|搬到|挪到|移到|设在|改在|换到)了?(?<value>.{1,30}?)(?:了|啦)?`],
  ['place', `${hanOf}在(?<value>.{0,8}[楼层室厅馆])了?`],
]
const hanPatterns = hanRules.map(([kind, pattern]) => [kind, new RegExp(`^${pattern}$`, 'u')] as const)
const hanPeople = /(?:妈妈?|爸爸?|爷爷|奶奶|姐姐?|妹妹?|哥哥?|弟弟?|儿子|女儿|老婆|老公|朋友|同事|公司|我|他|她|们)$/u

/** `said` holds nothing that is unsure, and no blanks between signs. Linear in the text. */
export function findHanThing(said: string): Told | undefined {
  for (const [kind, pattern] of hanPatterns) {
    const { what = '', value = '' } = pattern.exec(said)?.groups ?? {}
    if (what !== '' && value !== '' && !hanPeople.test(what))
      return { relation: kind === 'time' ? toTime(value) : kind, subject: what, value }
  }
  const name = hanCalled.exec(said)?.groups
  if (name?.['what'] !== undefined && name['value'] !== undefined && !hanPeople.test(name['what']))
    return { relation: 'name', subject: name['what'], value: name['value'], keeps: true }
  const { what = '', by = '', value = '' } = hanPlain.exec(said)?.groups ?? {}
  if (what === '' || value === '' || hanPeople.test(what)) return undefined
  return { relation: 'is', subject: what, value, ...(/[换改变]|现在/u.test(by) ? {} : { keeps: true }) }
}

/** 我的猫叫咪咪: of several cats each has a name. */
const hanCalled = /^我们?的(?<what>\p{Script=Han}{1,8}?)(?:的名字|名字)?(?:叫做?|名叫)(?<value>.{1,30}?)了?$/u

const hanPlain = new RegExp(
  '^我们?的?(?<what>\\p{Script=Han}{1,8}?)(?<by>(?:现在|目前)?(?:是|换成了?|改成了?|变成了?|换到了?|改到了?))(?<value>.{1,30}?)了?$',
  'u',
)
