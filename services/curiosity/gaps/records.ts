// Doubts that stand between an answer and what is remembered: a record that nobody confirmed, one that ends, a preference that the answer goes against.
import type { Doubt, KnownRecord } from './dialogue.ts'
import { findDay } from './days.ts'
import { askWhether, expand, toSecondPerson, upperFirst } from './en-invert.ts'
import { isHan, sharedWords, shorten, wordsOf } from './words.ts'

const dayMs = 86_400_000
/** Days before its end in which a record is asked about. */
const endsWithinDays = 45
/** Days after its end in which an answer that rests on it is doubtful. */
const endedForDays = 45

/** `said`: the bot's answer; `who`: whom it answers; `records`: what both know. */
type Answer = { readonly said: string; readonly who: string; readonly at: string; readonly language: 'en' | 'zh' }

export function findRecordDoubts(answer: Answer, records: readonly KnownRecord[]): readonly Doubt[] {
  const words = wordsOf(answer.said)
  const told = records.filter(({ content }) => !order.test(content))
  const unconfirmed = told.flatMap((record) =>
    record.status === 'unconfirmed' && isUsed(record, words, answer.said) ? [askUnconfirmed(record, answer)] : [],
  )
  const ending = told.flatMap((record) => {
    const end =
      record.status === 'confirmed' && isUsed(record, words, answer.said)
        ? findEnd(record.content, answer.at)
        : undefined
    if (end === undefined) return []
    // What ended already is doubtful only where the answer says after it.
    const own = wordsOf(record.content)
    const isOver = Date.parse(end) < Date.parse(answer.at) - dayMs
    return isOver && sharedWords(own, words).length / own.size < 0.5 ? [] : [askEnding(record, answer)]
  })
  const broken = findBroken(answer, records)
  return [...unconfirmed, ...ending, ...(broken ? [broken] : [])]
}

