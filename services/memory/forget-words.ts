// /forget and words: what is kept that has to do with them is shown, and goes once whoever asked says so. The messages that said it go too where they are surely
// that person's: a record may rest on messages of others, as an answer does on the group's talk that it was asked for.
import { z } from 'zod'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import type { Effect, StepEffect } from '#shared/feature/effect.ts'
import type { AnswerContext, CommandContext, LetterContext } from '#shared/feature/feature.ts'
import { mayChange } from '#shared/feature/rights.ts'
import { say } from '#shared/feature/say.ts'
import type { Accounts } from '#shared/memory/accounts.ts'
import type { Projects } from '#shared/memory/projects.ts'
import { ofAsked, type MemoryRecord, type MemoryScope } from '#shared/memory/record.ts'
import { toPlace } from './place.ts'
import type { MemoryDeps } from './ports.ts'
import { asMessage, isPlain } from './as-message.ts'
import { findKept, type FindDeps } from './find-kept.ts'
import { findTraces, isEmpty, type Asked, type TraceDeps, type Traces } from './forget-traces.ts'
import { mostAtOnce, mostWordChars, payload, toCard, type Payload } from './forget-card.ts'
import { tellGone, type Source } from './forget-receipt.ts'
import { readWithSkills } from '#services/memory/file/read-all.ts'
import { toFolded } from './words.ts'

type Effects = readonly StepEffect<never>[]
export type ForgetDeps = FindDeps &
  TraceDeps & {
    readonly accounts: Pick<Accounts, 'find' | 'goOn'>
    readonly projects: Pick<Projects, 'goOn'>
    /** Whether the index of memory has all that changed in a scope; it is waited for. */
    isIndexed(scope: MemoryScope): Promise<boolean>
  }

const all = /^(?:all|everything|全部|所有|一切)$/iu
/** Characters of the sources of one card: of more, it says so. */
const mostSourceChars = 16_000

export async function askToForget(deps: ForgetDeps, context: CommandContext): Promise<readonly Effect<never>[]> {
  const words = context.args.trim().slice(0, mostWordChars).toWellFormed()
  const { own: scope } = toPlace({ ...context, group: context.event.group })
  await endMoves(deps, scope)
  return all.test(words)
    ? await askAbout(deps, context, { found: (await readWithSkills(deps.memory, scope)).records })
    : await askAbout(deps, context, { found: await findKept(deps, scope, words), words })
}

/** These records alone, whatever else has to do with their words. */
export const askToForgetThis = async (
  deps: ForgetDeps,
  context: CommandContext,
  found: readonly MemoryRecord[],
): Promise<readonly Effect<never>[]> =>
  await askAbout(deps, context, {
    found,
    words: found
      .map(({ text }) => text)
      .join(' ')
      .slice(0, mostWordChars)
      .toWellFormed(),
  })

type Wish = { readonly found: readonly MemoryRecord[]; readonly words?: string }

/** `words`: those that are looked for beside records; none for whatever there is. */
async function askAbout(
  deps: ForgetDeps,
  context: CommandContext,
  { found, words }: Wish,
): Promise<readonly Effect<never>[]> {
  const { language, event, principal } = context
  const { own: scope } = toPlace({ ...context, group: event.group })
  // In a group each forgets what they said; owners and administrators all of it.
  const theirs = mayChange(event.group, context) ? found : found.filter(({ speaker }) => speaker === principal)
  const mayAll = mayChange(event.group, context)
  const wish = context.about.slice(-mostAtOnce)
  const at = { v: 1, language, scope, mayAll, wish, ...(words === undefined ? {} : { words }) } as const
  const traces = await findTraces(deps, toAsked(at, context))
  const isNothing = theirs.length === 0 && isEmpty(traces)
  if (isNothing && isPlain(context)) return asMessage(context)
  if (isNothing) return sayNothing(language, found.length > 0)
  // Of a group its messages here, where who asks may change what holds for all.
  const isHere = (where: ConversationId): boolean => mayAll && where === context.conversation
  const isOwn = event.group ? isHere : await findOwn(deps, context)
  const items: Payload['items'] = []
  let left = mostSourceChars
  for (const { number, id, from } of theirs.slice(0, mostAtOnce)) {
    const one = { number, id, from: from.filter((source) => isOwn(source.conversation)) }
    left -= JSON.stringify(one).length
    if (left < 0 && items.length > 0) break
    items.push(one)
  }
  const zone = (await context.zone()) ?? deps.timeZone
  return [toCard({ ...at, items }, theirs, { principal, language, zone, traces })]
}

const toAsked = (
  { scope, words, mayAll }: Omit<Payload, 'items'>,
  { conversation, principal }: Pick<AnswerContext, 'conversation' | 'principal'>,
): Asked => ({ scope, conversation, principal, mayAll, words: words === undefined ? undefined : toFolded(words) })

/** Of a direct chat: its messages, those of the page's other talks, which all are its person's, and of the direct chats of their linked accounts. */
async function findOwn(
  { accounts }: Pick<ForgetDeps, 'accounts'>,
  { conversation, principal }: Pick<AnswerContext, 'conversation' | 'principal'>,
): Promise<(where: ConversationId) => boolean> {
  const talks = [conversation, ...(await accounts.find(principal)).map((one) => one.conversation)]
  const hasPage = talks.some(isOnPage)
  return (where) => talks.includes(where) || (hasPage && isOnPage(where))
}
const isOnPage = (where: ConversationId): boolean => where.startsWith('web:')

