// What an English clause says, if it is worth keeping: by of whom it speaks, what its verb is, and whether that lasts.
import type { Clause } from './en-clauses.ts'
import { toFrame, type Frame } from './en-frame.ts'
import { judgeSelf } from './en-self.ts'
import { hasDay, isOften, isPassing, isUnsure, judgeStyle } from './en-signs.ts'
import { findRule, judgeAll, judgeIt, judgeThing } from './en-things.ts'
import { diets, liking, months, outsiders, passing, settled, toSet, traits } from './en-words.ts'
import type { Place, Verdict } from './message.ts'

export function judgeEnglish(clause: Clause, place: Place): Verdict | undefined {
  const lows = clause.words.map(({ low }) => low)
  if (isUnsure(lows)) return undefined
  const style = judgeStyle(
    lows,
    [clause.words, ...clause.tails].flat().map(({ low }) => low),
  )
  if (style) return style
  const frame = toFrame(clause.words)
  if (frame.rest.length === 0 && !['all', 'thing', 'it'].includes(frame.who)) return undefined
  const settledBy = judgeSettled(frame, lows)
  if (settledBy) return settledBy
  switch (frame.who) {
    case 'self':
    case 'none':
      return judgeSelf(frame, clause.words, place)
    case 'own':
      return judgeOwn(frame, clause, place)
    case 'group':
      return judgeGroup(frame, clause, place)
    case 'all':
      return judgeAll(frame, lows)
    case 'it':
      return judgeIt(frame, clause)
    case 'thing':
      return judgeThing(frame, clause, place)
    case 'third':
    case 'bot':
      return undefined
    default:
      return frame.who satisfies never
  }
}

/** What was settled: "we agreed yesterday that …", "it is settled: …", "we are going with …". */
function judgeSettled({ who, rest, isNegated }: Frame, lows: readonly string[]): Verdict | undefined {
  const topic = 'decision'
  const [one = '', two = '', three = ''] = rest
  if (isNegated && one !== 'have' && !settled.has(one)) return undefined
  const [head = '', second = ''] = lows
  if (/^(?:final|last)$/u.test(head) && /^(?:call|word|decision|answer)$/u.test(second))
    return { category: 'decision', topic, skip: 2 }
  if (/^(?:decision|verdict|outcome)$/u.test(head)) return { category: 'decision', topic, skip: 1 }
  if (lows[0] === 'settled' || lows[0] === 'decided' || lows[0] === 'agreed')
    return { category: 'decision', topic, skip: 1 }
  if (!['self', 'group', 'it', 'thing', 'own', 'all'].includes(who)) return undefined
  const verb = one === 'have' || one === 'has' ? two : one
  const isOurs = who === 'self' || who === 'group' || /^(?:team|group|board|family|committee)$/u.test(lows[1] ?? '')
  if (isOurs && (settled.has(verb) || (verb === 'made' && lows.includes('mind')))) {
    const that = lows.indexOf('that')
    if (verb === 'agreed' && !lows.some((low) => /^(?:that|on|to)$/u.test(low))) return undefined
    const mind = lows.indexOf('mind')
    return {
      category: 'decision',
      topic,
      ...(that > 0 && that < 7 ? { skip: that + 1 } : mind > 0 ? { skip: mind + 1 } : {}),
    }
  }
  if (isOurs && (one === 'are' || one === 'am') && two === 'going' && three === 'with')
    return { category: 'decision', topic }
  if (isOurs && one === 'will' && two === 'go' && three === 'with') return { category: 'decision', topic }
  if (isOurs && one === 'went' && two === 'with') return { category: 'decision', topic }
  const isBe = /^(?:is|are|has|have|was|were)$/u.test(one)
  const state = two === 'been' ? three : two
  if (isBe && /^(?:settled|decided|agreed|final|chosen)$/u.test(state)) {
    return { category: 'decision', topic, ...(who === 'it' ? { skip: lows.indexOf(state) + 1 } : {}) }
  }
  return undefined
}

/** My sister, our lease, my locker. */
function judgeOwn(frame: Frame, clause: Clause, place: Place): Verdict | undefined {
  const { subject, rest, isNegated, flags } = frame
  const lows = clause.words.map(({ low }) => low)
  const noun = subject.at(-1) ?? ''
  const [verb = '', next = ''] = rest
  if (subject.some((low) => outsiders.has(low)) && !place.explicit) return undefined
  if (/^(?:was|were|had|did|used|would|could|might|will)$/u.test(verb) && !place.explicit) return undefined
  const isFavourite = subject.some((low) => /^(?:favou?rite|preferred|go-to|ideal|pet)$/u.test(low))
  if (isFavourite && next.endsWith('ing') && /^(?:the|a|an|my|up|out|in|for)$/u.test(rest[2] ?? '')) return undefined
  if (isFavourite && /^colou?rs?$/u.test(noun) && !rest.some((low) => colours.has(low))) return undefined
  if (isFavourite && /^(?:is|are)$/u.test(verb)) return { category: 'preference', topic: 'like' }
  if (passing.has(noun) && !isOften(lows)) return undefined
  if (isPassing(lows) && !place.explicit) return undefined
  const binds = findRule(frame)
  if (binds && (place.isGroup || lows[0] === 'our' || !/^(?:is|are)$/u.test(verb))) return binds
  if (verb === 'is' || verb === 'are')
    return isLasting(rest.slice(1), clause, place) ? { category: 'fact', topic: noun } : undefined
  if (verb === 'has' || verb === 'have') {
    if (next === 'to') return undefined
    return passing.has(rest.at(-1) ?? '') ? undefined : { category: 'fact', topic: noun }
  }
  const base = verb.replace(/s$/u, '')
  if (liking.has(base)) return { category: 'preference', topic: 'like' }
  if (/^(?:eat|drink)$/u.test(base)) return { category: 'preference', topic: 'like' }
  if (/^(?:do|does)$/u.test(verb) && isNegated) {
    if (liking.has(next) || /^(?:eat|drink|want)$/u.test(next)) return { category: 'preference', topic: 'like' }
    return flags.size > 0 || /^(?:have|work|live|open|close|start|speak|own|accept|take)$/u.test(next)
      ? { category: 'fact', topic: noun }
      : undefined
  }
  if (/^(?:can|needs?|gets?|might|may|want|wants)$/u.test(verb)) return undefined
  return verb === '' ? undefined : { category: 'fact', topic: noun }
}

