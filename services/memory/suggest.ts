// Asks a person, in their direct chat, which of the noticed things are to be kept: one card that steps through them. It comes when three wait, or one
// since an earlier session; once a day at most, and not at night.
import { z } from 'zod'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { languages } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { AnswerContext, LetterContext } from '#shared/feature/feature.ts'
import { mostRecordChars, ofPerson, type MemoryRecord, type NewRecord } from '#shared/memory/record.ts'
import type { MemoryDeps } from './ports.ts'
import { findRefusal } from './refuse.ts'
import { cameOf, kindName, onOneLine, toShown } from './words.ts'

type Effects = readonly StepEffect<never>[]

/** So many wait, or one for so long: its session has ended. */
const enough = 3
const sessionMs = 8 * 3_600_000
const dayMs = 86_400_000
/** In one card. */
const mostAsked = 6
const [nightFrom, nightTo] = [22, 8]
/** Kept with the choices of a person: when they were asked last, ms. */
const askedAt = 'memory_asked'

/** What was noticed of a person and waits, the oldest first. */
export async function findPending({ memory }: MemoryDeps, principal: PrincipalId): Promise<readonly MemoryRecord[]> {
  const read = await memory.read(ofPerson(principal))
  if (read === 'same') return []
  return read.records
    .filter((one) => one.status === 'unconfirmed' && one.speaker === principal && one.supersededBy === undefined)
    .toReversed()
}

export async function mayAsk(
  deps: MemoryDeps,
  principal: PrincipalId,
  pending: readonly MemoryRecord[],
): Promise<boolean> {
  const [oldest] = pending
  const nowMs = deps.now()
  if (!oldest || (pending.length < enough && nowMs - oldest.saidAt < sessionMs)) return false
  if (isNight(nowMs, (await deps.findZoneOf(principal)) ?? deps.timeZone)) return false
  const last = Number((await deps.findChoice(principal, askedAt)) ?? 0)
  return nowMs - last >= dayMs || last > nowMs + dayMs
}

function isNight(ms: number, timeZone: string): boolean {
  const hour = Number(new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(ms))
  return hour >= nightFrom || hour < nightTo
}

/** The letter of the reader that noticed them. */
export async function suggest(deps: MemoryDeps, { principal, language }: LetterContext): Promise<Effects> {
  const pending = await findPending(deps, principal)
  if (!(await mayAsk(deps, principal, pending))) return []
  await deps.setChoice(principal, askedAt, String(deps.now()))
  const all = pending.slice(0, mostAsked)
  const left = all.map(({ number, id }) => ({ number, id }))
  return toCard(deps, { v: 1, left, of: all.length, kept: 0, language, principal }, false)
}

const asked = z.object({
  v: z.literal(1),
  principal: z.string(),
  /** The first of them is on the card. */
  left: z.array(z.object({ number: z.number(), id: z.string() })),
  of: z.number(),
  kept: z.number(),
  language: z.enum(languages),
  /** Its words are asked for. */
  edits: z.literal(true).exactOptional(),
})
type Asked = z.infer<typeof asked>

/** The next of them that is still there and waits, or the end. */
async function toCard(deps: MemoryDeps, at: Asked, inPlace: boolean): Promise<Effects> {
  const isChinese = at.language === 'zh'
  for (let left = at.left; left.length > 0; left = left.slice(1)) {
    const [first] = left
    const record = first && (await findWaiting(deps, at.principal, first))
    if (!record) continue
    const nth = at.of - left.length + 1
    const count = at.of > 1 ? (isChinese ? `（${nth} / ${at.of}）` : ` (${nth} / ${at.of})`) : ''
    const head = isChinese ? `要我记住这个吗？${count}` : `Shall I keep this?${count}`
    const options = [
      { id: 'save', label: isChinese ? '记住' : 'Save' },
      { id: 'edit', label: isChinese ? '改一改' : 'Edit' },
      { id: 'no', label: isChinese ? '不用' : 'No' },
    ]
    const text = `${head}\n“${toShown(record.text)}” · ${kindName(record.kind, at.language)}`
    return [toAsk({ ...at, left }, { text, options: [options], record, inPlace })]
  }
  return [{ kind: 'send', text: toEnd(at), inPlace, about: [] }]
}

