// Asks a person, in their direct chat, which of the noticed things are to be kept: one card that steps through them. It comes when enough wait, or one
// since an earlier session, or one that contradicts what is confirmed; once a day at most, and not at night.
import { z } from 'zod'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { languages, type Language } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { AnswerContext, LetterContext } from '#shared/feature/feature.ts'
import { ofPerson, type MemoryRecord } from '#shared/memory/record.ts'
import { findAgainst, isAnyContradicted } from './contradiction.ts'
import type { MemoryDeps } from './ports.ts'
import type { MemorySettings } from './settings.ts'
import { tellReplaced } from './replaced.ts'
import { rewrite } from './rewrite.ts'
import { cameOf, kindName, toShown } from './words.ts'

type Effects = readonly StepEffect<never>[]

/** One waits for so long: its session has ended. */
const sessionMs = 8 * 3_600_000
const dayMs = 86_400_000
/** In one card. */
const mostAsked = 6
const [nightFrom, nightTo] = [22, 8]
/** Kept with the choices of a person: when they were asked last, ms. */
const askedAt = 'memory_asked'

export type Pending = {
  /** What was noticed of a person and waits, the oldest first. */
  readonly waiting: readonly MemoryRecord[]
  /** One of them says otherwise than what is confirmed. */
  readonly contradicts: boolean
}

async function findPending({ memory }: MemoryDeps, principal: PrincipalId): Promise<Pending> {
  const read = await memory.read(ofPerson(principal))
  if (read === 'same') return { waiting: [], contradicts: false }
  const waiting = read.records
    .filter((one) => one.status === 'unconfirmed' && one.speaker === principal && one.supersededBy === undefined)
    .toReversed()
  return { waiting, contradicts: isAnyContradicted(waiting, read.records) }
}

async function mayAsk(
  deps: MemoryDeps,
  { askAfter }: Pick<MemorySettings, 'askAfter'>,
  principal: PrincipalId,
  pending: Pending,
): Promise<boolean> {
  const { waiting, contradicts } = pending
  const [oldest] = waiting
  const nowMs = deps.now()
  if (!oldest) return false
  const enough = Number(await askAfter.find(principal))
  if (!contradicts && waiting.length < enough && nowMs - oldest.saidAt < sessionMs) return false
  if (isNight(nowMs, (await deps.findZoneOf(principal)) ?? deps.timeZone)) return false
  const last = Number.parseInt((await deps.findChoice(principal, askedAt)) ?? '0', 10)
  return nowMs - last >= dayMs || last > nowMs + dayMs
}

/**
 * Takes the day's card of a person for a record's line: its payload, or undefined where there is none to be asked, or another line has it. The same line
 * gets it again, whose process died. One call at a time for each person: no store makes it one step.
 */
export async function claimCard(
  deps: MemoryDeps,
  settings: Pick<MemorySettings, 'askAfter'>,
  { principal, line }: { readonly principal: PrincipalId; readonly line: string },
): Promise<string | undefined> {
  const before = await deps.findChoice(principal, askedAt)
  if (before?.endsWith(` ${line}`)) return before
  if (!(await mayAsk(deps, settings, principal, await findPending(deps, principal)))) return undefined
  const claim = `${deps.now()} ${line}`
  await deps.setChoice(principal, askedAt, claim)
  return claim
}

function isNight(ms: number, timeZone: string): boolean {
  const hour = Number(new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(ms))
  return hour >= nightFrom || hour < nightTo
}

/** The letter of the reader that noticed them. */
export async function suggest(
  deps: MemoryDeps,
  {
    principal,
    language,
    event,
  }: Pick<LetterContext, 'principal' | 'language'> & {
    readonly event: Pick<LetterContext['event'], 'payload'>
  },
): Promise<Effects> {
  // Another line has the day's card by now, or it has become night.
  if ((await deps.findChoice(principal, askedAt)) !== event.payload) return []
  if (isNight(deps.now(), (await deps.findZoneOf(principal)) ?? deps.timeZone)) return []
  const { waiting } = await findPending(deps, principal)
  // All of them were forgotten or confirmed meanwhile.
  if (waiting.length === 0) return []
  const all = waiting.slice(0, mostAsked)
  const left = all.map(({ number, id }) => ({ number, id }))
  return toCard(deps, { v: 1, left, of: all.length, kept: 0, language, principal }, false)
}

