// Prints MEMORY.md, as seed 000 §4.3 writes it. Behind each line stands whose record it is, and as the last line which records were looked at.
import { languages, type Language, type Localised } from '#shared/chat/message.ts'
import type { MemoryRecord } from '#shared/memory/record.ts'
import { sections, seedSections, toLineText, type Level, type Line, type MemoryDocument } from './document.ts'
import { printEnd, printMark, toMark, toPlaceSign } from './mark.ts'

/** The line below the heading. */
const about: Localised = {
  zh: '> 长期记忆 - 用户确认的重要信息（手动管理）',
  en: '> Long-term memory - what you confirmed (yours to edit)',
}

/** The language that it was printed in; undefined where nothing tells. */
export function findLanguage(text: string): Language | undefined {
  const head = text.slice(0, 500)
  return languages.find((language) => head.includes(about[language]))
}

/** `left`: how many older records it has no room for. */
export function printMemory({ lines, end }: MemoryDocument, language: Language, left = 0): string {
  const parts = sections.flatMap(({ name }, at) => {
    const own = lines.filter(({ section }) => section === name)
    return own.length === 0 && at >= seedSections
      ? []
      : ['', `## ${name}`, ...own.flatMap((line) => printLine(line, language))]
  })
  return ['# MEMORY', about[language], ...tellLeft(left, language), ...parts, ...(end ? ['', printEnd(end)] : [])].join(
    '\n',
  )
}

function tellLeft(left: number, language: Language): readonly string[] {
  if (left === 0) return []
  return [
    language === 'zh'
      ? `> 还有 ${left} 条更早的写不下；它们都留着，这份文件不会动它们`
      : `> ${left} older ones have no room here; they stay, and this file changes none of them`,
  ]
}

function printLine({ section, day, text, done, confidence, evidence, mark }: Line, language: Language) {
  const box = section === 'Todos' ? `[${done ? 'x' : ' '}] ` : ''
  const date = day === undefined || box !== '' ? '' : `[${day}] `
  return [
    `- ${box}${date}${text}${mark ? ` ${printMark(mark)}` : ''}`,
    ...(confidence === undefined ? [] : [`  - confidence: ${confidence}`]),
    ...(evidence === undefined ? [] : [`  - evidence: ${printEvidence(evidence, language)}`]),
  ]
}

const printEvidence = (count: number, language: Language): string =>
  language === 'zh' ? `${count}次观察` : `${count} ${count === 1 ? 'observation' : 'observations'}`

/** Whether it stands in the file: something newer took the place of the others, which come back where that goes. */
export const isPrinted = ({ supersededBy, text }: MemoryRecord): boolean =>
  supersededBy === undefined && toLineText(text) !== ''

/** `toDay`: the day of a moment, `YYYY-MM-DD`. */
export const dayOf = ({ validFrom, saidAt }: MemoryRecord, toDay: (ms: number) => string): string =>
  validFrom !== undefined && isDay(validFrom) ? validFrom : toDay(saidAt)

/** A day of the calendar, as it is printed. */
export function isDay(day: string): boolean {
  const [, year, month, date] = /^(1[89]\d\d|2[01]\d\d)-(\d\d)-(\d\d)$/.exec(day) ?? []
  if (year === undefined) return false
  const made = new Date(Date.UTC(Number(year), Number(month) - 1, Number(date)))
  return made.toISOString().startsWith(day)
}

export type ToPrint = {
  readonly scope: string
  /** By number, the newest first. */
  readonly records: readonly MemoryRecord[]
  /** The lowest number that was looked at. */
  readonly from: number
  readonly toDay: (ms: number) => string
  readonly mostChars: number
}

/** The newest that fit, in the order of their numbers; `left`: how many did not. */
export function toDocument({ scope, records, from, toDay, mostChars }: ToPrint): {
  readonly document: MemoryDocument
  readonly printed: readonly MemoryRecord[]
  readonly left: number
} {
  const all = records.filter(isPrinted)
  let room = mostChars
  const fitting = all.findIndex(({ text }) => (room -= text.length + lineChars) < 0)
  const printed = (fitting < 0 ? all : all.slice(0, fitting)).toReversed()
  const to = records[0]?.number ?? 0
  const first = fitting < 0 ? from : (printed[0]?.number ?? to)
  const lines = printed.map((record) => toLine(record, toDay))
  return {
    document: { lines, ...(printed.length > 0 ? { end: { from: first, to, place: toPlaceSign(scope) } } : {}) },
    printed,
    left: all.length - printed.length,
  }
}

/** What stands beside a text, and below a pattern. */
const lineChars = 80

function toLine(record: MemoryRecord, toDay: (ms: number) => string): Line {
  const { kind, status, text } = record
  const is = { text: toLineText(text), mark: toMark(record) }
  const day = dayOf(record, toDay)
  if (status === 'unconfirmed') {
    const evidence = countMessages(record)
    return { section: 'Patterns', day, ...is, confidence: toLevel(evidence), evidence }
  }
  const section = sections.find((one) => one.kind === kind)?.name ?? 'Notes'
  return section === 'Todos' ? { section, ...is } : { section, day, ...is }
}

const countMessages = ({ from }: MemoryRecord): number =>
  Math.max(1, new Set(from.flatMap(({ conversation, messages }) => messages.map((id) => `${conversation} ${id}`))).size)

/** Two observations are medium, as in the seed. */
const toLevel = (messages: number): Level => (messages >= 4 ? 'high' : messages >= 2 ? 'medium' : 'low')
