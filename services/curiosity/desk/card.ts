// One card that steps through what only its person can tell: a question at a time, edited in place, and a receipt at its end. Answers are kept at once, since
// they were asked for and given.
import type { StepEffect } from '#shared/feature/effect.ts'
import type { AnswerContext, ExpiredContext } from '#shared/feature/feature.ts'
import type { AskKind } from '#shared/memory/asks.ts'
import { ofAsked } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { readStored } from '#shared/stored-json.ts'
import { changeBook, end, ignore, isOfTopic, putOff, release } from './book.ts'
import { findAnswer, keepAnswer, type KeepDeps } from '#services/curiosity/questions/keep-answer.ts'
import { onCard, type OnCard } from './on-card.ts'
import { toButtons, toEnded, toReceipt, toText, undoOption, words } from './show.ts'
import { findQuestion, type Waiting } from './waiting.ts'

export type CardDeps = KeepDeps
type Effects = readonly StepEffect<never>[]
type Ask = Extract<StepEffect<never>, { kind: 'ask' }>

const livesMs = 3 * 86_400_000
const undoLivesMs = 86_400_000

/** The next question that is still there, or the end. */
export async function toCard({ memory }: Pick<CardDeps, 'memory'>, at: OnCard, inPlace: boolean): Promise<Effects> {
  for (let left = at.left; left.length > 0; left = left.slice(1)) {
    const [first] = left
    const question = first && (await findQuestion(memory, at.principal, first))
    if (question) return [toAsk({ ...at, left }, question, inPlace)]
  }
  return await toEnd(memory, at, inPlace)
}

const toAsk = (at: OnCard, question: Waiting, inPlace: boolean): Ask => ({
  kind: 'ask',
  question: 'card',
  text: toText(question, at),
  options: toButtons(question.asks, at),
  payload: JSON.stringify(at),
  topic: `desk ${at.principal}`,
  owner: at.principal,
  words: true,
  unasked: true,
  ...(isLoose(question.asks.kind) ? { loose: question.asks.kind === 'yes-no' ? 'yes-no' : 'option' } : {}),
  urgency: 'low',
  deadlineMs: livesMs,
  inPlace,
  about: [],
  cameOf: question.from,
  ...(question.taint ? { taint: question.taint } : {}),
})

const isLoose = (kind: AskKind): boolean => kind === 'yes-no' || kind === 'choice'

/** What was kept, and a button that takes it back. */
async function toEnd(memory: MemoryStore, at: OnCard, inPlace: boolean): Promise<Effects> {
  const records = (
    await Promise.all(at.saved.map(async ({ scope, number }) => await memory.find(scope, [number])))
  ).flat()
  const said = {
    text: toReceipt(records, at),
    inPlace,
    about: [],
    cameOf: records.flatMap(({ from }) => from),
  } as const
  if (records.length === 0) return [{ kind: 'send', ...said }]
  const asked = { question: 'receipt', topic: `desk receipt ${at.card}`, owner: at.principal } as const
  return [
    {
      kind: 'ask',
      ...said,
      ...asked,
      options: [[undoOption(at.language)]],
      payload: JSON.stringify(at),
      deadlineMs: undoLivesMs,
    },
  ]
}

