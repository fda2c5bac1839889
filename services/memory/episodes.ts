// The day's log: each exchange as an entry, by rules, once its turn has ended. /log tells it in the format of the seed (001 §2.1).
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Language, Localised } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { CameOf } from '#shared/feature/came-of.ts'
import type { CommandContext, CommandInfo } from '#shared/feature/feature.ts'
import type { Projection } from '#shared/feature/projection.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import { say } from '#shared/feature/say.ts'
import type { LogEntry, MemoryLog } from '#shared/memory/log.ts'
import type { TurnRecord } from '#shared/run/record.ts'
import { findAnswered, toAnswer, type Answered } from './answers.ts'
import { findFirst, keepDays, tellDay, tellOlder } from './day-lines.ts'
import { showLoopLog } from './loop-log.ts'
import { isPaused } from './pause.ts'
import type { MemoryDeps } from './ports.ts'
import { findRefusal } from './refuse.ts'
import { cameOf, onOneLine, toShown } from './words.ts'

type Effects = readonly StepEffect<never>[]
type Deps = { readonly log: MemoryLog } & Pick<MemoryDeps, 'memory' | 'now' | 'timeZone' | 'findChoice'>

const mostChars = 200
const mostTools = 20
const mostMessages = 20
const dayMs = 86_400_000

/** What was asked in private is no entry: others may read the log. Nor is what was said while memory was paused. */
export const createEpisodes = (deps: Pick<Deps, 'log' | 'findChoice' | 'now' | 'timeZone'>): Projection => ({
  name: 'episodes',
  async take(line) {
    if (line.kind !== 'turn' || line.record.for !== undefined) return []
    const { conversation, record, messages } = line
    const { log } = deps
    if (await isPaused(deps, { principal: record.principal, conversation })) return []
    const inMs = await findFirst(deps, line)
    await log.add(conversation, toEntry(record, messages))
    return inMs === undefined ? [] : [{ kind: 'job', inMs }]
  },
  work: async ({ conversation }) => {
    await keepDays(deps, conversation)
    return []
  },
})

function toEntry(record: TurnRecord, messages: readonly string[]): LogEntry {
  const { turn, session, ending, begunAt, endedAt, name, asked, answer, tools } = record
  return {
    v: 1,
    id: turn,
    at: begunAt,
    ...(name === undefined ? {} : { name }),
    asked: toBeginning(asked),
    answered: toBeginning(answer),
    tools: tools.slice(0, mostTools),
    tookMs: Math.max(0, endedAt - begunAt),
    session,
    ending,
    messages: messages.slice(-mostMessages),
  }
}

/** A password does not stay for a month because it was said once. */
function toBeginning(text: string): string {
  const line = onOneLine(text.slice(0, 4 * mostChars))
  if (findRefusal(line, { group: false }) === 'secret') return '…'
  return line.length <= mostChars ? line.toWellFormed() : `${line.slice(0, mostChars - 1).toWellFormed()}…`
}

export const logCommand: CommandInfo = {
  name: 'log',
  help: { zh: '这里今天做了什么：/log，或 /log yesterday', en: 'what was done here today: /log, or /log yesterday' },
  more: {
    zh: '`/log` 列出这个聊天今天的问答，`/log 昨天` 或 `/log 2026-03-01` 列出那一天的。保留 30 天，之后每天留一行，`/log 更早` 列出。`/log file` 把一天给成 Markdown 文本，一问一答一节。',
    en: '`/log` lists what was asked and answered in this chat today; `/log yesterday` or `/log 2026-03-01` that of another day. It is kept for 30 days; after that one line a day is left, which `/log older` lists. `/log file` gives a day as a Markdown text, a block for each exchange.',
  },
}

/** `/log file yesterday` */
const file = /^(?:file|文件)(?:\s+|$)/u

const olders = new Set(['older', '更早', '以前'])
const yesterdays = new Set(['yesterday', '昨天', '昨日'])
const todays = new Set(['', 'today', '今天', '今日'])
/** A longer message nobody reads. */
const mostShown = 30
const looked = 2 * dayMs

export async function tellLog(deps: Deps, context: CommandContext): Promise<Effects> {
  const { language, conversation, event } = context
  const zone = (await context.zone()) ?? deps.timeZone
  const args = context.args.trim().toLowerCase()
  const word = args.replace(file, '')
  if (olders.has(word)) return await tellOlder(deps, { conversation, language })
  const day = readDay(word, deps.now(), zone)
  if (day === undefined)
    return say(
      language,
      '请写 `/log`、`/log 昨天`、`/log 2026-03-01` 或 `/log file 昨天`。',
      'Write `/log`, `/log yesterday`, `/log 2026-03-01` or `/log file yesterday`.',
    )
  if (file.test(args))
    return await showLoopLog(deps, { conversation, day, zone, language, session: context.state.sessionId })
  const answered = await findAnswered(deps.memory, { conversation, principal: context.principal, group: event.group })
  const { text, shown } = await printLog(deps.log, { conversation, day, zone, language, most: mostShown, answered })
  if (shown.length === 0)
    return (
      (await tellDay(deps.log, { conversation, day, language })) ??
      say(language, `${day} 这里没有记录。`, `Nothing is on record here for ${day}.`)
    )
  return [{ kind: 'send', text, cameOf: shown.flatMap((one) => toSources(one, conversation)) }]
}

