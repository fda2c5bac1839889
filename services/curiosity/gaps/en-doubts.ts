// What an English answer of the bot's did not know, by how it says so. Each sentence is cut into pieces, and each piece is read by one frame at most.
import type { Doubt } from './dialogue.ts'
import { readCondition, readStanding, readTag, readWhether } from './en-fallback.ts'
import { evaluative, judging, leftAlone } from './en-frames.ts'
import { askHands } from './en-hands.ts'
import { lowerFirst } from './en-invert.ts'
import { findChoices } from './en-options.ts'
import { readAssumed, readChosen, readMissing, readUnknown, type Found } from './en-read.ts'
import { readPassing } from './en-passing.ts'
import { resolve } from './en-pronoun.ts'
import { tidy, toComplement, toPieces, toSentences } from './en-text.ts'
import { wordsOf } from './words.ts'
import { askAssumed, type Asked } from './en-values.ts'

export function findEnglishDoubts(answer: string): readonly Doubt[] {
  const sentences = toSentences(answer)
  const hesitations = findChoices(sentences)
  const found = sentences.flatMap((said, at) => {
    if (leftAlone.test(said)) return []
    const choice = hesitations.find((one) => one.at === at)
    if (choice) return [choice.doubt]
    const hands = askHands(said, sentences[at - 1] ?? '')
    if (/[?]["”’)]?$/u.test(said)) return askedAloud(said, sentences[at + 1] ?? '')
    if (askedAloud(sentences[at - 1] ?? '', said).length > 0 && /\?["”’)]?$/u.test(sentences[at - 1] ?? '')) return []
    const taken = doubtsOf(said, sentences[at - 1] ?? '')
    const resolved = hands && { ...hands, ask: resolve(hands.ask, said, sentences[at - 1] ?? '') }
    return hands && resolved
      ? [resolved, ...taken.filter(({ kind }) => kind !== 'judgement' && !isCovered(hands, said))]
      : taken
  })
  return found
}

/** How the bot goes on after a question of its own that it answers itself, or leaves. */
const goesOn =
  /^(?:I (?:put|took|wrote|assumed|left|went|chose|kept|used|set|planned|treated|counted|guessed|do not know)|your (?:call|decision|choice)|you (?:know|decide|choose|tell)|until)\b/iu

/** "Members under 16: allowed or not? I put "allowed"." The bot asks, and goes on by itself. */
function askedAloud(said: string, next: string): readonly Doubt[] {
  const isLeft = goesOn.test(next) || /\bfor (?:now|the moment|the time being)\b/iu.test(next)
  if (!isLeft || wordsOf(said).size < 2 || /^(?:hey|hi|hello|guess)\b/iu.test(said)) return []
  const kind = / or /u.test(said) ? 'choice' : /^(?:how|what|which|who|where|when)\b/iu.test(said) ? 'words' : 'yes-no'
  return [
    { ask: said, kind, about: `${said} ${next}`, premise: said, assumed: next, said: `${said} ${next}`, isAsked: true },
  ]
}

/** A question for hands stands for the doubt of its own sentence. */
const isCovered = (hands: Doubt, said: string): boolean => hands.said === said && hands.premise === ''

/** "For rain I have …", "As for numbers, …". */
const leading =
  /^(?:for|about|as for|as to|regarding|concerning|on) (?!that reason|now\b|instance|example)([^,.;]{2,50}?)(?=,| I\b| there (?:is|are)\b| the note\b| nobody| nothing)/iu

function doubtsOf(said: string, before: string): readonly Doubt[] {
  const [, noun] = leading.exec(said) ?? []
  const lead = noun === undefined || /\b(?:is|are|was|were|has|have|had|I)\b/u.test(noun) ? undefined : noun
  const pieces = toPieces(said)
  const found = pieces.flatMap((piece, at) => {
    const one =
      readUnknown(piece, pieces[at - 1] ?? before) ??
      readAssumed(piece, pieces[at - 1] ?? before) ??
      readMissing(piece) ??
      readChosen(piece, said)
    return one ?? []
  })
  const listed =
    /\b(?:two|three|some|a few|several) (?:things|points|places|details|items)\b[^:]{0,60}: (.{5,300})$/iu.exec(said)
  const items =
    listed && /guess|assum|my own|decided|made up|not know|unsure|took/iu.test(said) ? toItems(listed[1] ?? '') : []
  const framed = items.length > 0 ? items : found
  const all =
    framed.length > 0
      ? framed
      : (readTag(said) ??
        readStanding(said) ??
        readWhether(said) ??
        readCondition(said) ??
        readPassing(said, before) ??
        [])
  const [, value] = taken.exec(said) ?? []
  return all
    .map((each) =>
      value === undefined || each.assumed !== undefined || each.asked.kind === 'yes-no'
        ? each
        : { ...each, assumed: tidy(value) },
    )
    .map((each) => toDoubt(each, said, lead))
    .map((doubt) => ({ ...doubt, ask: resolve(doubt.ask, said, before) }))
}

/** "I do not know how many come, so I assumed eight." */
const taken =
  /[,;] (?:so |and |but )?I (?:just |simply |therefore )?(?:assumed|took|put(?: in| down)?|wrote(?: down)?|planned(?: for)?|used|went (?:with|for|by)|counted(?: with)?|reckoned with|allowed|reserved) ([^,;.]{1,40})/iu

/** "that the server goes in the van, and that the lift can be used". */
function toItems(list: string): readonly Found[] {
  return list.split(/, and |, | and (?=that\b|the\b)/iu).flatMap((item) => {
    const phrase = toComplement(item.replace(/^(?:and )?that /iu, ''))
    const asked = askAssumed(phrase, /^(?:and )?that /iu.test(item))
    return asked ? [{ asked, about: phrase, assumed: phrase }] : []
  })
}

function toDoubt({ asked, about, assumed, isWhole }: Found, said: string, lead: string | undefined): Doubt {
  const isKnown = lead === undefined || asked.ask.toLowerCase().includes(lead.toLowerCase())
  const judged = evaluative.test(about) && judging.test(said) && asked.kind !== 'words'
  const [, follows] = /\b(?:if (?:not|so)|otherwise|in that case),? ([^.;]{8,120})/iu.exec(said) ?? []
  return {
    ask: isKnown ? asked.ask : withLead(asked.ask, lead, said),
    kind: judged ? 'judgement' : asked.kind,
    about: `${about} ${lead ?? ''}`,
    premise: said,
    assumed: assumed ?? '',
    said,
    ...(follows === undefined ? {} : { changes: follows }),
    ...(isWhole === undefined ? {} : { isWhole }),
    ...toOptions(asked),
  }
}

/** "For rain" belongs into the question, "About the threshold" before it. */
function withLead(ask: string, lead: string, said: string): string {
  if (!/^for /iu.test(said))
    return /^(?:numbers?|times?|dates?|size|length)$/iu.test(lead) ? ask : `About ${lead}: ${lowerFirst(ask)}`
  return ask.replace(/(?=, if it is not )|\?$/u, ` for ${lead}`).replace(/\?{0,1}$/u, '?')
}

/** Words before an option: "do you prefer museums or long walks". */
const beforeOption = new Set(
  'prefer like want use on in at by for be is are it they you read take to mean with from sleep go'.split(' '),
)
const mostOptionWords = 4

function toOptions({ ask, kind }: Asked): Pick<Doubt, 'options'> {
  const at = ask.lastIndexOf(' or ')
  if (kind !== 'choice' || at < 0) return {}
  const before = ask.slice(0, at).split(' ').slice(-mostOptionWords)
  const head = before.findLastIndex((word, place) => place < before.length - 1 && beforeOption.has(word.toLowerCase()))
  const other = ask.slice(at + 4).replace('?', '')
  // "is Bob your boss or your colleague", "by train or by car": both begin alike.
  const alike = before.lastIndexOf(other.split(' ', 1)[0] ?? '')
  if (alike >= 0) return { options: [before.slice(alike).join(' '), other] }
  return { options: [before.slice(head + 1).join(' '), other] }
}
