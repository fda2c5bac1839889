// English answers cut into sentences, pieces and complements, and the noun phrase of what somebody asked for.
import { withoutLeads } from './words.ts'
import { expand } from './en-invert.ts'

const mostSentences = 24

/** Without contractions. "at 7:40", "2.5 m" and "e.g." do not end a sentence. */
export function toSentences(text: string): readonly string[] {
  return expand(text)
    .replaceAll(/\s{1,40}/gu, ' ')
    .replaceAll(/\b(e\.g|i\.e|approx|nr|incl|Dr|Mr|Mrs|Ms|Prof|St)\. /giu, '$1 ')
    .split(/(?<=[.!?…]["”’')]?) |\n/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
    .slice(0, mostSentences)
}

/** The sentence as it stands in the answer, where its contractions were written out. */
export function toOriginal(sentence: string, answer: string): string {
  if (answer.includes(sentence)) return sentence
  const found = answer.split(/(?<=[.!?…]["”’']?) |\n/u).find((one) => expand(one.trim()) === sentence)
  return found?.trim() ?? sentence
}

/** Parts of a sentence that say something each. */
export function toPieces(sentence: string): readonly string[] {
  return sentence
    .split(
      /; |,? but (?=(?:I|we|you|nobody|no one|it|that|the|whether|how|which|what|who)\b)|, and (?=(?:I|we|nobody|no one|whether|how|which|what|who|where|when)\b)| — | – | \(/iu,
    )
    .map((piece) => piece.replace(/^(?:and|but|also|however|still|besides|in addition|moreover)[, ] ?/iu, '').trim())
    .filter((piece) => piece !== '')
    .slice(0, 8)
}

const cut =
  /[,;!?()]|[:.](?!\d)| – | — | so (?=I\b|we\b|it\b|that\b|the\b|they\b|this\b|both\b)| and (?=I\b|so\b|came\b|found\b|saw\b|therefore\b|left\b|put\b|took\b|used\b|wrote\b|chose\b|planned\b|went\b|set\b)| but | because | since (?!\w{1,10}day\b|\d)| though | although | hence | at all| anywhere| either$| for that reason| by default| unless | which is| for now| for the moment| for the time being| as a placeholder| without (?:knowing|asking|being|having)/iu

/** What is said after a frame, as far as it belongs to it. "whether it is bread, cake or both" keeps its commas. */
export function toComplement(after: string): string {
  const said = after.trimStart()
  const found = cut.exec(said)
  if (!found) return tidy(said)
  const head = said.slice(0, found.index)
  const [, list] = /^(, [^,;:.!?]{1,40}(?:, [^,;:.!?]{1,40})? or [^,;:.!?]{1,40})/iu.exec(said.slice(found.index)) ?? []
  if (list !== undefined && found[0] === ',' && !/ or /iu.test(head) && !/^, or (?:I|if|else)\b/iu.test(list))
    return tidy(head + list)
  return tidy(head)
}

export function tidy(text: string): string {
  const said = text
    .trim()
    .replace(/^["“”'‘’]{1,9}|["“”'’.,;:!?]{1,9}$/gu, '')
    .replace(/^(?:exactly|precisely|just|either|really|actually|about|of|on|as to|for sure|for certain) /iu, '')
    .replace(/ (?:exactly|precisely|though|anyway|either|too|as well|here|in this chat|in the chat|yet)$/iu, '')
    .trim()
  // A quotation of which one end is cut off is none.
  return (said.match(/"/gu)?.length ?? 0) % 2 === 1 ? said.replaceAll('"', '') : said
}

const polite =
  /^(?:(?:hi|hey|hello|please|pls|ok|okay|so|and|then|well)[,! ]{1,3}|(?:can|could|would|will) (?:you|we|somebody|someone|i)(?: please)? |(?:i|we)(?:['’]d| would)? (?:need|want|like|have)(?: to)?(?: (?:get|have|make|buy|see))? |help (?:me|us)(?: to)? |please |let us |let['’]?s |any (?=\w)|just )/iu
const doing =
  /^(?:\w{2,14}(?: up| out| down| in| together)?) (?:(?:for )?(?:me|us) )?(?=(?:a|an|the|my|our|this|these|that|those|some|two|three|\w{1,20}['’]s|another|new) )/iu
const requests =
  /^(?:write|draft|make|plan|prepare|create|compose|sketch|design|propose|suggest|recommend|translate|summari[sz]e|sum up|fill(?: in| out)?|sort|check|review|fix|find|book|order|count|list|set up|put together|work out|arrange|organi[sz]e|shorten|rewrite|edit|proofread|convert|compare|calculate|estimate|schedule|build|print|update|add|collect|choose|pick|turn|give|show|send|tell|explain) (?:up |out |together |for )?(?:me |us )?(?=[a-z])/iu
/** Words that no noun phrase holds. */
const clausal =
  /\b(?:how|what|which|who|when|where|why|could|can|should|would|is|are|says?|said|does|do|did)\b|^the (?:for|with|of|to|on|in|at|from|by|next|something|anything)\b/iu
const asking =
  /^(?:which|what|how|when|where|who|why|is|are|do|does|did|was|were|should|shall|will|would|can|could|has|have|any)\b/iu

/** "the agenda for the retro" from "can you propose an agenda for the retro next week". Undefined where it names nothing. */
export function toTask(request: string): string | undefined {
  // In a group the request stands behind the call: "yep, they dropped it. @flotilla book us a ground".
  const called = /@\S{1,40}[,:]? ([^@]{8,600})$/u.exec(request)?.[1]
  const plain = expand(called ?? request)
    .replaceAll(/@\S{1,40}|https?:\/\/\S{1,200}/gu, ' ')
    .replaceAll(/\s{1,40}/gu, ' ')
    .trim()
  const said = withoutLeads(plain, polite)
  if (asking.test(said)) return fromQuestion(said)
  const verb = doing.exec(said)
  const bare = requests.exec(said)
  const noun = toNoun(said.slice(verb?.[0].length ?? bare?.[0].length ?? 0))
  return noun === undefined || clausal.test(noun) ? fromQuestion(said) : noun
}

const nounEnd =
  /[,;:!?()–—]|\.(?= |$)| please\b| pls\b| for (?:me|us|him|her)\b| so (?:that )?| because | since | from (?:the|my|our)| in (?:a|two|three|\d+) | that (?:I|we|you)| which | who | where | when | if | as (?:we|in|before)| (?:we|i|you|they) |\b(?:for|of) $| and (?:send|put|make|write|then|tell)| (?:next|last) (?=week|month|year|time|\w{1,10}day)| tomorrow| today| tonight| this (?:week|evening|month)| with | at (?:the )?end| into /iu

function toNoun(text: string): string | undefined {
  const noun = tidy(text.split(nounEnd, 1)[0] ?? '')
    .replace(/^(?:a|an|some|another|any|something for|ideas for) /iu, 'the ')
    .replace(/^(?:me|us) /iu, '')
    .split(' ')
    .slice(0, 7)
    .join(' ')
    .replace(/(?: (?:on|of|for|in|at|to|about|the|a|an|and|with|my|our|your)){1,3}$/iu, '')
  if (!/[a-z]{3}/iu.test(noun) || /^(?:you|it|this|that|them|up|out)$/iu.test(noun)) return undefined
  return (/^(?:the|my|our|this|these|that|those|two|three|\w{1,20}['’]s) /iu.test(noun) ? noun : `the ${noun}`)
    .replace(/\bmy\b/giu, 'your')
    .replace(/\bour\b/giu, 'your')
    .replace(/\bme\b/giu, 'you')
}

function fromQuestion(said: string): string | undefined {
  if (/^(?:is|are|do|does|did|was|were|should|shall|will|would|can|could|has|have)\b/iu.test(said)) return undefined
  const found =
    /^(?:which|what(?: kind of| sort of)?) (?!could|can|should|would|do|does|is|are)((?:[a-z-]{2,20} ){1,3}?)(?:should|shall|can|could|do|does|would|will|is|are)\b/iu.exec(
      said,
    )
  const [, noun = ''] = found ?? []
  if (noun.trim() !== '' && !/^(?:time|day|else|could|grams|people)\b/iu.test(noun.trim())) return `the ${noun.trim()}`
  const [, later] = /\b(?:for|at|to|about|in|on) ((?:the|my|our|a|an) [^,;.!?]{2,40})/iu.exec(said) ?? []
  return later === undefined ? undefined : toNoun(later)
}
