// English sentences that no frame reads, but that still tell of a doubt: a guess in an appendage, "whether" outside of advice, a condition on the answer itself.
import { askWhether, expand, lowerFirst } from './en-invert.ts'
import { judging } from './en-frames.ts'
import { ofEmbedded, type Found } from './en-read.ts'
import { tidy, toComplement } from './en-text.ts'
import { askValue, type Asked } from './en-values.ts'

/** ", which is a guess", ", just a guess of mine", ", out of thin air". */
const tag =
  /,? (?:(?:which|that|but that|though that|and that|all of it|but it|though it) (?:(?:is|was|are|were|I) .{0,30}?)(?:guess(?:ed|work)?|assum(?:ed|ption)|thin air|invent(?:ed|ion)|made up|estimate[ds]?|placeholder|default|confirm|sure|certain|checked?|verified|idea)|which (?:is|was|are|were) (?:merely |just |only |simply |my )?the (?:usual|default|common\w*|standard|typical|customary)|the (?:usual|common|standard|typical|customary) \w{3,12}|(?:the|our|your) [^,.;]{2,30} (?:of|from) (?:last|the (?:last|previous)|an? (?:old|earlier)) \w{3,10}|a (?:figure|number|value|date|name|time|word|price|length|size|amount|limit) (?:I|of mine|that I|which I)|(?:just |only |merely |though |but )?(?:a|my|at a|my own|as a) (?:mere |pure |rough |wild |best |first )?(?:guess(?:work)?|estimate|placeholder|assumption|stopgap)|(?:a|out of|from|by) (?:mere |pure |old )?habit|on a hunch|from memory|roughly guessed|unchecked|unconfirmed|to be confirmed)\b/iu

const old =
  /,? (?:lifted|taken|copied|borrowed|pulled|carried over|inherited|reused|drawn) (?:\w{1,12} )?from [^.;]{0,30}(?:\blast\b|\bold\b|previous|earlier|former|edition|template|\b(?:19|20)\d\d\b|another|other)/iu