const sayNothing = (language: Language, isOthers: boolean): Effects =>
  isOthers
    ? say(
        language,
        '找到的都是别人说的，只有他们自己、主人和管理员可以让我忘掉。',
        'What I found was said by others: only they, owners and admins can have it forgotten.',
      )
    : say(
        language,
        '我没有记着与这有关的。`/memory` 列出记住的；要忘掉一条消息，用 /forget 回复它，或写 `/forget last`。',
        'I keep nothing that has to do with that. `/memory` lists what I keep. To forget a message, reply to it with /forget, or write `/forget last`.',
      )

/** The press. What was written anew meanwhile stays. Safe to repeat. */
export async function forgetFound(
  deps: MemoryDeps & TraceDeps & Pick<ForgetDeps, 'accounts' | 'projects' | 'isIndexed'>,
  context: AnswerContext,
): Promise<Effects> {
  const { event, conversation } = context
  const at = payload.parse(JSON.parse(event.payload))
  const { language, scope, items } = at
  const isChinese = language === 'zh'
  const end = (text: string): StepEffect<never> => ({ kind: 'send', text, inPlace: true, about: [] })
  if (event.choice === 'no') return [end(isChinese ? '好，都留着。' : 'All right, it stays.')]
  const chosen = event.choice.startsWith('one-')
    ? items.filter(({ number }) => event.choice === `one-${number}`)
    : items
  await endMoves(deps, scope)
  // Of other accounts that were linked meanwhile they have other numbers.
  const standing = await deps.memory.findBy(
    scope,
    chosen.map(({ id }) => id),
  )
  const others = await deps.memory.find(
    scope,
    chosen.map(({ number }) => number),
  )
  const [ids, taken] = [new Set(standing.map(({ id }) => id)), new Set(others.map(({ number }) => number))]
  const { records } = await readWithSkills(deps.memory, scope)
  const reworded = new Set(records.flatMap(({ rewrites }) => rewrites ?? []))
  // Those that a worker that died took away already are forgotten again, with their messages.
  const there = chosen.filter(({ id, number }) => ids.has(id) || !(taken.has(number) || reworded.has(number)))
  // Who was unlinked meanwhile has nothing forgotten in the chats of the others.
  const isOwn = await findOwn(deps, context)
  const traces = event.choice === 'all' ? await findTraces(deps, toAsked(at, context)) : undefined
  const said = mergeSources([...there, { from: [{ conversation, messages: [...(traces?.messages ?? [])] }] }])
  const sources = said.filter((one) => isOwn(one.conversation))
  const gone: Effects = sources.flatMap(({ conversation: where, messages }): Effects =>
    where === conversation
      ? [{ kind: 'forget', about: messages }]
      : [{ kind: 'letter', to: where, letter: 'forget', payload: JSON.stringify({ messages }) }],
  )
  await deps.memory.drop(
    scope,
    there.map(({ id }) => id),
    'for-good',
  )
  const took = traces ? await takeTraces(deps, context, { scope, traces }) : { guesses: 0, questions: 0, days: 0 }
  // On the page the card goes with the messages that it quotes: the receipt is a message of its own.
  const receipt: StepEffect<never> = {
    kind: 'send',
    text: tellGone(language, {
      ...took,
      records: there.length,
      stays: chosen.length - there.length,
      sources,
      isIndexed: standing.length === 0 || (await deps.isIndexed(scope)),
    }),
    about: [],
  }
  const wish: Effects = event.choice === 'all' ? [{ kind: 'forget', about: at.wish }] : []
  return [end(isChinese ? '已忘掉。' : 'Forgotten.'), receipt, ...gone, ...wish]
}

/** While records are on the way to or from a scope that is shared, some would be missed. */
async function endMoves({ accounts, projects }: Pick<ForgetDeps, 'accounts' | 'projects'>, scope: MemoryScope) {
  const [, kind, name = ''] = /^(user|chat):(.*)$/.exec(scope) ?? []
  if (kind === 'user') await accounts.goOn(name)
  if (kind === 'chat') await projects.goOn(name)
}

type Taken = { readonly scope: MemoryScope; readonly traces: Traces }

/** How many went. */
async function takeTraces(
  { memory, graph, log }: Pick<ForgetDeps, 'memory' | 'graph' | 'log'>,
  { conversation, principal }: AnswerContext,
  { scope, traces: { items, questions, days } }: Taken,
) {
  await graph.take(
    scope,
    items.map(({ id }) => id),
  )
  await memory.drop(
    ofAsked(principal),
    questions.map(({ number }) => number),
    'for-good',
  )
  await log.dropDays(conversation, days)
  return { guesses: items.length, questions: questions.length, days: days.length }
}

function mergeSources(records: readonly Pick<MemoryRecord, 'from'>[]): readonly Source[] {
  const byPlace = Map.groupBy(
    records.flatMap(({ from }) => from),
    ({ conversation }) => conversation,
  )
  return [...byPlace].flatMap(([conversation, each]) => {
    const messages = [...new Set(each.flatMap((one) => one.messages))]
    return messages.length === 0 ? [] : [{ conversation, messages }]
  })
}

const named = z.object({ messages: z.array(z.string().max(200)).max(5000) })

/** In the conversation where it was said. */
export async function forgetMessages({ event }: LetterContext): Promise<Effects> {
  const { messages } = named.parse(JSON.parse(event.payload))
  return [{ kind: 'forget', about: messages }]
}
