// In a group an anchor is proposed on a card. Owners and administrators confirm it; nobody else's press changes anything, and who proposed it may withdraw it.
import { z } from 'zod'
import { conversationId, principalId } from '#shared/chat/conversation.ts'
import { languages } from '#shared/chat/message.ts'
import type { AnswerContext, CommandContext } from '#shared/feature/feature.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import { mayChange, notAllowed } from '#shared/feature/rights.ts'
import { anchor, anchorKinds } from '#shared/memory/anchor.ts'
import { memoryScope, type NewRecord } from '#shared/memory/record.ts'
import { readStored } from '#shared/stored-json.ts'
import { findOnTopic, merge, toAnchorRecord, type Settled } from './anchor-record.ts'
import { sayNotWritten, tellSettled } from './anchor-written.ts'
import { tellReasons, tellUntil } from './anchor-words.ts'
import type { Effects } from './card-list.ts'
import { toLabel } from './place.ts'
import type { MemoryDeps } from './ports.ts'
import { tellBehind, tellReplaced } from './replaced.ts'
import { kindNames, toShown } from './words.ts'

const livesMs = 7 * 86_400_000

const payload = z.object({
  v: z.literal(1),
  language: z.enum(languages),
  scope: memoryScope,
  settled: z.object({
    of: z.enum(anchorKinds),
    text: z.string(),
    anchor,
    speaker: principalId,
    name: z.string().exactOptional(),
    event: z.string(),
    conversation: conversationId,
    messages: z.array(z.string()),
  }),
  /** The one on its topic that it may be merged with: its number and id. */
  older: z.object({ number: z.number(), id: z.string() }).exactOptional(),
})
type Proposed = z.infer<typeof payload>

export async function proposeAnchor(
  deps: MemoryDeps,
  { language }: CommandContext,
  { scope, settled }: { readonly scope: string; readonly settled: Settled },
): Promise<Effects> {
  const older = await findOnTopic(deps.memory, scope, settled)
  const canMerge = older && merge(older, toAnchorRecord(settled, { principal: settled.speaker, atMs: 0 })) !== undefined
  const at: Proposed = {
    v: 1,
    language,
    scope,
    settled: { ...settled, messages: [...settled.messages] },
    ...(canMerge ? { older: { number: older.number, id: older.id } } : {}),
  }
  const note = older ? [toReplacing(toLabel(older, { own: scope }), language)] : []
  return [toCard(at, note)]
}

const toReplacing = (label: string, language: Proposed['language']): string =>
  language === 'zh' ? `它会取代第 ${label} 条。` : `It would take the place of number ${label}.`

function toCard(at: Proposed, notes: readonly string[]): Extract<StepEffect<never>, { kind: 'ask' }> {
  const { language, settled, older } = at
  const isChinese = language === 'zh'
  const lines = [
    isChinese ? '要定下来吗？请主人或管理员确认。' : 'Shall this be settled? An owner or an administrator confirms it.',
    `**${kindNames[settled.of][language]}** ${toShown(settled.text)}`,
    ...[...tellReasons(settled, language), ...tellUntil(settled, language)].map((line) => `- ${line}`),
    ...notes,
  ]
  return {
    kind: 'ask',
    question: 'anchor-proposed',
    text: lines.join('\n'),
    options: [
      [
        { id: 'yes', label: isChinese ? '确认' : 'Confirm' },
        ...(older ? [{ id: 'merge', label: isChinese ? '合并' : 'Merge' }] : []),
        { id: 'no', label: isChinese ? '不用' : 'No' },
      ],
    ],
    payload: JSON.stringify(at),
    topic: `memory anchor ${settled.event.slice(0, 150)}`.replaceAll(/["\\\p{Cc}]/gu, ''),
    admins: true,
    owner: settled.speaker,
    deadlineMs: livesMs,
  }
}

/** Safe to repeat: what is written has the id of the message that proposed it. */
export async function answerProposed(deps: MemoryDeps, context: AnswerContext): Promise<Effects> {
  const { event, principal } = context
  const at = readStored('proposed anchor', payload, event.payload)
  const { language, scope, settled } = at
  const isAllowed = mayChange(true, context)
  if (event.choice === 'no' && (isAllowed || principal === settled.speaker))
    return end(language === 'zh' ? '没有定下来。' : 'It is not settled.')
  if (!isAllowed) return [{ ...toCard(at, [notAllowed[language]]), inPlace: true }]
  const single = toAnchorRecord(settled, { principal, atMs: event.at })
  const made = event.choice === 'merge' ? await mergeWithOlder(deps, at, single) : single
  const written = await deps.memory.write(scope, made)
  if (written.kind === 'full' || written.kind === 'gone') return sayNotWritten(written.kind, language)
  const where = { scope, language }
  const replaced = written.kind === 'conflict' ? [] : written.replaced.map((one) => one.number)
  const text = [
    tellSettled(toLabel(written.record, { own: scope }), written.record.text, language),
    tellReplaced(replaced, where),
    tellBehind(written.record, where),
  ].join('')
  return [{ kind: 'send', text, inPlace: true }]
}

/** Alone where the other one is not there any more. */
async function mergeWithOlder(deps: MemoryDeps, { scope, older }: Proposed, single: NewRecord): Promise<NewRecord> {
  const [found] = older ? await deps.memory.findBy(scope, [older.id]) : []
  const isThere = found !== undefined && found.supersededBy === undefined
  return (isThere ? merge(found, single) : undefined) ?? single
}

const end = (text: string): Effects => [{ kind: 'send', text, inPlace: true, about: [] }]
