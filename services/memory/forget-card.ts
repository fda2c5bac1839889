// The card that asks whether something is to be forgotten: what goes, and what is not reached.
import { z } from 'zod'
import { languages, type Language } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import { memoryRecord, memoryScope, type MemoryRecord } from '#shared/memory/record.ts'
import { tellTraces, type Traces } from './forget-traces.ts'
import { toLabel } from './place.ts'
import { cameOf, describe, toShown } from './words.ts'

/** So many stand on the card one by one; the others are counted. */
const mostTold = 8
const mostButtons = 4
/** Records of one card: of more, it says so. As many messages are one wish at most. */
export const mostAtOnce = 50
export const mostWordChars = 500
const livesMs = 3_600_000

const item = memoryRecord.pick({ number: true, id: true, from: true })
export const payload = z.object({
  v: z.literal(1),
  language: z.enum(languages),
  scope: memoryScope,
  /** `from`: the messages that go with it. */
  items: z.array(item).max(mostAtOnce),
  /** As they were asked for; none where all was. */
  words: z.string().max(mostWordChars).exactOptional(),
  /** Who asked may have forgotten what others said. */
  mayAll: z.boolean(),
  /** The messages of the wish itself: the words stand in them, too. */
  wish: z.array(z.string().max(200)).max(mostAtOnce),
})
export type Payload = z.infer<typeof payload>

const limits = {
  all: {
    zh: '说出它们的消息和我对那些消息的回答也一起忘掉。',
    en: 'The messages that said it go too, with what I answered to them.',
  },
  some: {
    zh: '别处或群里说到它们的消息不会动：要忘掉，请在那里用 /forget 回复它们。',
    en: 'Messages in a group or in another chat stay: to forget one, reply to it there with /forget.',
  },
} as const

type How = {
  readonly principal: string
  readonly language: Language
  readonly zone: string
  readonly traces: Traces
}

/** `fitting`: those of the card first. */
export function toCard(at: Payload, fitting: readonly MemoryRecord[], how: How): StepEffect<never> {
  const { language, items } = at
  const records = fitting.slice(0, items.length)
  const isChinese = language === 'zh'
  const told = records.slice(0, mostTold)
  const lines = told.map(
    (record) => `- **${toLabel(record, { own: at.scope })}** ${toShown(record.text)}\n  ${describe(record, how)}`,
  )
  const rest = records.length - told.length
  const more = rest === 0 ? [] : [isChinese ? `- 还有 ${rest} 条` : `- and ${rest} more`]
  const behind = fitting.length - records.length
  const later = isChinese
    ? `另有 ${behind} 条，忘掉这些之后请再说一次。`
    : `${behind} more fit: say it again for those.`
  const head = isChinese ? '要忘掉这些吗？' : 'Shall I forget this?'
  const isAll = items.every(({ from }, nth) => from.length === records[nth]?.from.length)
  const limit = isAll ? limits.all[language] : limits.some[language]
  const single = records.length <= 1
  const label = single
    ? { zh: '忘掉', en: 'Forget it' }
    : { zh: `全部忘掉（${records.length}）`, en: `Forget all ${records.length}` }
  const ones = single
    ? []
    : told.slice(0, mostButtons).map(({ number }) => ({
        id: `one-${number}`,
        label: isChinese ? `只忘 ${number}` : `Only ${number}`,
      }))
  return {
    kind: 'ask',
    question: 'forget',
    text: `${[head, ...lines, ...more, ...tellTraces(how.traces, language)].join('\n')}\n\n${[limit, ...(behind === 0 ? [] : [later])].join(' ')}`,
    options: [
      [
        { id: 'all', label: label[language] },
        { id: 'no', label: isChinese ? '留着' : 'Keep it' },
      ],
      ...(ones.length > 0 ? [ones] : []),
    ],
    payload: JSON.stringify(at),
    topic: 'memory forget',
    deadlineMs: livesMs,
    cameOf: cameOf(records),
  }
}