const payload = z.object({
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
type Asked = z.infer<typeof payload>

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
    const against = await findAgainst(deps.memory, record)
    const told = against ? `${text}\n${tellAgainst(against, at.language)}` : text
    return [
      toAsk(
        { ...at, left },
        { text: told, options: [options], records: [record, ...(against ? [against] : [])], inPlace },
      ),
    ]
  }
  return [{ kind: 'send', text: toEnd(at), inPlace, about: [] }]
}

function toAsk(
  at: Asked,
  {
    text,
    options,
    records,
    inPlace,
  }: {
    readonly text: string
    readonly options: readonly (readonly { id: string; label: string }[])[]
    /** That it repeats. */
    readonly records: readonly MemoryRecord[]
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
    cameOf: cameOf(records),
    ...(at.edits ? { words: true } : {}),
  }
}

function tellAgainst({ number, text }: MemoryRecord, language: Language): string {
  const said = toShown(text)
  return language === 'zh'
    ? `第 ${number} 条说的不一样：“${said}”。选“记住”，它就取代第 ${number} 条。`
    : `Number ${number} says otherwise: “${said}”. If you save this, it takes the place of number ${number}.`
}

async function findWaiting(
  { memory }: MemoryDeps,
  principal: PrincipalId,
  { number, id }: { readonly number: number; readonly id: string },
): Promise<MemoryRecord | undefined> {
  const record = await findAsked(memory, principal, { number, id })
  return record?.status === 'unconfirmed' ? record : undefined
}

async function findAsked(
  memory: MemoryDeps['memory'],
  principal: PrincipalId,
  { number, id }: { readonly number: number; readonly id: string },
): Promise<MemoryRecord | undefined> {
  const [record] = await memory.find(ofPerson(principal), [number])
  return record?.id === id ? record : undefined
}

function toEnd({ kept, of, language }: Asked): string {
  if (kept === 0) return language === 'zh' ? '好的，一条也没记。' : 'All right, nothing is kept.'
  return language === 'zh'
    ? `好的，记住了 ${of} 条中的 ${kept} 条。\`/memory\` 列出全部。`
    : `Kept ${kept} of ${of}. \`/memory\` lists all.`
}

type Words = Pick<AnswerContext, 'event' | 'principal' | 'about'>

/** Safe to repeat. */
export async function answerSuggested(deps: MemoryDeps, { event, principal, about }: Words): Promise<Effects> {
  const at = payload.parse(JSON.parse(event.payload))
  const [first, ...rest] = at.left
  const { edits, ...plain } = at
  const asked = first && (await findAsked(deps.memory, at.principal, first))
  const next = { ...plain, left: rest }
  // A worker died after it was saved: the same press comes again.
  if (event.choice === 'save' && asked?.status === 'confirmed')
    return await toCard(deps, { ...next, kept: at.kept + 1 }, true)
  const record = asked?.status === 'unconfirmed' ? asked : undefined
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
          records: [record],
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

/** What its person writes instead is theirs, said now. What may not be kept is told, and asked for again. */
async function keepEdited(
  deps: MemoryDeps,
  words: Words,
  { record, at }: { readonly record: MemoryRecord; readonly at: Asked },
): Promise<Effects> {
  const { language } = at
  const written = await rewrite(deps, record, words)
  if (written.kind === 'refused')
    return [{ kind: 'send', text: written.why[language] }, ...(await toCard(deps, at, false))]
  const left = at.left.slice(1)
  if (written.kind === 'gone') return await toCard(deps, { ...at, left }, false)
  const quoted = toShown(written.record.text)
  const others = tellReplaced(written.replaced, { scope: record.scope, language })
  const said: StepEffect<never> = {
    kind: 'send',
    text: (language === 'zh' ? `记住了：“${quoted}”` : `Kept: “${quoted}”`) + others,
    cameOf: cameOf([written.record]),
  }
  const next = { ...at, left, kept: at.kept + 1 }
  return left.length === 0 ? [said] : [said, ...(await toCard(deps, next, false))]
}
