// One card that steps through what waits for its person: one at a time, edited in place, and a receipt at its end. Answers are kept at once, since they were
// asked for and given.
import type { StepEffect } from '#shared/feature/effect.ts'
import type { AnswerContext, ExpiredContext } from '#shared/feature/feature.ts'
import type { Desks } from '#shared/desk/desks.ts'
import type { DeskSource, Shown } from '#shared/desk/source.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { readStored } from '#shared/stored-json.ts'
import { cardLivesMs, changeBook, end, ignore, isOfTopic, putOff, release, undo, type Ending } from './book.ts'
import { onCard, type Left, type OnCard } from './on-card.ts'
import { openAgain } from './topics.ts'
import { toButtons, toReceipt, toText, undoOption, words } from './show.ts'

export type CardDeps = {
  readonly memory: MemoryStore
  readonly desks: Desks
  readonly sources: readonly DeskSource[]
}
type Effects = readonly StepEffect<never>[]
type Ask = Extract<StepEffect<never>, { kind: 'ask' }>

const undoLivesMs = 86_400_000

const findSource = ({ sources }: CardDeps, { source }: Left): DeskSource | undefined =>
  sources.find(({ name }) => name === source)

/** The next that is still there, or the end. */
export async function toCard(deps: CardDeps, at: OnCard, inPlace: boolean): Promise<Effects> {
  for (let left = at.left; left.length > 0; left = left.slice(1)) {
    const [first] = left
    const next = { ...at, left }
    const shown = first && (await findSource(deps, first)?.show(first, next))
    if (shown) return [toAsk(next, shown, inPlace)]
  }
  return await toEnd(deps.memory, at, inPlace)
}

const toAsk = (at: OnCard, shown: Shown, inPlace: boolean): Ask => ({
  kind: 'ask',
  question: 'card',
  text: toText(shown, at),
  options: toButtons(shown, at),
  payload: JSON.stringify(at),
  topic: `desk ${at.principal}`,
  // Lists name it by its question, whatever step it is.
  listed: { key: at.card.slice(0, 64), title: shown.title.slice(0, 200).toWellFormed() },
  owner: at.principal,
  unasked: true,
  ...(shown.words ? { words: true } : {}),
  ...(shown.loose ? { loose: shown.loose } : {}),
  ...(at.typing && shown.words ? { typing: true } : {}),
  urgency: 'low',
  deadlineMs: cardLivesMs,
  inPlace,
  about: [],
  cameOf: shown.from,
  ...(shown.taint ? { taint: shown.taint } : {}),
})

/** What was kept, and a button that takes it back. */
async function toEnd(memory: MemoryStore, at: OnCard, inPlace: boolean, later = 0): Promise<Effects> {
  const records = (
    await Promise.all(at.saved.map(async ({ scope, number }) => await memory.find(scope, [number])))
  ).flat()
  const said = {
    text: toReceipt(records, at, later),
    inPlace,
    about: [],
    cameOf: records.flatMap(({ from }) => from),
  } as const
  if (records.length === 0 && at.never === 0) return [{ kind: 'send', ...said }]
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
  const { choice } = context.event
  const at = readStored('card of a desk', onCard, context.event.payload)
  const [first, ...left] = at.left
  if (choice === 'later') return await putOffRest(deps, at)
  if (!first) return await toEnd(deps.memory, at, true)
  const next: OnCard = { ...at, left, typing: false, forChat: false }
  switch (choice) {
    case 'type':
    case 'chat': {
      const again = choice === 'type' ? { ...at, typing: true } : { ...at, forChat: !at.forChat }
      const shown = await findSource(deps, first)?.show(first, again)
      return shown ? [{ ...toAsk(again, shown, true), again: true }] : await toCard(deps, next, true)
    }
    case 'skip':
      await close(deps, at, first, 'skipped')
      return await toCard(deps, { ...next, skipped: at.skipped + 1 }, true)
    case 'never': {
      const same = left.filter(({ key }) => isOfTopic(first.key, key))
      for (const one of [first, ...same]) await close(deps, at, one, 'never')
      const others = left.filter((one) => !same.includes(one))
      return await toCard(deps, { ...next, left: others, never: at.never + 1 + same.length }, true)
    }
    default:
      return await takeAnswer(deps, context, { at, first, next })
  }
}