function toAsk(
  at: Asked,
  {
    text,
    options,
    record,
    inPlace,
  }: {
    readonly text: string
    readonly options: readonly (readonly { id: string; label: string }[])[]
    readonly record: MemoryRecord
    readonly inPlace: boolean
  },
): StepEffect<never> {
  return {
    kind: 'ask',
    question: 'suggested',
    text,
    options,
    payload: JSON.stringify(at),
    topic: `memory suggested ${at.principal}`,
    owner: at.principal,
    deadlineMs: 7 * dayMs,
    inPlace,
    cameOf: cameOf([record]),
    ...(at.edits ? { words: true } : {}),
  }
}

async function findWaiting(
  { memory }: MemoryDeps,
  principal: PrincipalId,
  { number, id }: { readonly number: number; readonly id: string },
): Promise<MemoryRecord | undefined> {
  const [record] = await memory.find(ofPerson(principal), [number])
  return record?.id === id && record.status === 'unconfirmed' ? record : undefined
}

function toEnd({ kept, of, language }: Asked): string {
  if (kept === 0) return language === 'zh' ? '好的，一条也没记。' : 'All right, nothing is kept.'
  return language === 'zh'
    ? `好的，记住了 ${of} 条中的 ${kept} 条。\`/memory\` 列出全部。`
    : `Kept ${kept} of ${of}. \`/memory\` lists all.`
}

export async function answerSuggested(deps: MemoryDeps, { event, principal, about }: AnswerContext): Promise<Effects> {
  const at = asked.parse(JSON.parse(event.payload))
  const [first, ...rest] = at.left
  const { edits, ...plain } = at
  const record = first && (await findWaiting(deps, at.principal, first))
  const next = { ...plain, left: rest }
  if (!record) return await toCard(deps, next, true)
  if (edits && event.choice === '') return await keepEdited(deps, { event, principal, about }, { record, at: plain })
  if (event.choice === 'edit')
    return [
      toAsk(
        { ...plain, edits: true },
        {
          text:
            at.language === 'zh'
              ? `回复这条消息，写下要我记的话。现在是：“${toShown(record.text)}”`
              : `Reply to this with the words that I should keep. Now it says: “${toShown(record.text)}”`,
          options: [[{ id: 'no', label: at.language === 'zh' ? '不用' : 'No' }]],
          record,
          inPlace: true,
        },
      ),
    ]
  if (event.choice === 'save') {
    await deps.memory.change(record.scope, record.number, (before) => toConfirmed(before, principal))
    return await toCard(deps, { ...next, kept: at.kept + 1 }, true)
  }
  await deps.memory.drop(record.scope, [record.number])
  return await toCard(deps, next, true)
}

const toConfirmed = (record: MemoryRecord, principal: PrincipalId): MemoryRecord => ({
  ...record,
  status: 'confirmed',
  confirmedBy: principal,
})

/** Written first: who dies in between does both again, and loses no words. Words that are nearly the same are taken in by the record itself. */
async function putInPlace({ memory }: MemoryDeps, record: MemoryRecord, made: NewRecord): Promise<boolean> {
  let written = await memory.write(record.scope, made)
  if (written.kind !== 'full' && written.kind !== 'gone') {
    if (written.record.number !== record.number) await memory.drop(record.scope, [record.number])
    return true
  }
  await memory.drop(record.scope, [record.number])
  if (written.kind === 'full') written = await memory.write(record.scope, made)
  return written.kind === 'new'
}

/** What its person writes instead is theirs, said now. */
async function keepEdited(
  deps: MemoryDeps,
  { event, principal, about }: Pick<AnswerContext, 'event' | 'principal' | 'about'>,
  { record, at }: { readonly record: MemoryRecord; readonly at: Asked },
): Promise<Effects> {
  const text = onOneLine(event.words ?? '')
  const isChinese = at.language === 'zh'
  if (text === '' || text.length > mostRecordChars || findRefusal(text, { group: false }))
    return await toCard(deps, at, false)
  const made: NewRecord = {
    id: `${record.id}-edited`,
    kind: record.kind,
    speaker: principal,
    text: text.toWellFormed(),
    saidAt: event.at,
    status: 'confirmed',
    confirmedBy: principal,
    origin: 'said',
    from: [{ conversation: event.conversation, messages: [...about] }],
  }
  const isKept = await putInPlace(deps, record, made)
  const next = { ...at, left: at.left.slice(1), kept: at.kept + (isKept ? 1 : 0) }
  const said: StepEffect<never> = {
    kind: 'send',
    text: isChinese ? `记住了：“${toShown(text)}”` : `Kept: “${toShown(text)}”`,
  }
  return next.left.length === 0 && isKept ? [said] : await toCard(deps, next, false)
}
