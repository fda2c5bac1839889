// English clauses as questions: "how long the slot is" becomes "How long is the slot?", "you stay overnight" becomes "Do you stay overnight?". What it
// cannot read with certainty it frames instead: "Can you tell me …?", "Is it right that …?".

const be = new Set(['is', 'are', 'was', 'were'])
const modals = new Set(['can', 'could', 'will', 'would', 'should', 'must', 'may', 'might', 'shall'])
const have = new Set(['has', 'have', 'had'])
const plural = new Set(['you', 'they', 'we', 'i', 'all', 'both', 'these', 'those', 'people', 'children'])
const single = new Set(
  'it he she that this everybody everyone nobody somebody someone anybody anyone nothing everything something there one yours ours theirs mine'.split(
    ' ',
  ),
)
const adverbs = new Set(
  'always usually already still also really all both two ever never often normally only just actually even now generally mostly rather either'.split(
    ' ',
  ),
)
const articles = new Set(
  'a an the this that these those my your his her its our their each every some any no'.split(' '),
)
const relative = new Set(['that', 'which', 'who', 'whom', 'whose', 'where', 'when', 'than', 'as', 'if', 'because'])
/** Verbs that are seldom nouns, in their base form. */
const verbs = new Set(
  `go open close start begin end come take need last cost fit join want like prefer live work stay mean include cover count belong hold run read bring drive
pay eat drink sleep cook have know use play make get give send write see say speak meet leave arrive travel ride walk wear carry keep sell buy own rent do
happen apply follow contain allow expect handle share lead teach learn depend exist remain stand sit lie matter move change serve host attend suit get
receive tolerate require support print fire fill camp pitch mind agree plan intend hope think tend bake grow lock deliver collect charge own finish return visit pick differ
reach cut add build sing dance train`
    .split(/\s+/)
    .filter(Boolean),
)
const contracted: readonly (readonly [RegExp, string])[] = [
  [/\bcan['’]t\b/giu, 'cannot'],
  [/\bwon['’]t\b/giu, 'will not'],
  [/n['’]t\b/giu, ' not'],
  [/\bI['’]m\b/gu, 'I am'],
  [/\b(you|they|we)['’]re\b/giu, '$1 are'],
  [/\b(it|he|she|that|there|what|who)['’]s\b/giu, '$1 is'],
  [/\b(you|they|we|i|it|he|she)['’]ll\b/giu, '$1 will'],
  [/\b(you|they|we|i|it|he|she)['’]d (?=rather|like|prefer|want|need|love|have to)/giu, '$1 would '],
  [/\b(you|they|we|i)['’]ve\b/giu, '$1 have'],
]

/** Without "isn't" and "you're". */
export function expand(text: string): string {
  return contracted.reduce((said, [from, to]) => said.replaceAll(from, to), text)
}

export const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
/** Names keep their capital. */
export const lowerFirst = (text: string): string =>
  common.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
const common =
  /^(?:the|an?|your|this|that|these|those|they|you|we|it|he|she|there|how|what|which|who|whose|where|when|whether|at|on|in|for|by|from|to|with|of|is|are|was|were|do|does|did|can|could|will|would|should|shall|may|might|must|has|have|had|depending|either|some|all|both|every|no|two|three|one|children|people|members|guests)\b/iu

type Inverted = { readonly aux: string; readonly subject: string; readonly rest: string }

/** `undefined` where the verb is not found with certainty. */
function invert(said: string): Inverted | undefined {
  const words = said.split(' ')
  const found = findVerb(words)
  if (found === undefined) return undefined
  const { at, helper } = found
  const verb = words[at] ?? ''
  const low = verb.toLowerCase()
  const join = (from: readonly string[]): string => from.join(' ')
  const subject = join(words.slice(0, at).filter((word, place) => place === 0 || !isLeading(word, place, words)))
  const leading = words.slice(1, at).filter((word, place) => isLeading(word, place + 1, words))
  const after = words.slice(at + 1)
  if (helper !== undefined)
    return {
      aux: helper,
      subject,
      rest: join([...leading, toBase(low, helper), ...after].filter((word) => word !== '')),
    }
  return { aux: low, subject, rest: join([...leading, ...after]) }
}

/** "still" in "you still want" stands with the verb; "two" in "you two" does not. */
const isLeading = (word: string, at: number, words: readonly string[]): boolean =>
  adverbs.has(word.toLowerCase()) && !['all', 'both', 'two'].includes(word.toLowerCase()) && at < words.length - 1

/** Where the finite verb stands, and the helper that a question needs; none for "is", "can" and "has been". */
function findVerb(words: readonly string[]): { readonly at: number; readonly helper?: string } | undefined {
  const first = words[0]?.toLowerCase() ?? ''
  const isPronoun = (plural.has(first) || single.has(first)) && words[1]?.toLowerCase() !== 'and'
  let at = 1
  if (isPronoun) {
    while (at < words.length && adverbs.has(words[at]?.toLowerCase() ?? '')) at += 1
    const next = words[at]?.toLowerCase() ?? ''
    if (next === '' || /^(?:of|in|at|on|with|from)$/u.test(next)) return findLater(words, at)
    return isAuxiliary(words, at) ? { at } : { at, helper: helperFor(next, plural.has(first)) }
  }
  return findLater(words, 1)
}

function findLater(
  words: readonly string[],
  from: number,
): { readonly at: number; readonly helper?: string } | undefined {
  for (let at = from; at < words.length; at += 1) {
    const low = words[at]?.toLowerCase() ?? ''
    if (at > from && relative.has(low)) return undefined
    if (isAuxiliary(words, at)) return { at }
    const before = words[at - 1]?.toLowerCase() ?? ''
    if (have.has(low)) return { at, helper: helperFor(low, low === 'have') }
    if (articles.has(before)) continue
    if (/[a-z]s$/u.test(low) && isVerb(low) && !/[^s]s$/u.test(before)) return { at, helper: 'does' }
    if (verbs.has(low) && (/[^s]s$/u.test(before) || words.slice(0, at).includes('and'))) return { at, helper: 'do' }
  }
  return undefined
}

/** "has" is one only before a participle. */
function isAuxiliary(words: readonly string[], at: number): boolean {
  const low = words[at]?.toLowerCase() ?? ''
  if (be.has(low) || modals.has(low)) return true
  const next = words[at + 1]?.toLowerCase() ?? ''
  return (
    have.has(low) &&
    /(?:[a-z]ed|en|been|got|gone|done|made|left|read|said|kept|put|set|sent|built|bought|met|found|told|lost|paid|held|won|come|become|run)$/u.test(
      next,
    )
  )
}

const helperFor = (verb: string, isPlural: boolean): string =>
  /[a-z]ed$/u.test(verb) || ['had', 'went', 'took', 'came', 'said', 'wrote', 'made'].includes(verb)
    ? 'did'
    : isPlural
      ? 'do'
      : 'does'

const isVerb = (word: string): boolean => verbs.has(toBase(word, 'does'))

/** The base form of a verb. */
function toBase(verb: string, helper: string): string {
  if (helper === 'did') {
    const irregular: Readonly<Record<string, string>> = {
      had: 'have',
      went: 'go',
      took: 'take',
      came: 'come',
      said: 'say',
    }
    return irregular[verb] ?? verb.replace(/ed$/u, '')
  }
  if (helper === 'do') return verb
  if (verb === 'has') return 'have'
  if (verb === 'does' || verb === 'goes') return verb.slice(0, -2)
  if (/(?:ss|sh|ch|x|zz)es$/u.test(verb)) return verb.slice(0, -2)
  if (/[^aeiou]ies$/u.test(verb)) return `${verb.slice(0, -3)}y`
  return verb.replace(/s$/u, '')
}

/** A statement as a question that is answered with yes or no. */
export function askWhether(statement: string): string {
  const said = expand(statement.trim()).replace(/\b(has|have) no\b/u, '$1')
  const inverted = invert(said)
  if (inverted === undefined) return `Is it right that ${lowerFirst(said)}?`
  const { aux, subject, rest } = inverted
  return `${upperFirst([aux, lowerFirst(subject), rest].filter(Boolean).join(' '))}?`
}

const degrees = new Set(
  'long often big far high old wide tall deep late early large heavy soon warm hot strict formal spicy strong many much thick well fast loud bright sweet large small detailed close'.split(
    ' ',
  ),
)
const questionWords = new Set(['how', 'what', 'which', 'whose', 'who', 'whom', 'where', 'when'])
const prepositions = new Set('at on in for by from to with of until under into'.split(' '))

/** How many of the words ask: "how many guests", "on which days", "which of the two rooms". None where the first asks nothing. */
function countHead(words: readonly string[]): number {
  const low = words.slice(0, 12).map((word) => word.toLowerCase())
  const at = prepositions.has(low[0] ?? '') ? 1 : 0
  const first = low[at] ?? ''
  if (!questionWords.has(first)) return 0
  let end = at + 1
  if (['where', 'when', 'who', 'whom'].includes(first)) return end
  if (first === 'how') {
    const isFollowed =
      articles.has(low[end + 1] ?? '') || plural.has(low[end + 1] ?? '') || single.has(low[end + 1] ?? '')
    const isDegree =
      degrees.has(low[end] ?? '') ||
      (isFollowed && !be.has(low[end] ?? '') && !modals.has(low[end] ?? '') && low[end] !== 'to')
    if (!isDegree) return end
    end += 1
    // "how long a delay the partner tolerates"
    if (['a', 'an'].includes(low[end] ?? '') && articles.has(low[end + 2] ?? '')) return end + 2
    if (!['many', 'much'].includes(low[end - 1] ?? '')) return end
  }
  if (low[end] === 'of') end += articles.has(low[end + 1] ?? '') ? 3 : 2
  while (end < low.length && end < at + 6 && isNounPart(words[end] ?? '')) end += 1
  return end
}

/** Whether a word may belong to what "which" or "how many" counts. */
function isNounPart(word: string): boolean {
  const low = word.toLowerCase()
  const ends =
    articles.has(low) || plural.has(low) || single.has(low) || be.has(low) || modals.has(low) || have.has(low)
  return (
    !(ends && low !== 'people' && low !== 'children') && !/^[A-Z]/u.test(word) && !isVerb(low) && !prepositions.has(low)
  )
}

/** An embedded question as a direct one. `kind`: how it is answered. */
export function askEmbedded(clause: string): { readonly ask: string; readonly kind: 'yes-no' | 'choice' | 'words' } {
  const said = expand(clause.trim())
  const whether = /^(?:whether|if) (?:or not )?/iu.exec(said)
  if (whether) {
    const statement = said.slice(whether[0].length).replace(/ or not$/iu, '')
    const kind = / or /u.test(statement) ? 'choice' : 'yes-no'
    if (/^(?:to|for|in|on|at|as|with|by|only) /iu.test(statement))
      return { ask: `Is it ${statement.replace(/^to /iu, 'better to ')}?`, kind }
    return { ask: askWhether(statement), kind }
  }
  const words = said.split(' ')
  const count = countHead(words)
  if (count === 0) return { ask: `Can you tell me ${lowerFirst(said)}?`, kind: 'words' }
  const head = words.slice(0, count).join(' ')
  const rest = words.slice(count).join(' ')
  const first = words[count]?.toLowerCase() ?? ''
  // "Who has the key", "what is planned": the question word is the subject.
  if (rest === '' || be.has(first) || modals.has(first) || have.has(first) || isVerb(first))
    return { ask: `${upperFirst(said)}?`, kind: 'words' }
  const inverted = invert(rest)
  if (!inverted) return { ask: `Can you tell me ${lowerFirst(said)}?`, kind: 'words' }
  const { aux, subject, rest: tail } = inverted
  return { ask: `${upperFirst([head, aux, lowerFirst(subject), tail].filter(Boolean).join(' '))}?`, kind: 'words' }
}

/** "likes short hikes", of the person who is spoken to: "like short hikes". Undefined where it speaks of something else. */
export function toSecondPerson(content: string, who: string): string | undefined {
  const said = content.startsWith(`${who} `) ? content.slice(who.length + 1) : content
  const [adverb = '', ...later] = said.trim().split(' ')
  if (adverbs.has(adverb.toLowerCase())) {
    const other = toSecondPerson(later.join(' '), who)
    return other === undefined ? undefined : `${adverb} ${other}`
  }
  const [verb = '', ...rest] = said.trim().split(' ')
  const low = verb.toLowerCase()
  const other = low === 'is' ? 'are' : low === 'was' ? 'were' : low === 'has' ? 'have' : undefined
  if (other !== undefined) return [other, ...rest].join(' ')
  if (modals.has(low)) return said
  if (!/^[a-z]{2,}s$/u.test(verb) || verb.endsWith('ss') || rest.length === 0) return undefined
  if (low === 'does') return ['do', ...rest].join(' ')
  return [toBase(low, 'does'), ...rest].join(' ')
}
