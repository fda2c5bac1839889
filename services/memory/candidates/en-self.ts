// What somebody says of themselves in English.
import type { Word } from './en-clauses.ts'
import { judgeDeed, judgePromise } from './en-deeds.ts'
import type { Frame } from './en-frame.ts'
import { hasDay, isOften, isPassing } from './en-signs.ts'
import {
  brief,
  changed,
  choices,
  diets,
  habits,
  lasting,
  liking,
  mental,
  noDeed,
  passing,
  styleNouns,
  toSet,
  traits,
} from './en-words.ts'
import type { Place, Verdict } from './message.ts'

const fact = (topic: string): Verdict => ({ category: 'fact', topic })
const preference: Verdict = { category: 'preference', topic: 'like' }
const owed: Verdict = { category: 'todo', topic: 'todo' }
const constraint: Verdict = { category: 'constraint', topic: 'rule' }

export function judgeSelf(frame: Frame, words: readonly Word[], place: Place): Verdict | undefined {
  const { rest, isNegated, flags, who } = frame
  const lows = words.map(({ low }) => low)
  const [verb = '', next = '', third = ''] = rest
  if (who === 'none') return judgeLeftOut(frame, words, place)
  if (liking.has(verb)) return judgeLiking(rest.slice(1), lows)
  switch (verb) {
    case 'am':
      return judgeBeing(rest.slice(1), words, frame, place)
    case 'have':
      return next === 'to' ? judgeDeed(rest.slice(2), lows) : judgeHaving(rest.slice(1), lows, place)
    case 'need':
      return next === 'to' ? judgeDeed(rest.slice(2), lows) : undefined
    case 'must':
    case 'should':
    case 'ought':
      return isNegated ? constraint : judgeDeed(next === 'to' ? rest.slice(2) : rest.slice(1), lows)
    case 'will':
      return isNegated ? undefined : judgePromise(rest.slice(1), lows)
    case 'promised':
    case 'volunteered':
      return next === 'to' ? judgePromise(rest.slice(2), lows) : undefined
    case 'owe':
      return owed
    case 'would':
      return /^(?:rather|sooner)$/u.test(next) ||
        (lows.includes('over') && /^(?:take|pick|choose|have)$/u.test(next)) ||
        next === 'prefer'
        ? preference
        : undefined
    case 'can':
      return judgeAble(frame, lows)
    case 'do':
      return isNegated ? judgeNot(next, third, lows, flags) : undefined
    default:
      return judgeVerb(frame, lows, place)
  }
}

const pointing = toSet('them him her us it this that these those your where how what when the you')
const pointed = toSet(
  'first second third last new idea ideas way draft version plan one ending title result design look text story poem answer sound beginning joke tone other',
)

/** Not "I like where this goes", nor "I love it". */
function judgeLiking(object: readonly string[], lows: readonly string[]): Verdict | undefined {
  const [one = '', two = ''] = object
  if (one === '' || isPassing(lows)) return undefined
  if (
    pointing.has(one) &&
    (one !== 'the' || pointed.has(two) || pointed.has(object[2] ?? '')) &&
    !(one === 'it' && two === 'when')
  )
    return undefined
  if (object.at(-1) === 'you' || object.at(-1) === 'them') return undefined
  return preference
}

function judgeBeing(rest: readonly string[], words: readonly Word[], frame: Frame, place: Place): Verdict | undefined {
  const lows = words.map(({ low }) => low)
  const [one = '', two = '', three = ''] = rest
  const said = rest.join(' ')
  if (
    /(?:^| )fan of |^(?:fond of|into|keen on|partial to|obsessed with|addicted to|a sucker for|hooked on|picky about|crazy about) /u.test(
      `${said} `,
    )
  )
    return pointing.has(rest.at(-1) ?? '') ? undefined : preference
  if (diets.has(one) || (/^an?$/u.test(one) && diets.has(two)) || /(?:person|drinker|eater|lover)(?: |$)/u.test(said))
    return preference
  if (one === 'used' && two === 'to') return undefined
  if (one === 'going' && two === 'to') return hasDay(lows) && !noDeed.has(three) ? owed : undefined
  const isRegular = isOften(rest)
  if (isPassing(lows) && !isRegular && !place.explicit) return undefined
  if (one.endsWith('ing')) return judgeDoing(one, two, lows, place)
  if (traits.has(one) || isRegular) return fact('trait')
  if (frame.isNegated) return undefined
  if (/^(?:from|based|called|named|responsible|located|qualified|certified|trained|registered)$/u.test(one))
    return fact(one === 'from' || one === 'based' ? 'home' : 'job')
  if (/^(?:afraid|scared|terrified|sensitive|good|bad)$/u.test(one) && /^(?:of|to|at)$/u.test(two)) return fact('trait')
  if (one === 'in' && /(?:these days|nowadays|permanently|for good)$/u.test(said)) return fact('home')
  if (one === 'on' && /(?:leave|sabbatical|holiday|vacation|duty)(?: |$)/u.test(said) && hasDay(lows))
    return fact('plan')
  if (one === 'in' || one === 'on' || one === 'at' || one === 'with')
    return /(?:team|office|department|time ?zone|zone|utc|cet|gmt|est|board|committee|grade|year|charge|squad|group|side|support|sales|marketing|finance|hr)(?: |$)/u.test(
      said,
    )
      ? fact('job')
      : undefined
  if (/^\d{1,3}$/u.test(one)) return fact('age')
  if (/^(?:a|an|the|one|your|head|chair|half|part|co-owner)$/u.test(one))
    return isRole(one, two, three, rest) ? fact('job') : undefined
  const at = lows.indexOf(one)
  const word = words[at]
  if (word && /^\p{Lu}\p{Ll}/u.test(word.as) && !brief.has(one))
    return isNameAlone(words.slice(at)) ? fact('name') : fact('trait')
  return place.explicit && one !== '' ? fact('trait') : undefined
}