type Day = {
  readonly conversation: ConversationId
  /** `YYYY-MM-DD`, in this zone. */
  readonly day: string
  readonly zone: string
  readonly language: Language
  /** Entries; the newest. */
  readonly most: number
  /** What was answered on cards there. An answer that was pressed has no message and no turn: its record is all that tells of it. */
  readonly answered?: readonly Answered[]
}
type Told = LogEntry | Answered

const toAt = (told: Told): number => ('answers' in told ? told.saidAt : told.at)

const toSources = (told: Told, conversation: ConversationId): readonly CameOf[] =>
  'answers' in told ? cameOf([told]) : [{ conversation, messages: told.messages }]

/** One day of a conversation in the format of the seed. */
export async function printLog(
  log: Pick<MemoryLog, 'read'>,
  { conversation, day, zone, language, most, answered = [] }: Day,
): Promise<{ readonly text: string; readonly shown: readonly Told[] }> {
  // No zone is more than a day away from UTC.
  const noon = Date.parse(`${day}T12:00:00Z`)
  const read = await log.read(conversation, { from: noon - looked, until: noon + looked, most: 2000 })
  const entries = [...read, ...answered]
    .filter((one) => toDay(toAt(one), zone) === day)
    .toSorted((a, b) => toAt(a) - toAt(b))
  const shown = entries.slice(-most)
  const left = entries.length - shown.length
  const more = left === 0 ? [] : [words.more(left)[language]]
  const text = [`# ${day}`, ...more, ...shown.map((one) => print(one, zone, language))].join('\n\n')
  return { text, shown }
}

const words = {
  iAsked: { zh: '我问', en: 'I asked' },
  asked: { zh: '问', en: 'asked' },
  answered: { zh: '答', en: 'answered' },
  tools: { zh: '工具', en: 'tools' },
  more: (count: number): Localised => ({
    zh: `更早的 ${count} 条没有列出。`,
    en: `${count} earlier ones are not listed.`,
  }),
}

const toDay = (ms: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(ms)
const toTime = (ms: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' }).format(ms)

/** A day as people name it: `yesterday`, `2026-03-01`; today where nothing is said. */
export function readDay(word: string, nowMs: number, zone: string): string | undefined {
  if (todays.has(word)) return toDay(nowMs, zone)
  if (yesterdays.has(word)) return toDay(nowMs - dayMs, zone)
  return /^\d{4}-\d{2}-\d{2}$/.test(word) && !Number.isNaN(Date.parse(word)) ? word : undefined
}

const print = (told: Told, zone: string, language: Language): string =>
  'answers' in told ? printAnswered(told, zone, language) : printEntry(told, zone, language)

function printAnswered(record: Answered, zone: string, language: Language): string {
  const { answers, name, saidAt } = record
  const colon = language === 'zh' ? '：' : ': '
  const who = name === undefined ? '' : `${toShown(name)}: `
  return [
    `## ${toTime(saidAt, zone)} - ${toInertLine(answers.question, 60) || '…'}`,
    `- ${words.iAsked[language]}${colon}${toShown(answers.question)}`,
    `- ${words.answered[language]}${colon}${who}${toShown(toAnswer(record))}`,
    language === 'zh' ? `问于 ${toDay(answers.askedAt, zone)}` : `asked ${toDay(answers.askedAt, zone)}`,
  ].join('\n')
}

/** `## 14:05 - title`, what happened, and a last line with the time and how many tools were called. */
function printEntry(entry: LogEntry, zone: string, language: Language): string {
  const { at, name, tools, tookMs } = entry
  const [asked, answered] = [toShown(entry.asked), toShown(entry.answered)]
  const who = name === undefined ? '' : `${toShown(name)}: `
  const title = toInertLine(entry.asked, 60)
  const colon = language === 'zh' ? '：' : ': '
  const used = tools.map((tool) => `${tool.name} ${tool.ok ? '✓' : '✗'}`).join(', ')
  const seconds = (tookMs / 1000).toFixed(1)
  return [
    `## ${toTime(at, zone)} - ${title || '…'}`,
    `- ${words.asked[language]}${colon}${who}${asked}`,
    `- ${words.answered[language]}${colon}${answered}`,
    ...(used === '' ? [] : [`- ${words.tools[language]}${colon}${used}`]),
    language === 'zh'
      ? `用时 ${seconds} 秒，工具调用 ${tools.length} 次`
      : `${seconds} s, ${tools.length} tool ${tools.length === 1 ? 'call' : 'calls'}`,
  ].join('\n')
}
