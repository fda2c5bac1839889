// Signs in an English clause, whoever it speaks of: that it comes again, passes, is not sure; and how somebody wants to be served.
import { months, often, styleNouns, styleVerbs, toSet, weekdays } from './en-words.ts'
import type { Verdict } from './message.ts'

export const isOften = (lows: readonly string[]): boolean =>
  lows.some(
    (low, at) =>
      often.has(low) ||
      (low === 'on' && (weekdays.has(lows[at + 1] ?? '') || weekdays.has((lows[at + 1] ?? '').replace(/s$/u, '')))) ||
      (/^(?:in|at)$/u.test(low) &&
        /^(?:mornings|evenings|afternoons|night|weekends|winter|summer)$/u.test(lows[at + 1] ?? '')) ||
      (/^(?:times?|once)$/u.test(low) && /^(?:a|per|every)$/u.test(lows[at + 1] ?? '')),
  )

const passingWords = toSet('now today tonight currently stuck brb yesterday momentarily atm rn')
export function isPassing(lows: readonly string[]): boolean {
  const said = ` ${lows.join(' ')} `
  return (
    lows.some(
      (low) =>
        passingWords.has(low) &&
        !/ (?:from now on|for now on|until now|now lives?|now live|now work|until today|as of today|is now|are now) /u.test(
          said,
        ),
    ) ||
    / (?:this (?:morning|afternoon|evening|week|weekend|minute|second|time)|at the moment|for the moment|right now|just (?:arrived|got|saw|had|finished|left|woke|landed|realised|realized|noticed|missed|spilled|broke|lost|found|read|heard|tried|ran)|in (?:a|five|ten|two) (?:minutes?|sec|second|bit)|last (?:night|time|week)|on (?:my|the) way|running late|so (?:tired|hungry|bored|cold|hot)|still (?:waiting|loading|broken|down|asleep)) /u.test(
      said,
    )
  )
}

const unsure = toSet(
  'maybe perhaps might possibly probably presumably apparently allegedly hopefully supposedly wonder wondering considering tempted unsure undecided dunno guess supposedly rumour rumor',
)
export function isUnsure(lows: readonly string[]): boolean {
  const said = ` ${lows.join(' ')} `
  return (
    lows.some(
      (low, at) =>
        unsure.has(low) ||
        (low === 'may' && at > 0 && /^(?:i|we|she|he|they)$/u.test(lows[at - 1] ?? '') && lows[at + 1] !== 'not'),
    ) ||
    / (?:not sure|thinking (?:about|of|whether)|toying with|no idea|who knows|not decided|not yet decided|have not decided|could be|would be|would like|would love|would hate to|used to|back then|as a (?:kid|child|teenager|student|boy|girl)|when i was|years ago|in my (?:teens|twenties|thirties|youth)|in those days|long before|once upon|no longer (?:live|lives|work|works|have|has|own)|any ?more than|i heard|i read|i saw|they say|told me|says that|said that|wish i|wish we|if only|how about|what about|shall we|should we|let us|let's|not (?:settled|decided|agreed)|not (?:yet )?settled|to be decided|tbd|tbc|going back and forth|leaning towards|dream of|planning to|plan to|hoping to|hope to|trying to|supposed to be|suppose|one day|some day|someday|in theory|at my old|formerly|previously) /u.test(
      said,
    )
  )
}

const standing =
  /(?:from now on|from today on|from here on|going forward|in (?:the )?future|always|never|whenever|every time|each time|any time|henceforth|by default|when you|when(?:ever)? (?:you|i ask)|if you (?:show|send|write|give)|for me$|no more|stop |please no |do not (?:suggest|recommend|offer|propose|call|use|give) |as a rule|at all times|in (?:this|our) (?:chat|group|channel)|until further notice|for all (?:future|my))/u
const leadIn =
  /^(?:(?:please|kindly|also|and|so|just|you|can you|could you|would you|will you|should|must|do|from now on|from today on|from here on|going forward|in (?:the )?future|as a rule|by default|for all (?:future|my) \w+|henceforth|starting today|in (?:this|our) (?:chat|group|channel)|here) )*/u

