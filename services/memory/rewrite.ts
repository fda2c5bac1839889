// What a person writes instead of what a record says: their own words, said now, take its place.
import type { Localised } from '#shared/chat/message.ts'
import type { AnswerContext } from '#shared/feature/feature.ts'
import { mostRecordChars, type MemoryRecord, type NewRecord } from '#shared/memory/record.ts'

import { toEventId } from '#shared/memory/event-id.ts'
import { toMarks } from './marks.ts'
import { isShared } from './place.ts'
import type { MemoryDeps } from './ports.ts'
import { findRefusal } from './refuse.ts'
import { refusals } from './refusal-words.ts'
import { onOneLine } from './words.ts'

export type Rewritten =
  /** Numbers of others whose place it took, beside that of the record itself. */
  | { readonly kind: 'kept'; readonly record: MemoryRecord; readonly replaced: readonly number[] }
  /** Nothing is changed. */
  | { readonly kind: 'refused'; readonly why: Localised }
  /** The words are forgotten already, or there is no room; the record is gone. */
  | { readonly kind: 'gone' }

/** `name`: how its writer is called, where others are. */
type Words = Pick<AnswerContext, 'event' | 'principal' | 'about'> & { readonly name?: string }

/** Safe to repeat. */
export async function rewrite({ memory }: MemoryDeps, record: MemoryRecord, words: Words): Promise<Rewritten> {
  const { event, principal, about, name } = words
  if (record.kind === 'skill') return { kind: 'refused', why: skillWords }
  const text = onOneLine(event.words ?? '').toWellFormed()
  if (text === '') return { kind: 'refused', why: nothing }
  if (text.length > mostRecordChars) return { kind: 'refused', why: tooLong }
  const refusal = findRefusal(text, { group: isShared(record.scope) })
  if (refusal) return { kind: 'refused', why: refusals[refusal] }
  const made: NewRecord = {
    id: toEventId('said', event.conversation, event.id),
    kind: record.kind,
    speaker: principal,
    ...(name === undefined ? {} : { name }),
    text,
    saidAt: event.at,
    status: 'confirmed',
    confirmedBy: principal,
    origin: 'said',
    from: [{ conversation: event.conversation, messages: [...about] }],
    ...toMarks(record),
  }
  return await putInPlace(memory, record, made)
}

/** A skill is more than one text. */
export const skillWords: Localised = {
  zh: '技能要整个改：发 `/skills` 和它的编号，再按“改一改”。',
  en: 'A skill is edited as a whole: send `/skills` with its number, and press Edit.',
}

const nothing: Localised = { zh: '没有读到文字。', en: 'I found no words in that.' }
const tooLong: Localised = {
  zh: `一条最多记 ${mostRecordChars} 个字符，请缩短。`,
  en: `One record keeps ${mostRecordChars} characters. Make it shorter.`,
}

/** Written first: who dies in between does both again, and loses no words. What says nearly the same, mostly the record itself, takes them in word for word. */
export async function putInPlace(
  memory: MemoryDeps['memory'],
  record: MemoryRecord,
  words: NewRecord,
): Promise<Rewritten> {
  const { scope, number } = record
  const made = { ...words, rewrites: number }
  let written = await memory.write(scope, made)
  if (written.kind === 'full') {
    await memory.drop(scope, [number])
    written = await memory.write(scope, made)
  } else if (written.kind === 'gone' || written.record.number !== number) await memory.drop(scope, [number])
  if (written.kind === 'full' || written.kind === 'gone') return { kind: 'gone' }
  if (written.kind === 'repeat' && written.record.text !== words.text) {
    const { text } = words
    const changed = await memory.change(scope, written.record.number, (before) => ({ ...before, text }))
    if (!changed) return { kind: 'gone' }
    written = { ...written, record: changed }
  }
  const replaced = written.kind === 'conflict' ? [] : written.replaced.map((one) => one.number)
  return { kind: 'kept', record: written.record, replaced: replaced.filter((one) => one !== number) }
}
