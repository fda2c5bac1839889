// How a growing reply is shown: a typing indicator, then a draft, or where the platform has none a first message of at least 120
// characters that is edited at the platform's pace. The latest text wins; nothing here may cost the answer its permit. In a group, where all share
// few calls, an answer that comes soon costs no other call than its own, or one more where it has grown.
import { createHash, randomUUID } from 'node:crypto'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Draft } from '#shared/run/draft.ts'
import type { ChatBook } from '#queues/fleet/chat-book.ts'
import type { Asked, SendBudget } from '#queues/fleet/send-budget.ts'
import type { Beginning, BeginResult, BegunRow, Kernel } from '#queues/kernel/kernel.ts'
import { toBase32, toQuestionId } from '#queues/partition.ts'
import type { Raised } from '#shared/run/question.ts'
import { createStop } from './create-stop.ts'
import { toFirstRow, type OutBody } from '#shared/run/out-row.ts'
import type { ChannelDelivery, ShownDraft } from './channel-adapter.ts'
import { withGrowthMark } from './growth-mark.ts'
import { createPlanShow, type Growing, type PlanShow } from './plan-show.ts'
import type { OwnSender } from './own-sender.ts'
import { putDraft } from './put-draft.ts'

export type DraftShow = {
  /**
   * Shows the text so far. When it has become a row of its own, that is begun, or whatever else waits. Once the sender is not certain any more, nothing is shown,
   * and what is under way ends: another sender may have the lease, and have sent the whole answer.
   */
  show(growing: Growing, signal: AbortSignal): Promise<BeginResult | undefined>
  readonly notePlan: PlanShow['note']
  /** How long until another text may be shown. */
  restMs(): number
  /** Whether an edit of the message that this row replaces may still arrive late. Asking forgets it. */
  takeUnclear(row: Pick<BegunRow, 'body'>): boolean
}

export type DraftShowDeps = {
  readonly kernel: Pick<Kernel, 'promote'>
  readonly delivery: ChannelDelivery
  readonly budget: SendBudget
  readonly chats: Pick<ChatBook, 'find'>
}

/** Not sooner than the budget gives it again. */
const typingEveryMs = 4000
/** In a group: until a turn shows that it is at work, or its message changes. Each later gap is twice the one before, up to eight times this. */
const groupGapMs = 6000
const mostDoublings = 3
/** A row's name in the send budget: each real attempt counts. The first part of a text takes the permit that the whole was given. */
export function toSendId(conversation: ConversationId, { id, attempts }: Pick<BegunRow, 'id' | 'attempts'>): string {
  return `${conversation}/${attempts === 1 ? id.replace(/(?<!\.1)(?:\.1)+$/, '') : id}:${attempts}`
}
const firstChars = 120
const longestFirstChars = 1000

export function createDraftShow(deps: DraftShowDeps, sender: OwnSender): DraftShow {
  const conversation: ConversationId = sender.conversation
  const { as, marksGrowth } = deps.delivery.streaming(conversation)
  const toShown = (text: string): string => (marksGrowth ? text.trimEnd() : withGrowthMark(text))
  const screen = createScreen(deps, sender)
  let begunTurn = ''
  let first: { readonly turn: string; readonly receipt: string } | undefined
  const plans = createPlanShow(deps, sender)
  return {
    restMs: screen.restMs,
    takeUnclear: ({ body }) => (body.kind === 'send' && body.plan ? plans.takeUnclear() : screen.takeUnclear()),
    notePlan: plans.note,
    async show(growing, signal) {
      screen.enter(growing.draft)
      if (screen.isQuiet() || (await plans.show(growing, signal))) return undefined
      const { draft: given } = growing
      const draft = { ...given, text: withoutUnfinishedRow(given.text) }
      const { length } = draft.text.trim()
      const isText = as === 'draft' ? length > 0 : length >= firstChars && draft.principal !== undefined
      return isText && !screen.shows(draft) ? await showText(draft, signal) : await screen.showTyping(draft, signal)
    },
  }

  async function showText(draft: Draft, signal: AbortSignal): Promise<BeginResult | undefined> {
    const { turn, text } = draft
    // The budget knows a first message by the name of the row that it is to become, so that the row does not ask for a permit again.
    const isFirst = as === 'edit' && begunTurn !== turn
    const asked: Asked = isFirst
      ? { kind: 'send', id: toSendId(conversation, { id: toFirstRow(turn), attempts: 1 }) }
      : { kind: as, id: randomUUID() }
    if (!(await screen.mayShow(asked))) return undefined
    if (as === 'draft') return await screen.showText({ turn, text, asked }, signal)
    if (first?.turn !== turn) {
      begunTurn = turn
      const promoted = await deps.kernel.promote(sender, toBeginning(conversation, draft, toShown), randomUUID())
      // Whatever row comes of it asks by its own name. Where another sender has sent the first message, the permit was for that one.
      if (isFirst || promoted.kind !== 'SHOWN') screen.ended(asked)
      if (promoted.kind !== 'SHOWN') {
        screen.note({ turn, text }, performance.now())
        return promoted
      }
      first = { turn, receipt: promoted.receipt }
      if (isFirst) return undefined
    }
    const { receipt } = first
    if (receipt === '') {
      screen.ended(asked)
      return screen.note({ turn, text })
    }
    const { buttons } = toStop(conversation, draft)
    return await screen.showText({ turn, text, asked }, signal, {
      turn,
      text: toShown(text),
      isGrowing: true,
      asks: draft.asks,
      message: { receipt, buttons, language: draft.language ?? 'en' },
    })
  }
}

