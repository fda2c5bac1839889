// How a growing reply is shown: a typing indicator, then a draft, or where the platform has none a first message of at least 120
// characters that is edited at the platform's pace. The latest text wins; nothing here may cost the answer its place.
import { createHash, randomUUID } from 'node:crypto'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Draft } from '#shared/run/draft.ts'
import type { ChatBook } from '#queues/fleet/chat-book.ts'
import type { SendBudget } from '#queues/fleet/send-budget.ts'
import type { Beginning, BeginResult, BegunRow, Kernel, Sender } from '#queues/kernel/kernel.ts'
import { toBase32, toQuestionId } from '#queues/partition.ts'
import type { Raised } from '#shared/run/question.ts'
import { createStop } from './create-stop.ts'
import { toFirstRow, type OutBody } from '#shared/run/out-row.ts'
import { findAddress } from './address.ts'
import type { ChannelDelivery, DraftOutcome, ShownDraft } from './channel-adapter.ts'
import { startWatch } from './watch.ts'

export type DraftShow = {
  /**
   * Shows the text so far. When it has become a row of its own, that is begun, or whatever else waits. `heldMs`: how long ago
   * the sender's lease was asked for and given. Where half of it has gone by, nothing is shown, and what is under way ends with it:
   * another sender may have sent the whole answer by then.
   */
  show(draft: Draft, heldMs: () => number, signal: AbortSignal): Promise<BeginResult | undefined>
  /** How long until another text may be shown. */
  restMs(): number
  /** Whether an edit may still arrive late. Asking forgets it. */
  takeUnclear(): boolean
}

export type DraftShowDeps = {
  readonly kernel: Pick<Kernel, 'promote'>
  readonly delivery: ChannelDelivery
  readonly budget: SendBudget
  readonly chats: Pick<ChatBook, 'find'>
}

/** Not sooner than the budget gives it again. */
const typingEveryMs = 4000
/** Until a closed chat is looked at again. */
const closedAfterMs = 30_000
/** A row's name in the send budget: each real attempt counts. The first part of a text takes the place that the whole was given. */
export function toSendId(conversation: ConversationId, { id, attempts }: Pick<BegunRow, 'id' | 'attempts'>): string {
  return `${conversation}/${attempts === 1 ? id.replace(/(?<!\.1)(?:\.1)+$/, '') : id}:${attempts}`
}
const firstChars = 120
const longestFirstChars = 1000

