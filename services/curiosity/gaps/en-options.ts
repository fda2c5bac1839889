// Options among which an English answer hesitates, or which it proposed: "a lever machine or a capsule machine".
import type { Doubt } from './dialogue.ts'
import { depends, hesitates } from './en-frames.ts'
import { askEmbedded, upperFirst } from './en-invert.ts'
import { tidy, toComplement } from './en-text.ts'

/** What is so in general, and not here. */
const general = /^depending on [^,]{2,40}? (?:it|they|this|you) (?:may|might|can|could)\b/iu

export type Choice = { readonly at: number; readonly doubt: Doubt }

const mostOptionWords = 9
/** "Two fit a small kitchen: …", "Three ideas: …", "There are two columns: …". */
const listing = /\b(?:two|three|four|both|several|a few|some)\b[^:.]{0,60}(?::|, namely| — | – ) ?(.{5,260})$/iu
const offering =
  /^(?:(?:here|there|these) (?:are|is) |I (?:have|see|found|made|wrote|drew|drafted|came up with|can think of|thought of) )?(?:my )?(?:two|three|four|five|several|a few|some)(?: \w{2,15})? (?:ideas?|options?|suggestions?|proposals?|possibilities|versions?|drafts?|variants?|candidates?|titles?|names?|themes?|ways?|routes?|dates?|places?|directions?|angles?|approaches|recipes?|songs?|pieces?|venues?|spots?|layouts?|patterns?|greetings?|wordings?|openings?|gifts?|presents?|games?|films?|books?|plans?|designs?|mottos?|slogans?|logos?|alternatives?|choices?|activities|topics?|colours?|colors?)\b[^:.]{0,50}(?::| — | – ) ?(.{5,260})$/iu
/** "Ideas for the stand by the entrance: a slime bar, bottle rockets, pinhole cameras." */
const bareOffering =
  /^(?:(?:my|some|possible|here are) )?(?:ideas|options|suggestions|titles|names|candidates|choices|alternatives|themes|mottos|slogans) (?:for|on) [^:.]{3,50}: (.{5,200})$/iu
/** "Mill Lane and the school were both free, and I went for Mill Lane." */
const picked =
  /^(?:both )?([^,;:.]{2,50}?) and ([^,;:.]{2,50}?) (?:is|are|was|were|would|could|can|had|have|came?|fits?|works?)\b[^.]{0,80}?\bI (?:\w{1,12} )?(?:went (?:for|with)|took|picked|chose|booked|settled (?:on|for)|used|put|kept|reserved)\b/iu
/** "The Fauré is in the list twice, once with organ and once with strings; the leaflet says organ." */
const once =
  /^([^,;:]{5,70})[,;:] (?:once|one) (?:as |with |at |for |in |by |on |from )?([^,;.]{2,40}?) and (?:once|one|the other)(?: time)? (?:as |with |at |for |in |by |on |from )?([^,;.]{2,40}?)(?=[;,.]|$)/iu
const twice = /\b(?:twice|two (?:kinds|versions|sorts|sizes|forms|types|spellings|dates|figures|entries))\b/iu
/** "The tool can be scissors or a knife; the plan has the knife." */
const canBe =
  /\b(?:can|could|may|might) (?:be|use|take|go with|run on|come as) (?:either )?([^,;.]{2,40}?) or ([^,;.]{2,40}?)[;,] (?:so )?(?:and )?(?:I|the \w{2,15}|this \w{2,15}|it) (?:\w{1,12} )?(?:took|used|uses|takes|has|goes|went|put|chose|is|says|picked)\b/iu
/** "You could do A, B or C", and a row of titles. */
const could =
  /^(?:you|we) (?:could|can|might) (?:either )?((?:[^,.;:]{2,40}, ){0,3}[^,.;:]{2,40},? or [^,.;:]{2,50})\.?$/iu
