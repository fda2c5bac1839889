// English sentences as clauses of plain words: contractions written out, what only leads in or gives a reason taken off.
import { dropHeads, toSet } from './en-words.ts'

export type Word = { /** Lower case, a plain apostrophe. */ readonly low: string; readonly as: string }
export type Clause = {
  readonly words: readonly Word[]
  /** Parts behind a comma that say more of it. */
  readonly tails: readonly (readonly Word[])[]
}

const contractions: readonly (readonly [RegExp, string])[] = [
  [/(?<![a-z])(i)['’]?m(?![a-z'’])/giu, '$1 am'],
  [/(?<![a-z])(i|we|you|they)['’]ve(?![a-z])/giu, '$1 have'],
  [/(?<![a-z])ive(?![a-z])/giu, 'I have'],
  [/(?<![a-z])(i|we|you|they|he|she|it)['’]ll(?![a-z])/giu, '$1 will'],
  [/(?<![a-z])(i|we|you|they|he|she)['’]d(?![a-z])/giu, '$1 would'],
  [/(?<![a-z])(we|you|they)['’]re(?![a-z])/giu, '$1 are'],
  [/(?<![a-z])(it|that|he|she|there|here|what|name)['’]s(?![a-z])/giu, '$1 is'],
  [/(?<![a-z])(do|does|did|is|are|was|were|has|have|had|must|should|would|could)n['’]?t(?![a-z])/giu, '$1 not'],
  [/(?<![a-z])can(?:['’]t|not)(?![a-z])|(?<![a-z])cant(?![a-z])/giu, 'can not'],
  [/(?<![a-z])won['’]t(?![a-z])/giu, 'will not'],
  [/(?<![a-z])(?:got to|gotta|have got to)(?![a-z])/giu, 'have to'],
  [/(?<![a-z])have got(?![a-z])/giu, 'have'],
  [/(?<![a-z])left handed(?![a-z])/giu, 'left-handed'],
  [/(?<![a-z])right handed(?![a-z])/giu, 'right-handed'],
  [/(?<![a-z])gonna(?![a-z])/giu, 'going to'],
  [/(?<![a-z])wanna(?![a-z])/giu, 'want to'],
  // "standup's at 9:40" and "my partner's called Ilse" say "is"; "Ann's brother" does not.
  [
    /(?<=[a-z])['’]s (?=(?:at|on|in|from|called|named|off|always|never|only|not|a|an|the|due|every|allergic|vegan|vegetarian|closed|open|moved|now|over|under|\d))/giu,
    ' is ',
  ],
]

/** Off the head, again and again. */
const lead =
  /^(?:(?:hey|hi|hello|hiya|ok|okay|so|well|btw|also|and|but|oh|ah|yeah|yep|actually|honestly|anyway|fyi|just so (?:you|everyone|we all) knows?|just for the record|(?:you|everyone) should know(?: that)?|by the way|in case it helps|in case you wonder|if it helps|as you know|as i said|the thing is|thing is|please note(?: that)?|turns out|one more thing|good to know|worth knowing|to answer your question|for what it['’]?s worth|i (?:should|must|have to) (?:say|mention|add|warn you)(?: that)?|i think you should know(?: that)?|nice to meet you|finally|sadly|luckily)(?![a-z'’])[\s,:;.!–—-]{1,4}|(?:yes|no|nope|right|alright|sure|look|listen|guys|all|everyone|everybody|folks|team|important|correction|update|heads[- ]up|quick (?:note|update|intro)|(?:small |side )?note(?: for (?:all|everyone|the future|later))?|fun fact|context|background|(?:hard |house |new |team |group |golden )?rule(?: (?:for everyone here|for everyone|for all|of ours|in here|here|one))?|reminder(?: (?:for everyone|to all|for all|to everyone))?|announcement|sorry|oops|whoops|apologies|for (?:the )?(?:context|record|info|reference|future reference|background|everyone here|everybody|all)|let me introduce myself|to introduce myself|since you ask(?:ed)?|good (?:morning|evening)|morning|evening|new here|hi all|hello everyone|introducing myself|intro|about me)[\s]?[,:;.!–—-]{1,3}\s?)/iu
const mostLeads = 6

const own = toSet('i we my our')
const breaks =
  /(?:;| [–—-]{1,2} |, (?:and |but |plus |also )?(?=(?:i(?! are| have both| both)|we|my|our|i['’]?m|i['’]ve|i['’]d|i['’]ll|we['’]re|we['’]ve) )| (?:and|but) (?:also )?(?=(?:i(?! are| have both| both)|we|my|our|i['’]?m|i['’]ve|i['’]d|i['’]ll|we['’]re|we['’]ve) ))/iu
const reason =
  / (?:because|since (?=i |we |my |it )|so that|so (?=i |we |my |please |the |that |no |you )|which (?:is|means)|though|although|if |unless |as (?=i |we |my )|when i was)/iu

/** When or where, before the subject: "these days I drive a tram". It goes to the end. */
const fronted =
  /^((?:these days|nowadays|currently|at present|at the moment|most days|(?:on|in|at|during|by|every|for|after|before|since|until|as of|with|twice|once|from|as) (?!me |my |all |now |today )[\w'’-]{1,20}(?: [\w'’-]{1,20}){0,5}?|outside work|in general|normally|usually),?) (?=(?:i|we|my|our|i['’]?m|i['’]ve|we['’]re) )/iu
const toFront = (text: string): string => {
  const [found = '', phrase = ''] = fronted.exec(text) ?? []
  if (found === '' || /^(?:currently|normally|usually|in general)/iu.test(phrase)) return text.slice(found.length)
  const [head = '', ...tails] = text.slice(found.length).split(', ')
  return [`${head} ${phrase.replace(/,$/u, '')}`, ...tails].join(', ')
}

const toWords = (text: string): readonly Word[] =>
  text
    .split(/\s+/u)
    .map((as) => as.replace(/^["“”‘(*_]{1,3}|["“”’),.!?;:*_…]{1,4}$/gu, ''))
    .filter((as) => as !== '')
    .map((as) => ({ as, low: as.toLowerCase().replaceAll('’', "'") }))

function withoutLead(text: string): string {
  let rest = text.trim()
  for (let n = 0; n < mostLeads; n += 1) {
    const left = rest.replace(lead, '')
    if (left === rest || left.trim() === '') break
    rest = left
  }
  return rest
}

/** The clauses of a sentence that may each be a statement. A question at the end of it is left out. */
export function toClauses(sentence: string, isQuestion: boolean): readonly Clause[] {
  const plain = contractions.reduce((text, [pattern, full]) => text.replaceAll(pattern, full), sentence)
  const parts = plain.split(breaks)
  return parts.flatMap((part, at) => {
    const asks = isQuestion && at === parts.length - 1
    const said = toFront(withoutLead(part))
    // A condition leads: nothing of it is said to be so.
    if (
      /^(?:if|unless|suppose|supposing|assuming|say (?:we|i)|imagine|what if|when i was|whether|had i|were i)(?![a-z])/iu.test(
        said,
      )
    )
      return []
    const [head = '', ...tails] = withoutReason(said).split(/,\s+/u)
    if (asks && tails.length === 0) return []
    const told = asks ? tails.slice(0, -1) : tails
    if (asks && isTag(tails.at(-1) ?? '')) return []
    const words = toWords(withoutLead(head))
    return words.length === 0 ? [] : [{ words, tails: told.map(toWords).filter(isDetail) }]
  })
}

function withoutReason(text: string): string {
  const found = reason.exec(text)
  return found && found.index > 8 ? text.slice(0, found.index).replace(/,$/u, '') : text
}

/** "…, right?" asks whether it is so. */
const isTag = (text: string): boolean =>
  /^(?:right|isn['’]?t|is not|don['’]?t|do not|doesn|does not|aren|are not|am i|or|no|yes|ok|okay|correct|you know|remember|see|huh|eh|didn|did not|won|will not|can)(?: (?:it|i|we|they|she|he|that|you|not|what|so))*\??$/iu.test(
    text.trim(),
  )

const isDetail = (words: readonly Word[]): boolean => {
  const [first] = words
  return (
    first !== undefined &&
    words.length <= 8 &&
    !dropHeads.has(first.low) &&
    !own.has(first.low) &&
    !first.low.endsWith('ing')
  )
}
