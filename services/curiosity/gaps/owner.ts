// Whose matter a question is: the one of whom memory says that they run it, or who said so themselves. Every pattern is bounded.
import { bot, type KnownRecord, type Turn } from './dialogue.ts'
import { sharedWords, wordsOf } from './words.ts'

export const runs =
  /\b(?:responsible|in charge|looks? after|takes? care|deals? with|settles?|decides?|runs?|conducts?|organi[sz]es?|handles?|manages?|leads?|coordinates?|edits?|curates?|maintains?|teaches|coaches|hosts?|stores?|(?:holds|keeps|has|books) (?:the|an?) |owns?)\b|负责|掌管|主管|经手|保管|老板|说了算|[由归].{1,6}[定管做弄]|管(?!道(?!具))|有.{1,10}(?:账号|帐号|权限|钥匙)|在[她他]家|[她他](?:父亲|母亲|爸|妈|家里?).{0,4}[拍写画做]/iu
const mine =
  /\b(?:is|are) (?:mine|my (?:corner|job|part|task|turn|department|area|business)|with me|up to me)\b|\bI(?: am|['’]m) (?:in charge|responsible)|\bI (?:run|handle|manage|look after|take care of|decide|booked|book|organi[sz]e|made up my mind|have decided)\b|我(?:来(?:定|管|弄|负责)?$|来[，,、。]|管(?!理|道)|负责|定的|订的|说了算)|归我|是我(?:的事|管|定|负责)|在我(?:这|手里)/u

/** "The costumes are Lucía's", 冷库归阿蓉. Most texts name nobody: of those no pattern is made. */
function isGiven(text: string, who: string): boolean {
  if (!text.includes(who)) return false
  const name = who.slice(0, 40).replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return new RegExp(
    `归${name}|${name}(?:负责|管(?!道)|来[管弄定做])|\\b(?:is|are) ${name}['’]s|(?<![\\w-])${name} (?:handles|runs|does|looks after|manages|is in charge|takes care)`,
    'u',
  ).test(text)
}

const mostChars = 300

type Matter = {
  /** The question, and the matter that an answer would speak of. */
  readonly about: string
  /** The bot's sentence. */
  readonly said: string
  readonly asker: string
  readonly people: readonly string[]
  readonly memory: readonly KnownRecord[]
  readonly turns: readonly Turn[]
}

/** "Ben looks after the heating", whoever said it: whom the words name before whose they are. */
function toSubject(content: string, speaker: string, people: readonly string[]): string {
  const named = people.filter((who) => who !== speaker && content.includes(who))
  return named.length === 1 ? (named[0] ?? speaker) : named.length > 1 ? '' : speaker
}

/** Undefined where nobody but who asked is known to run it, or several are. */
export function findOwner({ about, said, asker, people, memory, turns }: Matter): string | undefined {
  const isOther = (who: string): boolean => who !== asker && people.includes(who)
  const own = wordsOf(about, people)
  const words = new Set([...own, ...wordsOf(said, people)])
  const touches = (text: string, one: ReadonlySet<string>): boolean =>
    sharedWords(one, wordsOf(text, people)).length > 0
  const recorded = memory
    .filter(({ content, status }) => status === 'confirmed' && runs.test(content) && touches(content, words))
    .map(({ who, content }) => toSubject(content, who, people))
    .filter(isOther)
  const told = turns.filter(
    ({ who, text }) =>
      who !== bot && isOther(who) && mine.test(text.slice(0, mostChars)) && touches(text.slice(0, mostChars), own),
  )
  const named = people.filter(
    (who) => isOther(who) && turns.some(({ text }) => isGiven(text.slice(0, mostChars), who) && touches(text, own)),
  )
  const owners = new Set([...recorded, ...told.map(({ who }) => who), ...named])
  return owners.size === 1 ? [...owners][0] : undefined
}
