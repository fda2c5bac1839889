// What an English statement tells the only value of.
import { findThing } from './slot-things.ts'
import type { Told } from './told.ts'

/** Of a person there is one. */
const role =
  'my (?:mother|mum|mom|father|dad|wife|husband|spouse|partner|fianc[eé]e?|girlfriend|boyfriend|boss|manager|supervisor|landlord)'
/** One or two words; that they are a name is looked at afterwards, for which capitals count. */
const name = "[\\p{L}'-]{1,31}(?: [\\p{L}'-]{1,31})?"
const isName = (said: string): boolean =>
  /^\p{Lu}[\p{L}'-]{0,30}(?: \p{Lu}[\p{L}'-]{0,30})?$/u.test(said) &&
  !/^(?:I|He|She|They|We|You|It|This|That|These|Those|There|The|A|An|My|Our|Your|His|Her|Their|Everyone|Everybody|Somebody|Someone|Nobody|People|Who|Call|Keep|Please|Never|Always)(?![A-Za-z])/.test(
    said,
  )
const who = `(?<who>i|we|${role}|${name})`
const whose = `(?<who>my|our|${role}'s|${name}'s)`
const adverb = '(?: (?:now|currently|actually|still|just|recently|finally|already))?'
const has = "(?: have|'ve| has|'s)?"
const be = "(?: am|'m| is|'s| are|'re)"
/** What is no place: a kind of dwelling, a time, a state. */
const place =
  '(?!(?:a|an|my|our|his|her|their|your|this|that|fear|peace|hope|poverty|luxury|sin|harmony|it|one|two)(?![a-z])|the (?!netherlands|us|usa|uk|united|hague|philippines|bronx|gambia|bahamas|czech|emirates))(?<value>.{1,100})'
const firm =
  '(?!(?:a|an|my|our|his|her|their|your|this|that|home|night|nights|day|noon|lunch|least|most|all|first|once|times|present|sea|weekends?|weekdays|work|school|myself|himself|herself|free|fun|money|food|now|ever|hours?|years?|days|weeks|months|about|over|almost|the (?:moment|weekend|office|time|same|company))(?![a-z])|\\d)(?<value>.{1,100})'
const given = '(?<value>.{1,100})'

const rules: readonly (readonly [string, string])[] = [
  ['home', `${who}${adverb}(?: live| lives|${be} living|${be} based| reside| resides)${adverb} (?:in|at) ${place}`],
  ['home', `${who}${has}${adverb}(?: moved| relocated)(?: house| home| back| over)? to ${place}`],
  ['home', `${whose} (?:home is in|(?:home ?town now|city|town|place of residence) is) ${place}`],
  ['address', `${whose} (?:home |postal |street )?address is ${given}`],
  ['work', `${who}${adverb}(?: work| works|${be} working|${be} employed)${adverb} (?:at|for|by) ${firm}`],
  ['work', `${who}${has}${adverb} (?:started|begun|began) (?:working )?(?:at|for) ${firm}`],
  ['work', `${whose} (?:new )?(?:employer|company) is ${given}`],
  ['work', `${whose} (?:new )?(?:job|office|workplace) is (?:at|with) ${firm}`],
  ['job', `${who}${adverb}(?: work| works|${be} working) as ${given}`],
  ['job', `${whose} (?:new )?(?:job|job title|profession|occupation) is ${given}`],
  ['married', `(?<who>my) (?:wife|husband|spouse) is (?<value>${name})`],
  ['married', `${who}${be} married to (?<value>${name})`],
  ['spouse', `${whose} (?:wife|husband|spouse)(?:'s name is| is called| is named) ${given}`],
  [
    'manager',
    `${whose} (?:new )?(?:boss|manager|supervisor)(?:'s name is| is called| is named| is) (?<value>${name}(?: now| again| these days| at the moment)?)`,
  ],
  ['name', `${whose} (?:full )?name is ${given}`],
  ['name', `(?<who>i|${role})${be} (?:called|named) ${given}`],
  ['surname', `${whose} (?:last|family|sur) ?name is ${given}`],
  ['called', `(?:you (?:can|may|should) )?(?:just )?call (?<who>me) ${given}`],
  ['birthday', `${whose} (?:birthday|date of birth|birth date) (?:is|falls)(?: on)?(?: the)? ${given}`],
  ['birthday', `${who} (?:was|were) born on(?: the)? ${given}`],
  ['age', `${who}${be} (?<value>\\d{1,3})(?: years? old)?`],
  ['email', `${whose} (?:e-?mail|mail)(?: address)? is ${given}`],
  ['phone', `${whose} (?:tele|cell|mobile )?(?:phone|mobile)(?: number)? is ${given}`],
  ['zone', `${whose} time ?zone is ${given}`],
]
const patterns = rules.map(([relation, pattern]) => [relation, new RegExp(`^${pattern}$`, 'iu')] as const)
const favourite = new RegExp(`^${whose} favou?rite (?<what>[a-z]{2,20}(?: [a-z]{2,20})?) is ${given}$`, 'iu')