/** "80 is what we had in March." */
const earlier =
  /^((?:the |your )?[\w' -]{1,30}?) (?:is|are|comes from|come from|was|were) (?:what|the (?:figure|number|one|value|amount|price|date)|as|from) (?:it was |we had |you had |they had |of |from |in )?[^.;]{0,20}(?:\blast\b|\bold\b|previous|earlier|edition|\bin (?:january|february|march|april|may|june|july|august|september|october|november|december)\b|\b(?:19|20)\d\d\b)/iu

/** "Chairs: 25, as at Christmas." */
const likeBefore =
  /^([A-Z][\w -]{2,25}): ([^,:;]{1,25}), (?:as|like) (?:at |in |on |for )?(?:last|before|usual|always|the|every|christmas|easter|spring|summer|autumn|winter|january|february|march|april|may|june|july|august|september|october|november|december)\b/iu

export function readTag(said: string): readonly Found[] | undefined {
  const [, things, amount] = likeBefore.exec(said) ?? []
  if (things !== undefined && amount !== undefined) {
    const noun = things.toLowerCase()
    const ask = /^\d+$/u.test(amount)
      ? `How many ${noun} are right, if it is not ${amount}?`
      : `Is ${amount} still right for ${noun}?`
    return [
      { asked: { ask, kind: /^\d+$/u.test(amount) ? 'words' : 'yes-no' }, about: `${noun} ${amount}`, assumed: amount },
    ]
  }
  const [, value] = earlier.exec(said) ?? []
  if (value !== undefined && !/^(?:it|that|this|he|she|they|there)$/iu.test(value))
    return [{ asked: { ask: `Is ${lowerFirst(value)} still right?`, kind: 'yes-no' }, about: value, assumed: value }]
  const from = old.exec(said)
  const [, quoted] = from ? (/["“]([^"”]{2,40})["”][^"”]{0,20}$/u.exec(said.slice(0, from.index)) ?? []) : []
  if (quoted !== undefined)
    return [{ asked: { ask: `Is "${quoted}" still right?`, kind: 'yes-no' }, about: quoted, assumed: quoted }]
  const found = tag.exec(said)
  if (!found || found.index < 6) return undefined
  const statement = tidy(
    said
      .slice(0, found.index)
      .split(/; |: (?!\d)/u)
      .at(-1) ?? '',
  )
  const [, object] =
    /\b(?:I|we) (?:have |had )?\w{2,14}(?: (?:with|for|on|in|down|at|it))?(?: (?:at|to|as|for))? (.{2,60})$/iu.exec(
      statement,
    ) ?? []
  if (object !== undefined) {
    const asked = askValue(tidy(object))
    return asked ? [{ asked, about: object, assumed: object }] : undefined
  }
  const words = statement.split(' ').length
  if (words < 3 || words > 14) return undefined
  return [{ asked: { ask: askWhether(statement), kind: 'yes-no' }, about: statement, assumed: statement }]
}

const advised =
  /\b(?:check|see|ask|look|make sure|test|try|find out|watch|decide|tell|note|show|shows|say|says|checked|asked|looked|tested|think about|consider|regardless of|no matter|matter|depends on|choose|know)(?: \w{1,12}){0,3} $/iu
const lacking =
  /\b(?:not|no|never|nobody|nothing|nowhere|none|open|guess\w*|missing|alone|without|un\w{3,12}|unless|only you|hard to|leave|left)\b/iu

export function readWhether(said: string): readonly Found[] | undefined {
  const found =
    /\b(?:whether|how (?:many|much|long|often|big|old|high|far|wide|large|late|early|strong|formal|strict)|which of)\b/iu.exec(
      said,
    )
  if (!found || advised.test(said.slice(Math.max(0, found.index - 60), found.index))) return undefined
  if (!/^whether/iu.test(found[0]) && !lacking.test(said)) return undefined
  // "…, whether it is in sports or elsewhere": in either case.
  if (
    said.slice(0, found.index).endsWith(', ') &&
    /^whether (?:it is|you are|they are|in|at|by|on) /iu.test(said.slice(found.index))
  )
    return undefined
  const whole = toComplement(said.slice(found.index))
  const end = /[^ ] (?:is|are|was|remains?) (?:not|un|open|a|for|up|yours|the|beyond|something|what|another)/iu.exec(
    whole,
  )
  const phrase = end ? whole.slice(0, end.index + 1) : whole
  return ofEmbedded(phrase)
}

const own =
  /\b(?:read|reads|say|says|written|rewritten|change|changes|changed|words?|entry|line|text|plan|list|note|different|another|other|redone|later|earlier|shorter|longer|again|become|becomes|replaced?|rewrite|redo|come out|dropped|moved?|swap|half|double|more|fewer|less)\b/iu
const must = /\b(?:must|has to|have to|needs?|should|would|will have to|will not|changes?|becomes?)\b/iu
const idle =
  /\b(?:you (?:like|want|prefer|need|wish|would|feel|get|see|run|have (?:any )?(?:questions|trouble))|there (?:is|are) (?:no|any|some)|necessary|possible|in doubt|it rains|too|so|not|anything|something|somebody|someone|nobody)\b/iu

/** "If support is closed at weekends, that must read …", "should customers be the readers, the entry needs plain words". */
export function readCondition(said: string): readonly Found[] | undefined {
  const [, unless] = /\bunless ([^,;]{4,60}), (?:in which case|then)\b/iu.exec(said) ?? []
  if (unless !== undefined && !/\byou (?:like|want|prefer|wish)\b/iu.test(unless))
    return [{ asked: { ask: askWhether(unless), kind: 'yes-no' }, about: unless }]
  const found = /(?:^|[;:,.] |\bbut )(if|should|in case|once|provided) ([^,;]{6,90}), ([^;]{6,160})/iu.exec(said)
  if (!found) return undefined
  const [, word = '', condition = '', follows = ''] = found
  const isMeant = /\b(?:is|are) (?:meant|intended|wanted|preferred|planned|allowed)$/iu.test(condition)
  if (
    (!own.test(follows) && !isMeant) ||
    !must.test(follows) ||
    /\b(?:may|might|can|could|gladly|happy)\b/iu.test(follows)
  )
    return undefined
  if (word.toLowerCase() === 'should') {
    const [, who = '', deed = ''] = /^((?:the |your )?\S+) not (\w[^,]{1,40}?)(?: yet)?$/iu.exec(condition) ?? []
    if (who !== '') return [{ asked: { ask: `Do ${who} ${deed} already?`, kind: 'yes-no' }, about: condition }]
    const [, subject = '', rest = ''] =
      /^((?:the |your )?\S+(?: \S+)?) (be .{2,60}|\w+ .{2,60})$/iu.exec(condition) ?? []
    if (subject === '') return undefined
    return [{ asked: { ask: `Will ${subject} ${rest}?`, kind: 'yes-no' }, about: condition }]
  }
  if (idle.test(condition) || /^(?:it|that|this|yours)\b/iu.test(condition)) return undefined
  return [{ asked: { ask: askWhether(expand(condition)), kind: 'yes-no' }, about: condition }]
}

const wanted =
  /\b(?:perhaps|maybe|possibly) (an? [\w -]{3,40}?|the [\w -]{3,40}?) (?:is|would be) (wanted|needed|meant|better|expected)\b/iu
const stands =
  /^((?:the|your) [\w' -]{2,40}?) (?:is|are) (the (?:ones?|usual|same|default)\b[^,;]{0,40}|[^,;]{1,30}), (?:since|because|for (?:want|lack)|as I)\b/iu

const mayBe =
  /\b((?:the|your) [\w' -]{2,30}?) (?:may|might|could) (be|sound|look|seem|feel|come across as) (a bit [\w -]{3,30}|too [\w -]{3,40}|rather [\w -]{3,30})/iu

/** "The amount is the one on the packet, since I know nothing better", "perhaps a second language is wanted". */
export function readStanding(said: string): readonly Found[] | undefined {
  const [, noun, how] = wanted.exec(said) ?? []
  if (noun !== undefined && how !== undefined)
    return [{ asked: { ask: `Is ${noun} ${how}?`, kind: 'yes-no' }, about: noun }]
  // "The sixth may be too hard for your class; you can judge".
  const [, thing, , degree] = judging.test(said) ? (mayBe.exec(said) ?? []) : []
  if (thing !== undefined && degree !== undefined)
    return [
      { asked: { ask: `Is ${lowerFirst(thing)} ${tidy(degree)}?`, kind: 'judgement' }, about: `${thing} ${degree}` },
    ]
  const [, topic, value] = stands.exec(said) ?? []
  if (topic === undefined || value === undefined || !/\b(?:no|not|nothing|nobody|want|lack|never|usual)\b/iu.test(said))
    return undefined
  const asked: Asked = { ask: `What is ${lowerFirst(topic)}, if it is not ${tidy(value)}?`, kind: 'words' }
  return [{ asked, about: `${topic} ${value}`, assumed: value }]
}