const titles =
  /^(?:(?:how about|what about|perhaps|maybe|my three:|here they are:|for (?:the|your) [\w' ]{2,30}?,? (?:there (?:is|are)|I have|you have|try|perhaps|maybe|how about)) )?((?:["“][^"”]{1,40}["”](?: \([^)]{1,30}\))?,? ){1,4}(?:and|or) ["“][^"”]{1,40}["”](?: \([^)]{1,30}\))?)\.?$/iu
const between = /\bbetween ([^,.;]{2,60}?) and ([^,.;:]{2,60})/iu
const either = /\beither ([^.;]{2,80}?),? or ([^.;:]{2,80})/iu
const meaning =
  /(["“'][^"”']{1,40}["”']|\b[Tt]he \w{2,20}|\bit) (?:can|could|may|might) (?:either )?(?:mean|be read as|stand for|refer to) (?:either )?([^,.;]{1,50}?) or ([^,.;]{1,50})/u
/** "two dates, 1874 and 1876, and printed the earlier one". */
const twoOf = /\b(?:two|both) ([\w ]{2,40}?)(?:,|:) ([^,;:]{1,40}) and ([^,;:.]{1,40})(?=[,;.]| and )/iu
const differs = /\b(?:differs?|disagree|contradict)\b[^,;:]{0,20}(?:,|:) ([^,;:]{1,30}) and ([^,;:.]{1,30})(?:;|,)/iu
const oneOf =
  /\b(?:the (?:earlier|later|first|second|former|latter|newer|older|shorter|longer|lower|higher|smaller|larger)|one of them|I (?:took|used|kept|chose|printed|went)|for now)\b/iu
const differing = /,? ((?:counted |measured |given |taken |named )?[^,:;.]{2,50}?) and (\w+(?: \w+){0,6})(?=[;,.]|$)/iu

/** "The quote had to go or the history had to; I dropped the quote." */
const dropped =
  /^([^;:,.]{4,60}?)(?: (?:had to|has to|could|can|may|might|must) \w{2,10})? or ([^;:,.]{4,60}?)(?: (?:had to|has to|could|can|may|might|must)(?: \w{2,10})?)?[;,] (?:so )?I (?:dropped|kept|took|used|chose|went|left|cut|put|picked|removed)\b/iu

/** A choice for each sentence that hesitates; it stands at its place, or at that of the sentence that lists the options. */
export function findChoices(sentences: readonly string[]): readonly Choice[] {
  const found: Choice[] = []
  for (const [at, said] of sentences.entries()) {
    if (/\?["”’)]?$/u.test(said) || general.test(said)) continue
    const plain = said.replaceAll(/(?<![\p{L}\p{N}])['‘]([\p{Lu}\p{N}][^'‘’"\n]{1,40})['’](?![\p{L}\p{N}])/gu, '"$1"')
    const rows = (titles.exec(plain)?.[1] ?? '').matchAll(/["“]([^"”]{1,40})["”]/gu)
    const named = [...rows].map(([, title = '']) => title)
    const offered =
      named.length > 1 ? named : toOptions((offering.exec(said) ?? bareOffering.exec(said) ?? could.exec(said))?.[1])
    if (offered.length > 1 && !hesitates.test(sentences[at + 1] ?? '') && !depends.test(sentences[at + 1] ?? '')) {
      found.push({ at, doubt: toDoubt(offered, said, undefined, true) })
      continue
    }
    const [, subject, one, two] = twice.test(said) ? (once.exec(said) ?? []) : []
    if (subject !== undefined && one !== undefined && two !== undefined) {
      const options = [one, two].map(toOption)
      const ask = `${upperFirst(tidy(subject))}: which is right, ${options.join(' or ')}?`
      found.push({ at, doubt: { ...toDoubt(options, said, undefined, false), ask } })
      continue
    }
    const [, left, right] = differs.exec(said) ?? picked.exec(said) ?? canBe.exec(said) ?? []
    if (left !== undefined && right !== undefined) {
      found.push({ at, doubt: toDoubt([left, right].map(toOption), said, undefined, false) })
      continue
    }
    const pair = oneOf.test(said) ? twoOf.exec(said) : null
    if (pair) {
      const options = [pair[2] ?? '', pair[3] ?? ''].map(toOption)
      const ask = `Which of the two ${pair[1] ?? ''} is right: ${options.join(' or ')}?`
      found.push({ at, doubt: { ...toDoubt(options, said, undefined, false), ask } })
      continue
    }
    const isTorn = hesitates.test(said)
    const on = toDependency(said)
    const word = hesitates.test(said) ? meaning.exec(said) : null
    const [, first, second] = dropped.exec(said) ?? []
    if (!word && first !== undefined && second !== undefined && !/^I\b|\bwhether\b/u.test(first)) {
      found.push({ at, doubt: toDoubt([first, second].map(toOption), said, undefined, false) })
      continue
    }
    if (!isTorn && on === undefined) continue
    if (word) {
      found.push({ at, doubt: ofMeaning(word, said) })
      continue
    }
    const options = optionsOf(said, sentences[at - 1] ?? '')
    if (options.length > 1) found.push({ at, doubt: toDoubt(options, said, on, false) })
    else if (on !== undefined) found.push({ at, doubt: ofDependency(on, said) })
  }
  return found
}

function optionsOf(said: string, before: string): readonly string[] {
  const two = between.exec(said) ?? either.exec(said) ?? either.exec(before)
  if (two) return [two[1] ?? '', two[2] ?? ''].map(toOption).filter((option) => option !== '')
  const pair = /^([^,.;:]{2,40}) or ([^,.;:]{2,40}?) (?:would|will|could|can|are|work|fit|do)\b/iu.exec(said)
  if (pair && /\bboth\b|\beither\b/iu.test(said)) return [pair[1] ?? '', pair[2] ?? ''].map(toOption)
  const listed = toOptions(listing.exec(said)?.[1])
  if (listed.length > 1) return listed
  const earlier = toOptions((listing.exec(before) ?? titles.exec(before))?.[1])
  if (earlier.length > 1) return earlier
  if (!/\b(?:differ|disagree|contradict|do not agree|mixed both)\b/iu.test(said)) return []
  const columns = differing.exec(/\btwo\b/iu.test(said) ? said : before)
  return columns ? [columns[1] ?? '', columns[2] ?? ''].map(toOption).filter((option) => option !== '') : []
}

/** What it depends on, as an embedded question or a noun. */
function toDependency(said: string): string | undefined {
  const found = depends.exec(said)
  if (!found) return undefined
  const phrase = toComplement(said.slice(found.index + found[0].length)).replace(
    /^[^,]{3,40} (?=(?:how|whether|what|which) )/iu,
    '',
  )
  const isVague =
    phrase.split(' ').length < 2 ||
    /^(?:the weather|you|it|that|this|them|the (?:version|case|context|situation))$/iu.test(phrase)
  return isVague ? undefined : phrase
}

function toOptions(list: string | undefined): readonly string[] {
  if (list === undefined) return []
  const bare = list.replaceAll(/ ?\([^)]{0,80}\)/gu, '').replace(/[.!]$/u, '')
  const parts = bare.split(/,? (?:and|or) (?=["“]|a |an |the |one |\w)|, |; /iu).map(toOption)
  const isList =
    parts.length > 1 &&
    parts.length < 6 &&
    parts.every((part) => part !== '' && part.split(' ').length <= mostOptionWords)
  return isList ? parts : []
}

const toOption = (part: string): string =>
  tidy(
    part
      .replace(/ ?\([^)]{0,80}\)/gu, '')
      .replace(/, (?:which|that|who) .{0,80}$/iu, '')
      .split(/, | - /u, 1)[0] ?? '',
  ).replace(/^(?:and |or |either |first |one |the )/iu, '')

function toDoubt(options: readonly string[], said: string, on: string | undefined, isOffer: boolean): Doubt {
  const list = `${options.slice(0, -1).join(', ')} or ${options.at(-1) ?? ''}`
  const given = on === undefined ? '' : `Depending on ${on}, which do you choose`
  return {
    ask: given === '' ? `Which do you choose: ${list}?` : `${given}: ${list}?`,
    kind: 'choice',
    options,
    about: `${options.join(' ')} ${on ?? ''}`,
    premise: isOffer ? '' : said,
    assumed: '',
    said,
  }
}

function ofMeaning([, word = '', one = '', other = '']: RegExpExecArray, said: string): Doubt {
  return {
    ask: `Does ${word} mean ${tidy(one)} or ${tidy(other).replace(/^to /u, '')}?`,
    kind: 'choice',
    options: [tidy(one), tidy(other)],
    about: `${word} ${one} ${other}`,
    premise: said,
    assumed: '',
    said,
  }
}

function ofDependency(on: string, said: string): Doubt {
  const isQuestion = /^(?:whether|how|what|which|who|where|when)\b/iu.test(on)
  const asked = isQuestion ? askEmbedded(on) : { ask: `What is ${on}?`, kind: 'words' as const }
  return { ask: asked.ask, kind: asked.kind, about: on, premise: said, assumed: '', said }
}