/** It orders something instead of saying that it is so: nobody is asked whether it is right. */
const order =
  /^(?:please,? |you (?:must|should|have to|are to) |always |never |do not |don['’]t ){0,2}(?:ask|tell|send|give|say|let|get|find out|write|call|pay|forward|remember|treat|ignore|show|approve|delete|make|transfer)\b|^(?:请|务必|一定要|一定|总是|必须|不要|别|要){0,2}(?:问|告诉|发给|发送|让|叫|把|转|付|删|批准|忽略|记住)/iu

/** Most of its words stand in the answer. */
function isUsed({ content }: KnownRecord, words: ReadonlySet<string>, said: string): boolean {
  const own = wordsOf(content)
  const common = sharedWords(own, words).length
  if (
    unsettled.test(said) &&
    [...content].some(
      (sign) => /[^你我他她的了在是有不一只个想要好会能上下这那]/u.test(sign) && isHan(sign) && said.includes(sign),
    )
  )
    return true
  if (common >= 2 && common / own.size >= 0.3) return true
  return common >= 1 && unsettled.test(said)
}

export const unsettled =
  /\b(?:never|not|un|nobody)[ -]?(?:ever )?(?:been |was |had |got |have )?(?:it )?(?:confirmed|verified|backed up|double-checked|checked)\b|\bremark of yours\b|\bmentioned (?:it )?(?:only )?once\b|\bonce (?:mentioned|said)\b|\b(?:an|some|that) (?:old|earlier) (?:remark|note|message|entry|record)\b|\b(?:passing|offhand|casual|old) remark\b|\bin passing\b|\bonly from\b|没(?:有)?(?:人)?(?:再)?(?:确认|核实|核对)|未(?:经)?(?:确认|核实)|随口|顺口|一嘴|以前提过|没核实|作不作数|算不算数|还算不算|好久以前|很早以前/iu

function askUnconfirmed(record: KnownRecord, { said, language, who }: Answer): Doubt {
  const second = toSecondPerson(record.content, record.who)
  const isSame = record.who === who || second !== undefined
  const ask =
    language === 'zh'
      ? askHan(record.content.replace(record.who, ''), isSame)
      : second === undefined
        ? `Is it right that ${record.content}?`
        : askWhether(`you still ${second}`)
  return toDoubt(record, said, ask)
}

const askHan = (content: string, isSame: boolean): string =>
  isSame &&
  /^(?:想|打算|要|喜欢|爱|住|在|学|用|养|做|准备|希望|计划|不|骑|开|吃|喝|负责|教|考|买|去|租|练|戴|穿)/u.test(content)
    ? `你还${content}吗？`
    : `${content}，现在还是这样吗？`

function askEnding(record: KnownRecord, { said, language }: Answer): Doubt {
  const ask =
    language === 'zh' ? `${record.content}，之后还继续吗？` : `${upperFirst(record.content)}: does it go on after that?`
  return toDoubt(record, said, ask)
}

function toDoubt(record: KnownRecord, said: string, ask: string): Doubt {
  return {
    ask,
    kind: 'yes-no',
    about: record.content,
    premise: '',
    assumed: record.content,
    said,
    to: record.who,
    isWhole: true,
  }
}

/** Whether a record names a day on which it ends, and the answer is given shortly before. */
export const endsSoon = (content: string, at: string): boolean => findEnd(content, at) !== undefined

/** The day on which a record ends, where the answer is given shortly before. */
function findEnd(content: string, at: string): string | undefined {
  if (!/\b(?:until|till|ends?|expires?|up to|through|valid|due)\b|到期?|至|截止|为止|有效|[之以]前/iu.test(content))
    return undefined
  const day = findDay(content, at)
  if (day === undefined) return undefined
  const days = (Date.parse(day) - Date.parse(at)) / dayMs
  return days >= -endedForDays && days <= endsWithinDays ? day : undefined
}

const contrast =
  /\b(?:although|though|even if|despite|in spite of|against|unlike|contrary to|not what|is not what|is not quite what|not quite what|departs? from|breaks? with|but|yet|still|however|instead of|other than|exception|\w+er than|more .{0,20} than|less .{0,20} than)\b|虽然|尽管|不过|但|却|，可|可是|只是|破个?例|偶尔|例外|违背|不(?:太)?(?:符合|一样)|跟你说的|和你.{0,6}(?:不同|相反)|超(?:过|出)|越过|破了|拧着|相左|顶着|比你/iu
const habit =
  /\b(?:you (?:usually|normally|generally|steer clear|otherwise|mostly|typically|tend to|prefer|like|avoid|dislike|said|told me|noted|wanted|asked for|want|keep|kept|hate|rather|aim|never|always|do not (?:like|eat|drink|want)|would normally|are used to)|what you asked|you asked|your (?:usual|preference|preferred|rule|wish|limit|note|habit|normal|general|stated))\b|你(?:给自己|.{0,6}(?:一向|从不|从来|总是|向来|历来|平时|平常|一般|通常|习惯|不(?:吃|喝|住|坐|碰|爱|喜欢|要|用|穿|看|去))|平时|平常|一般|通常|向来|本来|之前|以前|说过?|记过|要求|喜欢|不喜欢|习惯|不吃|不喝|不要|偏好|的(?:习惯|偏好|要求|规矩|原则))|你.{1,14}的(?:规矩|习惯|原则|要求)/iu

const mostThingChars = 120
const theirHabit =
  /\b(?:normally|usually|generally|otherwise|mostly|prefers?|likes?|dislikes?|wants?|avoids?|keeps?|never|always|rule|wish|habit|preference|asked for)\b|习惯|偏好|规矩|原则|要求|平时|一般|通常|从不|向来|不(?:吃|喝|住|坐|碰|爱|喜欢|要|用|穿|走|去|开)/iu
/** It goes against the record, without "although". */
const avoids =
  /\b(?:would not|will not|cannot|could not|sold out|skips?|avoids?|never|does not|dislikes?|hates?|keeps? .{0,30}? (?:clear|free))\b|拧着|相左|冲突|顶着|违|越过|破|不合|对不上/iu

function findBroken(answer: Answer, records: readonly KnownRecord[]): Doubt | undefined {
  const { said, who, language } = answer
  const sentences = said.split(/(?<=[.!?]) |(?<=[。！？])/u)
  const at = sentences.findIndex((sentence) => contrast.test(sentence) && habit.test(sentence))
  const sentence = sentences[at]
  if (sentence === undefined) return findBrokenOfOther(answer, records)
  const words = wordsOf(said)
  const own = records
    .filter(
      (one) =>
        one.who === who &&
        one.status === 'confirmed' &&
        ['preference', 'constraint', 'decision', 'rule'].includes(one.category),
    )
    .map((one) => ({ one, common: sharedWords(wordsOf(one.content), words).length }))
    .toSorted((one, other) => other.common - one.common)
  const [record] = own
  const isSaid =
    /than you|what you (?:asked|said|want)|your (?:rule|limit|wish|usual)|比你|你(?:给自己)?定的|你.{0,6}(?:向来|一向|从不|从来|平时|一般)/u.test(
      sentence,
    ) && own.length === 1
  if (!record || (record.common === 0 && !isSaid)) return undefined
  const { content } = record.one
  const isOwn = language === 'en' && /^(?!it\b|that\b|this\b|I\b)[^,]{6,60}, which /iu.test(sentence)
  const isOwnHan = language === 'zh' && /^(?!虽|不过|但|可|跟|和|比|这|那|你|只是|却)[^，]{4,30}，/u.test(sentence)
  const from = isOwn || isOwnHan ? sentence : (sentences[at - 1] ?? sentence)
  const [, told] = /^(?:that|it|this)(?: is|['’]s) ([^,.;]{3,40})/iu.exec(sentence) ?? []
  const thing = language === 'zh' ? toHanThing(from) : toThing(from) === 'that' ? (told ?? 'that') : toThing(from)
  const isClause = /\b(?:is|are|has|have|takes?|goes|needs?|lasts?|starts?)\b/u.test(thing)
  const second = toSecondPerson(content, who) ?? content
  const ask =
    language === 'zh'
      ? `你${content.replace(who, '')}，现在${thing}也可以吗？`
      : `You ${second}: is ${isClause ? `it fine for you now that ${thing}` : `${thing} fine for you now all the same`}?`
  return {
    ask,
    kind: 'yes-no',
    about: '',
    premise: thing,
    assumed: '',
    said: `${sentences[at - 1] ?? ''} ${sentence}`.trim(),
    isWhole: true,
  }
}

/** "even though Bea normally keeps Sundays clear", 跟思琪不走夜路的习惯是拧着的: a preference of somebody's who did not ask. */
function findBrokenOfOther({ said, who, language }: Answer, records: readonly KnownRecord[]): Doubt | undefined {
  const sentences = expand(said).split(/(?<=[.!?]) |(?<=[。！？])/u)
  for (const [at, sentence] of sentences.entries()) {
    if (!contrast.test(sentence) && !avoids.test(sentence)) continue
    const fewest = theirHabit.test(sentence) ? 1 : 2
    const words = wordsOf(sentence)
    const record = records.find(
      (one) =>
        one.who !== who &&
        one.status === 'confirmed' &&
        sentence.includes(one.who) &&
        sharedWords(wordsOf(one.content, [one.who]), words).length >= fewest,
    )
    if (!record) continue
    const { content, who: whose } = record
    const clause = sentence.includes('，') ? sentence : `${sentences[at - 1] ?? ''} ${sentence}`
    const thing = shorten(clause.trim().replace(/[。.!]$/u, ''), mostThingChars)
    const ask =
      language === 'zh'
        ? `你${content.replace(whose, '')}，这次可以破例吗：${thing}？`
        : `You ${toSecondPerson(content, whose) ?? content}: is it fine for you this time (${thing})?`
    return {
      ask,
      kind: 'yes-no',
      about: '',
      premise: clause,
      assumed: '',
      said: clause.trim(),
      to: whose,
      isWhole: true,
    }
  }
  return undefined
}

function toThing(sentence: string): string {
  const noun = sentence
    .replace(
      /^(?:(?:I|we)(?:['’]d| would)? )?(?:suggest|propose|recommend|chose|picked|took|booked|planned|put|found|would take|went for) /iu,
      '',
    )
    .replace(/^(?:my|the) (?:suggestion|proposal) (?:is|would be) /iu, '')
    .split(/[,;!?]|[:.](?!\d)/u, 1)[0]
  // "Done: 9, 11 and 14" names nothing.
  if (/^(?:done|here|set|ready|ok|okay|sure)?$/iu.test((noun ?? '').trim())) return 'that'
  const words = (noun ?? '').trim().split(' ').slice(0, 9)
  return words.join(' ').replace(/^(?:A|An|The)\b/u, (article) => article.toLowerCase())
}

/** What is proposed, with its figure: 江边那条线，十四公里. */
function toHanThing(sentence: string): string {
  const [first = '', ...rest] = sentence
    .replace(/^(?:我)?(?:推荐|建议|给你(?:选|挑|订)了?|选了?|挑了?|订了?|安排了?|可以试试|试试)/u, '')
    .split(/[，,。；;：:]/u)
  const figure = rest.find((clause) => /[一二三四五六七八九十百\d]/u.test(clause))
  const thing = figure === undefined ? first : `${first}，${figure}`
  return [...thing].slice(0, 26).join('')
}
