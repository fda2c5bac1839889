// What people see on a simulated platform, read from its ledger as it grows: a message shown twice counts twice. What an echo answers
// is what the model was shown for it.
import process from 'node:process'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { ModelProcess } from './model.ts'
import type { Transcripts } from './transcripts.ts'

export type ShownMessage = { readonly id: string; readonly conversation: ConversationId; readonly text: string }

/** A call of the bot. */
export type LedgerCall = { readonly n: number; readonly at: number; readonly outcome: string }

export type WatchDeps = {
  /** The platform. */
  readonly name: string
  /** The calls after this one, with what they put into a chat. */
  read(after: number): Promise<readonly (LedgerCall & { readonly shown: ShownMessage | undefined })[]>
  readonly talk: Transcripts
  readonly model: ModelProcess
}

const watchMs = 150
const settledAfterMs = 50
const openForMs = 60_000

/** Returns what ends it. */
export function watchMessages(deps: WatchDeps): () => void {
  const seen = new Set<string>()
  const byNumber = new Map<string | undefined, string>()
  let after = 0
  let watching = false
  let isOver = false
  let told = ''

  /** Else whoever waits for answers would be told only that none came. */
  function tell(error: unknown): void {
    const trouble = `What ${deps.name} shows cannot be read: ${String(error)}`
    if (!isOver && trouble !== told) process.stderr.write(`${trouble}\n`)
    told = trouble
  }

  async function watch(): Promise<void> {
    const calls = await deps.read(after)
    const shown = calls.flatMap((call) =>
      call.shown && !seen.has(call.shown.id) ? [{ ...call.shown, at: call.at }] : [],
    )
    const prompts = shown.length > 0 ? await deps.model.prompts() : new Map<string, readonly string[]>()
    for (const asked of [...deps.talk.asked.values()].slice(byNumber.size)) byNumber.set(toNumber(asked.text), asked.id)
    for (const { id, conversation, text, at } of shown) {
      const shownTexts = prompts.get(toEchoed(text)) ?? []
      seen.add(id)
      deps.talk.record(conversation, {
        text,
        answers: shownTexts.flatMap((one) => byNumber.get(toNumber(one)) ?? []),
        atMs: at,
      })
    }
    // Calls still open may yet take effect, so the place to read from stays before them.
    const open = calls.find((call) => call.outcome === 'open' && Date.now() - call.at < openForMs)
    const settled = calls.filter((call) => call.n < (open?.n ?? Infinity) && Date.now() - call.at > settledAfterMs)
    after = settled.at(-1)?.n ?? after
  }
  const timer = setInterval(() => {
    if (watching) return
    watching = true
    void watch()
      .catch(tell)
      .finally(() => (watching = false))
  }, watchMs)
  return () => {
    isOver = true
    clearInterval(timer)
  }
}

/** What an echo repeats; a mark of doubt may stand before it. */
const toEchoed = (text: string): string => /(?<=^echo: ).*/ms.exec(text)?.[0] ?? text

/** Every text ends in a number of its own, which stays when the prompt adds words before it. */
const toNumber = (text: string): string | undefined => /#(\d+)\.$/.exec(text)?.[1]