/** "I'm Noor", "I'm Rhona by the way", "I'm Ann Lee from Leeds"; not "I'm Sam's brother". */
function isNameAlone(words: readonly Word[]): boolean {
  const second = words[1]
  return (
    second === undefined ||
    /^\p{Lu}/u.test(second.as) ||
    /^(?:by|from|and|the|here|with|your|a|in|but|not)$/u.test(second.low)
  )
}

const noRole = toSet(
  'bit little mess wreck fool idiot ghost genius moron failure few couple lot total complete huge disaster sucker nervous wreck zombie morning one same only best worst last first happy sad lucky tired man woman human dog',
)
const isRole = (one: string, two: string, three: string, rest: readonly string[]): boolean =>
  two !== '' &&
  !noRole.has(two) &&
  !/^(?:little|bit|mess|wreck|idiot|fool)$/u.test(three) &&
  !(one === 'the' && rest.length < 3) &&
  !/^(?:late|tired|hungry|busy)$/u.test(rest.at(-1) ?? '')

/** What goes on now is kept where it lasts: studies, work, a move with its day. */
function judgeDoing(doing: string, next: string, lows: readonly string[], place: Place): Verdict | undefined {
  if (/^(?:studying|learning|teaching|living|raising|training|majoring|apprenticing|renting|freelancing)$/u.test(doing))
    return fact('job')
  if (doing === 'working')
    return /^(?:as|at|for|in|part|full|remotely|nights|from)$/u.test(next) && (next !== 'from' || isOften(lows))
      ? fact('job')
      : undefined
  if (doing === 'doing') return /^(?:my|a|an)$/u.test(next) ? fact('job') : undefined
  if (
    /^(?:moving|relocating|starting|getting|joining|leaving|retiring|changing|expecting|flying|travelling|traveling|switching|opening|closing|graduating|hosting|running|giving|quitting|turning|taking|visiting|defending)$/u.test(
      doing,
    )
  ) {
    if (hasDay(lows)) return fact('plan')
    return doing === 'expecting' ? fact('family') : undefined
  }
  return place.explicit ? fact('doing') : undefined
}

function judgeHaving(rest: readonly string[], lows: readonly string[], place: Place): Verdict | undefined {
  const [one = '', two = ''] = rest
  if (one === 'been')
    return /^(?:living|working|teaching|studying|vegan|vegetarian|married|learning|playing|a|an|with|in)$/u.test(two)
      ? fact('job')
      : undefined
  if (/^(?:preferred|loved|liked|hated|enjoyed|disliked|avoided)$/u.test(one)) return preference
  if (changed.has(one)) return fact('changed')
  if (/(?:ed|en|ught)$/u.test(one) && !/^(?:seven|ten|eleven|children|twin|red)$/u.test(one)) return undefined
  if (/^(?:it|this|that|them|not|no|nothing|some|enough|never|only)$/u.test(one))
    return one === 'no' &&
      /^(?:car|kids|children|siblings|tv|oven|microwave|dishwasher|garden|balcony|licence|license|lift|internet|printer|bike|pets|smartphone|freezer|sisters|brothers)$/u.test(
        two,
      )
      ? fact('have')
      : undefined
  const noun = rest.find((low, at) => at > 0 && passing.has(low))
  if (noun !== undefined && !isOften(lows) && !hasDay(lows)) return undefined
  if (isPassing(lows) && !place.explicit) return undefined
  if (/weakness|soft|sweet|thing/u.test(two) && /spot|tooth|for/u.test(`${two} ${rest[2] ?? ''}`)) return preference
  return fact('have')
}

function judgeAble({ rest, isNegated, flags }: Frame, lows: readonly string[]): Verdict | undefined {
  const verb = rest[1] ?? ''
  if (isPassing(lows)) return undefined
  if (isNegated) {
    if (/^(?:stand|bear|abide|stomach)$/u.test(verb))
      return pointing.has(rest[2] ?? '') && rest.length < 5 ? undefined : preference
    if (/^(?:eat|drink|have|tolerate|digest|swim|drive|hear|read|see|ride|cook)$/u.test(verb))
      return rest.length > 2 || /^(?:swim|drive|cook)$/u.test(verb) ? fact('health') : undefined
    return isOften(lows) || /(?:before|after|until|past) /u.test(`${lows.join(' ')} `) ? constraint : undefined
  }
  if (flags.has('only')) return constraint
  return /^(?:speak|play|drive|swim|sew|weld|read|sign|code|ski|sail|juggle)$/u.test(verb) && rest.length < 6
    ? fact('skill')
    : undefined
}

