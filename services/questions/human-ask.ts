// The tool by which the model asks people. It ends the turn; the answer, or the end of the question, begins another one. Nobody is asked too much,
// nor the same again; then the result says so, and the turn goes on.
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import { toSafeName } from '#shared/chat/people.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import { toLook, toPlainLine } from '#shared/feature/inert.ts'
import { peek, retell, toOurs } from '#shared/feature/kept.ts'
import type { Clock, People } from '#shared/feature/ports.ts'
import { you } from '#shared/feature/who-answered.ts'
import type { Tool, ToolContext, ToolResult } from '#shared/model/tool.ts'
import { anotherMember } from '#shared/model/taint.ts'
import { parameters, readInput, toDeadlineMs, type Wanted } from './input.ts'
import { longest, mostLetterBytes, type Kept } from './kept.ts'
import { asksTheSame } from './similar.ts'
import { longestKept, type AskedOnce, type Change, type Questions } from './slice.ts'
import { toAsk } from './to-ask.ts'
import { toReach } from './private.ts'
import { sentences } from './words.ts'

export type QuestionsDeps = Clock & Pick<People, 'findZoneOf' | 'findDirect' | 'invite'>
type Result = ToolResult<Change>
type Context = ToolContext<Questions>

const hourMs = 3_600_000
const mostAnHour = 6
/** Other people whom one person has asked in private within an hour. */
const mostAlone = 5
/** One is shown, three wait. */
const mostOpen = 4

const say = (text: string): Result => ({ text, source: 'own' })

export const createHumanAsk = (deps: QuestionsDeps): Tool<Questions, Change> => ({
  name: 'human_ask',
  summary: {
    zh: '用带按钮的卡片问人，得到回答后继续。',
    en: 'Asks people by a card with buttons, and goes on with the answer.',
  },
  description:
    'Asks a person by a card with buttons and ends your turn; their answer begins the next one. Only where you cannot find it out or decide it yourself. One question each.',
  parameters,
  effect: 'ask',
  onCrash: 'rerun',
  run: async (input, context) => await ask(deps, readInput(input), context),
})

async function ask(deps: QuestionsDeps, wanted: Wanted, context: Context): Promise<Result> {
  const whom = toWhom(wanted.who ?? 'me', context)
  if (whom === undefined)
    return say(
      `Not asked: nobody of this name is known here. Use me, admins, anyone, or a name as it stands in the conversation.`,
    )
  if (wanted.private && (whom.to === '*' || whom.admins))
    return say('Not asked: in private only one person can be asked.')
  const nowMs = deps.now()
  const { slice } = context
  const tooMany = wanted.private ? refuseAlone(context, whom.to, nowMs) : undefined
  if (tooMany) return tooMany
  const before = slice.asked.findLast((each) => each.to === whom.to && isSame(each, wanted))
  const told = before && toTold(before, context)
  if (told) return told
  // What others have a person asked does not use up what the person is asked for themselves, nor one asker what another asks everybody.
  const isMine = whom.to === context.principal || whom.to === '*'
  const ofThem = slice.asked.filter(
    (each) => each.to === whom.to && (isMine ? each.for === context.principal : each.for !== each.to),
  )
  if (ofThem.filter(({ at }) => at > nowMs - hourMs).length >= mostAnHour)
    return say(
      `Not asked: this person was asked ${mostAnHour} questions within an hour. Decide it yourself and say what you assumed, or ask later.`,
    )
  if (ofThem.filter((each) => isOpen(each, context)).length >= mostOpen)
    return say(
      'Not asked: three questions wait for this person already. Decide it yourself and say what you assumed, or ask later.',
    )
  const kept = await toKept(deps, wanted, { context, whom, nowMs })
  const { conversation } = context
  const direct = wanted.private && whom.to !== '*' ? { at: await deps.findDirect(whom.to), of: whom.to } : undefined
  if (direct && direct.at !== conversation && context.group) {
    if (Buffer.byteLength(JSON.stringify(kept)) > mostLetterBytes)
      return say('Not asked: what is asked in private must be shorter. Ask again in fewer words.')
    return await askAlone(deps, kept, { context, direct: direct.at, of: direct.of })
  }
  const mine = toAsk(kept, context.language)
  const waits = context.questions().some(({ to, dueMs }) => dueMs !== undefined && to === whom.to)
  return {
    text: waits
      ? `Pending question ${kept.id}: it waits behind another question to this person. Their answer begins your next turn.`
      : `Pending question ${kept.id}: the answer begins your next turn.`,
    source: 'own',
    ends: 'suspended',
    effects: [mine, { kind: 'change', change: { add: toOnce(kept, context) } }],
  }
}

/**
 * Why somebody else is not written to in private: at the wish of a page, a file or a quotation nobody is, and one message of one member does not
 * reach everybody. What members of the group say to each other counts for nothing here: without it nobody would be known.
 */