/** How the bot is to speak and serve: an order that holds from now on, or a wish about answers. */
export function judgeStyle(lows: readonly string[], whole: readonly string[]): Verdict | undefined {
  const verdict: Verdict = { category: 'preference', topic: 'style' }
  const said = lows.join(' ')
  if (
    /^(?:please )?(?:everyone |everybody |all |you can |you may |just |do |people )*(?:call|address) me (?!back|when|if|at|on|tomorrow|later|a |an |crazy|old|now|today|in |maybe|please|whatever)[a-z]/u.test(
      said,
    )
  )
    return verdict
  if (
    /^(?:i|my friends|everyone|everybody|people|most people|they|all) (?:just |usually |mostly )?(?:go(?:es)? by|calls? me) /u.test(
      said,
    ) &&
    !/ (?:when|a) /u.test(said)
  )
    return verdict
  if (
    /^(?:i|we) (?:want|prefer|like|need|would prefer|would rather have|expect) (?:you to|it when you|to be (?:called|addressed)|my |all |your (?:answers|replies|messages|explanations) )?/u.test(
      said,
    ) &&
    hasStyle(lows.slice(2)) &&
    /^(?:i|we) (?:want|prefer|like|need|would prefer|would rather have|expect) (?:you to |it when you |to be |my |all |your (?:answers|replies|messages|explanations) |short|brief|long|plain|answers|replies|metric|code|numbers|dates|times|lists|bullet|formal|informal|examples)/u.test(
      said,
    )
  )
    return isOnce(said) ? undefined : verdict
  const rest = said.replace(leadIn, '')
  const [one = '', two = '', three = ''] = rest.split(' ')
  const isOrder =
    styleVerbs.has(one) ||
    (/^(?:never|always|only|not)$/u.test(one) && styleVerbs.has(two)) ||
    (one === 'do' && two === 'not' && styleVerbs.has(three)) ||
    (one === 'no' && two === 'more') ||
    (/^(?:whenever|when|every|each|any time|if) /u.test(rest) && /(?:you|i ask)/u.test(rest))
  if (isOrder && standing.test(whole.join(' ')) && !/^(?:i|we|my|our) /u.test(said)) {
    // "no more coriander suggestions" is served, "always lock the door" is not.
    if (
      hasStyle(lows) ||
      /(?:^| )(?:suggest|recommend|me)(?:ion|ions|ing)?(?: |$)|suggestions|recommendations/u.test(said)
    )
      return verdict
  }
  if (
    /^(?:please )?no (?:more )?/u.test(said) &&
    (hasStyle(lows.slice(0, 6)) || /suggestion|recommendation/u.test(said)) &&
    !/ (?:on|after|before) /u.test(said)
  )
    return verdict
  if (
    /^(?:(?:your|all|any) )?(?:answers|replies|code|numbers|dates|responses|explanations|summaries|messages to me|recipes) (?:to me |for me |here |in here )?(?:should|must|always|in|are best|need)/u.test(
      said,
    )
  )
    return verdict
  return undefined
}

const hasStyle = (lows: readonly string[]): boolean => lows.some((low) => styleNouns.has(low))
/** For the text at hand. */
const isOnce = (said: string): boolean =>
  /(?:this|that|the (?:second|first|last|next|above)|now|here is|today)(?: |$)/u.test(said)

/** Whether it names a day to come. */
export function hasDay(lows: readonly string[]): boolean {
  return lows.some(
    (low, at) =>
      /^(?:tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday|\d{1,2}(?:st|nd|rd|th))$/u.test(low) ||
      (months.has(low) && (low !== 'may' || /^(?:in|of|by|end|\d{1,2})$/u.test(lows[at - 1] ?? ''))) ||
      (low === 'next' && /^(?:week|month|year)$/u.test(lows[at + 1] ?? '')) ||
      (low === 'end' && lows[at + 1] === 'of') ||
      (low === 'in' && /^(?:days|weeks|months|week|month)$/u.test(lows[at + 2] ?? '')),
  )
}
