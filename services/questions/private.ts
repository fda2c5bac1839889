// A private question of a group: it goes by letter to the person's direct chat, is asked there, and what came of it comes back by letter. While
// they have no direct chat a timer looks for one again and again, until the deadline.
import type { Clock, People } from '#shared/feature/ports.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Effect, StepEffect } from '#shared/feature/effect.ts'
import type { AnswerContext, LetterContext, TimerContext } from '#shared/feature/feature.ts'
import { ended, kept as keptShape, mostLetterBytes, readKept, type Ended, type Kept } from './kept.ts'
import type { Change, Questions } from './slice.ts'
import { toAsk } from './to-ask.ts'
import { goOn, toResponse } from './going-on.ts'
import { sentences } from './words.ts'
import { z } from 'zod'

type ReachDeps = Pick<Clock, 'now'> & Pick<People, 'findDirect'>
const firstLookMs = 5 * 60_000
const longestLookMs = 6 * 3_600_000

/** What became of it may never come back: its person may have begun a new session while it waited for its turn there. */
const unheardMs = 2 * 86_400_000

/** By letter, or by a timer that tries again later; behind the letter it says after its time that nobody answered. */
export function toReach(kept: Kept, direct: ConversationId | undefined, tries: number): readonly StepEffect<never>[] {
  const look = (inMs: number): StepEffect<never> => ({
    kind: 'timer',
    timer: 'reach',
    key: kept.id,
    inMs,
    payload: JSON.stringify({ tries, kept }),
  })
  if (direct === undefined) return [look(Math.min(longestLookMs, firstLookMs * 2 ** Math.min(tries, 10)))]
  return [
    { kind: 'letter', to: direct, letter: 'ask', payload: JSON.stringify(kept) },
    look(kept.deadlineMs + unheardMs),
  ]
}

const waiting = z.object({ tries: z.number(), kept: keptShape })

export async function reachAgain(
  deps: ReachDeps,
  { event, slice, about, language }: TimerContext<Questions>,
): Promise<readonly Effect<Change>[]> {
  const { kept, tries } = waiting.parse(JSON.parse(event.payload))
  if (!slice.asked.some(({ id, state }) => id === kept.id && state === 'open') || kept.to === '*') return []
  const leftMs = kept.at + kept.deadlineMs - deps.now()
  if (leftMs <= 0)
    return [
      { kind: 'change', change: { end: { id: kept.id, state: 'over' } } },
      { kind: 'send', text: sentences[language].nobody(kept.otherwise) },
      goOn({ ...kept, words: sentences[language].noAnswer(kept.otherwise), about }),
    ]
  return toReach(kept, await deps.findDirect(kept.to), tries + 1)
}

/** In the direct chat. */
export async function askHere(
  deps: Pick<ReachDeps, 'now'>,
  { event, language }: LetterContext<Questions>,
): Promise<readonly Effect<Change>[]> {
  const kept = readKept(event.payload)
  const deadlineMs = Math.max(60_000, Math.min(kept.deadlineMs, kept.at + kept.deadlineMs - deps.now()))
  return [toAsk({ ...kept, deadlineMs }, language, event.from)]
}

/** In the direct chat, where it cannot be asked: nobody answers, so that the fallback runs. */
export const refuseHere = async ({
  event,
}: Pick<LetterContext<Questions>, 'event'>): Promise<readonly Effect<Change>[]> =>
  bringBack({ event }, readKept(event.payload), { how: 'nobody', words: '' })

/** Tells the conversation that asked. */
export function bringBack(
  { event }: { readonly event: Pick<AnswerContext['event'], 'from'> },
  { id, question, otherwise, task }: Kept,
  { how, words }: Pick<Ended, 'how' | 'words'>,
): readonly StepEffect<never>[] {
  if (event.from === undefined) return []
  const toPayload = (said: string): string => JSON.stringify({ id, how, question, otherwise, task, words: said })
  let said = words
  while (Buffer.byteLength(toPayload(said)) > mostLetterBytes)
    said = said.slice(0, Math.floor(said.length * 0.8)).toWellFormed()
  return [{ kind: 'letter', to: event.from, letter: 'ended', payload: toPayload(said) }]
}

/** In the conversation that asked: what was said is for the model, and no answer is taken twice. */
export async function takeBack({
  event,
  slice,
  language,
}: LetterContext<Questions>): Promise<readonly Effect<Change>[]> {
  const { id, how, words, question, otherwise, task } = ended.parse(JSON.parse(event.payload))
  const one = slice.asked.find((each) => each.id === id && each.state === 'open')
  if (!one) return []
  const said = sentences[language]
  const state = how === 'nobody' ? 'over' : 'answered'
  const text = {
    answer: `${said.isPrivate}\n${words}`,
    decide: said.decide(otherwise),
    nobody: said.noAnswer(otherwise),
  }[how]
  // Whoever asked may work with the answer, and nobody here reads it.
  const eyes = how === 'answer' ? { for: one.for } : {}
  return [
    { kind: 'change', change: { end: { id, state } } },
    { kind: 'disarm', timer: 'reach', key: id },
    ...(how === 'nobody' ? [{ kind: 'send', text: said.nobody(otherwise) } as const] : []),
    {
      kind: 'turn',
      text,
      about: one.question?.about ?? [],
      serves: one.for,
      ...eyes,
      response: toResponse({ id, question, task }),
    },
  ]
}
