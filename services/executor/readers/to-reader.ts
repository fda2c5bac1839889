// Projections of features as readers of records, and as workers on what takes long. What they want done goes by letter, for whom the record names, or
// for its chat.
import { z } from 'zod'
import { conversationId, toChat, type ConversationId, type PrincipalId } from '#shared/chat/conversation.ts'
import { BotError } from '#shared/errors.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { Projection, ReaderJob, ReaderWorker, Tick, TickJob } from '#shared/feature/projection.ts'
import type { RecordLine } from '#shared/run/record.ts'
import type { Letter } from '#shared/run/step.ts'
import { readEffects } from '#services/executor/step/read-effects.ts'
import { toKind, type Features } from '#services/executor/state/features.ts'
import { within } from '#services/executor/run/within.ts'
import { toLetter } from '#services/executor/step/to-letter.ts'

/** Longer than a model that answers slowly; one that waits for ever must not hold up what comes after. */
const mostTakeMs = 120_000
const dayMs = 86_400_000
const [leastEveryMs, mostEveryMs] = [60_000, 31 * dayMs]

export type Reader = {
  readonly name: string
  take(line: RecordLine, signal: AbortSignal): Promise<Taken>
  work?(job: ReaderJob, signal: AbortSignal): Promise<readonly Letter[]>
  readonly tick?: Tick
}
type Taken = { readonly letters: readonly Letter[]; readonly job?: WantedJob }
type WantedJob = { readonly worker: ReaderWorker; readonly inMs: number }

const job = z.strictObject({ kind: z.literal('job'), inMs: z.number().int().nonnegative().max(dayMs).default(0) })
const tickJobs = z
  .array(z.strictObject({ conversation: conversationId, name: z.string().regex(/^[a-z0-9-]{1,40}$/) }))
  .max(10_000)

/** Those of a worker. */
export const toReaders = ({ all }: Pick<Features, 'all'>, worker: ReaderWorker): readonly Reader[] =>
  all.flatMap((feature) =>
    (feature.after ?? [])
      .filter((projection) => workerOf(projection) === worker)
      .map((projection) => toReader(feature, projection)),
  )

const workerOf = ({ worker = 'reflection' }: Projection): ReaderWorker => worker

function toReader(feature: Feature, projection: Projection): Reader {
  const name = toKind(feature, projection.name)
  const { work, tick } = projection
  if (tick && !work) throw new BotError('config', `The projection ${name} has a clock and does no jobs.`)
  if (tick && !(tick.everyMs >= leastEveryMs && tick.everyMs <= mostEveryMs))
    throw new BotError(
      'config',
      `The clock of ${name} strikes every ${tick.everyMs} ms; it may be a minute to 31 days.`,
    )
  return {
    name,
    async take(line, signal) {
      const given: readonly unknown[] = await within(projection.take(line, signal), mostTakeMs, signal)
      const letters = given.filter((effect) => !isJob(effect))
      const from = { feature, reader: name, name: line.name, conversation: line.conversation, line }
      return { letters: toLetters(from, letters), ...readJobs(name, projection, given.filter(isJob)) }
    },
    ...(work && {
      async work(wanted, signal) {
        const limit = AbortSignal.any([signal, AbortSignal.timeout(mostTakeMs)])
        return toLetters({ feature, reader: name, ...wanted }, await within(work(wanted, limit), mostTakeMs, signal))
      },
    }),
    ...(tick && {
      tick: {
        everyMs: tick.everyMs,
        run: async (dueMs, signal): Promise<readonly TickJob[]> =>
          readTickJobs(name, await within(tick.run(dueMs, signal), mostTakeMs, signal)),
      },
    }),
  }
}

const isJob = (effect: unknown): boolean =>
  typeof effect === 'object' && effect !== null && 'kind' in effect && effect.kind === 'job'

/** One at most: it is named by the line. */
function readJobs(name: string, projection: Projection, given: readonly unknown[]): Pick<Taken, 'job'> {
  if (given.length === 0) return {}
  const { success, data } = job.safeParse(given[0])
  if (given.length > 1 || !success || !projection.work)
    throw new BotError('internal', `${name} wants a job done that it has no work for, or more than one of a line.`)
  return { job: { worker: workerOf(projection), inMs: data.inMs } }
}

function readTickJobs(name: string, given: unknown): readonly TickJob[] {
  const { success, data } = tickJobs.safeParse(given)
  if (success) return data
  throw new BotError('internal', `The clock of ${name} wants what is no list of jobs, or more than 10,000.`)
}

type From = {
  readonly feature: Feature
  readonly reader: string
  readonly conversation: ConversationId
  /** Of the line, or of the job. */
  readonly name: string
  readonly line?: RecordLine
}

/** Throws BotError `internal` for what is no letter. */
function toLetters({ feature, reader, conversation, name, line }: From, wanted: unknown): readonly Letter[] {
  return readEffects(wanted).map((effect, ordinal): Letter => {
    if (effect.kind !== 'letter') throw new BotError('internal', `${reader} wants done what is no letter.`)
    const at = {
      feature,
      step: `${reader}-${name}`,
      principal: line ? toPrincipal(line) : toChat(conversation),
      language: line?.kind === 'turn' ? line.record.language : undefined,
      about: line && 'messages' in line ? line.messages : [],
      taint: line?.kind === 'turn' ? line.record.taint : undefined,
      byItself: true,
      reports: true,
      ordinal,
    }
    return toLetter({ conversation }, effect, at)
  })
}

/** Of what is forgotten or gone nobody is named: the chat itself, which in a direct one is its person. */
function toPrincipal(line: RecordLine): PrincipalId {
  if ('record' in line) return line.record.principal
  return line.kind === 'feedback' ? line.feedback.by : toChat(line.conversation)
}
