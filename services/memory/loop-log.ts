// /log file: a day of a conversation as the log of loops that seed 004 §1.2 describes, a block for each turn. What stands in it is the beginnings that the
// day's log has.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import { showDocument } from '#shared/feature/document.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import { say } from '#shared/feature/say.ts'
import type { LogEntry, MemoryLog } from '#shared/memory/log.ts'
import { onOneLine, toDay } from './words.ts'

export type LoopDay = {
  readonly conversation: ConversationId
  /** `YYYY-MM-DD`, in this zone. */
  readonly day: string
  readonly zone: string
  readonly language: Language
  /** The session that is open now: of a day whose entries name none. */
  readonly session: string
}

const lookedMs = 2 * 86_400_000
const mostRead = 2000
/** A message that is shown goes with so many others at most; of more the newest turns are given. */
const mostMessages = 200

export async function showLoopLog(
  { log, now }: { readonly log: Pick<MemoryLog, 'read'>; now(): number },
  of: LoopDay,
): Promise<readonly StepEffect<never>[]> {
  const { conversation, day, zone, language } = of
  const noon = Date.parse(`${day}T12:00:00Z`)
  const span = { from: noon - lookedMs, until: noon + lookedMs, most: mostRead }
  const entries = (await log.read(conversation, span)).filter(({ at }) => toDay(at, zone) === day)
  if (entries.length === 0) return say(language, `${day} 这里没有记录。`, `Nothing is on record here for ${day}.`)
  const session = entries.at(-1)?.session ?? of.session
  const shown = takeNewest(entries)
  const shownOf = { ...of, session, first: entries.length - shown.length, isRunning: toDay(now(), zone) === day }
  return [
    showDocument({
      name: `chat_log_${session}_${day}.md`,
      text: printLoopLog(shown, shownOf),
      caption: language === 'zh' ? `${day} 的日志。` : `The log of ${day}.`,
      about: shown.flatMap(({ messages }) => messages),
    }),
  ]
}

function takeNewest(entries: readonly LogEntry[]): readonly LogEntry[] {
  let left = mostMessages
  const from = entries.findLastIndex(({ messages }) => (left -= messages.length) < 0)
  return entries.slice(from + 1)
}

type Shown = Pick<LoopDay, 'day' | 'zone' | 'session'> & {
  /** How many of the day are left out before the first. */ readonly first: number
  /** The day is not over. */ readonly isRunning: boolean
}

export function printLoopLog(entries: readonly LogEntry[], { day, zone, session, first, isRunning }: Shown): string {
  const head = [
    '---',
    `session_id: ${session}`,
    `date: ${day}`,
    'task_type: general',
    `loops: ${first + entries.length}`,
    `final_status: ${isRunning ? 'running' : 'completed'}`,
    '---',
  ]
  const blocks = entries.map((entry, nth) => printLoop(entry, first + nth + 1, zone))
  return [head.join('\n'), ...blocks].join('\n\n')
}

/** Blocks begin at `## Loop `, and so no words begin a line as a heading does. */
const printLoop = ({ at, name, asked, answered, ending }: LogEntry, loop: number, zone: string): string =>
  [
    `## Loop ${loop} [${toTime(at, zone)}] - State: ${ending ?? 'answered'}`,
    '### Input',
    toPlain(name === undefined ? asked : `${name}: ${asked}`),
    '### Result (snippet)',
    toPlain(answered),
  ].join('\n')

const toPlain = (text: string): string => onOneLine(text).replace(/^(?=[#-])/, '\\')

const toTime = (ms: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium', hourCycle: 'h23' }).format(ms)
