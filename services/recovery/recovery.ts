// The recovery card (seed 000 §6.5): a turn that the model's failure or a limit ended after it had used tools asks its person how it is to go on, and a
// press begins a turn that goes on at the last finished step. Not for what a retry cannot mend, nor where nothing was done yet: there the answer's own
// button, /retry and "go on" say it all. A conversation has one such card: the newest, gone when the task is done in another way.
import { hash } from 'node:crypto'
import { storable } from '#shared/feature/slice.ts'
import { z } from 'zod'
import { depths } from '#shared/chat/decision.ts'
import { isMendable } from '#shared/model/model-port.ts'
import { mostUnsure, unsureCall } from '#shared/run/approval.ts'
import type { Effect, StepEffect } from '#shared/feature/effect.ts'
import type { AnswerContext, EndedTurn, Feature } from '#shared/feature/feature.ts'
import { keptOf, peek } from '#shared/feature/kept.ts'
import { toWho } from '#shared/feature/who-answered.ts'
import { readStored } from '#shared/stored-json.ts'
import { orders, toCard, toEnded, toMatter, toOptions, toTitle, troubles, type Trouble } from './card-text.ts'

const dayMs = 86_400_000
const deadlineMs = 30 * dayMs
const topic = 'recovery'
const mostTaskChars = 1000

/** The task of the card that is open, as a hash; none where none is. */
const own = z.object({ task: keptOf(z.string().max(64)).exactOptional() })
type Own = z.infer<typeof own>
const noCard: Own = {}

const kept = z.object({
  trouble: z.enum(troubles),
  /** What happened, as the card says it. */
  said: z.string(),
  task: z.string().max(mostTaskChars),
  depth: z.enum(depths),
  unsure: z.array(unsureCall).max(mostUnsure.calls),
})

export const recovery: Feature<Own, Own> = {
  name: topic,
  slice: {
    schema: storable(own),
    fresh: noCard,
    fold: (_, change) => change,
    inNewSession: () => noCard,
    atRest: () => noCard,
    forget: (slice, id) => (slice.task?.about.includes(id) ? noCard : slice),
  },
  questions: { execution: { answer: goOn }, understanding: { answer: goOn }, consistency: { answer: goOn } },
  ended,
}

function ended(turn: EndedTurn<Own>): readonly StepEffect<Own>[] {
  const { slice, language, keep } = turn
  const task = (turn.response?.task ?? turn.asked).trim().slice(0, mostTaskChars).toWellFormed()
  const trouble = findTrouble(turn)
  if (!trouble) return isDone(turn, task) ? [{ kind: 'cancel', which: { topic } }, toChange(noCard)] : []
  const said = toMatter({ ...turn, tools: turn.tools.filter(isMade), trouble, task })
  const payload = JSON.stringify({ trouble, said, task, depth: turn.class.depth, unsure: turn.unsure })
  return [
    ...(slice.task === undefined ? [] : [{ kind: 'cancel', which: { topic } } as const]),
    toChange({ task: keep(toName(task)) }),
    {
      kind: 'ask',
      question: trouble,
      text: toCard(said, trouble, language),
      options: toOptions(trouble, language),
      payload,
      topic,
      admins: true,
      urgency: 'normal',
      deadlineMs,
      listed: { key: trouble, title: toTitle(trouble, task, language) },
    },
  ]
}

const toName = (task: string): string => hash('sha256', task, 'base64url')
const toChange = (change: Own): StepEffect<Own> => ({ kind: 'change', change })

/** Seed 000 §6.5: what went wrong. Nothing where the turn ended as it should, or where a person wanted it to end. */
function findTrouble({ ending, failure, tools, response }: EndedTurn<Own>): Trouble | undefined {
  if (ending === 'limit:malformed-calls') return 'understanding'
  // What goes in circles because it fails needs another try, and no other way.
  if (
    ending === 'limit:identical-calls' &&
    tools
      .filter(isMade)
      .slice(-2)
      .every(({ ok }) => ok)
  )
    return 'consistency'
  const isBroken = (ending === 'model-failed' && isMendable(failure)) || ending.startsWith('limit:')
  return isBroken && (tools.length > 0 || response !== undefined) ? 'execution' : undefined
}

const isMade = ({ unmade }: EndedTurn['tools'][number]): boolean => !unmade

/** Asked again, or gone on with by other words: what the card asks is answered. */
const isDone = ({ slice, ending, last }: EndedTurn<Own>, task: string): boolean =>
  slice.task !== undefined &&
  ending === 'answered' &&
  (last === 'continue' || peek([slice.task], ([known]) => known === toName(task)))

async function goOn(context: AnswerContext<Own>): Promise<readonly Effect<Own>[]> {
  const { event, language, about } = context
  const { trouble, said, task, depth, unsure } = readStored('recovery card', kept, event.payload)
  const order = orders[trouble].find(({ id }) => id === event.choice)
  if (!order) return []
  const response = { question: `${topic}.${trouble}`, asked: said.slice(0, 1000).toWellFormed(), task }
  return [
    { kind: 'change', change: noCard },
    { kind: 'send', text: toEnded(said, { who: toWho(context), order }, language), inPlace: true },
    { kind: 'turn', text: order.order[language], about, depth, response, unsure },
  ]
}
