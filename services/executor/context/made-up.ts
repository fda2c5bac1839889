// What a tainted turn shows to people: addresses that the model may have made up lose what stands behind `?` and `#`. Whoever got words into the prompt
// may have it write there what else it has read, for a person to follow (threat T3). What stands in a block of code is not followed, and stays.
import { withoutOwnQuotes } from '#shared/chat/spoken.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import { visibleTo } from '#services/executor/state/history-item.ts'
import { itemsOf } from './turn-items.ts'
import type { Taint } from '#shared/model/taint.ts'
import type { OpenTurn } from '#services/executor/run/open-turn.ts'
import { fenceAfter } from './fence.ts'

const word = /[^\s<>"`]+/g
/** Where an address begins, or for one without `https://` the end of its site: chat programs make links of these, too. */
const begins = /https?:\/\/|www\.|\.\p{L}{2,20}(?::\d{1,5})?(?:\/|$)/iu
/** What ends it: brackets, emphasis, and Chinese, which has no spaces. */
const ends = /[)\]|*'\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u
const closing = new Set('.,;:!?')
/** More are not looked for in what was read, and lose their queries: nobody reads so many. */
const mostLookedFor = 200
const says = /[\p{L}\p{N}]/u

/** `texts` are those that the model has read and not written: what stands in one of them keeps everything. Takes time in proportion to `text`. */
export const withoutMadeUp = (text: string, texts: () => readonly string[]): string => stripMadeUp(texts)(text)

/** The same for many texts that belong together: they are looked through once, and so many addresses are looked for in all. */
export function stripMadeUp(texts: () => readonly string[]): (text: string) => string {
  let known: readonly string[] | undefined
  let left = mostLookedFor
  const stands = (address: string): boolean => left-- > 0 && (known ??= texts()).some((one) => one.includes(address))
  return (text) => (/[?#]/.test(text) ? stripLines(text, stands) : text)
}

function stripLines(text: string, stands: (address: string) => boolean): string {
  let fence = ''
  const lines = text.split('\n').map((line) => {
    const before = fence
    fence = fenceAfter(line, before)
    return before === '' && fence === '' ? line.replaceAll(word, (found) => strip(found, stands)) : line
  })
  return lines.join('\n')
}

/** What people are shown of what the model wrote in a turn after it had read this. */
export const toShown = (
  claim: Pick<Claim, 'state' | 'mailbox'>,
  { turn, taint }: { readonly turn: OpenTurn; readonly taint?: Taint | undefined },
  text: string,
): string => (taint?.length ? withoutMadeUp(text, () => readOf(claim, turn)) : text)

/** What the model has read and not written. Tools of our own repeat what they were given, and so may a turn that a tool led to. */
export function readOf({ state, mailbox }: Pick<Claim, 'state' | 'mailbox'>, turn: OpenTurn): readonly string[] {
  const items = [...visibleTo(state.history, turn.start.principal), ...itemsOf(turn, mailbox.find, state)]
  const read = items.flatMap(({ role, text, source, taint }) => {
    const isRepeated = role === 'assistant' || (role === 'tool' ? source !== 'others' : taint?.length)
    return isRepeated ? [] : [withoutOwnQuotes(text)]
  })
  return [...read, ...[...(state.prefix ?? []), ...(state.context ?? [])].map(({ text }) => text)]
}

/** There may be more than one address in a word. */
function strip(found: string, stands: (address: string) => boolean): string {
  let left = ''
  let rest = found
  for (let at = rest.search(/[?#]/); at >= 0; at = rest.search(/[?#]/)) {
    const head = rest.slice(0, at)
    const begun = begins.exec(head)
    if (!begun) {
      left += rest.slice(0, at + 1)
      rest = rest.slice(at + 1)
      continue
    }
    const behind = rest.slice(at)
    const end = behind.search(ends)
    const query = withoutClosing(end < 0 ? behind : behind.slice(0, end))
    rest = behind.slice(query.length)
    const from = begun[0].startsWith('.') ? head.lastIndexOf('(') + 1 : begun.index
    const isKept = !says.test(query) || stands(head.slice(from) + query)
    // Where what follows is no end of a link it must not become a part of the address.
    const isApart = isKept || !says.test(rest) || rest.startsWith(')')
    left += `${head}${isKept ? query : ''}${isApart ? '' : ' '}`
  }
  return left + rest
}

function withoutClosing(text: string): string {
  let end = text.length
  while (closing.has(text[end - 1] ?? '')) end--
  return text.slice(0, end)
}
