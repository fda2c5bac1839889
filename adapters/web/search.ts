// Finds conversations by their names and by what was said in them, the newest passage of each. One search at a time, within bounds: a newer
// one ends it.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kernel } from '#queues/kernel/kernel.ts'
import type { OutItem } from '#queues/shown/shown.ts'
import { toPosition } from '#queues/shown/out-position.ts'
import type { ConversationList } from './conversation-list.ts'
import { toNormalForm } from '#shared/chat/normal-form.ts'
import { unmark } from './unmark.ts'

export type Found = {
  readonly id: string
  readonly title: string
  /** The message, by the id the interface gives it, and what stands around the words; absent when only the name has them. */
  readonly message?: string
  readonly excerpt?: string
}
export type SearchResult = {
  readonly found: readonly Found[]
  /** Whether it ended before all was looked at. */
  readonly partial: boolean
}

const pageItems = 100
const mostMs = 2000
/** Of one message. */
const mostChars = 20_000
const aroundChars = 40

type SearchDeps = { readonly kernel: Pick<Kernel, 'readOutBefore'>; readonly list: Pick<ConversationList, 'load'> }

export function createSearch({ kernel, list }: SearchDeps): (query: string) => Promise<SearchResult> {
  let current: AbortController | undefined

  async function findIn(id: string, wanted: string, signal: AbortSignal): Promise<Partial<Found> | undefined> {
    for (let position = '0'; !signal.aborted;) {
      const items = await kernel.readOutBefore(`web:${id}`, position, pageItems)
      for (const item of items.toReversed()) {
        // A message takes a moment, and others wait meanwhile.
        await nextTurn()
        if (signal.aborted) return undefined
        const text = alike(toText(item))
        const folded = text.toLowerCase()
        const at = folded.indexOf(wanted)
        // A few letters are more than one in lower case; the positions of what follows differ then.
        const shown = folded.length === text.length ? text : folded
        if (at >= 0) return { message: toPosition(item), excerpt: toReadableExcerpt(shown, at, wanted) }
      }
      const [first] = items
      if (!first || items.length < pageItems) return undefined
      position = first.id
    }
    return undefined
  }

  return async (query) => {
    current?.abort()
    const own = new AbortController()
    current = own
    const signal = AbortSignal.any([own.signal, AbortSignal.timeout(mostMs)])
    const wanted = alike(query).toLowerCase()
    const found: Found[] = []
    for (const { id, title } of await list.load()) {
      if (signal.aborted) break
      const said = await findIn(id, wanted, signal)
      if (said || alike(title).toLowerCase().includes(wanted)) found.push({ id, title, ...said })
    }
    return { found, partial: signal.aborted }
  }
}

function toText(item: OutItem): string {
  if (item.role === 'person') return item.event.kind === 'message' ? item.event.text : ''
  return item.body.kind === 'send' ? (item.body.file?.caption ?? item.body.text) : ''
}

/** Letters alike in width. */
function alike(text: string): string {
  return toNormalForm(text.slice(0, mostChars), 'NFKC')
}

/** Without the marks of Markdown, unless they are what was looked for. */
function toReadableExcerpt(text: string, at: number, wanted: string): string {
  const plain = unmark(text)
  const there = plain.toLowerCase().indexOf(wanted)
  return there < 0 ? toExcerpt(text, at, wanted.length) : toExcerpt(plain, there, wanted.length)
}

function toExcerpt(text: string, at: number, length: number): string {
  const from = Math.max(0, at - aroundChars)
  const to = Math.min(text.length, at + length + aroundChars)
  const cut = text.slice(from, to).toWellFormed().replaceAll(/\s+/g, ' ').trim()
  return `${from > 0 ? '…' : ''}${cut}${to < text.length ? '…' : ''}`
}
