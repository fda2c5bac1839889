// A question waits for a person: one record, one winner. The button carries `<id>.<option>`; all else is in Redis.
import { z } from 'zod'
import { conversationId, principalId } from '#shared/chat/conversation.ts'
import { button, type Button } from '#shared/chat/message.ts'
import { taint as tainted, type Taint, toTainted } from '#shared/model/taint.ts'

/** `<feature>.<kind>`: whose question it is. */
export const questionKind = z.string().regex(/^[a-z][a-z0-9-]{0,29}\.[a-z][a-z0-9-]{0,39}$/)

/** Raised by delivery itself: ends the turn that it names, and shows again what may not have arrived. */
export const stopKind = 'turn.stop'
export const showAgainKind = 'show-again.show'

/** How much somebody is needed: what waits for them is shown in this order. */
export const urgencies = ['high', 'normal', 'low'] as const
export const urgency = z.enum(urgencies)
export type Urgency = z.infer<typeof urgency>

/** What a question asks for that is known without a reply to it: one of its options, or also something of this kind. */
export const looseKinds = ['option', 'number', 'date', 'yes-no'] as const
export const loose = z.enum(looseKinds)
export type Loose = z.infer<typeof loose>

/** `id` is `pNN-` and 22 random characters, so that any process finds its partition; `owner` `*` lets anyone in the chat answer. */
export const question = z.object({
  v: z.literal(1),
  id: z.string().regex(/^p\d\d-[a-z0-9]{22}$/),
  kind: questionKind,
  owner: z.union([principalId, z.literal('*')]),
  /** The chat's administrators and the bot's owners may answer too. */
  admins: z.boolean().optional(),
  options: z.array(z.string().max(32)).min(1),
  /**
   * What the options are called, each in the place of its own, so that words can choose them: kept while it is open. Empty for what nobody would
   * type.
   */
  labels: z.array(z.string().max(64)).exactOptional(),
  /** Any words in reply to its card answer it. */
  words: z.literal(true).exactOptional(),
  /** Without a reply it is answered by an option's label or number and by what it asks for, while it is the only such one of who may answer. */
  loose: loose.exactOptional(),
  /** Such words count only while nothing else was said since its card came. */
  unasked: z.literal(true).exactOptional(),
  /** Who is asked said that they will write: what they say next is the answer, whatever else it asks for. */
  typing: z.literal(true).exactOptional(),
  /** No answer is taken while who answers, who may, or for whom it was asked has said something since that the bot has not read. */
  stales: z.literal(true).exactOptional(),
  /** What the answer needs, for example the corrected text of a redo. */
  payload: z.string(),
  /** Platform ids of the messages that it came from; none when left out. */
  about: z.array(z.string()).max(200).exactOptional(),
  /** What others wrote that the turn had read which asked it: its answer and its end carry it on. */
  taint: tainted.exactOptional(),
  /** The conversation that had it asked, where that is another one: told with its answer and its end. */
  from: conversationId.exactOptional(),
  /** The outbox row that shows it, and whose message its answer changes; without one the channel takes the buttons away. */
  card: z.string().max(200).optional(),
  /** At most one question of a conversation is open on each topic: a new one closes the one before. Without quotes and backslashes. */
  topic: z
    .string()
    .max(200)
    .regex(/^[^"\\\p{Cc}]*$/u)
    .optional(),
  /** The platform's message that asked the same before: words in reply to it answer this one. */
  formerCard: z.string().max(200).exactOptional(),
  /** How long it may be answered, ms from its asking; 14 days when left out. It ends silently. */
  livesMs: z.number().int().positive().optional(),
  /**
   * How long it may be answered, ms from when its card was sent, and sixty days from its raising at most. Its end is told its conversation
   * as an event, for `asker`.
   */
  deadlineMs: z.number().int().positive().optional(),
  /** For whom it was asked. */
  asker: principalId.optional(),
  /** What a press of it does at once, past every queue: `stop` ends what its owner's turn is doing. Words in reply, where it takes them, are a remark: it stays open. */
  acts: z.literal('stop').optional(),
  /** The outbox row after which nobody may answer it any more. */
  until: z.string().max(200).optional(),
})
export type Question = z.infer<typeof question>

/** A question that is asked, as words may answer it. */
export type AskedCard = {
  readonly question: Omit<Question, 'payload'>
  /** As in the question. */
  readonly labels: readonly string[]
  /** What a reply names to reply to it, where that is known: the platform's message, or on the web the row. */
  readonly card?: string
  /** The platform's message, where there is one. */
  readonly receipt?: string
  /** The last event that came before it was asked, and what was passed by since: commands that only tell something. */
  readonly afterSeq: number
  /** When its card was known to be there, by Redis' clock. */
  readonly askedAtMs: number
}

/** What a question offers; `id` is 1–32 characters of `a-z A-Z 0-9 _ -`. */
export type Choice = { readonly id: string; readonly label: string }

/** A question that is to be asked, with its buttons in rows. */
export type Asked = {
  /** Its kind, by the name that its own feature gave it. */
  readonly question: string
  readonly options: readonly (readonly Choice[])[]
  readonly payload: string
  readonly topic?: string
  /** How long it may be answered, ms from when its card was sent. */
  readonly deadlineMs?: number
  /** It has no deadline, no topic, and takes no words: its buttons hold for two weeks, and nobody is told of its end. */
  readonly silent?: true
  /** Any words in reply to its card answer it too: the answer then has these, and an empty choice unless they name an option. */
  readonly words?: boolean
  /** Such words refuse what is asked for, with the words as the reason: a channel says so before they are sent. */
  readonly denies?: true
  /**
   * It asks people something: while no other such question is open to them, they may answer it without a reply, at any time, by an option's label
   * or number, and by nothing but a number, a date, or yes or no where it asks for that: the answer then has these `words`, and an empty choice.
   * Never where it `stales`.
   */
  readonly loose?: Loose
  /** It came by itself, and not at the end of what its person was doing: so that a yes to something else is none to it, `loose` holds only until the next thing is said. */
  readonly unasked?: true
  /** Who is asked said that they will write: with `words`, any words that they say next answer it, whatever `loose` says. */
  readonly typing?: true
  /** It asks the same as the card that was answered: words in reply to that one answer it. */
  readonly again?: true
  /** It asks people something: of such questions a person is shown one at a time in a conversation, and beside it one that `stales`; the urgent first. */
  readonly urgency?: Urgency
  /** A press ends at once what is being done for its owner. With `words`, any words in reply to its card are told its feature, as often as people like, and end neither. */
  readonly stops?: true
  /** It guards something: no answer is taken before the bot has read what the asked person said since. */
  readonly stales?: boolean
}

/** Unless its feature says another. */
export const choiceDeadlineMs = 7 * 86_400_000

/** Longer labels nobody types. */
const longestLabel = 64

/** A question with its record and the buttons of its card. */
export type Raised = { readonly question: Question; readonly buttons: Button[][] }

/** Makes the record of a question and its buttons. `card` is the row that will show them. Throws a ZodError for one that could not be read. */
export function raise(
  id: string,
  {
    options,
    payload,
    topic,
    words,
    loose: asksFor,
    unasked,
    typing,
    stales,
    stops,
  }: Omit<Asked, 'question' | 'deadlineMs'>,
  {
    about = [],
    taint,
    ...how
  }: Pick<
    Question,
    'kind' | 'owner' | 'admins' | 'from' | 'livesMs' | 'deadlineMs' | 'asker' | 'acts' | 'until' | 'formerCard'
  > & {
    readonly card: string
    readonly about?: readonly string[]
    readonly taint?: Taint | undefined
  },
): Raised {
  const made = { v: 1, id, ...how, options: options.flat().map(toId), payload: payload.toWellFormed() } as const
  return {
    question: question.parse({
      ...made,
      // What is empty comes back from Redis as an object.
      ...(about.length > 0 ? { about } : {}),
      ...toTainted(taint),
      ...(topic ? { topic: topic.toWellFormed() } : {}),
      // Words answer what has a deadline: the rest is buttons only.
      ...(how.deadlineMs === undefined ? {} : { labels: options.flat().map(toLabel) }),
      ...(words ? { words } : {}),
      ...(asksFor ? { loose: asksFor } : {}),
      ...(unasked ? { unasked } : {}),
      ...(typing ? { typing } : {}),
      ...(stales ? { stales } : {}),
      ...(stops ? { acts: 'stop' as const } : {}),
    }),
    buttons: options.map((row) => row.map((choice) => button.parse({ id: `${id}.${choice.id}`, label: choice.label }))),
  }
}

const toId = ({ id }: Choice): string => id
const toLabel = ({ label }: Choice): string => (label.length > longestLabel ? '' : label.toWellFormed())
