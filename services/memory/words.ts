// How records are told to people and to the model.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Language, Localised } from '#shared/chat/message.ts'
import { toNormalForm } from '#shared/chat/normal-form.ts'
import { anotherMember, joinTaint, type Taint } from '#shared/model/taint.ts'
import type { Source } from '#shared/model/source.ts'
import type { CameOf } from '#shared/feature/came-of.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import { isExpired, tellUntil } from './anchor-words.ts'
import { ofAll, type MemoryKind, type MemoryRecord } from '#shared/memory/record.ts'

export const kindNames: Readonly<Record<MemoryKind, Localised>> = {
  fact: { zh: '事实', en: 'fact' },
  preference: { zh: '偏好', en: 'preference' },
  todo: { zh: '待办', en: 'to do' },
  decision: { zh: '决定', en: 'decision' },
  constraint: { zh: '约束', en: 'rule' },
  note: { zh: '笔记', en: 'note' },
  skill: { zh: '技能', en: 'skill' },
  pattern: { zh: '做法', en: 'pattern' },
  metric: { zh: '指标', en: 'metric' },
}

/** `2026-03-01`, in this zone. */
export const toDay = (ms: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(ms)

/** On one line: a record is data, whatever it says. For the model. */
export const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** As typed words are looked for in a record's text. */
export const toFolded = (text: string): string => onOneLine(toNormalForm(text, 'NFKC').toLowerCase())

const asker = 'the person you talk to'
const another = 'another person'

/** Who said something, for the model. A name is chosen by its bearer: it must not pass for whom the turn serves, nor for the end of what it stands in. */
export function tellTeller({ speaker, name }: Pick<MemoryRecord, 'speaker' | 'name'>, principal: PrincipalId): string {
  return speaker === principal ? asker : toOther(name)
}

function toOther(name = another): string {
  const shown = onOneLine(name.replaceAll(/[:：]/g, ' '))
  return shown === '' || /person you talk to/i.test(toNormalForm(shown, 'NFKC')) ? another : shown
}

/** The same for people: nothing in it is markup, calls anybody or can be tapped. */
export const toShown = (text: string): string => toInertLine(text, mostShown)
const mostShown = 2000

const unconfirmed: Localised = { zh: '未经确认', en: 'not confirmed' }
const pinned: Localised = { zh: '已置顶', en: 'pinned' }
const inGroups: Localised = { zh: '群里可用', en: 'may be told in groups' }
const expired: Localised = { zh: '已过期', en: 'expired' }
const superseded: Localised = { zh: '已有更新', en: 'something newer took its place' }

/** Who said it, for who asks. */
function toSpeaker({ speaker, name }: MemoryRecord, principal: PrincipalId, language: Language): string {
  if (speaker === principal) return language === 'zh' ? '你' : 'you'
  return name === undefined ? `\`${speaker}\`` : toShown(name)
}

/** `fact · you · 2026-03-01`, and what is not as usual about it. */
export function describe(
  record: MemoryRecord,
  {
    principal,
    language,
    zone,
    nowMs,
  }: { readonly principal: PrincipalId; readonly language: Language; readonly zone: string; readonly nowMs?: number },
): string {
  const notes = [
    ...tellUntil(record, language),
    ...(nowMs !== undefined && isExpired(record, toDay(nowMs, zone)) ? [expired[language]] : []),
    ...(record.collection === undefined ? [] : [record.collection]),
    ...(record.status === 'unconfirmed' ? [unconfirmed[language]] : []),
    ...(record.supersededBy === undefined ? [] : [superseded[language]]),
    ...(record.pinned === true ? [pinned[language]] : []),
    ...(record.groups === true ? [inGroups[language]] : []),
  ]
  const day = toDay(record.saidAt, zone)
  return [kindNames[record.kind][language], toSpeaker(record, principal, language), day, ...notes].join(' · ')
}

/** Messages that records came of. */
export const cameOf = (records: readonly Pick<MemoryRecord, 'from'>[]): readonly CameOf[] =>
  records.flatMap(({ from }) => from)

/**
 * Whose words records are, for whom a turn serves: theirs alone, or others', with what others wrote that is in them. Owners alone keep what is for all:
 * it holds as the bot's own, so that one such wish does not taint each turn of everybody else.
 */
export function whose(
  records: readonly (Pick<MemoryRecord, 'speaker' | 'taint'> & Partial<Pick<MemoryRecord, 'scope'>>)[],
  principal: PrincipalId,
): { readonly source: Source; readonly taint?: Taint } {
  const foreign = records.filter(({ speaker }) => speaker !== principal)
  const others = foreign.some(({ scope }) => scope !== ofAll)
  const taint = joinTaint(...records.map((one) => one.taint), others ? [anotherMember] : undefined)
  if (taint.length > 0) return { source: 'others', taint }
  return { source: foreign.length > 0 ? 'own' : 'person' }
}
