// The answer of a turn while it is written: what people are shown of it, and what is left of it when the turn ends early.
// A draft is overwritten and never journaled: after a crash, what the last one held is all that is known.
import type { Draft } from '#shared/run/draft.ts'
import type { RunStore } from '#services/executor/run/run-store.ts'

export type GrowingText = {
  add(piece: string): void
  /** The answer begins anew, at this step; what an earlier try at the same step had is kept until there is more. */
  restart(step: number): void
  /** Shows what changed beside the text. */
  refresh(): void
  /** The most that was written at this step. */
  written(step: number): string
  /** Ends the showing. */
  end(): void
}

const firstDraftMs = 300
const draftIntervalMs = 400
/** A stored draft lives a minute; a long call without text renews it. */
const keepDraftMs = 20_000

/** Shows nothing for a quick answer, then that something is being written, then the text at most a few times a second. */
export function createGrowingText(
  store: Pick<RunStore, 'draft'> & { hasNews?(): boolean },
  about: Omit<Draft, 'text' | 'step'>,
  { before, now }: { before: Draft | undefined; now(): number },
): GrowingText {
  let step = before?.step ?? 0
  let most = before?.text ?? ''
  let text = ''
  let shownAtMs = now()
  const written = (): string => (text.length >= most.length ? text : most)
  const show = (): void => {
    shownAtMs = now()
    store.draft({ ...about, text: text || most, step })
  }
  const first = setTimeout(show, firstDraftMs)
  const again = setInterval(show, keepDraftMs)
  return {
    add(piece) {
      text += piece
      if (now() - shownAtMs >= draftIntervalMs) show()
    },
    restart(next) {
      most = next === step ? written() : ''
      step = next
      text = ''
    },
    refresh: () => (store.hasNews?.() ? show() : undefined),
    written: (at) => (at === step ? written() : ''),
    end() {
      clearTimeout(first)
      clearInterval(again)
    },
  }
}

/** What an earlier owner of the turn had written, as far as it was shown. */
export async function findText(store: RunStore, turn: string): Promise<Draft | undefined> {
  const draft = await store.findDraft()
  return draft?.turn === turn ? draft : undefined
}