export function createDraftShow(deps: DraftShowDeps, sender: Sender): DraftShow {
  const { kernel, delivery, budget } = deps
  const conversation: ConversationId = sender.conversation
  const { as, everyMs } = delivery.streaming(conversation)
  const limits = delivery.limits(conversation)
  let last = { turn: '', text: '', atMs: 0 }
  let begunTurn = ''
  let first: { readonly turn: string; readonly receipt: string } | undefined
  let quietUntilMs = 0
  let heldMs = startWatch()
  let unclear = false

  async function put(draft: ShownDraft, signal: AbortSignal): Promise<void> {
    last = { turn: draft.turn, text: draft.text, atMs: performance.now() }
    const address = await findAddress(deps, conversation)
    const isClosed = address.standing?.closed !== undefined
    const leftMs = sender.ttlMs - heldMs()
    if (leftMs < sender.ttlMs / 2) return
    const whileHeld = AbortSignal.any([signal, AbortSignal.timeout(leftMs)])
    const outcome: DraftOutcome = isClosed
      ? { kind: 'refused', afterMs: closedAfterMs }
      : await delivery.showDraft(address, draft, whileHeld)
    unclear ||= outcome.kind === 'unclear'
    if (outcome.kind !== 'refused') return
    quietUntilMs = performance.now() + outcome.afterMs
    if (outcome.slowDown) await budget.pause(limits, outcome.slowDown, outcome.afterMs)
  }

  const dueMs = (): number => (last.text === '' ? 0 : last.atMs + everyMs)

  return {
    restMs: () => Math.max(dueMs(), quietUntilMs) - performance.now(),
    takeUnclear() {
      const was = unclear
      unclear = false
      return was
    },
    async show(given, heldForMs, signal) {
      heldMs = heldForMs
      if (performance.now() < quietUntilMs) return undefined
      const draft = { ...given, text: withoutUnfinishedRow(given.text) }
      const { length } = draft.text.trim()
      const isText = as === 'draft' ? length > 0 : length >= firstChars && draft.principal !== undefined
      const isNew = last.turn !== draft.turn || last.text !== draft.text
      return isText && isNew ? await showText(draft, signal) : await showTyping(draft.turn, signal)
    },
  }

  async function showText(draft: Draft, signal: AbortSignal): Promise<BeginResult | undefined> {
    const { turn, text } = draft
    // The place that a first message takes is the one its row will ask for.
    const isFirst = as === 'edit' && begunTurn !== turn
    const id = isFirst
      ? toSendId(conversation, { id: toFirstRow(turn), attempts: 1 })
      : `${conversation}/${turn} ${text.length}`
    if (performance.now() < dueMs() || !(await budget.mayDraft(limits, id))) return undefined
    if (as === 'edit' && first?.turn !== turn) {
      begunTurn = turn
      const askedMs = startWatch()
      const promoted = await kernel.promote(sender, toBeginning(conversation, draft), randomUUID())
      if (promoted.kind !== 'SHOWN') {
        last = { turn, text, atMs: performance.now() }
        return promoted
      }
      first = { turn, receipt: promoted.receipt }
      heldMs = askedMs
    }
    if (as === 'draft') await put({ turn, text }, signal)
    else if (first?.receipt) {
      const { receipt } = first
      await put(
        { turn, text: withMark(text), message: { receipt, buttons: toStop(conversation, draft).buttons } },
        signal,
      )
    }
    last = { ...last, turn, text }
    return undefined
  }

  async function showTyping(turn: string, signal: AbortSignal): Promise<undefined> {
    if (last.turn === turn && performance.now() < last.atMs + typingEveryMs) return
    if (!(await budget.mayType(limits, randomUUID()))) return
    const { text } = last
    await put({ turn, text: '' }, signal)
    if (last.turn === turn) last = { ...last, text }
  }
}

/** Without the table row that is being written, and without a table's head before its first row: they would show as bare pipes. */
function withoutUnfinishedRow(text: string): string {
  const lines = text.split('\n')
  const isRow = (line: string | undefined): boolean => line?.startsWith('|') ?? false
  if (!isRow(lines.at(-1))) return text
  lines.pop()
  const rows = lines.length - 1 - lines.findLastIndex((line) => !isRow(line))
  return lines.slice(0, lines.length - (rows < 3 ? rows : 0)).join('\n')
}

/** Behind a table's row the mark would be one more cell, and behind a fence it would keep the code open: there it stands alone. */
function withMark(text: string): string {
  const said = text.trimEnd()
  const isBlock = /(?:^|\n)[ \t]*(?:\||```|~~~)[^\n]*$/.test(said)
  return `${said}${isBlock ? '\n\n' : ' '}…`
}

function toBeginning(conversation: ConversationId, draft: Draft): Beginning {
  const { turn, text, replyTo, language = 'en' } = draft
  const { question, buttons } = toStop(conversation, draft)
  const shown = withMark(text.slice(0, longestFirstChars)).toWellFormed()
  const body: OutBody = { v: 1, kind: 'send', partial: true, text: shown, answers: [], language, buttons }
  return { turn, body: replyTo ? { ...body, replyTo } : body, question }
}

/** The same for every sender of the turn: an edit must show it again, and who may press is checked when it is pressed. */
function toStop(conversation: ConversationId, { turn, language = 'en', principal: owner = '' }: Draft): Raised {
  const digest = createHash('sha256').update(`${conversation} ${turn} stop`).digest()
  const id = toQuestionId(conversation, toBase32(digest.subarray(0, 22)))
  return createStop(id, { owner, turn, language })
}
