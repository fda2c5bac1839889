// /questions: what is open to whoever asks, the urgent first, with the time that is left; and what waits behind it.
import type { CommandContext } from '#shared/feature/feature.ts'
import { urgencyNames } from '#shared/feature/card-words.ts'
import { toLeft } from '#shared/feature/deadline-line.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import type { OpenQuestion } from '#shared/feature/open-question.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import { say } from '#shared/feature/say.ts'

const mostLines = 20

export function listQuestions(
  { now }: { now(): number },
  { principal, state, language }: CommandContext,
): readonly StepEffect<never>[] {
  const mine = state.questions().filter(({ to, text }) => (to === principal || to === '*') && text !== '')
  if (mine.length === 0) return say(language, '这里没有等你回答的问题。', 'No question here waits for your answer.')
  const nowMs = now()
  const toLine = ({ text, urgency, dueMs }: OpenQuestion, at: number): string => {
    const comma = language === 'zh' ? '，' : ', '
    const how = urgencyNames[urgency][language]
    const until =
      dueMs === undefined
        ? { zh: '排在后面', en: 'waits its turn' }[language]
        : { zh: `还剩 ${toLeft(dueMs - nowMs, 'zh')}`, en: `${toLeft(dueMs - nowMs, 'en')} left` }[language]
    return `${at + 1}. ${toInertLine(text, 120)} — ${how === '' ? '' : `${how}${comma}`}${until}`
  }
  const lines = mine.slice(0, mostLines).map(toLine).join('\n')
  const more = mine.length > mostLines ? `\n… (+${mine.length - mostLines})` : ''
  const about = [...new Set(mine.flatMap((one) => one.about))].slice(-200)
  const head = { zh: '等你回答的问题：', en: 'Questions that wait for you:' }[language]
  return [{ kind: 'send', text: `${head}\n\n${lines}${more}`, about }]
}
