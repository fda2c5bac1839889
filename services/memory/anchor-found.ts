// The card of a group with what was found to be settled there: owners and administrators keep one of it, all of it, or none.
import { z } from 'zod'
import { languages, type Language } from '#shared/chat/message.ts'
import type { AnswerContext, LetterContext } from '#shared/feature/feature.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import { mayChange, notAllowed } from '#shared/feature/rights.ts'
import { memoryRecord, ofChat, type MemoryRecord } from '#shared/memory/record.ts'
import { readStored } from '#shared/stored-json.ts'
import { isAnchor } from './anchor-words.ts'
import type { Effects } from './card-list.ts'
import { toLabel } from './place.ts'
import type { MemoryDeps } from './ports.ts'
import { cameOf, describe, toShown } from './words.ts'

const livesMs = 7 * 86_400_000
const mostAsked = 3

const seen = memoryRecord.pick({ scope: true, number: true, id: true })
const payload = z.object({ v: z.literal(1), language: z.enum(languages), items: z.array(seen).max(mostAsked) })
type Asked = z.infer<typeof payload>

/** What waits in the group, the newest first. */
export async function askFound(deps: MemoryDeps, context: LetterContext): Promise<Effects> {
  const { conversation, language } = context
  const scope = ofChat(conversation)
  const read = await deps.memory.read(scope)
  const records = read === 'same' ? [] : read.records
  const waiting = records.filter((one) => isAnchor(one) && isWaiting(one)).slice(0, mostAsked)
  return waiting.length === 0 ? [] : [toCard(deps, context, { language, waiting })]
}

const isWaiting = ({ status, supersededBy }: MemoryRecord): boolean =>
  status === 'unconfirmed' && supersededBy === undefined

type Shown = {
  readonly language: Language
  readonly waiting: readonly MemoryRecord[]
  readonly notes?: readonly string[]
}

function toCard(
  { timeZone }: MemoryDeps,
  { principal }: Pick<AnswerContext, 'principal'>,
  { language, waiting, notes = [] }: Shown,
): Extract<StepEffect<never>, { kind: 'ask' }> {
  const isChinese = language === 'zh'
  const how = { principal, language, zone: timeZone }
  const labels = waiting.map((one) => toLabel(one, { own: one.scope }))
  const lines = [
    isChinese
      ? '这里好像定下了这些。要记住吗？请主人或管理员确认。'
      : 'This seems to be settled here. Shall I keep it? An owner or an administrator confirms it.',
    ...waiting.map((one, nth) => `- **${labels[nth]}** ${toShown(one.text)}\n  ${describe(one, how)}`),
    ...notes,
  ]
  const at: Asked = { v: 1, language, items: waiting.map(({ scope, number, id }) => ({ scope, number, id })) }
  return {
    kind: 'ask',
    question: 'anchors-found',
    text: lines.join('\n'),
    options: [
      labels.map((label, nth) => ({ id: `keep-${nth}`, label: isChinese ? `记住 ${label}` : `Keep ${label}` })),
      [
        ...(waiting.length > 1 ? [{ id: 'all', label: isChinese ? '全部记住' : 'Keep all' }] : []),
        { id: 'none', label: isChinese ? '都不用' : 'None' },
      ],
    ],
    payload: JSON.stringify(at),
    topic: 'memory anchors',
    admins: true,
    deadlineMs: livesMs,
    cameOf: cameOf(waiting),
  }
}

/** Safe to repeat. */
export async function answerFound(deps: MemoryDeps, context: AnswerContext): Promise<Effects> {
  const { event } = context
  const { language, items } = readStored('found anchors', payload, event.payload)
  const waiting = await findWaiting(deps, items)
  if (!mayChange(true, context))
    return waiting.length === 0
      ? end(notAllowed[language])
      : [{ ...toCard(deps, context, { language, waiting, notes: [notAllowed[language]] }), inPlace: true }]
  const chosen = items[Number(event.choice.replace('keep-', ''))]
  const isChosen = ({ number }: MemoryRecord): boolean => event.choice === 'all' || number === chosen?.number
  if (event.choice === 'none') {
    for (const one of waiting) await deps.memory.drop(one.scope, [one.number], 'for-good')
    return end(language === 'zh' ? '好，都没有记。' : 'All right, nothing of it is kept.')
  }
  for (const one of waiting.filter(isChosen)) await confirm(deps, context, one)
  const rest = await findWaiting(deps, items)
  const kept = items.filter(({ number }) => !rest.some((one) => one.number === number))
  const labels = kept.map((one) => toLabel(one, { own: one.scope }))
  const note =
    language === 'zh'
      ? `已记住第 ${labels.join('、')} 条。`
      : `${labels.length === 1 ? 'Number' : 'Numbers'} ${labels.join(', ')} ${labels.length === 1 ? 'is' : 'are'} kept.`
  return rest.length === 0
    ? end(note)
    : [{ ...toCard(deps, context, { language, waiting: rest, notes: [note] }), inPlace: true }]
}

const confirm = async ({ memory }: MemoryDeps, { principal }: AnswerContext, { scope, number, id }: MemoryRecord) =>
  await memory.change(scope, number, (before) =>
    before.id === id && before.status === 'unconfirmed'
      ? { ...before, status: 'confirmed', confirmedBy: principal }
      : undefined,
  )

async function findWaiting({ memory }: MemoryDeps, items: Asked['items']): Promise<readonly MemoryRecord[]> {
  const [{ scope } = { scope: '' }] = items
  const found =
    scope === ''
      ? []
      : await memory.find(
          scope,
          items.map(({ number }) => number),
        )
  return found.filter((one) => isWaiting(one) && items.some(({ id }) => id === one.id))
}

const end = (text: string): Effects => [{ kind: 'send', text, inPlace: true, about: [] }]