function judgeNot(
  verb: string,
  object: string,
  lows: readonly string[],
  flags: ReadonlySet<string>,
): Verdict | undefined {
  if (verb === 'have' && object === 'to') return undefined
  if (isPassing(lows) && !flags.has('always')) return undefined
  if (verb === 'want') return lows.some((low) => styleNouns.has(low)) && !lows.includes('this') ? preference : undefined
  if (liking.has(verb)) return judgeLiking(lows.slice(lows.indexOf(verb) + 1), lows)
  if (/^(?:eat|drink|smoke|watch|wear|buy|do|use|care|read|answer|reply|take|mix|cook)$/u.test(verb))
    return object === '' && verb !== 'drink' && verb !== 'smoke' && verb !== 'drive'
      ? undefined
      : pointing.has(object) && object !== 'the'
        ? undefined
        : preference
  if (/^(?:own|drive|speak|live|swim|cycle)$/u.test(verb)) return fact('have')
  if (verb === 'have')
    return passing.has(object)
      ? undefined
      : (judgeHaving(['no', object], lows, { isGroup: false, explicit: false }) ??
          (/^an?$/u.test(object)
            ? judgeHaving(lows.slice(lows.indexOf('have') + 1), lows, { isGroup: false, explicit: false })
            : undefined))
  return /^(?:work|teach|come)$/u.test(verb) && isOften(lows) ? fact('schedule') : undefined
}

function judgeVerb({ rest, flags }: Frame, lows: readonly string[], place: Place): Verdict | undefined {
  const [verb = '', next = ''] = rest
  if (
    verb === 'do' &&
    /(?<![a-z])(?:shifts?|accounts|books|cooking|payroll|shopping|translations?|support|marketing|rota|logistics|catering)(?![a-z])/u.test(
      rest.join(' '),
    )
  )
    return fact('job')
  if (verb === 'look' && next === 'after') return fact('job')
  if (verb === 'take' && next === 'care') return fact('job')
  if (mental.has(verb) && !place.explicit) return undefined
  if (changed.has(verb)) {
    if (verb === 'got')
      return /^(?:married|divorced|engaged|a|an|two|promoted)$/u.test(next) &&
        !passing.has(rest[2] ?? '') &&
        !/^(?:raise|call|mail|email|ticket|parcel|letter|fine|discount|haircut)$/u.test(rest[2] ?? '')
        ? fact('got')
        : undefined
    return isPassing(lows) ? undefined : fact(verb === 'moved' ? 'home' : 'changed')
  }
  if (isPassing(lows) && !isOften(lows) && !place.explicit) return undefined
  if (
    /^(?:take|have|drink)$/u.test(verb) &&
    /(?<![a-z])(?:coffee|tea|steak|eggs|toast)(?![a-z])/u.test(rest.join(' ')) &&
    rest.length > 3
  )
    return preference
  const isRule = flags.has('never') || flags.has('always') || flags.has('only')
  if (choices.has(verb) && isRule) return preference
  if (
    habits.has(verb) &&
    (isOften(lows) || flags.has('usually') || isRule || flags.has('mostly') || flags.has('normally'))
  )
    return fact('habit')
  if (verb === 'use' && next !== 'it' && next !== 'this') return fact('have')
  if (lasting.has(verb) && next !== 'it' && next !== 'this' && next !== 'that')
    return verb === 'run' && next === 'into'
      ? undefined
      : verb === 'run' && next === ''
        ? undefined
        : fact(verb === 'live' ? 'home' : 'job')
  return place.explicit && !/(?:ed|was|were|did|had)$/u.test(verb) ? fact(verb) : undefined
}

/** "moved to Ghent", "allergic to nuts", "not a fan of mint", "have to renew my passport by May". */
function judgeLeftOut(frame: Frame, words: readonly Word[], place: Place): Verdict | undefined {
  const { rest } = frame
  const lows = words.map(({ low }) => low)
  const [one = '', two = ''] = rest
  if (rest.includes('fan') || /^(?:into|fond|hooked)$/u.test(one))
    return pointing.has(rest.at(-1) ?? '') ? undefined : preference
  if (liking.has(one)) return judgeLiking(rest.slice(1), lows)
  if (one === 'have' || one === 'need') return judgeDeed(rest.slice(2), lows)
  if (one === 'can') return judgeAble(frame, lows)
  if (isPassing(lows) && !place.explicit) return undefined
  if (one === 'moved') return two === 'to' || hasDay(lows) ? fact('home') : undefined
  return lows.length > 2 ? fact(one === 'allergic' ? 'trait' : 'home') : undefined
}
