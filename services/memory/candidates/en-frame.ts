// Of whom an English clause speaks, and where its verb stands.
import type { Word } from './en-clauses.ts'
import { adverbs, lasting, liking, habits, toSet } from './en-words.ts'

/**
 * `self`: I. `own`: a thing or a person of the speaker. `group`: we. `all`: nobody, everyone, each X. `thing`: anything else. `bot`: an order.
 * `none`: it begins with what is said of a speaker who is left out.
 */
export type Who = 'self' | 'own' | 'group' | 'all' | 'it' | 'third' | 'thing' | 'bot' | 'none'

export type Frame = {
  readonly who: Who
  /** Before the verb, without adverbs. */
  readonly subject: readonly string[]
  /** The place of the verb, or of its first auxiliary. */
  readonly verbAt: number
  /** Lower-case words from the verb on, without adverbs and "not". */
  readonly rest: readonly string[]
  readonly isNegated: boolean
  readonly flags: ReadonlySet<string>
}

const finite = toSet(
  'is are am was were has have had must should shall can could may might will would does do did needs need gets get goes go used costs cost owns means counts expires ends starts begins opens closes turns runs takes lives works studies speaks plays cooks teaches sleeps eats drinks likes loves hates prefers wants comes leaves arrives moves moved started changed switched became ended closed opened keeps stays stands belongs sits ships happens attends collects allows accepts requires weighs measures hangs holds lies works needs fits',
)
export const relatives = toSet('mum mom mummy dad daddy mother father grandma grandpa granny grandad nan hubby')
const people = toSet('he she they his her their')
const wide = toSet(
  'nobody no-one nothing none everyone everybody everything all every each no any anyone anything both',
)

export function toFrame(words: readonly Word[]): Frame {
  const lows = words.map(({ low }) => low)
  const [first = ''] = lows
  const who = whoOf(first, words)
  const from =
    who === 'self' || who === 'group' || who === 'it' ? 1 : who === 'bot' || who === 'none' ? 0 : verbIn(lows)
  const flags = new Set(lows.slice(who === 'bot' || who === 'none' ? 0 : 1).filter((low) => adverbs.has(low)))
  const rest: string[] = []
  let isNegated = false
  let verbAt = from
  for (const [at, low] of lows.entries()) {
    if (at < from) continue
    // Adverbs between verbs only: "more", "most" and "best" may belong to what follows.
    if (low === 'not' && rest.length <= 2) isNegated = true
    else if (rest.length > 1 || !adverbs.has(low)) rest.push(low)
    if (rest.length === 1 && low === rest[0]) verbAt = at
  }
  return { who, subject: lows.slice(0, from), verbAt, rest, isNegated, flags }
}

function whoOf(first: string, words: readonly Word[]): Who {
  if (first === 'i') return 'self'
  if (first === 'my' || first === 'our' || relatives.has(first)) return 'own'
  if (first === 'we') return 'group'
  if (first === 'it' || first === "it's") return 'it'
  if (people.has(first)) return 'third'
  if (wide.has(first)) return 'all'
  if (isLeftOut(words)) return 'none'
  return 'thing'
}

const leftOut = toSet(
  'have need allergic live living moved based born work working prefer love hate dislike enjoy big huge massive can not no never only always into fond hooked married from',
)
/** The speaker is not named: "moved to Ghent", "big fan of …", "allergic to nuts". */
function isLeftOut(words: readonly Word[]): boolean {
  const [one = '', two = '', three = ''] = words.map(({ low }) => low)
  if (adverbs.has(one) && leftOut.has(two)) return isLeftOut(words.slice(1))
  if (!leftOut.has(one)) return false
  if (['big', 'huge', 'massive', 'not'].includes(one))
    return [two, three].includes('fan') || (one === 'not' && /^(?:into|fond|keen)$/u.test(two))
  if (one === 'need' || one === 'have') return two === 'to'
  if (one === 'can') return two === 'not'
  if (one === 'no' || one === 'never' || one === 'only' || one === 'always') return false
  return two !== ''
}

function verbIn(lows: readonly string[]): number {
  const at = lows.findIndex(
    (low, place) => place > 0 && place < 9 && (finite.has(low) || isPlainVerb(low, lows[place - 1] ?? '')),
  )
  if (at >= 0) return at
  // Any other verb of the third person: "my balcony faces north".
  const other = lows.findIndex(
    (low, place) => place > 1 && place < 6 && /[a-z]{3}(?<![sui])s$/u.test(low) && place < lows.length - 1,
  )
  return other < 0 ? lows.length : other
}

/** A bare verb behind a plural or an adverb: "my parents live …". */
const isPlainVerb = (low: string, before: string): boolean =>
  (lasting.has(low) || liking.has(low) || habits.has(low)) &&
  (before.endsWith('s') || adverbs.has(before) || before === 'and')
