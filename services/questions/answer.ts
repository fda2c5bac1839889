// What is done with an answer to a question of the model's, and with its end without one. What fits nothing is asked again, once; after that it is
// an ordinary message.
import { endCard } from '#shared/feature/card.ts'
import type { Effect } from '#shared/feature/effect.ts'
import type { AnswerContext, ExpiredContext } from '#shared/feature/feature.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import { toChosen, toWho } from '#shared/feature/who-answered.ts'
import { goOn } from './going-on.ts'
import { readKept, type Kept } from './kept.ts'
import { bringBack } from './private.ts'
import { readAnswer } from './read-answer.ts'
import { longestKept, type Change, type Questions } from './slice.ts'
import { toAsk } from './to-ask.ts'
import { sentences, toReplaced } from './words.ts'

type Effects = readonly Effect<Change>[]
const mostShown = 300

export async function answer(context: AnswerContext<Questions>): Promise<Effects> {
  const { event, language, about } = context
  const kept = readKept(event.payload)
  const { id, otherwise } = kept
  const read = readAnswer(kept, event, language)
  if (read.kind === 'unfit') return unfit(context, kept)
  const words = sentences[language]
  const who = toWho(context)
  const isOther = event.principal !== kept.for
  if (read.kind === 'decide') {
    const end = [over(kept, context, words.left(who, toInertLine(otherwise, mostShown))), toEnd(id, 'over')]
    if (event.from !== undefined) return [...end, ...bringBack(context, kept, { how: 'decide', words: '' })]
    return [...end, goOn({ ...kept, words: words.decide(otherwise), about })]
  }
  const what = toInertLine(read.text, mostShown)
  const isChoice = event.words === undefined || kept.kind === 'choice'
  const said = isChoice ? toChosen(who, what, language) : words.said(who, what)
  const end = [said, ...(read.isCut ? [words.cut] : []), ...(event.from === undefined ? [] : [words.brought])].join(
    '\n\n',
  )
  if (event.from !== undefined)
    return [over(kept, context, end), ...bringBack(context, kept, { how: 'answer', words: read.text })]
  const short = read.text.slice(0, longestKept.answer).toWellFormed()
  const ended = { id, state: 'answered', answer: context.keep(short) } as const
  return [
    over(kept, context, end),
    { kind: 'change', change: { end: ended } },
    goOn({ ...kept, words: isOther ? words.answeredBy(read.text, who) : read.text, about }),
  ]
}

function unfit(context: AnswerContext<Questions>, kept: Kept): Effects {
  const { event, language, about } = context
  const text = event.words?.trim()
  if (!kept.again) {
    const end = toReplaced(kept, toInertLine(text ?? '…', mostShown), language)
    return [over(kept, context, end), toAsk({ ...kept, again: true }, language, event.from)]
  }
  const end = sentences[language].ordinary(toWho(context))
  return [
    over(kept, context, end),
    ...(event.from === undefined ? [toEnd(kept.id, 'over')] : bringBack(context, kept, { how: 'nobody', words: '' })),
    ...(text ? [{ kind: 'turn', text: text.slice(0, 8000).toWellFormed(), about } as const] : []),
  ]
}

/** A fallback runs after the deadline only; what was called off, or could not be shown, is told once. */
export async function expired(context: ExpiredContext<Questions>): Promise<Effects> {
  const { event, language, about } = context
  const kept = readKept(event.payload)
  const words = sentences[language]
  const otherwise = toInertLine(kept.otherwise, mostShown)
  const back = bringBack(context, kept, { how: 'nobody', words: '' })
  const end = event.from === undefined ? [toEnd(kept.id, 'over')] : back
  switch (event.why) {
    case 'deadline': {
      const goes = event.from === undefined ? [goOn({ ...kept, words: words.noAnswer(kept.otherwise), about })] : []
      return [over(kept, context, words.nobody(otherwise)), ...end, ...goes]
    }
    case 'unsent':
      return [
        ...(event.from === undefined
          ? [{ kind: 'send', text: words.unsent(toInertLine(kept.question, mostShown)) } as const]
          : []),
        ...end,
      ]
    case 'cancelled':
    case 'replaced':
    case 'stale':
    case 'forgotten':
      return [over(kept, context, words.ended), ...end]
    default:
      return event.why satisfies never
  }
}

const toEnd = (id: string, state: 'over'): Effect<Change> => ({ kind: 'change', change: { end: { id, state } } })

const over = ({ kind, question }: Kept, { language }: Pick<AnswerContext, 'language'>, end: string): Effect<never> => ({
  kind: 'send',
  text: endCard(kind, { asked: question, end }, language),
  inPlace: true,
})
