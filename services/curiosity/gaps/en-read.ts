// One frame of a piece of an English sentence: what is unknown, was taken, is missing or was chosen, as questions.
import {
  assumedAfter,
  assumedBefore,
  chose,
  missing,
  unknownAfter,
  unknownAfterToo,
  unknownBefore,
  unknownBeforeToo,
  weakReason,
} from './en-frames.ts'
import { askEmbedded, askWhether, lowerFirst, upperFirst } from './en-invert.ts'
import { tidy, toComplement } from './en-text.ts'
import { askAssumed, askMissing, askValue, type Asked } from './en-values.ts'

/** What a frame found: the question, and the words that an answer would speak of. */
export type Found = {
  readonly asked: Asked
  readonly about: string
  readonly assumed?: string
  /** The question names its subject already. */
  readonly isWhole?: boolean
}

/** "I am not certain it would be welcome": without "that". */
const bareStatement =
  /^(?:it|he|she|they|you|this|(?:the|your) [\w' -]{2,30}?) (?:is|are|was|were|would|will|can|could|has|have|fits|works|holds|stands|belongs|suits|knows?)\b/iu

const embedded =
  /^(?:whether|if|how|what|which|who|whose|where|when|(?:at|on|in|for|by|from|to|with|of|until) (?:what|which|whom|whose))\b/iu

/** "How hard they are for your crowd I honestly cannot judge", "if that suits the room is beyond me". */
const leading =
  /^((?:[Hh]ow|[Ww]hether|[Ww]hat|[Ww]hich|[Ww]ho|[Ww]hose|[Ww]here|[Ww]hen|[Ii]f) [^,;:]{8,120}?),? (?:(?:is (?:something|a thing) (?:that )?)?I (?:\w{4,12}ly )?(?:do not|cannot|can not|could not) (?:know|judge|tell|say|see|decide|hear|taste)|[A-Z]\w{1,20} (?:alone )?(?:would have to|has to|must|can|could|will) (?:tell|say|know)|is beyond me|escapes me)\b/u

export function readUnknown(piece: string, before: string): readonly Found[] | undefined {
  const [, lead] = leading.exec(piece) ?? []
  if (lead !== undefined) return ofEmbedded(tidy(lead))
  for (const frame of [...unknownAfter, ...unknownAfterToo]) {
    const found = frame.exec(piece)
    if (!found) continue
    const after = piece
      .slice(found.index + found[0].length)
      .trim()
      .replace(
        /^(?:(?:from|in|by|to|at) (?:me|us|here|(?:the|this|that|your|our) \w{2,15}(?: \w{2,15})?)) (?=(?:whether|if|how|what|which|who|whose|where|when)\b)/iu,
        '',
      )
    const phrase = toComplement(after)
    if (
      /^whether (?:that|this|it) is (?:allowed|true|so|right|correct|the case|possible|wanted|permitted|ok|okay|fine)$/iu.test(
        phrase,
      )
    )
      return putIn(piece.slice(0, found.index), before)
    if (embedded.test(phrase)) return ofEmbedded(phrase)
    if (/^that (?:so|\w{3,12}ed|yet)$/iu.test(phrase)) continue
    if (/^that /iu.test(phrase)) {
      const statement = phrase.slice(5)
      return [{ asked: { ask: askWhether(statement), kind: 'yes-no' }, about: statement }]
    }
    if (bareStatement.test(phrase)) return [{ asked: { ask: askWhether(phrase), kind: 'yes-no' }, about: phrase }]
    if (/^so\b/iu.test(phrase)) return putIn(piece.slice(0, found.index), before)
    if (
      /^(?:[a-z]|\d)/iu.test(phrase) &&
      !/^(?:me|so|that|it|this|them|anything|either|whereas|and|is|are|was|otherwise)\b/iu.test(phrase)
    ) {
      const asked = askMissing(phrase)
      if (asked) return [{ asked, about: phrase }]
    }
  }
  for (const frame of [...unknownBefore, ...unknownBeforeToo]) {
    const found = frame.exec(piece)
    if (!found || found.index < 3) continue
    const phrase = toEmbedded(piece.slice(0, found.index))
    if (phrase !== undefined) return ofEmbedded(phrase)
    const noun = toSubject(piece.slice(0, found.index))
    const isPlain = noun !== undefined && !/^(?:only )?(?:you|I|we)\b|difference|decides|settles/iu.test(found[0])
    const asked = isPlain ? askMissing(noun) : undefined
    if (asked && noun !== undefined) return [{ asked, about: noun }]
  }
  return undefined
}

export function ofEmbedded(phrase: string): readonly Found[] | undefined {
  // Reasons are seldom theirs to tell, and "what to do" is the bot's own question.
  if (/^why\b|^(?:what|how|whether|which|where|when) to\b/iu.test(phrase) && !phrase.includes(' or ')) return undefined
  const [, head, deed] = /^((?:which|what|how many|how much|whose) \S.{0,40}?) to (\w.{1,60})$/iu.exec(phrase) ?? []
  if (head !== undefined && deed !== undefined)
    return [{ asked: { ask: `${upperFirst(head)} shall the bot ${deed}?`, kind: 'words' }, about: phrase }]
  if (phrase.split(' ').length < 3) return undefined
  return [{ asked: askEmbedded(phrase), about: phrase }]
}

/** The last embedded question of what stands before a frame. */
function toEmbedded(before: string): string | undefined {
  const said = before.replace(/[,\s]{1,9}$/u, '').replace(/^(?:and|but|also|so|here) /iu, '')
  const found = /(?:^|[,:;] |\band |\bbut )((?:whether|how|what|which|who|whose|where|when)\b[^;:]{3,160})$/iu.exec(
    said,
  )
  const phrase = found?.[1]
  return phrase === undefined ? undefined : tidy(phrase).replace(/,? (?:I|we|you|it|that)$/u, '')
}

/** "the frame size" before "is missing". */
function toSubject(before: string): string | undefined {
  const said = tidy(before.split(/[,:;]/u).at(-1) ?? '').replace(/^(?:and|but|also|so|only|here) /iu, '')
  const isNoun =
    said.split(' ').length <= 7 &&
    !/\b(?:is|are|was|were|has|have|can|I|we|it|this|that|one|others?|rest|everything|all)\b/iu.test(said)
  return isNoun && /^(?:the|your|a|an|\w+['’]s|[A-Z]\w*|[a-z]+)\b/u.test(said) ? said : undefined
}

/** "I put in that children are welcome, though nobody said so." */
function putIn(before: string, previous: string): readonly Found[] | undefined {
  const said = /[a-z]/iu.test(before.replace(/^.{0,3}though/iu, '')) ? before : previous
  const [, phrase] = /\bthat ([^,;]{5,120})/iu.exec(said) ?? []
  if (phrase === undefined) return undefined
  const statement = tidy(phrase)
  return [{ asked: { ask: askWhether(statement), kind: 'yes-no' }, about: statement, assumed: statement }]
}

export function readAssumed(piece: string, before: string): readonly Found[] | undefined {
  for (const frame of assumedAfter) {
    const found = frame.exec(piece)
    if (!found) continue
    const after = piece.slice(found.index + found[0].length).trim()
    // "I had to guess the number of people: 12."
    const [, noun, value] = /^((?:the|your|a|an) [^:;,.]{3,50}): ([^,;.:]{1,40})[.,;]?$/iu.exec(after) ?? []
    if (noun !== undefined && value !== undefined) {
      const what: Asked = { ask: `What is ${lowerFirst(noun)}, if it is not ${value}?`, kind: 'words' }
      return [{ asked: what, about: `${noun} ${value}`, assumed: value }]
    }
    const isClause = /^(?:that|as if|as though|:? that) /iu.test(after) || /as (?:if|though)$/iu.test(found[0])
    const said = toComplement(after.replace(/^:? ?that /iu, ''))
    const phrase = /as (?:if|though)$/iu.test(found[0]) ? said.replace(/\bwere\b/u, 'is') : said
    if (embedded.test(phrase)) return ofEmbedded(phrase)
    const parts = !isClause && / and (?:that|the|a|an|\d)/iu.test(phrase) ? phrase.split(/ and /iu) : [phrase]
    const asked = parts.flatMap((part) => {
      const own = part.replace(/^that /iu, '')
      const one = askAssumed(own, isClause || own !== part)
      return one ? [{ asked: one, about: own, assumed: own }] : []
    })
    if (asked.length > 0) return asked
  }
  for (const frame of assumedBefore) {
    const found = frame.exec(piece)
    if (!found || found.index < 2) continue
    const noun = toSubject(piece.slice(0, found.index))
    const asked = noun === undefined ? undefined : askMissing(noun)
    if (asked && noun !== undefined) return [{ asked, about: noun, assumed: noun }]
    const statement = tidy(piece.slice(0, found.index)).replace(
      /,? (?:but|and|though|which|yet)(?: \w{2,12}ly)?(?: that| this| it)?$/iu,
      '',
    )
    const [, object] =
      /^I (?:have |had |just )?\w{2,14}(?: (?:with|by|for|on|in|at|down|as))? (.{2,60})$/u.exec(statement) ?? []
    if (object !== undefined) {
      const own = askValue(tidy(object))
      return own ? [{ asked: own, about: object, assumed: object }] : undefined
    }
    const whole = /^(?:it|they|this|that)\b/iu.test(statement) ? withSubject(statement, before) : statement
    if (whole === undefined || whole.split(' ').length < 3 || /\b(?:which|I)$/u.test(whole)) continue
    return [{ asked: { ask: askWhether(whole), kind: 'yes-no' }, about: whole, assumed: whole }]
  }
  return undefined
}

/** "It closes after three days" with the subject of the sentence before: "The poll is up". */
function withSubject(statement: string, before: string): string | undefined {
  const [, subject] =
    /^((?:the|your|this) (?:\w+ ){0,2}?\w+) (?:is|are|was|were|has|have|will|can|goes|runs|now)\b/iu.exec(before) ?? []
  return subject === undefined ? undefined : statement.replace(/^\w+/u, subject.toLowerCase())
}

export function readMissing(piece: string): readonly Found[] | undefined {
  for (const frame of missing) {
    const found = frame.exec(piece)
    if (!found) continue
    const after = piece.slice(found.index + found[0].length).trim()
    const phrase = toComplement(
      after.replace(/^(?:at all|whatsoever|given|stated|anything (?:on|about|for)|anything) /iu, ''),
    )
    if (embedded.test(phrase)) return ofEmbedded(phrase)
    // "There are no tickets in the plan because the trains run on your pass": it is known why.
    if (/ (?:because|since) (?!nobody|no one|nothing|I\b)/u.test(after) && /^there/iu.test(found[0])) continue
    if (
      /^(?:to|that|in|it|them|one|such|more|other|on|at|than|further|objections?|errors?|mistakes?|problems?|changes?|conflicts?|need)\b/iu.test(
        phrase,
      )
    )
      continue
    const [, subject] =
      /^((?:the|your|our|its|two|three|four|some|several) \w{2,15}(?: \w{2,12})?) (?:has|have|lacks?)\b/iu.exec(
        found[0],
      ) ?? []
    const asked = subject === undefined ? askMissing(phrase) : askHas(lowerFirst(subject), phrase)
    if (asked) return [{ asked, about: `${phrase} ${subject ?? ''}` }]
  }
  return undefined
}

/** "the axis has no unit": what is it? "the hut has no beds": is it so? */
function askHas(subject: string, phrase: string): Asked | undefined {
  if (phrase.split(' ').length > 5) return askMissing(phrase)
  return /[^s]s$/u.test(phrase) && !/^(?:focus|bus|status|class)$/iu.test(phrase)
    ? { ask: `Does ${subject} have ${phrase}?`, kind: 'yes-no' }
    : askMissing(`${phrase} of ${subject}`)
}

/** Any deed of the bot's: it tells of a doubt only where it has a figure or a quoted word, and a reason. */
const did = /\bI (?:\w{3,12}ed|made|drew|kept|gave|got)\b/u

/** "I took Sunday because most people have time then." */
export function readChosen(piece: string, said: string): readonly Found[] | undefined {
  const found = chose.exec(piece) ?? did.exec(piece)
  if (!found || !weakReason.test(said)) return undefined
  if (
    did.test(found[0]) &&
    !chose.test(found[0]) &&
    !/\d|\b(?:two|three|four|five|six|seven|eight|ten|twelve|twenty)\b|["“]/u.test(piece)
  )
    return undefined
  const phrase = toComplement(piece.slice(found.index + found[0].length))
  if (/^(?:because|since|as|for|by)\b/iu.test(phrase)) return undefined
  const asked = askValue(phrase)
  return asked ? [{ asked, about: phrase, assumed: phrase }] : undefined
}
