// WORKING.md, as seed 000 §4.2 writes it. Texts stand in double quotes, in which a quotation mark and a backslash are escaped by a backslash;
// times are those of the session's id, UTC.
import type { Language, Localised } from '#shared/chat/message.ts'
import { toTopic } from './find-topic.ts'
import type { Working } from './to-working.ts'

/** Each text is one line. */
export type WorkingDocument = {
  readonly session: {
    readonly id: string
    /** `YYYY-MM-DD HH:MM:SS` */
    readonly started: string
    readonly lastUpdate: string
    readonly messageCount: number
  }
  /** What is worked on now, and what was asked for before it, the latest first: three in all. Empty without any. */
  readonly primary: string
  readonly stack: readonly string[]
  readonly topic: string
  readonly pendingQuestions: readonly string[]
  readonly recentFacts: readonly string[]
  readonly tokenUsage: number
  /** Of a turn, in tenths of a second. */
  readonly avgResponseTenths: number
}

export function toWorkingDocument({ atMs, turns, tokens, tookMs, notes }: Working, sessionId: string): WorkingDocument {
  const started = toStarted(sessionId)
  const goals = notes.flatMap(({ goal }) => goal ?? []).toReversed()
  const about = notes.findLast(({ goal, topic }) => goal ?? topic)
  return {
    session: { id: sessionId, started, lastUpdate: atMs > 0 ? toStamp(atMs) : started, messageCount: turns },
    primary: goals[0] ?? '',
    stack: goals.slice(1),
    topic: about?.topic ?? toTopic(about?.goal ?? ''),
    pendingQuestions: notes.flatMap(({ asks }) => asks?.questions ?? []),
    recentFacts: notes.flatMap(({ facts = [] }) => facts),
    tokenUsage: tokens,
    avgResponseTenths: turns > 0 ? Math.round(tookMs / turns / 100) : 0,
  }
}

/** An id says when its session began. */
function toStarted(sessionId: string): string {
  const [, year, month, day, hour, minute, second] =
    /^sess_(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)$/.exec(sessionId) ?? []
  return second === undefined ? toStamp(0) : `${year}-${month}-${day} ${hour}:${minute}:${second}`
}

const toStamp = (atMs: number): string => new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')

const about: Localised = {
  zh: '> 工作记忆 - 当前会话状态（自动管理）',
  en: '> Working memory - the state of this session (kept by itself)',
}

/** A time that nobody has measured yet is left out. */
export function printWorking(one: WorkingDocument, language: Language): string {
  const { session } = one
  return [
    '# WORKING',
    about[language],
    '',
    '## Session',
    `- id: ${session.id}`,
    `- started: ${session.started}`,
    `- lastUpdate: ${session.lastUpdate}`,
    `- messageCount: ${session.messageCount}`,
    '',
    '## Current Goal',
    `- primary: ${toQuoted(one.primary)}`,
    // Without quotation marks, as in the seed: a goal is a line.
    ...toList(
      'stack',
      one.stack.map((goal, at) => `${at + 1}. ${goal}`),
    ),
    '',
    '## Context',
    `- topic: ${toQuoted(one.topic)}`,
    ...toList(
      'pendingQuestions',
      one.pendingQuestions.map((text) => `- ${toQuoted(text)}`),
    ),
    ...toList(
      'recentFacts',
      one.recentFacts.map((text) => `- ${toQuoted(text)}`),
    ),
    '',
    '## Stats',
    `- tokenUsage: ${one.tokenUsage}`,
    ...(one.avgResponseTenths === 0 ? [] : [`- avgResponseTime: ${(one.avgResponseTenths / 10).toFixed(1)}s`]),
  ].join('\n')
}

const toQuoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`

const toList = (name: string, items: readonly string[]): readonly string[] =>
  items.length === 0 ? [`- ${name}: []`] : [`- ${name}:`, ...items.map((item) => `  ${item}`)]
