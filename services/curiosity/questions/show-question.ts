// What people read of a question that was collected, in both languages.
import type { Language } from '#shared/chat/message.ts'
import { endCard, renderCard, type Matter } from '#shared/feature/card.ts'
import type { OnDesk, Shown } from '#shared/desk/source.ts'
import type { Asks } from '#shared/memory/asks.ts'
import { toAnswered, words } from '#services/curiosity/desk/show.ts'
import type { Collected } from './collected.ts'
import { toAnswer } from './keep-answer.ts'

export function showQuestion(question: Collected, { language, typing }: OnDesk): Shown {
  const { text, asks, from, taint } = question
  const { kind, options, why, changes, assumed, group } = asks
  const matter = toMatter(text, asks)
  const card = {
    ...matter,
    urgency: 'low',
    why: `${endSentence(why, language)}${words.changes[language]}${changes}`,
    otherwise: assumed,
    idle: true,
    ...(typing ? { how: words.reply[language] } : {}),
  } as const
  const yesNo = [
    { id: 'yes', label: words.yes[language] },
    { id: 'no', label: words.no[language] },
  ]
  return {
    text: renderCard(card, language),
    title: text,
    answers:
      kind === 'choice' ? options.map((label, at) => [{ id: `a${at}`, label }]) : kind === 'yes-no' ? [yesNo] : [],
    type: { id: 'type', label: words.type[language] },
    never: true,
    chat: group,
    words: true,
    ...(kind === 'yes-no' ? { loose: kind } : kind === 'choice' ? { loose: 'option' } : {}),
    ended: (said) => {
      const end = toAnswered(toAnswer({ event: said }, question), language)
      return endCard(matter.kind, { asked: text, end }, language)
    },
    from,
    ...(taint ? { taint } : {}),
  }
}

function toMatter(question: string, { kind, options }: Asks): Matter {
  if (kind === 'choice') return { kind, question, options: options.map((label) => ({ label })) }
  if (kind === 'action') return { kind, step: question, byReply: true }
  return { kind: 'knowledge', task: '', question }
}

const ended = /[.!?。！？…]["”’」』]?$/u

/** What is quoted may end a sentence itself. */
function endSentence(text: string, language: Language): string {
  if (language === 'zh') return ended.test(text) ? text : `${text}。`
  return ended.test(text) ? `${text} ` : `${text}. `
}
