// Asks people about the calls that a turn left waiting: the requester, where they have the right to the tool; else an owner, by letter to their
// direct chat, with a line where it was asked. And says of a call that nobody is to be asked about it.
import type { Access, Approver, Clock, People } from '#shared/feature/ports.ts'
import { hash } from 'node:crypto'
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import { toOurs } from '#shared/feature/kept.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { EndedTurn } from '#shared/feature/feature.ts'
import type { ApprovalWish, AwaitedCall, Refusal } from '#shared/run/approval.ts'
import { askCard, showArguments, toRendering, type Known } from './card.ts'
import { cardLivesMs, isLost, toBond, type Pending } from './pending.ts'
import {
  countLately,
  findDenied,
  hasRoom,
  mostCardsAnHour,
  mostCardsOfAll,
  mostToOwnerAnHour,
  type Approvals,
  type ApprovalsChange,
} from './slice.ts'

export type ApprovalDeps = Pick<Access, 'findToolRight' | 'findApprovers' | 'isOwner'> &
  Pick<People, 'findZoneOf'> &
  Pick<Clock, 'now'>

/** The timer that ends what an owner was asked where no word of it comes back: they may have begun a new session while it waited for its turn. */
export const unheard = 'unheard'
const hourMs = 3_600_000
const unheardMs = cardLivesMs + 2 * 86_400_000
/** A letter has room for so much of calls; a question, which stays here, for more. */
const mostLetterBytes = 6000
const mostCardBytes = 60_000
const taskChars = 300

/** Why nobody is asked to approve a call, in words that the model reads; undefined where somebody is. */
export async function refuseAsking(
  deps: ApprovalDeps,
  tools: readonly Known[],
  slice: Approvals,
  { call, waiting, conversation, principal }: ApprovalWish,
): Promise<Refusal | undefined> {
  const nowMs = deps.now()
  const lately = countLately(slice, nowMs, principal)
  if (lately >= mostCardsAnHour || countLately(slice, nowMs) >= mostCardsOfAll)
    return tooOften('People were asked too often within an hour for this person. Do not try again; tell the person.')
  const deniedUntilMs = findDenied(slice, call, nowMs)
  if (deniedUntilMs !== undefined) {
    const text =
      'A person has just denied exactly this call. Do not ask for it again; tell the person that it may be asked for again in some minutes.'
    return { why: 'denied', againInMs: Math.max(1, deniedUntilMs - nowMs), text }
  }
  const bytes = [...waiting, call].reduce((sum, one) => sum + toBytes(one), 0)
  const { own, byOwner } = await sort(deps, tools, { calls: [call], principal, conversation })
  if (own.length + byOwner.length === 0) return byRules('Nobody here may approve it.')
  if (bytes > (byOwner.length > 0 ? mostLetterBytes : mostCardBytes))
    return byRules(
      `Its arguments are too long to be shown for approval (${bytes} bytes with those that wait already). Ask for less at once.`,
    )
  if (!showArguments([...waiting, call]))
    return byRules(
      'Its arguments are too long to be shown for approval, as people are shown them. Ask for less at once.',
    )
  if (byOwner.length > 0 && !hasRoom(slice, principal))
    return byRules('As many calls as may wait for an owner already do. Do not try again; tell the person.')
  if (byOwner.length > 0 && lately >= mostToOwnerAnHour)
    return tooOften('Owners were asked too often within an hour for this person. Do not try again; tell the person.')
  if (byOwner.length > 0 && !(await findApprover(deps, tools, byOwner, conversation)))
    return byRules(
      'The person has no right to this tool, and no owner who may approve it can be reached. Tell the person.',
    )
  return undefined
}

const byRules = (text: string): Refusal => ({ why: 'rules', text })
const tooOften = (text: string): Refusal => ({ why: 'too-often', againInMs: hourMs, text })
const toBytes = ({ name, arguments: given, key }: AwaitedCall): number =>
  Buffer.byteLength(JSON.stringify([name, given, key]))