function refuseAlone({ slice, principal, taint }: Context, to: Kept['to'], nowMs: number): Result | undefined {
  if (to === principal) return undefined
  const others = taint.filter((origin) => origin !== anotherMember)
  if (others.length > 0)
    return say(
      `Not asked: this turn has read what others wrote (${others.join(', ')}), so nobody else is asked in private. Ask here, or tell the person what you would ask.`,
    )
  const lately = slice.asked.filter(
    (each) => each.isPrivate && each.for === principal && each.to !== principal && each.at > nowMs - hourMs,
  )
  const asked = new Set<string>(lately.map((each) => each.to))
  return asked.has(to) || asked.size < mostAlone
    ? undefined
    : say(
        `Not asked: ${mostAlone} others were asked in private within an hour for this person. Ask here in the group, or later; tell the person.`,
      )
}

async function askAlone(
  deps: QuestionsDeps,
  kept: Kept,
  {
    context,
    direct,
    of,
  }: { readonly context: Context; readonly direct: ConversationId | undefined; readonly of: PrincipalId },
): Promise<Result> {
  const { language, conversation, people } = context
  const name = toPlainLine(people[of] ?? you[language], longest.label)
  const line = direct === undefined ? await deps.invite({ principal: of, conversation, language }) : undefined
  const effects: readonly StepEffect<Change>[] = [
    { kind: 'change', change: { add: { ...toOnce(kept, context), isPrivate: true } } },
    ...toReach(kept, direct, 0),
  ]
  const where = direct === undefined ? 'once they open a direct chat with you' : 'in their direct chat'
  return {
    text: `Pending question ${kept.id}: asked in private, ${where}. The answer begins your next turn here.`,
    source: 'own',
    ends: 'suspended',
    waits: [sentences[language].privately(name), ...(line ? [line] : [])].join('\n\n'),
    effects,
  }
}

const isSame = ({ question }: AskedOnce, wanted: Wanted): boolean =>
  question !== undefined && peek([question], ([asked = '']) => asksTheSame(asked, wanted.question))

type Whom = { readonly to: Kept['to']; readonly admins: boolean; readonly name?: string }

function toWhom(who: string, { principal, people }: Context): Whom | undefined {
  const mine = people[principal]
  const me = { to: principal, admins: false, ...(mine === undefined ? {} : { name: mine }) }
  if (who === 'me' || who === principal) return me
  if (who === 'admins') return { ...me, admins: true }
  if (who === 'anyone') return { to: '*', admins: false }
  const look = toLook(toSafeName(who.replace(/^@/, '')))
  const found = Object.entries(people).filter(([id, name]) => id === who || toLook(name) === look)
  const [only] = found
  return only && found.length === 1 ? { to: only[0], admins: false, name: only[1] } : undefined
}

/** What is known of the same question; nothing where it ended without an answer. */
function toTold(before: AskedOnce, context: Context): Result | undefined {
  const { id, state, answer, isPrivate } = before
  if (state === 'answered' && isPrivate)
    return say(`Not asked again: ${id} was answered in private; you were told the answer then.`)
  if (state === 'answered' && answer !== undefined)
    return { text: retell([answer], context, ([text]) => `Not asked again: to ${id} the answer was: ${text}`) }
  return isOpen(before, context)
    ? say(`Already asked: pending question ${id}. Go on with something else, or end your answer.`)
    : undefined
}

/** What was called off while it waited is not told. */
const isOpen = ({ id, state, isPrivate }: AskedOnce, { questions }: Context): boolean =>
  state === 'open' &&
  (isPrivate === true || questions().some(({ key, kind }) => key === id && kind === 'questions.human'))

async function toKept(
  deps: QuestionsDeps,
  wanted: Wanted,
  { context, whom, nowMs }: { readonly context: Context; readonly whom: Whom; readonly nowMs: number },
): Promise<Kept> {
  const { kind, question, options = [], expects = 'text', why, otherwise, urgency = 'normal' } = wanted
  const zone = whom.to === '*' ? undefined : await deps.findZoneOf(whom.to)
  const asker = context.people[context.principal]
  return {
    v: 1,
    id: `q${context.slice.next}`,
    kind,
    question,
    options: options.map(({ label, pros, cons }) => ({
      label,
      ...(pros === undefined ? {} : { pros }),
      ...(cons === undefined ? {} : { cons }),
    })),
    expects,
    why,
    otherwise,
    urgency,
    deadlineMs: toDeadlineMs(wanted),
    at: nowMs,
    for: context.principal,
    to: whom.to,
    admins: whom.admins,
    zone: zone ?? deps.timeZone,
    task: toPlainLine(context.task, longest.task),
    ...(whom.name === undefined ? {} : { name: whom.name }),
    ...(asker === undefined || whom.to === context.principal ? {} : { asker }),
  }
}

const toOnce = ({ id, to, at, question }: Kept, { principal, keep, isPrivate }: Context): AskedOnce => ({
  id: toOurs(id),
  for: toOurs(principal),
  to: toOurs(to),
  at,
  ...(isPrivate ? {} : { question: keep(question.slice(0, longestKept.question).toWellFormed()) }),
  state: 'open',
})
