// The card of a night: each group of records that may become one, and those that may go, each behind a button. Nothing happens before a press, which takes
// the records as they were seen: what changed meanwhile is left alone, and the card says so.
import { z } from 'zod'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { languages, type Language } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { Asking } from '#shared/feature/feature.ts'
import { mostMerged, ofPerson, type MemoryRecord } from '#shared/memory/record.ts'
import { toSeen } from '#services/memory/file/mark.ts'
import { readAll } from '#services/memory/file/read-all.ts'
import { findAlike } from '#services/memory/night/alike.ts'
import { findLongest } from '#services/memory/night/join.ts'
import { findToLetGo, mostBytes } from '#services/memory/night/let-go.ts'
import { comparing } from './comparing.ts'
import type { MemoryDeps } from './ports.ts'
import { cameOf, describe, toDay, toShown } from './words.ts'

type Effects = readonly StepEffect<never>[]

const mostMerges = 4
const mostGoing = 100
/** So many of them stand on the card one by one; the others are counted. */
const mostTold = 6
const livesMs = 7 * 86_400_000

export type Proposal = {
  readonly merges: readonly (readonly MemoryRecord[])[]
  readonly going: readonly MemoryRecord[]
}

export async function findProposal({ memory }: Pick<MemoryDeps, 'memory'>, principal: PrincipalId): Promise<Proposal> {
  const { records } = await readAll(memory, ofPerson(principal))
  const merges = findAlike(comparing, records).slice(0, mostMerges)
  const merged = new Set(merges.flat())
  return { merges, going: findToLetGo(records, mostGoing).filter((one) => !merged.has(one)) }
}

export const isEmpty = ({ merges, going }: Proposal): boolean => merges.length + going.length === 0

/** A record as it was seen. */
const part = z.object({ number: z.number().int(), seen: z.string().max(20) })
export type Part = z.infer<typeof part>

/** `changed`: it is something else by now, and nothing was done; `full`: there was no room. */
const dones = ['merged', 'apart', 'changed', 'full'] as const
const group = z.object({
  parts: z.array(part).max(mostMerged),
  done: z.enum(dones).exactOptional(),
  /** The number of the record that they became, and its id. */
  into: z.number().int().exactOptional(),
  made: z.string().max(200).exactOptional(),
})
export const onNight = z.object({
  v: z.literal(1),
  /** Of the card. */
  id: z.string().max(200),
  language: z.enum(languages),
  /** `YYYY-MM-DD`, of its person. */
  day: z.string().max(10),
  merges: z.array(group).max(mostMerges),
  going: z.array(part).max(mostGoing),
  /** How many went, and how many were left since they had changed. */
  gone: z.object({ went: z.number().int(), left: z.number().int() }).exactOptional(),
})
export type OnNight = z.infer<typeof onNight>

const toPart = (record: MemoryRecord): Part => ({ number: record.number, seen: toSeen(record) })
export const isSeen = (record: MemoryRecord, parts: readonly Part[]): boolean =>
  parts.some(({ number, seen }) => number === record.number && seen === toSeen(record))

type Shown = Pick<Asking, 'principal' | 'language'>
type New = { readonly proposal: Proposal; readonly zone: string; readonly id: string }

export async function toNightCard(deps: MemoryDeps, context: Shown, { proposal, zone, id }: New): Promise<Effects> {
  const at: OnNight = {
    v: 1,
    id,
    language: context.language,
    day: toDay(deps.now(), zone),
    merges: proposal.merges.map((records) => ({ parts: records.map(toPart) })),
    going: proposal.going.map(toPart),
  }
  return await showNight(deps, { principal: context.principal, zone, at, inPlace: false })
}

type Showing = {
  readonly principal: PrincipalId
  readonly zone: string
  readonly at: OnNight
  readonly inPlace: boolean
}

export async function showNight(deps: MemoryDeps, { principal, zone, at, inPlace }: Showing): Promise<Effects> {
  const { language, day } = at
  const told = at.going.slice(0, mostTold)
  const numbers = [
    ...at.merges.flatMap(({ parts, into }) => [...parts.map((one) => one.number), into ?? 0]),
    ...told.map((one) => one.number),
  ]
  const found = await deps.memory.find(ofPerson(principal), [...new Set(numbers)])
  const records = new Map(found.map((one) => [one.number, one]))
  const how = { principal, language, zone, records }
  const paragraphs = [
    `# Memory Consolidation ${day}`,
    words.head[language],
    ...at.merges.map((_, nth) => tellGroup(at, nth, how)),
    ...(at.going.length === 0 ? [] : [tellGoing(at, how)]),
  ]
  const text = paragraphs.join('\n\n')
  const options = toButtons(at)
  const said = { text, inPlace, cameOf: cameOf(found) }
  if (options.length === 0) return [{ kind: 'send', ...said }]
  const payload = JSON.stringify(at)
  const ask = { kind: 'ask', question: 'night', options, payload, topic: 'memory night', deadlineMs: livesMs } as const
  return [{ ...ask, ...said }]
}

