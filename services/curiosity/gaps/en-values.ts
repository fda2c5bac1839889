// What an English answer took without knowing, as a question: "a break of 15 minutes", "last year's 400 copies", "Sunday", "the big room".
import { askEmbedded, askWhether, lowerFirst } from './en-invert.ts'
import type { QuestionKind } from './dialogue.ts'

export type Asked = { readonly ask: string; readonly kind: QuestionKind }

const number =
  '(?:about |around |roughly |only |some )?(?:\\d[\\d.,:]{0,9}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|a hundred|half an?|an?|one)(?:[ -](?:and a half|hundred|thousand|dozen))?'
const span = '(?:second|minute|min|hour|day|week|month|year|night|metre|meter|kilometre|km|m|mile)s?'
const valued = new RegExp(`^(.{2,60}?) (?:of|at|as|to) (${number}(?: ?\\S{1,20}){0,3})$`, 'iu')
const spanned = new RegExp(`^(${number})[ -]?(${span})(?: (?:for|on|in|per) (.{2,60}))?$`, 'iu')
const counted = new RegExp(
  `^(?:(?:last|the) (?:year|time|month|week|season)['’]s |the usual |the same )?(${number}) ([a-z][a-z ]{2,40})$`,
  'iu',
)
const clock =
  /^(?:at )?((?:\d{1,2}(?::\d\d)? ?(?:am|pm|a\.m|p\.m|o['’]clock)|\d{1,2}:\d\d|noon|midnight|half past \w{2,8}|a quarter (?:past|to) \w{2,8}))(?: (?:on|for|as) .{2,40})?$/iu
const day =
  /^(?:on )?(?:a |the )?((?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? )?(?:january|february|march|april|may|june|july|august|september|october|november|december)(?: \d{1,2})?|weekends?|weekdays)(?: (?:morning|afternoon|evening)s?)?)(?: (?:for|as) .{2,40})?$/iu
const past =
  /^(?:last|the (?:last|previous)) (?:year|time|month|week|season|spring|summer|autumn|winter)['’]s? (.{2,60})$/iu
const usual = /^the (?:usual|commonest|most common|standard|customary|default) (.{2,60})$/iu
/** What points back, and names nothing by itself. */
const pointing =
  /^(?:(?:those|these|them|it) (?:once|twice|all|both|here|there|so|too)|it|that|this|them|these|those|so|one|ones|the (?:first|second|former|latter|rest|same|other)(?: one)?|what|which|cell|the (?:cell|field|place|line|gap|space|spot|row|column))$/iu

/** Undefined where the phrase names nothing. */
export function askValue(phrase: string): Asked | undefined {
  const said = phrase
    .replace(/^(?:it|them|him|her) (?:with|as|at|for|to|in|by) /iu, '')
    .replace(/^(?:with|for|by|from|at least|it as|it is|it to be|to be|in|on) /iu, '')
    .trim()
  if (pointing.test(said) || said.length < 2) return undefined
  const words = said.split(' ').length
  const attribute = valued.exec(said)
  if (attribute) {
    const [, noun = '', value = ''] = attribute
    if (/^(?:you|them|it|this|him|her|us)$/iu.test(noun))
      return askValue(value) ?? { ask: `Is ${value} right?`, kind: 'yes-no' }
    return { ask: `What is ${lowerFirst(withArticle(noun))}, if it is not ${value}?`, kind: 'words' }
  }
  const length = spanned.exec(said)
  if (length) {
    const [, many = '', unit = '', of] = length
    const tail = of === undefined ? '' : ` for ${of}`
    return { ask: `How long is it${tail}, if it is not ${many} ${unit}?`, kind: 'words' }
  }
  const [, time] = clock.exec(said) ?? []
  if (time !== undefined) return { ask: `At what time is it, if it is not at ${time}?`, kind: 'words' }
  const [, weekday] = day.exec(said) ?? []
  if (weekday !== undefined) return { ask: `Which day or time is right, if it is not ${weekday}?`, kind: 'words' }
  const many = counted.exec(said)
  if (many && !/^(?:an?|one)$/iu.test(many[1] ?? '')) {
    const [, value = '', noun = ''] = many
    return { ask: `How many ${noun} are right, if it is not ${value}?`, kind: 'words' }
  }
  const old = past.exec(said) ?? usual.exec(said)
  if (old) return { ask: `Is ${lowerFirst(said)} still right?`, kind: 'yes-no' }
  if (/^\w+ing\b/u.test(said)) return undefined
  if (/^(?:the|your|an?) [\w' -]{2,30} (?:first|last|second|twice|once|separately|together|out|in)$/iu.test(said))
    return { ask: `Is ${lowerFirst(said)} right?`, kind: 'yes-no' }
  if (words > 9 || /^(?:to|as|up|out|down|in|on|for|back)\b/iu.test(said)) return undefined
  const isMany = /^[a-z]+[^s\W]s(?: |$)/u.test(said)
  return { ask: isMany ? `Are ${said} right?` : `Is ${withArticle(said)} right?`, kind: 'yes-no' }
}

const role =
  /\b(?:speaker|host|chair(?:man|woman|person)?|guide|contact(?: person)?|author|sender|driver|leader|teacher|coach|treasurer|soloist|owner|caller|person)$/iu

/** A value that stands nowhere: "the frame size", "alternative place for rain". */
export function askMissing(phrase: string): Asked | undefined {
  const said = phrase.replace(/^(?:any|anything (?:on|about)|the slot for|a) /iu, '').trim()
  if (pointing.test(said) || said.split(' ').length > 9 || !/[a-z]{3}/iu.test(said)) return undefined
  if (
    /^(?:between|among|for|to|in|at|with|from|by|after|before|than|as|on|because|what|better|more|further)\b/iu.test(
      said,
    )
  )
    return undefined
  if (/^[^,]{2,40} or [^,]{2,40}$/iu.test(said)) return { ask: `Is it ${lowerFirst(said)}?`, kind: 'choice' }
  const [, clause] = / of ((?:who|what|which|how|when|where)\b.{3,80})$/iu.exec(said) ?? []
  if (clause !== undefined) return askEmbedded(clause)
  const [, owner, thing] = /^(your|the \w+['’]s|\w+['’]s) (days|times|dates|hours)$/iu.exec(said) ?? []
  if (owner !== undefined && thing !== undefined) return { ask: `Which are ${owner} ${thing}?`, kind: 'words' }
  const isMany =
    /[^s]s(?: |$)/u.test(
      said.split(/ (?:of|for|in|on|from|with|to)\b|(?<=[a-z] )(?:the|a|an|your|they|you|we|it)\b/u, 1)[0] ?? '',
    ) && !/'s /u.test(said)
  if (role.test(said)) return { ask: `Who is ${lowerFirst(withArticle(said))}?`, kind: 'words' }
  return { ask: `What ${isMany ? 'are' : 'is'} ${lowerFirst(withArticle(said))}?`, kind: 'words' }
}

const withArticle = (noun: string): string =>
  /^(?:the|The|your|Your|his|her|their|our|this|that|these|those|my|every|each|all|no|\d|[A-Z]|["“])/u.test(noun)
    ? noun
    : `the ${noun.replace(/^an? /iu, '')}`

const subjectFirst =
  /^(?:you|they|we|it|he|she|everybody|everyone|nobody|no one|somebody|people|there|all|both|this|that|i)\b/iu
const finite =
  /\b(?:is|are|was|were|will|would|can|could|may|might|must|should|has|have|had|does|do|did|stays|goes|comes|joins|wants|needs|likes|prefers|takes|starts|begins|opens|closes|ends|lasts|fits|works|lives|uses|means|pays|brings|reads|knows|speaks|eats|drinks|sleeps|counts|belongs|runs|holds|met|came|went|gave|wrote|won|lost|moved|joined|agreed|decided|wanted|worked|lived|played)\b/iu

/** A statement that was taken to be so, or a value. `that` stood before it where `isClause`. */
export function askAssumed(phrase: string, isClause: boolean): Asked | undefined {
  const isStatement = isClause || subjectFirst.test(phrase) || (finite.test(phrase) && phrase.split(' ').length > 3)
  if (!isStatement) return askValue(phrase)
  // What the bot itself does is nobody's to tell.
  if (/^I\b/u.test(phrase)) return undefined
  if (/^(?:it|that|this|so)\b/iu.test(phrase) && phrase.split(' ').length < 3) return undefined
  return { ask: askWhether(phrase), kind: / or /u.test(phrase) ? 'choice' : 'yes-no' }
}
