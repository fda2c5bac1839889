// Who asked for an answer, what they asked for, and who can tell what it did not know.
import { bot, type Dialogue, type Turn } from './dialogue.ts'

/** The last before the answer who called the bot, in a group by an `@` that is no person's; else the last who spoke. */
export function findRequest(
  turns: readonly Turn[],
  at: number,
  { chat, people }: Pick<Dialogue, 'chat' | 'people'>,
): Turn | undefined {
  const before = turns.slice(0, at).filter(({ who }) => who !== bot)
  if (chat === 'direct') return before.findLast(({ text }) => isRequest(text)) ?? before[0]
  return before.findLast(({ text }) => isCall(text, people)) ?? before.at(-1)
}

const isRequest = (text: string): boolean =>
  /\p{Script=Han}/u.test(text)
    ? /帮|给|写|做|排|推荐|想|怎|什么|啥|哪|[？?]|吗|安排|翻译|改|算|挑|订|列|整理|提醒|规划|点/u.test(text)
    : text.length > 15 ||
      /^\W{0,5}(?:please |now |and |then )?(?:plan|write|make|draft|list|find|book|translate|cook|suggest|design|prepare|organi[sz]e|summari[sz]e|what|which|where|when|who|how)\b/iu.test(
        text,
      )

function isCall(text: string, people: readonly string[]): boolean {
  return [...text.slice(0, 400).matchAll(/@([^\s@,，:：]{1,40})/gu)].some(([, name = '']) => !people.includes(name))
}

/**
 * Whom a question is put to: whoever the bot's sentence names as the one who knows, the one whose text or task it is, the only one whom the
 * question speaks of, else who asked. Undefined where it speaks of several people.
 */
export function findAddressee(
  {
    said,
    ask,
    request,
    asker,
  }: { readonly said: string; readonly ask: string; readonly request: string; readonly asker: string },
  people: readonly string[],
): string | undefined {
  const named = people.filter((name) => isNamed(ask, name) && name !== asker)
  if (named.length > 1) return undefined
  const knows = people.find((name) => isKnower(said, name))
  if (knows !== undefined) return knows
  if (named[0] !== undefined) return named[0]
  return people.find((name) => name !== asker && isOwner(request, name)) ?? asker
}

const isLatin = (name: string): boolean => /^[\w .'-]+$/u.test(name)
const escaped = (name: string): string => name.slice(0, 40).replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

function isNamed(text: string, name: string): boolean {
  return isLatin(name) ? new RegExp(`(?<![\\w-])${escaped(name)}(?![\\w-])`, 'u').test(text) : text.includes(name)
}

const isKnower = (said: string, name: string): boolean =>
  new RegExp(
    `(?<![\\w-])${escaped(name)} (?:would|will|should|might|may|can|could|alone|must|has to)? ?(?:know|knows|say|tell|decide|decides|judge)(?![a-z])|(?:only|ask|up to|for|from) ${escaped(name)}(?! (?:and|is|was)\\b)(?![\\w-])(?=[^.]{0,20}(?:know|say|tell|decide|judge|$|[.,;]))|${escaped(name)}(?:才|应该|最)?(?:知道|清楚|说了算|来定|定$)|(?:得|要|需要|请)(?:问|请|由)${escaped(name)}`,
    'u',
  ).test(said)

/** "Theo's abstract", 阿木的发言稿. */
const isOwner = (request: string, name: string): boolean =>
  new RegExp(
    isLatin(name)
      ? `(?<![\\w-])${escaped(name)}['’]s? \\w|\\b(?:by|of|from) ${escaped(name)}(?![\\w-])`
      : `${escaped(name)}(?:写)?的\\p{Script=Han}`,
    'u',
  ).test(request)
