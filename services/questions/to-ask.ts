// A question of the model's as the effect that asks it: its card by the one renderer, its buttons, and what it keeps.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import { renderCard, toTitle, type Matter } from '#shared/feature/card.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import { toInertLine, toPlainLine } from '#shared/feature/inert.ts'
import type { Choice } from '#shared/run/question.ts'
import { longest, type Kept } from './kept.ts'
import type { Change } from './slice.ts'
import { buttonWords, sentences, toHow, toUnfit } from './words.ts'

export type Ask = Extract<StepEffect<Change>, { kind: 'ask' }>

/** `from` had it asked, where that is another conversation. */
export function toAsk(kept: Kept, language: Language, from?: ConversationId): Ask {
  const { id, kind, urgency, why, otherwise, expects, to, admins, deadlineMs, zone, name, asker = '' } = kept
  const matter = toMatter(kept)
  const how = kind === 'action' ? undefined : toHow(kept, language)
  const isElsewhere = from !== undefined
  const decide = kind === 'knowledge' ? buttonWords[language].decide : undefined
  const shown = { ...matter, urgency, why, otherwise, decide, how, to: isElsewhere ? undefined : name }
  const card = renderCard(shown, language)
  const above = [
    ...(isElsewhere ? [sentences[language].fromGroup(toInertLine(asker, 64))] : []),
    ...(kept.again ? [toUnfit(kept, language)] : []),
  ]
  const loose = kind === 'choice' ? 'option' : kind === 'action' || expects === 'text' ? undefined : expects
  return {
    kind: 'ask',
    question: 'human',
    text: [...above, card].join('\n\n'),
    options: toOptions(kept, language),
    payload: JSON.stringify(kept),
    words: true,
    ...(kept.again ? { again: true } : {}),
    ...(loose ? { loose } : {}),
    urgency,
    deadlineMs,
    owner: to,
    ...(admins ? { admins } : {}),
    zone,
    listed: { key: id, title: toPlainLine(toTitle(matter), 200) },
    ...(isElsewhere ? { from } : {}),
  }
}

function toMatter({ kind, question, options, task }: Kept): Matter {
  if (kind === 'choice') return { kind, question, options }
  return kind === 'action' ? { kind, step: question } : { kind, task, question }
}

function toOptions({ kind, options, expects }: Kept, language: Language): Choice[][] {
  const words = buttonWords[language]
  const button = (id: keyof typeof words): Choice => ({ id, label: words[id] })
  if (kind === 'choice')
    return options.map(({ label }, at) => [{ id: `o${at + 1}`, label: toPlainLine(label, longest.label) }])
  if (kind === 'action') return [[button('done'), button('cannot')]]
  return [...(expects === 'yes-no' ? [[button('yes'), button('no')]] : []), [button('decide')]]
}
