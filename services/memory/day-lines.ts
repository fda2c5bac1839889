// What is left of a day of a conversation once its log is gone (001 §2.1): one line by rules, with how many exchanges it had, what they were about, and which
// tools were used. It is written once the day is over, and goes with each message that its words came of.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import { say } from '#shared/feature/say.ts'
import type { DayLine, LogEntry, MemoryLog } from '#shared/memory/log.ts'
import type { RecordLine } from '#shared/run/record.ts'
import { stopWords } from '#services/memory/search/stop-words.ts'
import { toDay, toFolded } from './words.ts'

type Effects = readonly StepEffect<never>[]
type Deps = { readonly log: MemoryLog; now(): number; readonly timeZone: string }

const [hourMs, dayMs] = [3_600_000, 86_400_000]
const keptDays = 30
const linesDays = 400
const mostTopics = 8
const mostTools = 10
/** What is sent goes with so many messages: a day of more has no words in its line. */
const mostMessages = 100
const mostRead = 2000
const mostListed = 30

/** How long until the day of this turn is over, ms, where it is the first that is on record of it. That turn again is the first again. */
export async function findFirst(
  { log, now, timeZone }: Deps,
  { conversation, record }: Extract<RecordLine, { kind: 'turn' }>,
): Promise<number | undefined> {
  const day = toDay(record.begunAt, timeZone)
  const before = await log.read(conversation, {
    from: record.begunAt - dayMs,
    until: record.begunAt + 1,
    most: mostRead,
  })
  if (before.some(({ id, at }) => id !== record.turn && toDay(at, timeZone) === day)) return undefined
  const nowMs = now()
  let inMs = 0
  while (inMs < dayMs && toDay(nowMs + inMs, timeZone) === day) inMs += hourMs / 2
  return inMs
}

/** Of each day that is over and has no line: also of one whose line went with a message, while the rest of that day is on record. */
export async function keepDays({ log, now, timeZone }: Deps, conversation: ConversationId): Promise<void> {
  const nowMs = now()
  const entries = await log.read(conversation, { from: nowMs - keptDays * dayMs, until: nowMs + dayMs, most: mostRead })
  const today = toDay(nowMs, timeZone)
  const known = new Set((await readLines({ log, now }, conversation)).map(({ day }) => day))
  for (const [day, own] of Map.groupBy(entries, ({ at }) => toDay(at, timeZone)))
    // Where one of its messages was forgotten in between, the next day tries again.
    if (day < today && !known.has(day)) await log.addDay(conversation, toDayLine(day, own))
}

const readLines = async ({ log, now }: Pick<Deps, 'log' | 'now'>, conversation: ConversationId) =>
  await log.readDays(conversation, { from: toUtcDay(now() - linesDays * dayMs), until: toUtcDay(now() + dayMs) })
const toUtcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

export function toDayLine(day: string, entries: readonly LogEntry[]): DayLine {
  const messages = [...new Set(entries.flatMap((entry) => entry.messages))]
  const isTold = messages.length <= mostMessages
  return {
    v: 1,
    day,
    exchanges: entries.length,
    topics: isTold ? findTopics(entries.map(({ asked }) => asked)) : [],
    tools: [...new Set(entries.flatMap(({ tools }) => tools.map(({ name }) => name)))].slice(0, mostTools),
    messages: isTold ? messages : [],
  }
}

/** The words of most of them, those first that came first. */
function findTopics(texts: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const text of texts) for (const word of new Set(toTopics(text))) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, mostTopics)
    .map(([word]) => word)
}

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })
const mostWordChars = 40

/** Words that tell something: no short ones, none that stand everywhere, and no numbers. */
const toTopics = (text: string): readonly string[] =>
  [...segmenter.segment(toFolded(text))]
    .map(({ segment }) => segment)
    .filter((word) => !stopWords.has(word) && word.length <= mostWordChars && telling.test(word))
const telling = /^(?:\p{Script=Han}{2,40}|[\p{L}\p{M}]{4,40})$/u

/** Days whose line has one of these words. `words`: folded. */
export async function findDaysWith(
  deps: Pick<Deps, 'log' | 'now'>,
  conversation: ConversationId,
  words: string,
): Promise<readonly string[]> {
  const asked = new Set(toTopics(words))
  const lines = await readLines(deps, conversation)
  return lines.filter(({ topics }) => topics.some((one) => asked.has(one) || one.includes(words))).map(({ day }) => day)
}

type Of = { readonly conversation: ConversationId; readonly language: Language }

/** Undefined where nothing is left of that day. */
export async function tellDay(
  log: MemoryLog,
  { conversation, day, language }: Of & { readonly day: string },
): Promise<Effects | undefined> {
  const [line] = await log.readDays(conversation, { from: day, until: day })
  return line && [toSent([line], { conversation, language }, [])]
}

/** The days before those that are told whole, the newest of them. */
export async function tellOlder(deps: Deps, of: Of): Promise<Effects> {
  const { language } = of
  const first = toDay(deps.now() - keptDays * dayMs, deps.timeZone)
  const lines = (await readLines(deps, of.conversation)).filter(({ day }) => day < first).slice(-mostListed)
  const head = { zh: '更早的日子，每天一行：', en: 'Earlier days, a line each:' }
  if (lines.length > 0) return [toSent(lines, of, [head[language]])]
  return say(language, '更早的日子没有留下记录。', 'Nothing is left of earlier days.')
}

/** Words of so many messages alone are told: the message goes with each of them. The newest days first. */
function toSent(lines: readonly DayLine[], { conversation, language }: Of, head: readonly string[]): StepEffect<never> {
  let left = mostMessages
  const told = lines.toReversed().map((line) => {
    const isTold = line.messages.length <= left
    if (isTold) left -= line.messages.length
    return isTold ? line : { ...line, topics: [], messages: [] }
  })
  return {
    kind: 'send',
    text: [...head, ...told.map((line) => print(line, language))].join('\n'),
    cameOf: told.flatMap(({ messages }) => (messages.length > 0 ? [{ conversation, messages }] : [])),
  }
}

function print({ day, exchanges, topics, tools }: DayLine, language: Language): string {
  const isChinese = language === 'zh'
  const join = (words: readonly string[]): string =>
    words.map((word) => toInertLine(word, mostWordChars)).join(isChinese ? '、' : ', ')
  const count = isChinese ? `${exchanges} 段对话` : `${exchanges} ${exchanges === 1 ? 'exchange' : 'exchanges'}`
  const parts = [
    count,
    ...(topics.length > 0 ? [`${isChinese ? '话题：' : 'about '}${join(topics)}`] : []),
    ...(tools.length > 0 ? [`${isChinese ? '工具：' : 'tools: '}${join(tools)}`] : []),
  ]
  return `- ${day}${isChinese ? '：' : ': '}${parts.join(isChinese ? '；' : '; ')}`
}
