// Orders to memory in plain English: the whole message is one of them.
import type { SlashCommand } from '#shared/chat/event.ts'
import { findNamedSlots } from './asked-slot.ts'
import { readOwnSlot } from './comparing.ts'
import { findThing, fits, toForget, toMemory, toPatterns } from './plain-patterns.ts'

/** Taken off the head and the end. */
const polite =
  /^(?:(?:hi|hey|hello|ok|okay|well|so|and|please|pls|now|actually|sorry|no|(?:can|could|would|will) you(?: please)?|i(?:['’]?d like| want| need) you to)[,.!]? ){1,3}/iu
const polished = /(?:[,\s]{0,3}(?:please|pls|thanks|thank you|now|for me|then))?[\s.!?~…]{0,4}$/iu

/** What is theirs, in their own words: "my address". */
const thing = "(?:my|our) [\\p{L}\\d][\\p{L}\\d '’-]{1,38}"
/** Nothing of a thing of theirs: "my cat's breed" asks of cats. */
const topic = '(me|(?:my|our) [\\p{L}\\d][\\p{L}\\d -]{1,38}|where i (?:live|work|study))'

const looksAtAll = toPatterns(
  '(?:show|list|open)(?: me)? (?:all )?(?:(?:your|my) memor(?:y|ies)|(?:the )?memories)(?: (?:of|about) me)?',
  "what(?:['’]?s| is) in your memory(?: (?:about|of) me)?",
  'what(?: all| else)? (?:(?:do|did) you remember|have you remembered)',
  '(?:tell|show) me (?:(?:everything|all)(?: that)? you (?:remember|have (?:stored|saved|remembered|kept))|what you remember)',
)
const looksAt = toPatterns(
  `what(?: all| else)? (?:do|did|can) you (?:know|remember|keep|store|save)(?: in (?:your )?memory)? (?:about|of|on|for) ${topic}`,
  `what(?: all| else)? have you (?:remembered|kept|saved|stored|noted|learned|learnt)(?: about| of| on| for)? ${topic}`,
  `what (?:information|info|data|facts|things) (?:do|have) you (?:have|keep|store|stored|saved|kept) (?:about|of|on) ${topic}`,
  `(?:what do you have|what have you got) (?:on|about) ${topic}`,
  `(?:tell|show|remind) me (?:of )?(?:everything |all )?(?:what |that )?you (?:know|remember|keep|have)(?: stored| saved)? (?:about|of|on) ${topic}`,
)

/** Of what was just said: that is no memory of theirs. */
const talk =
  /(?<![a-z])(?:last|previous|first|earlier|questions?|messages?|requests?|points?|comments?|ideas?|words?|instructions?|orders?|prompts?|texts?|sentences?|mistakes?|typos?|manners?|answers?)(?![a-z])/iu
/** It says a second thing. */
const several = /(?<![a-z])(?:and|but|then|or|because|so|while|until|if|when i tell)(?![a-z])/iu

const removes = '(?:forget|delete|erase|remove|wipe|clear)'
const known =
  "(?: that)?(?: you (?:know|remember|keep|have(?: stored| saved| kept)?|stored|saved)| i(?:['’]ve| have)? (?:said|told you))?"
const forgets = toPatterns(
  '(?:forget|delete|erase|remove) (?:number|no\\.?|#) ?(\\d{1,9})',
  `forget (?:about )?(${thing}|where i (?:live|work|study)|how old i am|(?:who|what) i am|when i was born)`,
  "forget that (i(?:['’]m)? [\\p{L}\\d][\\p{L}\\d '’-]{3,48}|my [\\p{L}\\d][\\p{L}\\d '’-]{3,48})",
  `(?:delete|erase|remove) (${thing}) from (?:your |the )?memory`,
  `${removes} (?:everything|all|anything|what)${known} about (${thing}|me)`,
)
const forgetsAll = toPatterns(
  'forget (?:me|everything|all)',
  `${removes} (?:everything|all)(?: that)? you (?:know|remember|keep|have)(?: (?:of|on) me)?`,
  `${removes} (?:all )?(?:of )?(?:your|my) (?:whole |personal )?(?:memor(?:y|ies)|data)(?: (?:of|about|on) me)?`,
)
/** What was kept or told last, or what is replied to. */
const forgetsThat = toPatterns(
  'forget (?:(?:that|this)(?: one| again)?|what i (?:just )?(?:said|told you|wrote))',
  '(?:delete|erase|remove) (?:that|this)(?: one)? from (?:your |the )?memory',
  "(?:do not|don['’]?t) (?:remember|memori[sz]e) (?:that|this)",
)

const not = "(?:do not|don['’]?t|never)"
const groups = '(?:(?:the|any|this|our|my) )?(?:groups?|group chats?|others in (?:the )?groups?)'
const people = '(?:anyone|anybody|others|other people)'
const hides = toPatterns(
  `${not} (?:tell|say|mention|share|use|show)(?: (?:that|this|it))?(?: (?:to|in|with))? ?${groups}(?: (?:about )?((?:my|our|where i|that i|how old i) ?[\\p{L}\\d '’-]{0,40}))?`,
  `${not} (?:tell|say|mention|share|use|show) ((?:my|our|where i) [\\p{L}\\d][\\p{L}\\d '’-]{1,38}?) (?:to|in|with) ${groups}`,
  `${not} tell ${people}(?: in ${groups})?(?: about)? (${thing}|where i (?:live|work|study)|how old i am)`,
  `keep (${thing}) (?:to yourself|between us|(?:private|secret)(?: from ${groups})?|(?:away from|out of) ${groups})`,
  `(?:hide|keep) (${thing}) from ${groups}`,
  `${not} let (?:${groups}|${people}) know(?: about)? (${thing}|where i (?:live|work|study)|how old i am)`,
)

const isWrong =
  "(?:(?:no|nope)[,.]? )?(?:(?:that|this|it)(?:['’]?s| is)(?: just| all| completely| totally)? (?:wrong|not right|incorrect|not true|not correct|false|outdated)(?: about me)?|wrong|you (?:remember|remembered|have|got) (?:that|it|this|me) wrong(?:ly)?)"
const wrong = toPatterns(isWrong)
const corrects = toPatterns(`${isWrong}[,.;:!–—-]{0,2} (?:actually |in fact |because )?((?:i|my|we|our) .+)`)
const namesWrong = toPatterns(
  '(my [\\p{L} -]{2,30}?) is (?:wrong|not right|incorrect|outdated)',
  'you (?:have|got) (my [\\p{L} -]{2,30}?) wrong',
)
const changes = /^(?:change|update|correct) ((?:my|our) [\p{L}\d -]{2,30}?) to (.+)$/iu

const said = '(?: (?:things|stuff|anything|everything|(?:what|anything|everything) i (?:say|tell you|write)))?'
const pauses = toPatterns(
  `stop remembering${said}`,
  'stop (?:remembering|learning) (?:things )?about me',
  'stop (?:saving|storing|keeping|noting|recording) (?:what|anything|everything) i (?:say|tell you|write)',
  `${not} remember (?:anything|things)(?: (?:that )?i (?:say|tell you|write))?(?: any ?more| from now on)?`,
  '(?:pause|turn off|switch off)(?: your| the| my)? memory',
)
const resumes = toPatterns(
  `(?:you (?:can|may) )?(?:start )?remember(?:ing)?${said} again`,
  `(?:you (?:can|may) )?(?:start|continue|resume) remembering${said}`,
  '(?:resume|continue|turn on|switch on)(?: your| the| my)? memory',
)

/** `text` has single spaces. Linear in it. */
export function findEnglish(text: string, replies: boolean): SlashCommand | undefined {
  const bare = text.replace(polished, '').replaceAll(/(?<![a-z])u(?![a-z])/giu, 'you')
  if (fits(wrong, bare)) return toMemory('wrong')
  const body = bare.replace(polite, '')
  // A question is no order: "forget my address?"
  const isAsked =
    text.endsWith('?') &&
    !/^(?:can|could|would|will) you /iu.test(bare.replace(/^(?:hi|hey|hello|ok|okay)[,.!]? /iu, ''))
  const right = isAsked ? undefined : findRight(bare, body)
  if (right !== undefined) return toMemory(`wrong ${right}`)
  const named = findThing(namesWrong, bare) ?? ''
  if (!isAsked && named !== '' && findNamedSlots(named).size > 0) return toMemory(`about ${named}`)
  if (!isAsked && fits(forgetsThat, body)) return toForget('that')
  if (replies) return undefined
  return findLook(body) ?? (isAsked || several.test(body) ? undefined : findChange(body))
}

/** The right words, of something of theirs that has one value alone: "that's wrong, the meeting is at 7" is about their work. */
function findRight(bare: string, body: string): string | undefined {
  const [, named = '', value = ''] = changes.exec(body) ?? []
  const right = named !== '' && findNamedSlots(named).size > 0 ? `${named} is ${value}` : findThing(corrects, bare)
  const slot = right === undefined ? undefined : readOwnSlot({ text: right })
  return slot && !talk.test(slot.of) ? right : undefined
}

function findLook(body: string): SlashCommand | undefined {
  if (fits(looksAtAll, body)) return toMemory('all')
  const about = findThing(looksAt, body)
  if (about === undefined) return undefined
  if (/^me$/iu.test(about)) return toMemory('all')
  return several.test(about) || talk.test(about) ? undefined : toMemory(`about ${about}`)
}

function findChange(body: string): SlashCommand | undefined {
  if (fits(forgetsAll, body)) return toForget('all')
  const about = findThing(forgets, body)
  if (about !== undefined && !talk.test(about)) return toForget(/^me$/iu.test(about) ? 'all' : about)
  const hidden = findThing(hides, body)
  if (hidden !== undefined) return toMemory(`private ${hidden}`.trim())
  if (fits(pauses, body)) return toMemory('pause')
  return fits(resumes, body) ? toMemory('resume') : undefined
}
