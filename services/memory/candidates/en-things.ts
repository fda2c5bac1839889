// What an English clause says of all, of "it" and of things: rules, facts of the group, corrections.
import type { Clause } from './en-clauses.ts'
import type { Frame } from './en-frame.ts'
import { hasDay, isOften, isPassing } from './en-signs.ts'
import { outsiders, toSet } from './en-words.ts'
import type { Place, Verdict } from './message.ts'

/** What must be, may not be, or is only so. */
export function findRule({ who, subject, rest, isNegated, flags }: Frame): Verdict | undefined {
  const verdict: Verdict = { category: 'constraint', topic: 'rule' }
  const [verb = '', next = ''] = rest
  if (who === 'thing' && (subject.length === 0 || subject.includes('i'))) return undefined
  if (verb === 'must' || verb === 'shall') return verdict
  if (
    /^(?:may|can|should)$/u.test(verb) &&
    (isNegated || flags.has('never') || flags.has('only') || (next === 'be' && who === 'all'))
  )
    return verdict
  if (verb === 'should' && flags.has('always')) return verdict
  if (/^(?:has|have|needs?)$/u.test(verb) && next === 'to' && who !== 'self' && who !== 'group') return verdict
  if (
    flags.has('only') &&
    /^(?:takes?|accepts?|allows?|works?|fits?|runs?|supports?|reads?|holds?|has|have)$/u.test(verb)
  )
    return verdict
  if (flags.has('never') || flags.has('always')) return who === 'own' || who === 'self' ? undefined : verdict
  const said = rest.join(' ')
  return /(?<![a-z])(?:at most|no (?:more|longer|wider|later|higher|bigger|larger|heavier|earlier) than|maximum|max|up to|limited to|not allowed|forbidden|off limits|mandatory|compulsory|required|capped at|banned)(?![a-z])/u.test(
    said,
  )
    ? verdict
    : undefined
}

/** Nobody, everyone, each review, no deploys. */
export function judgeAll(frame: Frame, lows: readonly string[]): Verdict | undefined {
  const verdict: Verdict = { category: 'constraint', topic: 'rule' }
  const [verb = '', next = ''] = frame.rest
  if (
    lows[0] === 'no' &&
    /^(?:worries|problem|problems|idea|time|need|thanks|way|one|rush|wonder|doubt|luck|news|chance|clue|hurry|pressure|offence|offense|kidding|more)$/u.test(
      lows[1] ?? '',
    )
  )
    return undefined
  if (isPassing(lows)) return undefined
  if (lows[0] === 'nothing' && lows[1] === 'beats') return { category: 'preference', topic: 'like' }
  if (verb === '')
    return lows[0] === 'no' &&
      /(?<![a-z])(?:on|after|before|in|without|at|over|under|during|until|past|above|allowed|from)(?![a-z])/u.test(
        lows.join(' '),
      )
      ? verdict
      : undefined
  if (findRule(frame) || (verb === 'is' && next === 'allowed')) return verdict
  if (/^(?:needs?|gets?|goes?|must|requires?|ships?|happens?|takes?|counts?|lies|stays?)$/u.test(verb)) return verdict
  if (isNobody(lows[0]) && /[a-z]{2}s$/u.test(verb) && !minds.test(verb)) return verdict
  return (verb === 'is' || verb === 'are') &&
    /(?:ed|en|to)$/u.test(next) &&
    /^(?:nothing|every|all|no|each)$/u.test(lows[0] ?? '')
    ? verdict
    : undefined
}

const isNobody = (word = ''): boolean => /^(?:nobody|no-one)$/u.test(word)
const minds =
  /^(?:is|was|has|does|likes?|loves|hates|knows|wants|cares|thinks|remembers|understands|believes|minds|seems|says|listens)$/u