/** Raises what is to be asked: one card for whoever approves. */
export async function raiseCards(
  deps: ApprovalDeps,
  tools: readonly Known[],
  turn: EndedTurn<Approvals>,
): Promise<readonly StepEffect<ApprovalsChange>[]> {
  const { awaiting, principal, conversation, language, about } = turn
  const { own, byOwner } = await sort(deps, tools, { calls: awaiting, principal, conversation })
  const nowMs = deps.now()
  const effects: StepEffect<ApprovalsChange>[] = []
  if (own.length > 0) {
    const card = await toPending(deps, turn, { calls: own, approver: principal })
    effects.push(askCard(card, { ...toRendering(card, { language, tools, nowMs }), inPlace: false }), {
      kind: 'change',
      change: { asked: { who: principal, atMs: nowMs } },
    })
  }
  if (byOwner.length === 0) return effects
  const approver = await findApprover(deps, tools, byOwner, conversation)
  if (!approver) return [...effects, { kind: 'send', text: noOwner[language] }]
  const card = await toPending(deps, turn, { calls: byOwner, approver: approver.principal })
  const sent = {
    id: toOurs(card.id),
    requester: toOurs(principal),
    bond: toOurs(toBond(card, approver.direct)),
    about: about.slice(-20).map(toOurs),
  }
  return [
    ...effects,
    { kind: 'change', change: { asked: { who: principal, atMs: nowMs } } },
    { kind: 'change', change: { sent } },
    { kind: 'letter', to: approver.direct, letter: 'asked', payload: JSON.stringify(card) },
    { kind: 'timer', timer: unheard, key: card.id, inMs: unheardMs, payload: card.calls.some(isLost) ? 'lost' : '' },
    { kind: 'send', text: askedOwner(byOwner, language) },
  ]
}

type Sorting = {
  readonly calls: readonly AwaitedCall[]
  readonly principal: PrincipalId
  readonly conversation: ConversationId
}

/** Those that the requester may approve, and those that an owner has to; what nobody may use any more is in neither. */
async function sort(
  deps: ApprovalDeps,
  tools: readonly Known[],
  { calls, principal, conversation }: Sorting,
): Promise<{ readonly own: readonly AwaitedCall[]; readonly byOwner: readonly AwaitedCall[] }> {
  const own: AwaitedCall[] = []
  const byOwner: AwaitedCall[] = []
  for (const call of calls) {
    const tool = tools.find(({ name }) => name === call.name)
    const right = tool ? await deps.findToolRight(tool, principal, conversation) : 'none'
    if (right === 'use') own.push(call)
    if (right === 'ask') byOwner.push(call)
  }
  return { own, byOwner }
}

/** The first who may use all of these tools there: who may not could approve nothing. */
async function findApprover(
  deps: ApprovalDeps,
  tools: readonly Known[],
  calls: readonly AwaitedCall[],
  conversation: ConversationId,
): Promise<Approver | undefined> {
  const wanted = tools.filter(({ name }) => calls.some((call) => call.name === name))
  for (const one of await deps.findApprovers(conversation)) {
    const rights = await Promise.all(wanted.map((tool) => deps.findToolRight(tool, one.principal, conversation)))
    if (rights.every((right) => right === 'use')) return one
  }
  return undefined
}

async function toPending(
  deps: ApprovalDeps,
  { turn, conversation, task, principal, name, title, asked }: EndedTurn<Approvals>,
  { calls, approver }: { readonly calls: readonly AwaitedCall[]; readonly approver: PrincipalId },
): Promise<Pending> {
  const zone = await deps.findZoneOf(approver)
  return {
    v: 1,
    id: hash('sha256', `${conversation} ${turn} ${approver}`, 'base64url').slice(0, 22),
    home: conversation,
    ...(task === undefined ? {} : { ofTask: task }),
    requester: principal,
    ...(name === undefined ? {} : { name }),
    ...(title === undefined ? {} : { title }),
    approver,
    task: asked.slice(0, taskChars).toWellFormed(),
    calls: calls.map(({ name: tool, arguments: given, key, why, taint }) => ({
      name: tool,
      arguments: given,
      key,
      why,
      taint: taint.slice(0, 4),
      state: 'open',
    })),
    sinceMs: deps.now(),
    ...(zone === undefined ? {} : { zone }),
    isShown: false,
  }
}

export const noOwner: Readonly<Record<Language, string>> = {
  zh: '这需要主人批准，但现在没有主人可以问，所以我没有做。',
  en: 'This needs an owner’s approval, and no owner can be asked now, so I did not do it.',
}
function askedOwner(calls: readonly AwaitedCall[], language: Language): string {
  const names = [...new Set(calls.map(({ name }) => `\`${name}\``))].join(language === 'zh' ? '、' : ', ')
  return language === 'zh'
    ? `${names} 需要主人批准，我已私下询问。`
    : `${names} needs an owner’s approval: I have asked one in private.`
}
