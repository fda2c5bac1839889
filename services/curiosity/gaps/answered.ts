// Which doubts the rest of a dialogue closes: somebody says it, the bot takes it up, the matter is dropped, or the bot asked and was put off.
import { bot, type Doubt, type Turn } from './dialogue.ts'
import { isHan, sharedWords, wordsOf } from './words.ts'

type Open = { readonly doubt: Doubt; readonly about: ReadonlySet<string>; readonly premise: ReadonlySet<string> }

const later =
  /\b(?:later|ask me|tomorrow|let me think|think about|think it over|sleep on|will see|we(?:['’]ll| will) see|i(?:['’]ll| will) (?:show|ask|check|look|try)|not now|have to ask|not sure|no idea|let me try|decide at|decide later|let['’]?s see)\b|回头|再看|再说|再想|想想|晚点|晚些|改天|等下|过两天|问问|不确定|不知道|考虑/iu
const dropped =
  /\b(?:never mind|forget (?:it|about)|anyway|drop|skip|without|no longer|too late|cancel(?:led|ed)?|not needed|instead|scrap|leave (?:it|that|out)|called off|(?:sent|gone|done|over) already|already (?:sent|gone|over|past)|all fine)\b|算了|不用了?|取消|不要了?|去掉|删掉|免了|来不及|过了|不搞|不办|别弄|不弄/iu
const takesUp =
  /^(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,3})\b|^(?:ok(?:ay)?,? |good,? |right,? |fine,? |thanks?,? |great,? )?(?:then|so|noted|changed|updated|corrected|done|added|moved|fixed|in that case|it(?:['’]s| is) now|now)\b|\b(?:is|are) (?:in|noted|changed|added|corrected|now|removed|out|fixed)[.!]?$|, then[.!]?$|^(?:\w+ ){1,4}it (?:is|stays|remains)\b|^[^，。:：]{2,16}[:：] ?[^，。:：]{1,12}[。.]?$|不用动|^那|改(?:成|为|好|了)|换(?:成|好|了)|记下|已(?:改|换|加|算|按|更新|补)|更新|写上|补(?:上|好)|(?:加|去|拿|划|删)(?:上|好|掉|了)|照排|按.{1,12}(?:分|算|排|来|改|写|定)|填(?:上|好)|保持/iu
const confirms =
  /^(?:(?:ha|haha|ok|oh|yes|no)?,? ?(?:keep|leave) (?:it|that|them)|fine as (?:it is|is)|(?:it|that) (?:stays|is fine|is ok)|yes|yep|yeah|right|correct|exactly|true|that(?:['’]s| is) right|no|nope|对的?|是的?|没错|嗯+对?|不是|不对|有的?|没有)[\s,.!，。！]*$/iu

/** Where an answer stands, and what it answered. */
export type AnswerPlace = {
  readonly turns: readonly Turn[]
  readonly at: number
  readonly request: string
  readonly people: readonly string[]
}

/** Those doubts of the answer at `at` that are still open at the end. */
export function keepOpen(doubts: readonly Doubt[], { turns, at, request, people }: AnswerPlace): readonly Doubt[] {
  const asked = wordsOf(request, people)
  const open = doubts.map((doubt): Open => ({
    doubt,
    about: aboutOf(doubt, people, asked),
    premise: wordsOf(doubt.premise, people),
  }))
  const closed = new Set<Doubt>()
  const close = (one: Open): void => {
    closed.add(one.doubt)
  }
  let since: Said[] = []
  for (const [place, turn] of turns.entries()) {
    const still = open.filter(({ doubt }) => !closed.has(doubt))
    if (place <= at || still.length === 0) continue
    const within = { answer: turns[at]?.text ?? '', people, open: still }
    if (turn.who === bot) {
      closeTakenUp(turn.text, since, within).forEach(close)
      since = []
      continue
    }
    // Whoever puts off what the bot asked is not asked again.
    if (later.test(turn.text)) still.filter(({ doubt }) => doubt.isAsked === true).forEach(close)
    const last = turns[place - 1]
    const isReply = last !== undefined && last.who !== bot && last.who !== turn.who && /[?？]/u.test(last.text)
    // 丁琪来不来, and she herself: 我来.
    if ([...turn.text].length < 16)
      still.filter(({ doubt }) => doubt.about.includes(turn.who) && doubt.kind !== 'action').forEach(close)
    const isRefusal = last?.who === bot && /[?？]\s*$/u.test(last.text)
    for (const said of toStatements(turn.text)) {
      if (isRefusal && dropped.test(said) && wordsOf(said, people).size < 3) continue
      const hit = closeSaid(said, within)
      hit.closed.forEach(close)
      // A reply to somebody's question says what the question speaks of.
      const reply = isReply ? closePart(`${last.text} ${said}`, within).closed : []
      reply.forEach(close)
      since.push({ said, isElsewhere: hit.isElsewhere || isReply })
    }
  }
  return doubts.filter((doubt) => !closed.has(doubt))
}

/** What somebody said since the bot's last turn, and whether it speaks of something else than an open doubt. */
type Said = { readonly said: string; readonly isElsewhere: boolean }

type Within = { readonly answer: string; readonly people: readonly string[]; readonly open: readonly Open[] }

/** The words of the matter and of what was taken that the request had not; for a choice, those that only one of its options has. */
function aboutOf(
  { about, options }: Doubt,
  people: readonly string[],
  asked: ReadonlySet<string>,
): ReadonlySet<string> {
  const all = wordsOf(about, people)
  const rare = new Set([...all].filter((word) => !asked.has(word)))
  const words = rare.size === 0 ? all : rare
  if (options === undefined) return words
  const each = options.map((option) => wordsOf(option, people))
  const shared = [...words].filter((word) => each.filter((one) => one.has(word)).length > 1)
  return new Set([...words].filter((word) => !shared.includes(word)))
}

/** For a choice, most of an option's own words have to be said: "the mill" alone does not choose "the history of the mill". */
function isChosen({ doubt: { options }, about }: Open, words: ReadonlySet<string>): boolean {
  if (options === undefined) return true
  return options.some((option) => {
    const own = sharedWords(wordsOf(option), about)
    const part = own.filter((word) => words.has(word)).length / Math.max(1, own.length)
    return isHan(option) ? part >= 0.3 : part > 0.5
  })
}

/** Sentences that state something: what asks, and what puts off, says nothing. */
function toStatements(text: string): readonly string[] {
  return text
    .slice(0, 1000)
    .split(/(?<=[.!?。！？]) ?|[；;\n]/u)
    .filter((said) => said.trim() !== '' && !/[?？]\s*$|(?:吗|呢)[？?。]?$/u.test(said))
    .filter((said) => !later.test(said) || dropped.test(said))
}

type Hit = { readonly closed: readonly Open[]; readonly isElsewhere: boolean }

/** A statement, whole and in its parts: "the east gate is jammed, it is the north gate". */
function closeSaid(said: string, within: Within): Hit {
  const { open } = within
  const counted = open.filter(({ doubt }) => isOtherNumber(said, doubt.assumed))
  if (counted.length === 1) return { closed: counted, isElsewhere: true }
  if (confirms.test(said.trim()))
    return { closed: open.length === 1 && open[0]?.doubt.kind === 'yes-no' ? open : [], isElsewhere: true }
  const parts = said.split(/[,，、]|(?<=\w) and /u).filter((part) => part.trim() !== '')
  const hits = (parts.length > 1 ? [said, ...parts] : [said]).map((part) => closePart(part, within))
  return { closed: hits.flatMap(({ closed }) => closed), isElsewhere: hits.some(({ isElsewhere }) => isElsewhere) }
}

const numbers = '[\\d一二三四五六七八九十两百半]{1,5}'
const bare = new RegExp(
  `^(?:不|不是|是|应该是?|一共|总共|共|有|就)?(${numbers})([\\p{Script=Han}])(?=$|[，。,.！!])`,
  'u',
)

/** 七个 after 人数按六个算: the same measure, and a number of their own. */
function isOtherNumber(said: string, assumed: string): boolean {
  const [, , unit] = bare.exec(said.trim()) ?? []
  return unit !== undefined && new RegExp(`${numbers}${unit}`, 'u').test(assumed)
}

function closePart(said: string, within: Within): Hit {
  const { open, people } = within
  const words = wordsOf(said, people)
  if (words.size === 0) return { closed: [], isElsewhere: false }
  const counts = open.map((one) => (isChosen(one, words) ? sharedWords(words, one.about).length : 0))
  const most = Math.max(0, ...counts)
  const elsewhere = mostElsewhere(words, within)
  const isDropped = dropped.test(said)
  const named = open.filter(({ premise }) => isDropped && sharedWords(words, premise).length > 0)
  if (most > 0 && most >= elsewhere)
    return { closed: [...named, ...open.filter((_, at) => counts[at] === most)], isElsewhere: true }
  if (isDropped)
    return { closed: named.length > 0 || elsewhere > 0 || words.size > 5 ? named : open, isElsewhere: true }
  const premised = open.filter(
    ({ premise, doubt }) => sharedWords(words, premise).length > 1 && doubt.kind !== 'choice',
  )
  return { closed: premised.length === 1 && elsewhere < 2 ? premised : [], isElsewhere: elsewhere > 0 }
}

/** How many of the words stand in one sentence of the answer that holds no doubt. */
function mostElsewhere(words: ReadonlySet<string>, { open, answer, people }: Within): number {
  const sentences = answer
    .split(/(?<=[.!?]) |(?<=[。！？])|; /u)
    .filter((one) => !open.some(({ doubt }) => doubt.said.startsWith(one.trim().slice(0, 12))))
  return Math.max(0, ...sentences.map((one) => sharedWords(words, wordsOf(one, people)).length))
}

/**
 * The bot takes up what was said: "Then sticky notes", 改成四位. Where it changes its answer and neither has a word of the answer, what was said closes the
 * first doubt that it may be an answer to.
 */
function closeTakenUp(text: string, since: readonly Said[], within: Within): readonly Open[] {
  if (since.length === 0 || !takesUp.test(text)) return []
  const waiting = since.filter(({ isElsewhere }) => !isElsewhere).map(({ said }) => said)
  const words = wordsOf(`${text} ${since.map(({ said }) => said).join(' ')}`, within.people)
  const named = within.open.filter(({ about }) => sharedWords(words, about).length > 0)
  if (named.length > 0) return named
  // "Sunday is mine", and the bot: "Sunday: Ben." Both speak of what one doubt stands beside.
  const heard = wordsOf(since.map(({ said: one }) => one).join(' '), within.people)
  const taken = wordsOf(text, within.people)
  const beside = within.open.filter(
    ({ premise, doubt }) =>
      doubt.isWhole !== true && [...premise].some((word) => heard.has(word) && (taken.has(word) || kept.test(text))),
  )
  if (beside.length === 1 && [...text].length < mostTakenChars) return beside
  const known = wordsOf(within.answer, within.people)
  const said = wordsOf(waiting.join(' '), within.people)
  // "34 signed up", and the bot: "then four groups of the 34".
  const isRepeated =
    said.size > 0 && sharedWords(said, known).length === 0 && sharedWords(said, wordsOf(text)).length > 0
  const isNew = sharedWords(words, known).length === 0 && since.at(-1)?.isElsewhere === false
  if (!changes.test(text) || !(isRepeated || isNew)) return []
  const hasNumber = /\d|[二三四五六七八九十两]|一[点个天次位人月年周号]/u.test(waiting.join(' '))
  const possible = within.open.filter(
    ({ doubt }) => doubt.kind !== 'action' && doubt.to === undefined && (hasNumber || isRepeated || !isNumber(doubt)),
  )
  const fitting = possible.filter(({ doubt }) => isNumber(doubt) === hasNumber)
  return (fitting.length > 0 ? fitting : possible).slice(0, 1)
}

const mostTakenChars = 40
const kept = /\bit (?:stays|remains)\b|\bstays\b|不用动|不动|保持|照旧|维持/iu
const changes =
  /^(?:ok(?:ay)?,? |good,? )?(?:then|so|changed|updated|corrected|in that case)\b|instead|^那|改|换|写上|补|去掉/iu
/** It is answered with a number. */
const isNumber = ({ ask, assumed }: Doubt): boolean =>
  /how (?:many|much|long|often|old|big|far|high)|at what time|多|几|\d/iu.test(`${ask} ${assumed}`)