/** "It's Katja, with a j": a name is put right. */
export function judgeIt(frame: Frame, clause: Clause): Verdict | undefined {
  const [verb = '', next = ''] = frame.rest
  if (findRule(frame) && !frame.flags.has('always') && !frame.flags.has('never'))
    return { category: 'constraint', topic: 'rule' }
  const name = clause.words.find(({ low }) => low === next)
  const isNew = clause.tails.some(([one]) => one?.low === 'not') && /\d/u.test(next)
  if (verb === 'is' && /^(?:my|our)$/u.test(next) && hasDay(clause.words.map(({ low }) => low)))
    return { category: 'fact', topic: 'date' }
  const isName = verb === 'is' && name !== undefined && (/^\p{Lu}\p{Ll}/u.test(name.as) || isNew)
  return isName && (clause.tails.length > 0 || clause.words.some(({ low }) => low === 'not'))
    ? { category: 'fact', topic: 'name' }
    : undefined
}

const groupNouns = toSet(
  'standup stand-up meeting meetings call retro sprint demo review reviews team office channel rota rehearsal training practice choir club party trip offsite deadline release releases server repo wiki calendar budget room lab shop kitchen studio group project class course session sync lunch dinner board printer key keys code branch database backup backups support desk workshop event venue hotel date password-less minutes invoice invoices report reports paper thesis poster talk contract exam flight wedding conference',
)

/** The printer, the poster, stand-ups: rules anywhere, facts of the group in a group. */
export function judgeThing(frame: Frame, clause: Clause, place: Place): Verdict | undefined {
  const lows = clause.words.map(({ low }) => low)
  const { subject, rest } = frame
  const [verb = ''] = rest
  if (isPassing(lows) || outsiders.has(subject.at(-1) ?? '')) return undefined
  const [head] = clause.words
  const isName =
    head !== undefined &&
    subject.length === 1 &&
    /^\p{Lu}/u.test(head.as) &&
    !groupNouns.has(head.low.replace(/s$/u, ''))
  const binds = findRule(frame)
  if (binds) return isName && !place.explicit ? undefined : binds
  if (place.explicit) return verb === '' ? undefined : { category: 'fact', topic: 'thing' }
  if (lows[0] === 'not') return corrected(clause)
  const complement = clause.words[lows.indexOf('is') + 1]
  if (subject.at(-1) === 'name' && verb === 'is' && /^\p{Lu}/u.test(complement?.as ?? ''))
    return { category: 'fact', topic: 'thing' }
  const isOne = verb === 'is' || verb === 'are'
  if (isOne && rest[1] === 'my' && /^(?:thing|jam|cup|favou?rite|weakness|go-to|passion|comfort)$/u.test(rest[2] ?? ''))
    return { category: 'preference', topic: 'like' }
  if (isOne && subject.some((low) => isOften([low])) && /^(?:my|our)$/u.test(rest[1] ?? ''))
    return { category: 'fact', topic: 'schedule' }
  if (isOne && (rest[1] === 'due' || clause.tails.some(([one]) => one?.low === 'not')) && hasDay(lows))
    return { category: 'fact', topic: 'thing' }
  if (
    !place.isGroup &&
    lows.at(-1) === 'here' &&
    verb === '' &&
    lows.length > 1 &&
    lows.length < 7 &&
    !/^(?:same|new|not|nothing|all|nobody|anyone|hello|hi|hey|me|good|still|right|out|over|cold|hot|come)$/u.test(
      lows[0] ?? '',
    )
  )
    return { category: 'fact', topic: 'here' }
  const isOfGroup =
    place.isGroup &&
    ((isOften(lows) && !isName) || subject.some((low) => groupNouns.has(low) || groupNouns.has(low.replace(/s$/u, ''))))
  if (
    !isOfGroup ||
    !/^(?:is|are|starts?|ends?|takes?|happens?|closes?|opens?|runs?|moves?|moved|lives?|meets?|begins?|goes)$/u.test(
      verb,
    )
  )
    return undefined
  return isOften(lows) || hasDay(lows) || lows.some((low) => /\d/u.test(low))
    ? { category: 'fact', topic: 'thing' }
    : undefined
}

/** "not Lyon any more, Lille since last month": the new state is what stands behind the comma. */
function corrected({ words, tails }: Clause): Verdict | undefined {
  const [state] = tails
  const head = words.map(({ low }) => low)
  if (state !== undefined && state.length > 1 && head[0] === 'not' && state.some(({ low }) => head.includes(low)))
    return { category: 'fact', topic: 'corrected' }
  return state !== undefined && state.some(({ as }) => /^\p{Lu}/u.test(as))
    ? { category: 'fact', topic: 'corrected' }
    : undefined
}