/** A no to what was noticed is worth no more than a skip. */
const endings = { kept: 'answered', declined: 'skipped', gone: 'gone' } as const

type Taking = { readonly at: OnCard; readonly first: Left; readonly next: OnCard }

async function takeAnswer(deps: CardDeps, context: AnswerContext, { at, first, next }: Taking): Promise<Effects> {
  const source = findSource(deps, first)
  const shown = await source?.show(first, { ...at, typing: true })
  const answered = (await source?.answer(context, first, at)) ?? { kind: 'gone', saved: [] }
  if (answered.kind === 'refused') {
    const why: StepEffect<never> = { kind: 'send', text: answered.why[at.language] }
    return shown ? [why, toAsk({ ...at, typing: true }, shown, false)] : [why, ...(await toCard(deps, next, false))]
  }
  const saved = answered.kind === 'declined' ? [] : answered.saved
  await close(deps, at, first, endings[answered.kind])
  const stepped: OnCard = {
    ...next,
    saved: [...at.saved, ...saved],
    ...(answered.kind === 'kept' && answered.missed ? { missed: true } : {}),
    declined: at.declined + (answered.kind === 'declined' ? 1 : 0),
  }
  if (context.event.words === undefined || !shown) return await toCard(deps, stepped, true)
  // What was written stands below the card: so does what comes next.
  const { conversation } = context.event
  const written = { conversation, messages: [...context.about] }
  const text = shown.ended(context.event)
  const ended = { text, inPlace: true, about: [], cameOf: [...shown.from, written] }
  return [{ kind: 'send', ...ended }, ...(await toCard(deps, stepped, false))]
}

async function putOffRest(deps: CardDeps, at: OnCard): Promise<Effects> {
  const keys = at.left.map(({ key }) => key)
  await changeBook(deps.desks, at.principal, (book) => putOff(book, keys))
  const still = await Promise.all(at.left.map(async (one) => await findSource(deps, one)?.show(one, at)))
  return await toEnd(deps.memory, at, true, still.filter((one) => one !== undefined).length)
}

async function close(deps: CardDeps, { principal }: OnCard, one: Left, how: Ending): Promise<void> {
  await changeBook(deps.desks, principal, (book) => end(book, one.key, how))
  await findSource(deps, one)?.close(principal, [one], how === 'never' ? how : undefined)
}

/** Nobody answered in time: what is assumed holds, and nothing is said but what the answers before were kept as. What ended otherwise may be asked another day. */
export async function expireCard(deps: CardDeps, { event }: ExpiredContext): Promise<Effects> {
  const at = readStored('card of a desk', onCard, event.payload)
  const keys = at.left.map(({ key }) => key)
  const isTouched = at.saved.length > 0 || at.skipped + at.never + at.declined > 0
  await changeBook(deps.desks, at.principal, (book) => {
    const ended = event.why === 'deadline' ? ignore(book, keys) : release(book, keys)
    if (isTouched || event.why === 'replaced') return { ...ended, ignored: book.ignored }
    return event.why === 'unsent' ? { ...ended, ignored: book.ignored + 1 } : ended
  })
  if (event.why !== 'deadline') return []
  for (const one of at.left) await findSource(deps, one)?.close(at.principal, [one])
  return at.saved.length > 0 ? await toEnd(deps.memory, at, true) : []
}

/** Takes back all of the card: what it kept, and what it closed. */
export async function undoCard(deps: CardDeps, { event, language }: AnswerContext): Promise<Effects> {
  const { memory, desks } = deps
  const at = readStored('card of a desk', onCard, event.payload)
  for (const { scope, number, id, had } of at.saved) {
    if (had) continue
    const [record] = await memory.find(scope, [number])
    if (record?.id === id) await memory.drop(scope, [number])
  }
  await changeBook(desks, at.principal, (book) => undo(book, at.card))
  await openAgain(deps, at.principal)
  const text = [words.undone, ...(at.skipped + at.never > 0 ? [words.reopened] : [])].map((one) => one[language])
  return [{ kind: 'send', text: text.join(language === 'zh' ? '' : ' '), inPlace: true, about: [] }]
}
