// What a turn is about, how far it is and what went wrong, for the end of its later prompts (seed 001 §1.1, task anchor and error trail): by then its
// question stands far above, and what failed may have been left out. It has a bound, for it is never cut.
import type { Language } from '#shared/chat/message.ts'
import { toQuote } from '#shared/chat/spoken.ts'
import type { HumanResponse } from '#shared/run/approval.ts'
import { errorTrail, skipping } from '#services/executor/context/error-trail.ts'
import { callsEnded, type OpenTurn } from '#services/executor/run/open-turn.ts'
import words from '#services/executor/context/prompt-words.json' with { type: 'json' }
import { foldProgress, type Progress } from './progress.ts'
import { shorten } from './read-plan.ts'

const mostTaskChars = 300
const mostNames = 10

/**
 * Nothing before the model has answered once: until then the question itself stands at the end. A turn that goes on with what a person was asked
 * has it from its beginning, with the task that waited and, right after it, with their answer (seed 001 §5.3).
 */
export function toAnchor(turn: OpenTurn, toAsked: () => string, language: Language): string | undefined {
  const { response } = turn.start
  if (!response && !turn.entries.some(({ t }) => t === 'llm:fin')) return undefined
  const task = shorten((response?.task ?? toAsked()).slice(0, 2 * mostTaskChars).trim(), mostTaskChars).toWellFormed()
  const progress = foldProgress(turn)
  const tried = errorTrail(turn.entries)
  const said = words[language].anchor
  return [
    said.task,
    ...(task === '' ? [] : [toQuote(task)]),
    said.progress,
    toQuote(progress ? toSteps(progress, said) : toCalls(turn, said)),
    ...(response ? toResponse(response, toAsked()) : []),
    ...(tried.length === 0 ? [] : [said.notes, toQuote([...tried, skipping].join('\n'))]),
  ].join('\n')
}

/** What they were asked is the model's own words, and what they said stands whole in the turn. */
const toResponse = ({ question, asked }: HumanResponse, answer: string): string[] => [
  `## HUMAN_RESPONSE ${question}`,
  toQuote(
    `${shorten(asked, mostTaskChars)}\n→ ${shorten(answer.slice(0, 2 * mostTaskChars).trim(), mostTaskChars)}`.toWellFormed(),
  ),
]

type Said = (typeof words)['zh']['anchor']

function toSteps({ plan: { steps, total }, step }: Progress, said: Said): string {
  const left = [...steps.slice(step), ...(total > steps.length ? ['…'] : [])]
  return [
    `${said.done}: ${steps.slice(0, step - 1).join('; ') || '-'}`,
    `${said.now}: ${step}/${total} ${steps[step - 1] ?? ''}`.trimEnd(),
    `${said.left}: ${left.join('; ') || '-'}`,
  ].join('\n')
}

function toCalls(turn: OpenTurn, said: Said): string {
  const ended = callsEnded(turn)
  const names = [...new Set(ended.map(({ name }) => name))].slice(0, mostNames).join(', ')
  const named = names === '' ? '' : said.named.replace('{names}', () => names)
  return `${said.done}: ${said.calls.replace('{count}', String(ended.length))}${named}`
}
