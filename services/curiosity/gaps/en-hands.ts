// What a bot without hands, eyes, ears and tongue cannot do, as a question for an action: "Could you take a photo of the boat shed and send it here?"
import type { Doubt } from './dialogue.ts'
import { lowerFirst } from './en-invert.ts'
import { tidy, toComplement } from './en-text.ts'

const physical =
  'take|photograph|make|call|phone|ring(?: up)?|telephone|dial|go|visit|walk|drive|travel|see|look(?: at| into| inside| up)?|watch|view|hear|listen(?: to)?|taste|smell|touch|feel|try(?: on| out)?|scan|print|measure|weigh|open|enter|log in(?:to)?|sign in(?:to)?|access|reach|get (?:into|to|at)|pick up|fetch|count|knock|copy|read|be there|stand'
const cannot = new RegExp(
  `(?<!\\b(?:you|they|he|she|it|that|nobody|who|people|members|guests) )\\b(?:cannot|can not|could not|am not able to|am unable to|have no way to|was not able to|am in no position to)(?: myself| of course| yet)? (${physical})\\b(.{0,80})`,
  'iu',
)
const trailing = new RegExp(
  `\\b(?:which|that|and that|what) (?:I|we) (?:cannot|can not|could not|am not able to) (${physical})\\b`,
  'iu',
)
const senses =
  /\b(?:I|we) have no (?:hands|eyes?|ears?|tongue|nose|camera|telephone|phone|scanner|access|key|login|account|legs|way in)\b(?: to (.{3,60}))?/iu
/** "It needs somebody who looks at the back", "only a test strip in the tank will tell". */
const needed =
  /\b(?:needs?|takes?|wants?) (?:somebody|someone|a person|one of you) (?:who|to) ((?:looks?|opens?|measures?|goes|tastes?|listens?|counts?|checks?|reads?|weighs?|calls?|lifts?)\b[^,;.]{3,70})/iu