type Shown = Pick<Draft, 'turn' | 'text'>

/** What the platform shows of the reply now, and when it takes more. */
type Screen = Pick<DraftShow, 'restMs'> & {
  /** Of this turn is shown what comes next. */
  enter(draft: Draft): void
  takeUnclear(): boolean
  /** Whether the platform asked to be left alone. */
  isQuiet(): boolean
  shows(draft: Shown): boolean
  /** Whether it is time for another text, and the budget has a permit for it. */
  mayShow(asked: Asked): Promise<boolean>
  /** What was asked for is over, or not made. */
  ended(asked: Asked): void
  /** Shows a text for which was asked, as itself or in other words. */
  showText(shown: Shown & { readonly asked: Asked }, signal: AbortSignal, as?: ShownDraft): Promise<undefined>
  showTyping(draft: Pick<Draft, 'turn' | 'asks'>, signal: AbortSignal): Promise<undefined>
  /** Takes a text for shown. */
  note(shown: Shown, atMs?: number): undefined
}

function createScreen(deps: DraftShowDeps, sender: OwnSender): Screen {
  const { conversation } = sender
  const { delivery, budget } = deps
  const { everyMs, showsTyping = true } = delivery.streaming(conversation)
  const limits = delivery.limits(conversation)
  let last = { turn: '', text: '', atMs: 0 }
  let pace = createPace({ turn: '', text: '' })
  let quietUntilMs = 0
  let unclear = false
  const dueMs = (): number => (last.text === '' ? 0 : last.atMs + pace.gapMs(everyMs))
  const ended = (asked: Asked): void => budget.ended(limits, asked)
  const typingDueMs = (turn: string): number =>
    (last.turn === turn ? last.atMs : pace.quietFromMs) + pace.gapMs(last.turn === turn ? typingEveryMs : 0)

  async function put(asked: Asked, draft: ShownDraft, signal: AbortSignal): Promise<void> {
    last = { turn: draft.turn, text: draft.text, atMs: performance.now() }
    pace.note()
    const outcome = await putDraft(deps, { sender, draft }, signal)
    ended(asked)
    unclear ||= outcome?.kind === 'unclear'
    if (outcome?.kind !== 'refused') return
    quietUntilMs = performance.now() + outcome.afterMs
    if (outcome.slowDown) await budget.pause(limits, outcome.slowDown, outcome.afterMs)
  }

  return {
    enter(draft) {
      if (pace.turn !== draft.turn) pace = createPace(draft)
    },
    restMs: () => Math.max(dueMs(), quietUntilMs) - performance.now(),
    takeUnclear() {
      const was = unclear
      unclear = false
      return was
    },
    isQuiet: () => performance.now() < quietUntilMs,
    shows: ({ turn, text }) => last.turn === turn && last.text === text,
    mayShow: async (asked) => performance.now() >= dueMs() && (await budget.mayShow(limits, asked)),
    ended,
    async showText({ asked, ...shown }, signal, as = shown) {
      await put(asked, as, signal)
      last = { ...last, ...shown }
    },
    async showTyping({ turn, asks }, signal) {
      if (!showsTyping || performance.now() < typingDueMs(turn)) return
      const asked = { kind: 'typing', id: randomUUID() } as const
      if (!(await budget.mayShow(limits, asked))) return
      const { text } = last
      await put(asked, { turn, text: '', asks }, signal)
      if (last.turn === turn) last = { ...last, text }
    },
    note: ({ turn, text }, atMs = last.atMs) => {
      last = { turn, text, atMs }
    },
  }
}

type Pace = {
  readonly turn: string
  readonly quietFromMs: number
  /** How far the next showing is from the one before. */
  gapMs(usualMs: number): number
  /** Something was shown. */
  note(): void
}

function createPace({ turn, group = false }: Draft): Pace {
  let shows = 0
  return {
    turn,
    quietFromMs: performance.now(),
    gapMs: (usualMs) => (group ? Math.max(usualMs, groupGapMs * 2 ** Math.min(shows, mostDoublings)) : usualMs),
    note() {
      shows += 1
    },
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

function toBeginning(conversation: ConversationId, draft: Draft, toShown: (text: string) => string): Beginning {
  const { turn, text, replyTo, language = 'en' } = draft
  const { question, buttons } = toStop(conversation, draft)
  const shown = toShown(text.slice(0, longestFirstChars)).toWellFormed()
  const body: OutBody = { v: 1, kind: 'send', partial: true, text: shown, answers: [], language, buttons }
  return { turn, body: replyTo ? { ...body, replyTo } : body, question }
}

/** The same for every sender of the turn: an edit must show it again, and who may press is checked when it is pressed. */
function toStop(conversation: ConversationId, { turn, language = 'en', principal: owner = '' }: Draft): Raised {
  const digest = createHash('sha256').update(`${conversation} ${turn} stop`).digest()
  const id = toQuestionId(conversation, toBase32(digest.subarray(0, 22)))
  return createStop(id, { owner, turn, language })
}
