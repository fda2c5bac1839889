// What is left of words beside records: what was found of people and things, questions that wait for who asks, and exchanges in the log of days.
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import type { GraphItem, MemoryGraph } from '#shared/memory/graph.ts'
import type { MemoryLog } from '#shared/memory/log.ts'
import { ofAsked, ofPerson, type MemoryRecord, type MemoryScope } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { findDaysWith } from './day-lines.ts'
import { toFolded } from './words.ts'

export type TraceDeps = {
  readonly memory: Pick<MemoryStore, 'read'>
  readonly graph: Pick<MemoryGraph, 'readAll' | 'take'>
  readonly log: MemoryLog
  now(): number
}

export type Asked = {
  readonly scope: MemoryScope
  readonly conversation: ConversationId
  readonly principal: PrincipalId
  /** What others said may be taken, too. */
  readonly mayAll: boolean
  /** Folded; undefined: whatever they say. */
  readonly words: string | undefined
}

export type Traces = {
  readonly items: readonly GraphItem[]
  readonly questions: readonly MemoryRecord[]
  /** Messages of the exchanges in which the words stand. */
  readonly messages: readonly string[]
  readonly exchanges: number
  /** Days whose line has one of the words. */
  readonly days: readonly string[]
}

const spanMs = 30 * 86_400_000
const aheadMs = 86_400_000
const mostRead = 2000
/** The newest of them: of more, the next time. */
const mostExchanges = 200

export async function findTraces(deps: TraceDeps, asked: Asked): Promise<Traces> {
  const { graph, log, now } = deps
  const { scope, conversation, words, mayAll, principal } = asked
  const all = await graph.readAll(scope)
  const mine = mayAll ? all : all.filter(({ speaker }) => speaker === principal)
  const items = words === undefined ? mine : mine.filter((item) => toFolded(toText(item)).includes(words))
  const questions = await findQuestions(deps, asked)
  // An exchange of a group is nobody's alone; and all that is kept is not all that was said.
  if (words === undefined || !mayAll) return { items, questions, messages: [], exchanges: 0, days: [] }
  const span = { from: now() - spanMs, until: now() + aheadMs, most: mostRead }
  const said = (await log.read(conversation, span))
    .filter((entry) => toFolded(`${entry.asked}\n${entry.answered}`).includes(words))
    .slice(-mostExchanges)
  const days = await findDaysWith({ log, now }, conversation, words)
  return {
    items,
    questions,
    messages: [...new Set(said.flatMap((entry) => entry.messages))],
    exchanges: said.length,
    days,
  }
}

/** Those that wait for who asks; in a group those that arose there. */
async function findQuestions(
  { memory }: Pick<TraceDeps, 'memory'>,
  { scope, conversation, principal, words }: Asked,
): Promise<readonly MemoryRecord[]> {
  const read = await memory.read(ofAsked(principal))
  const waiting = read === 'same' ? [] : read.records
  return waiting
    .filter(({ asks }) => scope === ofPerson(principal) || asks?.in === conversation)
    .filter((one) => words === undefined || toFolded(toQuestion(one)).includes(words))
}
function toQuestion({ text, asks }: MemoryRecord): string {
  const { options = [], why, changes, assumed, key, said } = asks ?? {}
  return [text, ...options, why, changes, assumed, key, said].join('\n')
}

const toText = (item: GraphItem): string =>
  `${item.entity.name} ${item.key} ${item.kind === 'fact' ? item.value : item.to.name}`

export const isEmpty = ({ items, questions, exchanges, days }: Traces): boolean =>
  items.length + questions.length + exchanges + days.length === 0

/** Empty where there are none. */
export function tellTraces({ items, questions, exchanges, days }: Traces, language: Language): readonly string[] {
  const isChinese = language === 'zh'
  const guesses = items.length
  return [
    ...(guesses === 0
      ? []
      : [
          isChinese
            ? `- 从说过的话里推测出的 ${guesses} 条（人和事物之间的关系）`
            : `- ${guesses === 1 ? 'one guess' : `${guesses} guesses`} about people and things, found in what was said`,
        ]),
    ...(questions.length === 0
      ? []
      : [
          isChinese
            ? `- 我本想问你的 ${questions.length} 个问题`
            : `- ${questions.length === 1 ? 'one question' : `${questions.length} questions`} that I meant to ask you`,
        ]),
    ...(exchanges === 0
      ? []
      : [
          isChinese
            ? `- 这个聊天最近 30 天里提到它的 ${exchanges} 段对话，连同消息`
            : `- ${exchanges === 1 ? 'one exchange' : `${exchanges} exchanges`} of this chat in the last 30 days where these words stand, with the messages`,
        ]),
    ...(days.length === 0
      ? []
      : [
          isChinese
            ? `- 这个聊天里 ${days.length} 天各留的一行`
            : `- the line that is left of ${days.length === 1 ? 'one day' : `${days.length} days`} of this chat`,
        ]),
  ]
}