type How = {
  readonly principal: PrincipalId
  readonly language: Language
  readonly zone: string
  readonly records: ReadonlyMap<number, MemoryRecord>
}

const toRow = (record: MemoryRecord, how: How): string =>
  `- **${record.number}** ${toShown(record.text)}\n  ${describe(record, how)}`

function tellGroup(at: OnNight, nth: number, how: How): string {
  const { language, records } = how
  const { parts = [], done, into } = at.merges[nth] ?? {}
  const there = parts.flatMap(({ number }) => records.get(number) ?? [])
  const rows = there.filter((one) => isSeen(one, parts)).map((one) => toRow(one, how))
  if (done === undefined) {
    const kept = findLongest(there)?.text ?? ''
    return [words.alike[language], ...rows, `${words.becomes[language]}“${toShown(kept)}”`].join('\n')
  }
  const names = parts.map(({ number }) => number).join(language === 'zh' ? '、' : ', ')
  const now = into === undefined ? undefined : records.get(into)
  const row = done === 'merged' && now ? [toRow(now, how)] : []
  return [`${names}: ${words[done][language]}`, ...row].join('\n')
}

function tellGoing({ going, gone }: OnNight, how: How): string {
  const { language, records } = how
  const isChinese = language === 'zh'
  if (gone) {
    const went = isChinese ? `已删去 ${gone.went} 条。` : `${gone.went} of these are gone.`
    const left = isChinese ? `${gone.left} 条后来变了，没有动。` : `${gone.left} had changed meanwhile, and stay.`
    return gone.left === 0 ? went : `${went}${isChinese ? '' : ' '}${left}`
  }
  const told = going.slice(0, mostTold)
  const rows = told.flatMap(({ number }) => records.get(number) ?? []).map((one) => toRow(one, how))
  const rest = going.length - told.length
  const more = rest === 0 ? [] : [isChinese ? `- 还有 ${rest} 条` : `- and ${rest} more`]
  return [words.going[language], ...rows, ...more].join('\n')
}

function toButtons({ language, merges, going, gone }: OnNight) {
  const isChinese = language === 'zh'
  const isOne = merges.length === 1
  const rows = merges.flatMap(({ parts, done, into }, nth) => {
    const names = parts.map(({ number }) => number).join('+')
    const label = isChinese ? `合并${isOne ? '这些' : ` ${names}`}` : `Merge ${isOne ? 'these' : names}`
    if (done === undefined) return [[{ id: `m-${nth}`, label }]]
    return done === 'merged' ? [[{ id: `u-${nth}`, label: isChinese ? `撤销 ${into}` : `Undo ${into}` }]] : []
  })
  const go = isChinese ? `删去这 ${going.length} 条` : `Let go of these (${going.length})`
  const isGoing = going.length > 0 && !gone
  const isOpen = isGoing || merges.some(({ done }) => done === undefined)
  return [
    ...rows,
    ...(isGoing ? [[{ id: 'go', label: go }]] : []),
    ...(isOpen ? [[{ id: 'no', label: isChinese ? '先不用' : 'Not now' }]] : []),
  ]
}

const words = {
  head: {
    zh: '我看了一遍为你记住的。你不点，就什么都不变。',
    en: 'I looked through what I keep for you. Nothing changes unless you press.',
  },
  alike: { zh: '这些说的大致相同：', en: 'These say mostly the same:' },
  becomes: { zh: '合并后是：', en: 'Merged, they would say: ' },
  merged: { zh: '已合并成一条：', en: 'they are one now:' },
  apart: { zh: '又分开了。', en: 'they are apart again.' },
  changed: { zh: '后来变了，没有动。', en: 'they changed meanwhile, and stay as they are.' },
  full: { zh: '没有地方了，没有动。', en: 'there is no room, and they stay as they are.' },
  going: {
    zh: `我为你记的已经超过 ${mostBytes / 1000} KB。这些用得最少：`,
    en: `I keep more than ${mostBytes / 1000} KB for you. These were used least:`,
  },
} as const
