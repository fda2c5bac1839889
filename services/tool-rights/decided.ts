// What was decided of a card, and what comes of it in the conversation that asked: one turn of the requester, which begins with the approved calls and
// is told of the denied ones.
import { z } from 'zod'
import { conversationId, principalId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import { toOurs } from '#shared/feature/kept.ts'
import type { Effect, StepEffect } from '#shared/feature/effect.ts'
import type { LetterContext, LetterRule, TimerRule } from '#shared/feature/feature.ts'
import { BotError } from '#shared/errors.ts'
import { askCard, toRendering, type Known } from './card.ts'
import { cardWords } from './card-words.ts'
import { patternLivesMs, toPattern } from './patterns.ts'
import {
  isForGood,
  isLost,
  isUnsure,
  pending,
  readPending,
  toApproved,
  toBond,
  toDenied,
  toJson,
  type Pending,
  type PendingCall,
} from './pending.ts'
import { noOwner, unheard, type ApprovalDeps } from './raise.ts'
import { countLately, mostToOwnerAnHour, toShortHash, type Approvals, type ApprovalsChange } from './slice.ts'

type Done = readonly Effect<ApprovalsChange>[]
/** `who`: by their shown name; empty where nobody answered. */
type Result = { readonly card: Pending; readonly who: string; readonly reason: string }

const decided = z.object({
  v: z.literal(1),
  card: pending.pick({ id: true, approver: true, calls: true, task: true, ofTask: true }),
  by: principalId,
  who: z.string().max(100),
  reason: z.string().max(500),
  /** The owner was asked too much already, or there was no room where they were to be asked. */
  isUnasked: z.literal(true).exactOptional(),
  /** Where it was decided, in what the conversation passes on to its task. */
  direct: conversationId.exactOptional(),
})
type Decided = z.infer<typeof decided>

/** With the calls as they were stored: what came back is compared with what was sent. */
export const toDecided = ({ card, who, reason }: Result): Decided => ({
  v: 1,
  card: {
    id: card.id,
    approver: card.approver,
    calls: card.calls,
    task: '',
    ...(card.ofTask === undefined ? {} : { ofTask: card.ofTask }),
  },
  by: card.approver,
  who,
  // The letter has room for the calls, and for a few words.
  reason: reason.slice(0, 120).toWellFormed(),
})

/** For the conversation that asked, where nobody answered, or could be asked. */
export const toUndecided = (
  card: Pending,
  { isUnasked = false }: { readonly isUnasked?: boolean } = {},
): Extract<StepEffect<never>, { kind: 'letter' }> => {
  const result = { ...toDecided({ card: toDenied(card), who: '', reason: '' }), ...(isUnasked ? { isUnasked } : {}) }
  return { kind: 'letter', to: card.home, letter: 'decided', payload: JSON.stringify(result) }
}

type Where = {
  readonly language: Language
  readonly question: string
  readonly nowMs: number
  readonly about: readonly string[]
}

/** The turn that goes on, and what the conversation keeps of it. */
export function toOutcome({ card, reason, who }: Result, { language, question, nowMs, about }: Where): Done {
  const calls = toApproved(card)
  const denied = card.calls.filter(({ state }) => state === 'denied')
  const asked = card.calls.map(({ name, arguments: given }, nth) => `${nth + 1}. ${name} ${given.slice(0, 160)}`)
  const response = {
    question: question.slice(0, 64),
    asked: asked.join('\n').slice(0, 1000).toWellFormed(),
    task: card.task.slice(0, 1000).toWellFormed() || '…',
  }
  const remembered = denied.map((call) => ({ hash: toShortHash(call), atMs: nowMs }))
  return [
    ...(denied.length > 0 ? [{ kind: 'change', change: { denied: remembered } } as const] : []),
    {
      kind: 'turn',
      text: toSaid(card, { reason, who }, language),
      response,
      about,
      ...(calls.length > 0 ? { calls } : {}),
    },
  ]
}

function toSaid({ calls }: Pending, { reason, who }: Pick<Result, 'reason' | 'who'>, language: Language): string {
  const list = (isWanted: (call: PendingCall) => boolean): string =>
    calls.flatMap((call, nth) => (isWanted(call) ? [`${nth + 1} ${call.name}`] : [])).join(', ')
  const isMade = ({ state }: PendingCall): boolean => state === 'once' || state === 'always'
  const yes = list((call) => isMade(call) && !isLost(call))
  const again = list((call) => isMade(call) && isLost(call))
  const done = list(({ state }) => state === 'done')
  const no = list(({ state }) => state === 'denied')
  const why = reason === '' ? '' : language === 'zh' ? `（${who} 说：${reason}）` : ` (${who} says: ${reason})`
  const lines =
    language === 'zh'
      ? [
          yes && `已批准：${yes}。`,
          again && `中断过，批准再做一次：${again}。`,
          done && `中断过，但已经完成，不要再做：${done}。`,
          no && `已拒绝，不要做：${no}${why}。`,
        ]
      : [
          yes && `Approved: ${yes}.`,
          again && `Was cut short, approved to be made again: ${again}.`,
          done && `Was cut short and is done all the same, not to be made again: ${done}.`,
          no && `Denied, not to be made: ${no}${why}.`,
        ]
  return lines.filter(Boolean).join(' ')
}

/** In an owner's direct chat: the card that another conversation wants asked. */
export const askedLetter = (
  deps: ApprovalDeps,
  tools: () => readonly Known[],
): LetterRule<Approvals, ApprovalsChange> => ({
  async came({ event, language, slice }) {
    const card = readPending(event.payload)
    if (!card || card.home !== event.from) throw new BotError('internal', 'A card came from where it is not at home.')
    const { requester: who } = card
    const nowMs = deps.now()
    // In whatever chats they ask: none uses up what an owner is asked for others.
    if (countLately(slice, nowMs, who) >= mostToOwnerAnHour) return [toUndecided(card, { isUnasked: true })]
    return [
      {
        ...askCard(card, { ...toRendering(card, { language, tools: tools(), nowMs }), inPlace: false }),
        from: event.from,
      },
      { kind: 'change', change: { asked: { who, atMs: nowMs } } },
    ]
  },
  async refused({ event }) {
    const card = readPending(event.payload)
    return card && card.home === event.from ? [toUndecided(card, { isUnasked: true })] : []
  },
})

/** Back in the conversation that asked. */
export const decidedLetter = (
  deps: ApprovalDeps,
  tools: () => readonly Known[],
): LetterRule<Approvals, ApprovalsChange> => ({
  came: (context) => takeDecided(deps, tools(), context),
})

async function takeDecided(
  deps: ApprovalDeps,
  tools: readonly Known[],
  { event, slice, language, conversation, task }: LetterContext<Approvals>,
): Promise<Done> {
  const { data } = decided.safeParse(toJson(event.payload))
  const ofTask = data?.card.ofTask
  // What a task asked is for the task; only its conversation tells it anything.
  if (data && ofTask !== undefined && task === undefined) {
    const payload = JSON.stringify({ ...data, direct: event.from })
    return [{ kind: 'signal', to: ofTask, letter: 'decided', payload }]
  }
  const from = (task === undefined ? undefined : data?.direct) ?? event.from
  const sent = slice.sent.find(({ id }) => id === data?.card.id)
  if (data?.who === '' && !sent) return []
  if (!data || !sent) return [{ kind: 'send', text: tooLate[language] }]
  const { card, by, who, reason } = data
  // Bound to who was asked, where, and to these very calls.
  if (card.approver !== by || toBond(card, from) !== sent.bond)
    throw new BotError('internal', 'An approval came that is not what was asked: nothing is made of it.')
  const { requester, about } = sent
  const over: Done = [
    { kind: 'change', change: { decided: sent.id } },
    { kind: 'disarm', timer: unheard, key: sent.id },
  ]
  if (who === '') {
    const unsure = card.calls.some(isUnsure) ? [cardWords[language].unsure] : []
    const text = [(data.isUnasked ? noOwner : silent)[language], ...unsure].join(' ')
    return [...over, { kind: 'send', text, about: [...about] }]
  }
  const nowMs = deps.now()
  const whole: Pending = { v: 1, home: conversation, requester, sinceMs: nowMs, isShown: true, ...card }
  const outcome = toOutcome({ card: whole, reason, who }, { language, question: sent.id, nowMs, about })
  const always = (await deps.isOwner(by, conversation)) ? toPatterns(whole, tools, { nowMs, about }) : []
  return [
    ...over,
    ...(always.length > 0 ? [{ kind: 'change', change: { always } } as const] : []),
    // Whoever pressed, it is the requester's turn.
    ...outcome.map((effect) =>
      effect.kind === 'turn' ? { ...effect, serves: requester, isOwn: reason === '' } : effect,
    ),
  ]
}

/** In the conversation that asked, long after the owner's time has passed. */
export const unheardTimer: TimerRule<Approvals, ApprovalsChange> = {
  async due({ event, slice, language }) {
    const sent = slice.sent.find(({ id }) => id === event.key)
    if (!sent) return []
    const text = [silent[language], ...(event.payload === '' ? [] : [cardWords[language].unsure])].join(' ')
    return [
      { kind: 'change', change: { decided: sent.id } },
      { kind: 'send', text, about: [...sent.about] },
    ]
  },
}

function toPatterns(
  { calls, approver: owner }: Pending,
  tools: readonly Known[],
  { nowMs, about }: { readonly nowMs: number; readonly about: readonly string[] },
) {
  return calls.flatMap((call) => {
    const tool = tools.find(({ name }) => name === call.name)
    if (call.state !== 'always' || !tool || !isForGood(call)) return []
    return [
      { ...toPattern(tool, call), owner: toOurs(owner), untilMs: nowMs + patternLivesMs, about: about.map(toOurs) },
    ]
  })
}

const tooLate: Readonly<Record<Language, string>> = {
  zh: '主人的回答来得太晚了：这里已经重新开始，所以我什么都没有做。',
  en: 'An owner answered too late: what it was about is over here, so I did nothing.',
}
const silent: Readonly<Record<Language, string>> = {
  zh: '主人没有及时回答，所以我没有做。',
  en: 'The owner did not answer in time, so I did not do it.',
}
