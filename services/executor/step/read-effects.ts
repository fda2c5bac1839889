// Effects as features and tools hand them over, read as if they came from outside: what is no effect is told at once, before any of it is
// stored and cannot be read again.
import { z } from 'zod'
import { mostTasks, type Address } from '#shared/chat/address.ts'
import { conversationId, principalId } from '#shared/chat/conversation.ts'
import { depths } from '#shared/chat/decision.ts'
import { approvedCall, humanResponse, mostUnsure, unsureCall } from '#shared/run/approval.ts'
import { BotError } from '#shared/errors.ts'
import { cameOf } from '#shared/feature/came-of.ts'
import type { Effect } from '#shared/feature/effect.ts'
import { artifactName, mostArtifactBytes } from '#shared/run/artifact.ts'
import { source } from '#shared/model/source.ts'
import { taint } from '#shared/model/taint.ts'
import { loose, urgency } from '#shared/run/question.ts'
import type { OutBody, OutFile } from '#shared/run/out-row.ts'
import { withOwnTopic } from './own-topic.ts'

const text = z.string().transform((found) => found.toWellFormed())
/** Rows of turns and of their parts are named otherwise. */
const rowName = z.string().regex(/^[a-z](?:[a-z0-9-]{0,38}[a-z0-9])?$/)
const shown = {
  text,
  inPlace: z.boolean().exactOptional(),
  about: z.array(z.string()).exactOptional(),
  taint: taint.exactOptional(),
  cameOf: z.array(cameOf).readonly().exactOptional(),
  named: rowName.exactOptional(),
  replaces: rowName.exactOptional(),
}
const longestTimerMs = 366 * 86_400_000
/** What a timer or a letter says; as JSON, in which it is stored, it may be twice as long. */
const longestPayloadBytes = 8192
const isShort = (said: string): boolean =>
  Buffer.byteLength(said) <= longestPayloadBytes && Buffer.byteLength(JSON.stringify(said)) <= 2 * longestPayloadBytes
const payload = text.refine(isShort, 'it is too long')
const longestSignalBytes = 65_536
/** What a question keeps for its answer; above the longest message that somebody may edit. */
const longestKeptBytes = 131_072
const timer = {
  timer: z.string(),
  key: z
    .string()
    .regex(/^[\w-]{1,60}$/)
    .exactOptional(),
}
const mostCalls = 4
const choice = z.object({ id: z.string(), label: z.string() })
/** Of what a message holds `carry` reads the rest, when it is made. */
const effect = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('send'),
    ...shown,
    file: z.custom<OutFile>().exactOptional(),
  }),
  z.object({ kind: z.literal('show'), body: z.custom<OutBody>((body) => typeof body === 'object' && body !== null) }),
  z.object({
    kind: z.literal('ask'),
    ...shown,
    question: z.string(),
    options: z.array(z.array(choice)),
    payload: z.string().refine((found) => Buffer.byteLength(found) <= longestKeptBytes, 'it is too long'),
    topic: z.string().exactOptional(),
    owner: z.union([principalId, z.literal('*')]).exactOptional(),
    admins: z.boolean().exactOptional(),
    from: conversationId.exactOptional(),
    deadlineMs: z.number().int().positive().exactOptional(),
    silent: z.literal(true).exactOptional(),
    words: z.boolean().exactOptional(),
    denies: z.literal(true).exactOptional(),
    again: z.literal(true).exactOptional(),
    loose: loose.exactOptional(),
    unasked: z.literal(true).exactOptional(),
    typing: z.literal(true).exactOptional(),
    stales: z.boolean().exactOptional(),
    stops: z.literal(true).exactOptional(),
    urgency: urgency.exactOptional(),
    zone: z.string().max(64).exactOptional(),
    listed: z.object({ key: z.string().max(64), title: text.pipe(z.string().max(200)) }).exactOptional(),
  }),
  z.object({ kind: z.literal('change'), change: z.unknown() }),
  z.object({ kind: z.literal('choose'), setting: z.string(), choice: z.string() }),
  z.object({ kind: z.literal('new-session') }),
  z.object({
    kind: z.literal('timer'),
    ...timer,
    inMs: z.number().int().nonnegative().max(longestTimerMs),
    payload,
  }),
  z.object({ kind: z.literal('disarm'), ...timer }),
  z.object({
    kind: z.literal('letter'),
    to: conversationId,
    letter: z.string(),
    payload,
  }),
  z.object({
    kind: z.literal('signal'),
    to: z.union([z.number().int().min(1).max(mostTasks), z.enum(['home', 'self'])]),
    letter: z.string(),
    payload: text.refine((said) => Buffer.byteLength(said) <= longestSignalBytes, 'it is too long'),
    serves: principalId.exactOptional(),
    begins: z.literal(true).exactOptional(),
    stops: z.literal(true).exactOptional(),
  }),
  z.object({ kind: z.literal('drop-task'), task: z.number().int().min(1).max(mostTasks) }),
  z.object({
    kind: z.literal('artifact'),
    name: artifactName,
    text: text.refine((said) => Buffer.byteLength(said) <= mostArtifactBytes, 'it is too long'),
    source: source.exactOptional(),
    about: shown.about,
    taint: shown.taint,
  }),
  z.object({ kind: z.literal('drop-artifact'), name: artifactName }),
  z.object({
    kind: z.literal('feedback'),
    what: z.string().max(40),
    value: text.pipe(z.string().max(200)).exactOptional(),
    on: z.union([z.object({ card: z.string() }), z.object({ message: z.string() })]),
  }),
  z.object({
    kind: z.literal('cancel'),
    which: z.union([
      z.object({ all: z.literal(true) }),
      z.object({ asker: principalId }),
      z.object({ topic: z.string() }),
    ]),
  }),
  z.object({ kind: z.literal('forget'), about: z.array(z.string()) }),
  z.object({
    kind: z.literal('turn'),
    text: text.pipe(z.string().min(1)),
    last: z.enum(['rewrite', 'continue']).exactOptional(),
    about: z.array(z.string()).exactOptional(),
    taint: taint.exactOptional(),
    asker: principalId.exactOptional(),
    serves: principalId.exactOptional(),
    isOwn: z.boolean().exactOptional(),
    for: principalId.exactOptional(),
    depth: z.enum(depths).exactOptional(),
    seeks: z.string().max(2000).exactOptional(),
    group: z.literal(true).exactOptional(),
    response: humanResponse.exactOptional(),
    calls: z.array(approvedCall).max(mostCalls).exactOptional(),
    unsure: z.array(unsureCall).max(mostUnsure.calls).exactOptional(),
  }),
])
/** Made once: making a schema costs more than reading by it. */
const effectList = z.array(effect)
/** Of one step; a person would not read more, and the outbox is in Redis. */
const mostEffects = 20

/** As a step of this address has them. Throws BotError `internal` for what is none, for more than one step may have, and for a second turn. */
export function readEffects(given: unknown, address: Address = ''): readonly Effect[] {
  if (Array.isArray(given) && given.length > mostEffects)
    throw new BotError('internal', `One step wants more than ${mostEffects} things.`)
  const read = effectList.safeParse(given)
  const [issue] = read.error?.issues ?? []
  if (!read.success)
    throw new BotError(
      'internal',
      `That is no list of effects: "${issue?.path.join('.')}" does not fit (${issue?.message}).`,
    )
  if (read.data.filter(({ kind }) => kind === 'turn').length > 1)
    throw new BotError('internal', 'One step wants two turns to begin.')
  return read.data.map((one) => withOwnTopic(address, one))
}