const onlyTool = /\bonly (an? [\w' -]{3,40}?) (?:will|would|can|could) (?:tell|show|say)\b/iu
/** "Listening to the tape is beyond me." */
const beyond =
  /\b(\w{3,12})ing ((?:to|at|into|through|out|up|down)? ?(?:the|your|a|an|that|this|it)\b[^,;.]{0,60}?) (?:is|are|was) (?:beyond me|out of my reach|nothing I can do|not something I can do|more than I can do|impossible for me|a job for (?:hands|ears|eyes|a person|somebody))\b/iu
const bases: Readonly<Record<string, string>> = {
  listen: 'listen',
  tast: 'taste',
  measur: 'measure',
  look: 'look',
  call: 'call',
  phon: 'call',
  go: 'go',
  smell: 'smell',
  touch: 'touch',
  count: 'count',
  weigh: 'weigh',
  scann: 'scan',
  photograph: 'photograph',
  open: 'open',
  check: 'check',
  read: 'read',
  watch: 'watch',
  visit: 'visit',
  test: 'test',
}
const somebody =
  /\b(?:somebody|someone|a person|one of you|a human)(?: else)? (?:has to|needs to|must|should|would have to|would need to|will have to|ought to|with \w{1,12} (?:has to|should|must)) (\w{2,12}\b.{2,80})/iu
const passive =
  /\b((?:the|your|a|an|this|that) [\w' -]{2,40}?) (?:needs? to be|has to be|have to be|must be|would have to be|should be) (measured|tasted|seen|tried|looked at|counted|weighed|photographed|scanned|heard|smelled|checked on (?:the )?(?:site|spot)|read off|fetched|signed|tested)\b/iu
const picture =
  /\b(?:photo|picture|photograph|image|snapshot)s?\b(?: of ([^,;.]{3,60}?)(?= as| which| that| in | for |[,;.]|$| and | is | are ))?/iu
const phoning = /\b(?:call|phone|ring|telephone|dial)\b/iu
const knower =
  /\b((?:the|your|a) [\w' -]{2,30}?) (?:(?:alone )?(?:would|will|should|might|may|could|can|must) (?:know|tell|say|be able)|alone knows|knows?\b|only answers?|does not answer (?:mails?|e-?mails?))/iu

/** Undefined where the sentence needs nobody's hands. */
export function askHands(said: string, before: string): Doubt | undefined {
  const found = /\bI\b/u.test(said) ? cannot.exec(said) : null
  const verb = (found?.[1] ?? trailing.exec(said)?.[1])?.toLowerCase()
  const isSoft = verb !== undefined && /^(?:see|weigh|look|read|make|go|feel|get|count|try|test|play)/u.test(verb)
  const rest = found?.[2] ?? ''
  // "I cannot see whether …" and "I cannot make out what …" ask for words.
  if (
    isSoft &&
    /^(?: out| sure| it out)?(?:,)? (?:whether|if|how|what|which|who|where|when|why|from|anything|any)\b/iu.test(rest)
  )
    return undefined
  const isCall =
    phoning.test(said) &&
    (verb !== undefined ||
      /\b(?:would settle|settles|would help|would clear|I have none|I have no|not mine|takes a|by phone)\b/iu.test(
        said,
      ))
  if (isCall) return toDoubt(askCall(said, before), said)
  if (verb !== undefined && picture.test(said)) return toDoubt(askPhoto(said, before), said)
  if (verb === 'photograph') return toDoubt(askPhoto(said, before), said)
  const [, gerund = '', object] = beyond.exec(said) ?? []
  const base = bases[gerund.toLowerCase()]
  if (base !== undefined && object !== undefined)
    return toDoubt(`Could you ${base} ${toYou(tidy(object))} and tell me${whatFor(said)}?`, said)
  const deed = needed.exec(said)?.[1]
  if (deed !== undefined) return toDoubt(`Could you ${toYou(toBase(tidy(deed)))} and tell me what you find?`, said)
  const tool = onlyTool.exec(said)?.[1]
  if (tool !== undefined) return toDoubt(`Could you try it with ${toYou(tool)} and tell me the result?`, said)
  const wish = somebody.exec(said)?.[1]
  if (wish !== undefined) return toDoubt(`Could you ${toYou(toComplement(wish))}?`, said)
  const thing = passive.exec(said)
  if (thing) return toDoubt(`Could you have ${thing[1] ?? ''} ${thing[2] ?? ''} and tell me the result?`, said)
  if (verb !== undefined && found) return toDoubt(askDeed(verb, rest, said), said)
  const sense = senses.exec(said)
  if (sense?.[1] !== undefined) return toDoubt(`Could you ${toYou(toComplement(sense[1]))}?`, said)
  return undefined
}

/** "looks at the back": "look at the back". */
const toBase = (deed: string): string => deed.replace(/^goes\b/iu, 'go').replace(/^(\w{3,8}?)s\b/u, '$1')

/** "where your gran names the village": what the deed is to tell. */
function whatFor(said: string): string {
  const [, clause] = /\b((?:where|what|which|how|who|whether|when)\b [^,;.]{5,80})/iu.exec(said) ?? []
  return clause === undefined
    ? ' the result'
    : ` ${clause.toLowerCase().startsWith('where') ? 'what is there, ' : ''}${tidy(clause)}`
}

function toDoubt(ask: string | undefined, said: string): Doubt | undefined {
  return ask === undefined ? undefined : { ask, kind: 'action', about: ask, premise: '', assumed: '', said }
}

function askCall(said: string, before: string): string | undefined {
  const [, who] = knower.exec(said) ?? knower.exec(before) ?? []
  const [, whom] =
    /\b(?:call|phone|ring(?: up)?|telephone) ((?:the|your|their|his|her) [\w' -]{2,30}?)(?=[,;.]| to | and | about | for |$)/iu.exec(
      said,
    ) ?? []
  const that = before.lastIndexOf(' that ')
  const [, statement] =
    /^ that ((?:the|your|there|it|they)\b[^,;.]{5,80})/iu.exec(that < 0 ? '' : before.slice(that)) ??
    /\bwhether ([^,;.]{5,80})/iu.exec(said) ??
    /\bwhether ([^,;.]{5,80})/iu.exec(before) ??
    []
  const named = whom ?? who
  const [, owner] = /\b(?:by|of|from|with) (the \w{3,20})\b/iu.exec(said) ?? []
  const possessor = owner === undefined ? undefined : `${owner.toLowerCase()}'s`
  const person =
    named === undefined ? undefined : lowerFirst(named).replace(/^(?:his|her)\b/u, (word) => possessor ?? word)
  if (person === undefined) return undefined
  const about = statement === undefined ? '' : ` and ask whether ${tidy(statement)}`
  return `Could you call ${person}${about}?`
}

function askPhoto(said: string, before: string): string | undefined {
  const [, of] = picture.exec(said) ?? []
  const [, object] = /\bphotograph (?!it\b|them\b|this\b|that\b)([^,;.]{3,50})/iu.exec(said) ?? []
  const thing = of ?? object
  const [, named] = /\b((?:the|your) (?:old |new )?\w{3,20})\b/iu.exec(before) ?? []
  const what = tidy(thing ?? named ?? '')
  return what === '' || /^(?:it|them)$/iu.test(what)
    ? 'Could you take a photo and send it here?'
    : `Could you take a photo of ${toYou(what)} and send it here?`
}

function askDeed(verb: string, rest: string, said: string): string | undefined {
  const object = tidy(toComplement(rest).replace(/ (?:myself|from here|of course)$/iu, ''))
  if (/^(?:see|read|feel|get|make|take|go|count|try|stand|test|play)$/u.test(verb) && object.split(' ').length < 2)
    return undefined
  const [, topic] =
    /^(?:as for |for |and )?((?:the|your) [\w' -]{2,40}?)(?=,| is | are | has | have | needs? | I )/iu.exec(said) ?? []
  const what = /^(?:it|them|that|this|one|)$/iu.test(object) ? topic : object
  if (what === undefined) return undefined
  if (verb === 'be there') return `Could you go there ${toYou(what)}?`
  const deed = /^(?:see|look|view|watch|read)/u.test(verb)
    ? `look at ${what.replace(/^(?:at|into|inside) /iu, '')} and tell me what you find`
    : `${verb} ${what}`
  return `Could you ${toYou(deed)}?`
}

const toYou = (text: string): string =>
  text.replaceAll(/\b(?:my|our)\b/giu, 'your').replaceAll(/\bmyself\b/giu, 'yourself')
