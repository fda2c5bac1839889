// An English clause in the third person: "I'm off every Wednesday" is "Noor is off every Wednesday". What says the same in many ways is said in one:
// "not a fan of", "can't stand" are "dislikes".
import type { Clause, Word } from './en-clauses.ts'
import { relatives, toFrame } from './en-frame.ts'
import { adverbs } from './en-words.ts'
import type { Verdict } from './message.ts'

export type Teller = { readonly speaker: string; readonly isGroup: boolean }

export function renderEnglish(clause: Clause, verdict: Verdict, teller: Teller): string {
  const { speaker } = teller
  const whole = [clause.words.slice(verdict.skip ?? 0), ...clause.tails]
    .map((part) => toThird(part, teller).join(' '))
    .join(', ')
  switch (verdict.topic) {
    case 'corrected':
      return `${speaker}: ${toThird(clause.tails[0] ?? [], teller)
        .join(' ')
        .replace(/ (?:since|from|as of) .{1,40}$/u, '')}`
    case 'name':
      return renderName(clause, whole, speaker)
    case 'style':
      return renderStyle(whole, clause, speaker)
    default:
      break
  }
  if (verdict.topic === 'here') return `${speaker} is ${whole.replace(/ here(?=,|$)/iu, '')}`
  const isLeftOut = toFrame(clause.words).who === 'none' && verdict.skip === undefined
  const told = isLeftOut ? `${speaker} ${begin(whole)}` : whole
  return withTimes(verdict.topic === 'like' ? toLiking(told) : toHome(told))
}

/** A speaker who was left out says nothing of "is" either. */
const begin = (said: string): string =>
  /^(?:allergic|based|born|big|huge|massive|not|into|fond|from|married|hooked|living|working)(?![a-z])/iu.test(said)
    ? `is ${said}`
    : said

const likings: readonly (readonly [RegExp, string])[] = [
  [/^nothing (?:beats|is better than) ([^]{1,60}?)(?: for (\w+))?$/iu, 'likes $1'],
  [/(?<![a-z])has always (?=preferred|loved|liked|hated|enjoyed)/iu, ''],
  [/(?<![a-z])(?:can not|could not) (?:stand|bear|abide|stomach)(?![a-z])/iu, 'dislikes'],
  [
    /(?<![a-z])(?:is |am )?(?:really |just )?not (?:really |much of |exactly )?(?:an? |any |the )?(?:\w{1,12} )?(?:fan of|fond of|into|keen on)(?![a-z])/iu,
    'dislikes',
  ],
  [/(?<![a-z])(?:is |am )?(?:a |an )?(?:\w{1,12} )?fan of(?![a-z])/iu, 'likes'],
  [
    /(?<![a-z])(?:is |am )(?:\w{1,12} )?(?:fond of|into|keen on|partial to|obsessed with|crazy about)(?![a-z])/iu,
    'likes',
  ],
  [
    /(?<![a-z])(?:does|do) not (?:really |much |particularly )?(?:like|enjoy|care for|do(?= (?!my |the )[a-z]))(?![a-z])/iu,
    'dislikes',
  ],
  [
    /(?<![a-z])would (?:always )?(?:take|pick|choose|have) ([\w' -]{1,60}?) over ([\w'-]{1,20})[^]{0,60}/iu,
    'prefers $1 to $2',
  ],
  [/(?<![a-z])would (?:much )?(?:rather|sooner)(?: have| drink| eat| do)?(?![a-z])/iu, 'prefers'],
]

const toLiking = (said: string): string => {
  const found = likings.find(([pattern]) => pattern.test(said))
  return found ? said.replace(found[0], found[1]) : said
}

/** "moved to Ghent in January" is where somebody lives. */
const toHome = (said: string): string =>
  said.replace(
    /(?<![a-z])(?:has |have )?(?:recently |just )?moved (?:house |back |over |down |up |away )?to (?=[A-Z])([^]{1,60}?)(?: (?:in|on|last|this|for|with|at|from|since|a) [^]{1,60})?$/u,
    'lives in $1',
  )

/** "the 7 15 bus" leaves at 7:15. */
const withTimes = (said: string): string =>
  said.replaceAll(
    /(?<![\d:.])(\d{1,2}) ([0-5]\d)(?= (?:bus|train|tram|ferry|flight|service|shift|am|pm)(?![a-z]))/giu,
    '$1:$2',
  )

function renderName(clause: Clause, whole: string, speaker: string): string {
  const at = clause.words.findIndex(({ low }) => low === 'am' || low === 'is' || low === 'called' || low === 'named')
  const names = clause.words.slice(at + 1).filter(({ low }) => !/^(?:called|named|is|actually|just)$/u.test(low))
  const end = names.findIndex(({ as }) => !/^\p{Lu}/u.test(as))
  const name = (end < 0 ? names : names.slice(0, end)).map(({ as }) => as).join(' ')
  const isSelf = clause.words[0]?.low === 'i'
  return isSelf && name !== '' ? `${speaker} is called ${name}` : whole
}

const noOrder = /^(?:i|my|we|everyone|everybody|people|your|all|answers|replies|code|numbers)$/u

function renderStyle(whole: string, { words }: Clause, speaker: string): string {
  if (noOrder.test(words[0]?.low ?? '')) return whole
  const said = whole
    .replace(/^(?:(?:please|from now on|can you|could you|going forward|in future|also|just)[, ]+){1,4}/iu, '')
    .replace(/^when(?:ever)? you (?:answer|reply to|write to|talk to|speak to) \S{1,40} /iu, '')
    .replace(/^no more ([^]{1,60}?) (?:suggestions?|recipes|ideas|recommendations|tips)$/iu, 'no $1')
  return `${speaker} wants ${said}`
}

/** Verbs behind "I" take the third person's ending. */
function toThird(words: readonly Word[], { speaker, isGroup }: Teller): readonly string[] {
  const out: string[] = []
  let isVerbNext = false
  for (const { low, as } of words) {
    if (isVerbNext && !adverbs.has(low) && low !== 'not') {
      out.push(inflect(low, as))
      isVerbNext = false
      continue
    }
    const isHome = low === 'we' && !isGroup
    if (low === 'i' || isHome) isVerbNext = true
    if (low === 'i' || isHome) out.push(speaker)
    else if (low === 'we') out.push('the group')
    else if (low === 'my' || low === 'mine') out.push(`${speaker}'s`)
    else if (low === 'our' || low === 'ours') out.push(isGroup ? 'the' : `${speaker}'s`)
    else if (low === 'me' || low === 'myself') out.push(speaker)
    else if (out.length === 0 && relatives.has(low)) out.push(`${speaker}'s ${low}`)
    else out.push(as)
  }
  return out
}

const irregular: Readonly<Record<string, string>> = { am: 'is', are: 'is', have: 'has', do: 'does', go: 'goes' }
const same =
  /^(?:can|will|would|could|must|should|may|might|ought|had|was|were|is|has|got|chose|chosen|bought|became|made|went)$|ed$/u

function inflect(low: string, as: string): string {
  if (same.test(low)) return as
  const known = irregular[low]
  if (known !== undefined) return known
  if (/(?:s|sh|ch|x|z)$/u.test(low)) return `${as}es`
  return /[^aeiou]y$/u.test(low) ? `${as.slice(0, -1)}ies` : `${as}s`
}

export const roleOf = (tail: readonly Word[]): string | undefined => {
  const said = tail.map(({ as }) => as).join(' ')
  const isRole = /^(?:an?|the|from|based) /iu.test(said) && !/ (?:is|are|was|has|have) /iu.test(` ${said} `)
  return isRole ? said : undefined
}