/** Whose value is a name. */
const ofNames = new Set(['manager', 'married'])
const ownWords = new RegExp(`^(?:i|we|me|my|our|${role})$`, 'iu')
/** Of whom it is said: of the speaker, of one of theirs, or of somebody by name. */
const isKnown = (said: string): boolean => ownWords.test(said) || isName(said)

/** It may be true beside another one, or is none yet. */
const unsure =
  /(?<![a-z])(?:not|never|no longer|nor|also|too|as well|used to|formerly|previously|will|going to|gonna|might|maybe|perhaps|probably|would|could|if|when|while|until|till|sometimes|often|mostly|partly|half|and|or|both|either|then|another|second|weekends?|weekdays|during|for (?:now|a while|the (?:summer|winter|week|month))|temporarily|tomorrow|soon|next|because|but)(?![a-z])|n't(?![a-z])| \/ /iu
/** When it began. */
const since =
  /,? (?:since|as of|from|starting|(?:in|on|at|last|this|these) (?=january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|week|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday|days|(?:19|20)\d\d)).{0,60}$|,? (?:now|again|today|yesterday|these days|at the moment|nowadays|already|instead|by the way|(?:\d{1,3}|a|two|three|some|a few) (?:days?|weeks?|months?|years?) ago)$/iu

const withoutSince = (value: string): string => value.replace(since, '').replace(since, '')
const withoutS = (said = ''): string => said.replace(/'s$/i, '')

/** Linear in the text. */
export function findEnglish(text: string): Told | undefined {
  if (unsure.test(text)) return undefined
  const liked = favourite.exec(text)?.groups
  if (liked && isKnown(withoutS(liked['who']))) return toTold(`favourite ${liked['what']?.toLowerCase() ?? ''}`, liked)
  for (const [relation, pattern] of patterns) {
    const found = pattern.exec(text)?.groups
    if (!found || !isKnown(withoutS(found['who']))) continue
    if (ofNames.has(relation) && !isName(withoutSince(found['value'] ?? ''))) continue
    return toTold(relation === 'married' ? 'spouse' : relation, found)
  }
  return findThing(text)
}

function toTold(relation: string, groups: Readonly<Record<string, string | undefined>>): Told | undefined {
  const { who: said = '', value = '' } = groups
  const isDate = relation === 'birthday'
  const told = isDate ? value : withoutSince(value)
  if (told.trim() === '') return undefined
  return { relation, subject: toSubject(said.toLowerCase()), value: told.trim() }
}

const same: Readonly<Record<string, string>> = { mum: 'mother', mom: 'mother', dad: 'father' }

function toSubject(said: string): string {
  if (/^(?:i|my|me)$/u.test(said)) return 'self'
  if (/^(?:we|our)$/u.test(said)) return 'we'
  const bare = said.replace(/^my /u, '').replace(/'s$/u, '')
  return same[bare] ?? bare
}