/** Safe to repeat. */
export async function answerCard(deps: CardDeps, context: AnswerContext): Promise<Effects> {
  const { event } = context
  const at = readStored('card of a desk', onCard, event.payload)
  const [first, ...rest] = at.left
  if (event.choice === 'later') return await putOffRest(deps, at)
  const question = first && (await findQuestion(deps.memory, at.principal, first))
  if (!first || !question) return await toCard(deps, await goOn(deps, context, at), true)
  const next: OnCard = { ...at, left: rest, typing: false, forChat: false }
  switch (event.choice) {
    case 'type':
      return [{ ...toAsk({ ...at, typing: true }, question, true), again: true }]
    case 'chat':
      return [{ ...toAsk({ ...at, forChat: !at.forChat }, question, true), again: true }]
    case 'skip':
      await close(deps, at, first, 'skipped')
      return await toCard(deps, { ...next, skipped: at.skipped + 1 }, true)
    case 'never': {
      const same = rest.filter(({ key }) => isOfTopic(first.key, key))
      for (const one of [first, ...same]) await close(deps, at, one, 'never')
      const left = rest.filter((one) => !same.includes(one))
      return await toCard(deps, { ...next, left, skipped: at.skipped + 1 + same.length }, true)
    }
    default: {
      const kept = await keepAnswer(deps, context, { question, forChat: at.forChat })
      if (kept.kind === 'refused')
        return [{ kind: 'send', text: kept.why[at.language] }, toAsk({ ...at, typing: true }, question, false)]
      await close(deps, at, first, kept.kind === 'kept' ? 'answered' : 'skipped')
      const stepped: OnCard =
        kept.kind === 'declined'
          ? { ...next, skipped: at.skipped + 1 }
          : { ...next, saved: [...at.saved, ...kept.saved], ...(kept.isForChat ? {} : { missed: true }) }
      if (event.words === undefined) return await toCard(deps, stepped, true)
      // What was written stands below the card: so does what comes next.
      const ended = { text: toEnded(question, at.language), inPlace: true, about: [], cameOf: question.from }
      return [{ kind: 'send', ...ended }, ...(await toCard(deps, stepped, false))]
    }
  }
}

/** The question is gone: it was forgotten, or whoever closed it for this very answer died before its step was stored. */
async function goOn({ memory }: CardDeps, { event }: AnswerContext, at: OnCard): Promise<OnCard> {
  const [first, ...left] = at.left
  const isSkipped = event.choice === 'skip' || event.choice === 'never'
  const kept = first ? await findAnswer(memory, event, { principal: at.principal, ...(at.forChat ? first : {}) }) : []
  return {
    ...at,
    left,
    typing: false,
    forChat: false,
    saved: [...at.saved, ...kept],
    skipped: at.skipped + (isSkipped ? 1 : 0),
  }
}

async function putOffRest({ memory, desks }: CardDeps, at: OnCard): Promise<Effects> {
  const keys = at.left.map(({ key }) => key)
  await changeBook(desks, at.principal, (book) => putOff(book, keys))
  return await toEnd(memory, at, true)
}

async function close(
  { memory, desks }: CardDeps,
  { principal }: OnCard,
  { number, key }: OnCard['left'][number],
  how: 'answered' | 'skipped' | 'never',
): Promise<void> {
  await changeBook(desks, principal, (book) => end(book, key, how))
  await memory.drop(ofAsked(principal), [number])
}

/** Nobody answered in time: what is assumed holds, and nothing is said but what the answers before were kept as. What ended otherwise may be asked another day. */
export async function expireCard({ memory, desks }: CardDeps, { event }: ExpiredContext): Promise<Effects> {
  const at = readStored('card of a desk', onCard, event.payload)
  const keys = at.left.map(({ key }) => key)
  const isTouched = at.saved.length > 0 || at.skipped > 0
  await changeBook(desks, at.principal, (book) => {
    const ended = event.why === 'deadline' ? ignore(book, keys) : release(book, keys)
    if (isTouched || event.why === 'replaced') return { ...ended, ignored: book.ignored }
    return event.why === 'unsent' ? { ...ended, ignored: book.ignored + 1 } : ended
  })
  if (event.why !== 'deadline') return []
  const still = await Promise.all(at.left.map(async (one) => await findQuestion(memory, at.principal, one)))
  await memory.drop(
    ofAsked(at.principal),
    still.flatMap((one) => (one ? [one.number] : [])),
  )
  return at.saved.length > 0 ? await toEnd(memory, at, true) : []
}

/** Takes back what the card kept. */
export async function undoCard({ memory }: CardDeps, { event, language }: AnswerContext): Promise<Effects> {
  const at = readStored('card of a desk', onCard, event.payload)
  for (const { scope, number, id, had } of at.saved) {
    if (had) continue
    const [record] = await memory.find(scope, [number])
    if (record?.id === id) await memory.drop(scope, [number])
  }
  return [{ kind: 'send', text: words.undone[language], inPlace: true, about: [] }]
}
