// One page that looks at a growing reply: it is sent the newest reading as soon as it has room for it, and never an older one.
import type { Draft } from '#shared/run/draft.ts'
import type { DraftReading } from './draft-blocks.ts'
import type { PageBlock } from './page-blocks.ts'

export type Offered = Draft & { readonly resumed?: boolean }

/** Resolves when there is room for more. */
export type Send = (json: string) => Promise<unknown>

/** What one page is shown of the drafts of its conversation. */
export type DraftFeed = {
  /** Sends it, or the newest one offered, when it is time. */
  offer(draft: Offered): void
  /** Forgets what was not sent. */
  drop(): void
  leave(): void
}

export type Known = { readonly draft: Offered; readonly nr: number }
export type Shown = Known & {
  readonly reading: DraftReading
  readonly plan: { readonly row: string; readonly blocks: readonly PageBlock[] } | undefined
  /** By what a page has of it and whether the draft was there before: most pages have the same. */
  readonly jsons: Map<string, string>
}
type Member = {
  /** The newest draft that it was offered and was not sent. */
  wanted: { readonly nr: number; readonly resumed: boolean } | undefined
  /** The first draft that it was offered since it dropped what came before: an older one would come too late. */
  leastNr: number | undefined
  sentNr: number
  has: { readonly text: object; readonly settled: number } | undefined
  isSending: boolean
}

export type DraftMember = {
  want(nr: number, resumed: boolean): void
  wants(): boolean
  wantNothing(): void
  /** Sends what is shown, if it is wanted and there is room. */
  pass(): void
  /** Forgets what was not sent, and what was. */
  drop(): void
}

export function createMember(send: Send, shownNow: () => Shown | undefined): DraftMember {
  const fresh = { wanted: undefined, leastNr: undefined, sentNr: 0, has: undefined }
  const member: Member = { ...fresh, isSending: false }

  function pass(): void {
    const shown = shownNow()
    const { wanted, leastNr = Infinity } = member
    if (member.isSending || !shown || !wanted || shown.nr < leastNr || shown.nr <= member.sentNr) return
    const { reading, nr } = shown
    const has = member.has?.text === reading.text ? member.has.settled : 0
    const json = toJson(shown, has, wanted.resumed)
    if (nr >= wanted.nr) member.wanted = undefined
    member.sentNr = nr
    member.has = reading
    member.isSending = true
    send(json)
      // A client that has gone is the follower's matter.
      .catch(() => {})
      .finally(() => {
        member.isSending = false
        pass()
      })
      .catch(() => {})
  }

  return {
    want(nr, resumed) {
      member.leastNr ??= nr
      if (nr > member.sentNr) member.wanted = { nr, resumed }
    },
    wants: () => member.wanted !== undefined,
    wantNothing() {
      member.wanted = undefined
    },
    pass,
    drop() {
      Object.assign(member, fresh)
    },
  }
}

function toJson({ draft, reading, plan, jsons }: Shown, has: number, resumed: boolean): string {
  const key = `${has} ${resumed}`
  const { resumed: _, ...rest } = draft
  const known =
    jsons.get(key) ?? JSON.stringify({ ...rest, ...(resumed ? { resumed } : {}), ...reading.after(has), plan })
  jsons.set(key, known)
  return known
}