const articles = toSet(
  'spelled spelt pronounced written a an the one two three four five six seven eight nine ten my our your in at on from called named for by of near next due under above behind with only every between until from',
)

const colours = toSet(
  'red green blue yellow orange purple violet pink black white grey gray brown turquoise teal navy beige gold silver olive burgundy maroon lilac lavender mint indigo cyan magenta crimson ochre cream',
)

/** Whether what something is lasts: a name, a date, a number, a thing, a place. A bare adjective does not. */
function isLasting(rest: readonly string[], clause: Clause, place: Place): boolean {
  const [one = '', two = ''] = rest
  if (place.explicit) return true
  if (/^(?:afraid|scared|terrified|sensitive|good|bad|used)$/u.test(one)) return /^(?:of|to|at)$/u.test(two)
  if (one.endsWith('ing'))
    return /^(?:moving|starting|getting|studying|learning|expecting|retiring|joining|turning)$/u.test(one)
  if (traits.has(one) || diets.has(one) || isOften(rest)) return true
  if (/\d/u.test(one) || articles.has(one))
    return !/^(?:mess|nightmare|joke|pain|disaster|bit|total|complete|way|verge|same|best|worst|fire|strike|loose|moment)$/u.test(
      two,
    )
  if (months.has(one)) return true
  const word = clause.words.find(({ low }) => low === one)
  return word !== undefined && /^\p{Lu}/u.test(word.as)
}

function judgeGroup(frame: Frame, clause: Clause, place: Place): Verdict | undefined {
  const { rest, isNegated, flags } = frame
  const lows = clause.words.map(({ low }) => low)
  const [verb = '', next = '', third = ''] = rest
  if (isPassing(lows)) return undefined
  if (verb === 'have' && next === 'to') return hasDay(lows) ? { category: 'todo', topic: 'todo' } : undefined
  if (/^(?:need|must|should|will)$/u.test(verb)) {
    if (isNegated || flags.has('never') || flags.has('always') || flags.has('only'))
      return { category: 'constraint', topic: 'rule' }
    return hasDay(lows) && next !== 'be' ? { category: 'todo', topic: 'todo' } : undefined
  }
  if (/^(?:can|may)$/u.test(verb))
    return isNegated || flags.has('only') ? { category: 'constraint', topic: 'rule' } : undefined
  if (/^(?:moved|changed|switched)$/u.test(verb)) return { category: 'fact', topic: verb }
  if (verb === 'got' && /^(?:married|a|an|two|our)$/u.test(next)) return { category: 'fact', topic: 'got' }
  if (/^(?:bought|adopted)$/u.test(verb)) return { category: 'fact', topic: 'have' }
  if (liking.has(verb) && !/^(?:it|this|that|these|those|your|to)$/u.test(next))
    return { category: 'preference', topic: 'like' }
  if (verb === 'do' && isNegated && next !== '') {
    if (liking.has(next) || /^(?:eat|drink)$/u.test(next)) return { category: 'preference', topic: 'like' }
    if (/^(?:know|think|want|need|see|get|understand|care|mind|remember)$/u.test(next)) return undefined
    return { category: place.isGroup && next !== 'have' ? 'constraint' : 'fact', topic: 'rule' }
  }
  if (place.isGroup && (flags.has('never') || (flags.has('always') && verb !== 'are') || flags.has('only')))
    return { category: 'constraint', topic: 'rule' }
  if (verb === 'are') {
    if (/^(?:moving|expecting|getting|opening|closing|hiring|living|renting)$/u.test(next))
      return hasDay(lows) || next === 'living' ? { category: 'fact', topic: next } : undefined
    return /^(?:a|an|the|two|three|four|five|six|seven|eight|nine|ten|based|off|closed|open|from|married|vegetarian|vegan)$/u.test(
      next,
    ) && third !== 'bit'
      ? { category: 'fact', topic: 'are' }
      : undefined
  }
  if (verb === 'have' && (settled.has(next) || next.endsWith('ed')) && third === '') return undefined
  if (verb === 'have')
    return passing.has(rest.at(-1) ?? '') && !hasDay(lows) && !isOften(lows)
      ? undefined
      : { category: 'fact', topic: 'have' }
  if (
    /^(?:use|live|work|own|run|meet|rent|deploy|release|ship|host|share|keep|sell|make|build|publish|pay|train|rehearse|practise|close|open|start|speak|grow|sit|play|sing)$/u.test(
      verb,
    )
  )
    return { category: 'fact', topic: verb }
  return undefined
}
