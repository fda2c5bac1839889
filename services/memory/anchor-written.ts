// What is said of an anchor that was written, with *Undo*, and with *Merge* where it took the place of another one; and the press on these.
import { z } from 'zod'
import { languages, type Language } from '#shared/chat/message.ts'
import type { AnswerContext } from '#shared/feature/feature.ts'
import { say } from '#shared/feature/say.ts'
import { toEventId } from '#shared/memory/event-id.ts'
import { memoryScope, type MemoryScope } from '#shared/memory/record.ts'
import type { Written } from '#shared/memory/store.ts'
import { merge } from './anchor-record.ts'
import type { Effects } from './card-list.ts'
import { toLabel } from './place.ts'
import type { MemoryDeps } from './ports.ts'
import { undo } from './remember.ts'
import { tellBehind, tellConflict, tellReplaced } from './replaced.ts'
import { cameOf, toShown } from './words.ts'

const livesMs = 86_400_000

const payload = z.object({
  scope: memoryScope,
  number: z.number(),
  id: z.string(),
  language: z.enum(languages),
  /** Whose place it took. */
  replaced: z.array(z.number()),
})

type Where = { readonly scope: MemoryScope; readonly language: Language }

export function tellAnchored(written: Written, { scope, language }: Where): Effects {
  if (written.kind === 'full' || written.kind === 'gone') return sayNotWritten(written.kind, language)
  const { record } = written
  const { number, id } = record
  const label = toLabel(record, { own: scope })
  if (written.kind === 'repeat')
    return say(language, `这个已经定下来了，是第 ${label} 条。`, `That is settled already, as number ${label}.`)
  const replaced = written.kind === 'conflict' ? [] : written.replaced.map((one) => one.number)
  const besides = written.kind === 'conflict' ? tellConflict(written.against, { scope, language }) : ''
  const canMerge = written.kind !== 'conflict' && written.replaced.some((one) => merge(one, record) !== undefined)
  return [
    {
      kind: 'ask',
      question: 'anchored',
      text: `${tellSettled(label, record.text, language)}${tellReplaced(replaced, { scope, language })}${tellBehind(record, { scope, language })}${besides}`,
      options: [
        [
          { id: 'undo', label: language === 'zh' ? '撤销' : 'Undo' },
          ...(canMerge ? [{ id: 'merge', label: language === 'zh' ? '合并' : 'Merge' }] : []),
        ],
      ],
      payload: JSON.stringify({ scope, number, id, language, replaced }),
      topic: `memory ${id}`,
      deadlineMs: livesMs,
    },
  ]
}

export const sayNotWritten = (why: 'full' | 'gone', language: Language): Effects =>
  why === 'full'
    ? say(
        language,
        '这里已经记满了。用 `/forget 编号` 忘掉几条再记。',
        'There is no room for more here: forget some with `/forget` and a number.',
      )
    : say(language, '这条消息已被忘掉，没有记下。', 'That message is forgotten, and nothing was kept of it.')

export function tellSettled(label: string, text: string, language: Language): string {
  const quoted = toShown(text)
  return language === 'zh' ? `定下来了，第 ${label} 条：“${quoted}”` : `Settled as number ${label}: “${quoted}”`
}

/** Of who settled it. Safe to repeat. */
export async function answerAnchored(deps: MemoryDeps, context: AnswerContext): Promise<Effects> {
  if (context.event.choice !== 'merge') return await undo(deps, context)
  const { scope, id, language, replaced } = payload.parse(JSON.parse(context.event.payload))
  const [newer] = await deps.memory.findBy(scope, [id])
  const olders = await deps.memory.find(scope, replaced)
  const older = olders.find((one) => one.supersededBy === newer?.number)
  const both = newer && older ? merge(older, newer) : undefined
  if (!both || !older || !newer)
    return end(
      language === 'zh' ? '其中一条已经不是这样了，没有合并。' : 'One of the two is not as it was: nothing is merged.',
    )
  const { event, conversation } = context
  const made = { ...both, id: toEventId('edited', conversation, event.id) }
  const written = await deps.memory.write(scope, made)
  if (written.kind === 'full' || written.kind === 'gone') return sayNotWritten(written.kind, language)
  const label = toLabel(written.record, { own: scope })
  const text = `${tellSettled(label, written.record.text, language)}${tellReplaced([newer.number], { scope, language })}`
  return [{ kind: 'send', text, inPlace: true, cameOf: cameOf([older, newer]) }]
}

const end = (text: string): Effects => [{ kind: 'send', text, inPlace: true, about: [] }]
