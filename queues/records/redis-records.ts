// Records on Redis: written by the units that end work, read without one.
import { z } from 'zod'
import { conversationId, hasStream, type ConversationId } from '#shared/chat/conversation.ts'
import { BotError, isNewer } from '#shared/errors.ts'
import { feedback } from '#shared/run/feedback.ts'
import { toTurn } from '#shared/run/out-row.ts'
import {
  forgotten,
  turnRecord,
  workRecord,
  type Forgotten,
  type RecordLine,
  type TurnRecord,
  type WorkRecord,
} from '#shared/run/record.ts'
import type { Append } from '#shared/run/step.ts'
import { readStored } from '#shared/stored-json.ts'
import type { RedisClient } from '#queues/connection.ts'
import { partitionPrefix, partitions, toPartition } from '#queues/partition.ts'
import { integer, list, text } from '#queues/reply.ts'
import { fromStore } from '#queues/store-failure.ts'
import type { CallOf, CallUnit } from '#queues/units.ts'
import { toLetterArgs } from '#queues/letters/letter-args.ts'
import type { FoundTurn, GoneLine, Records } from './records.ts'

/** A line as the log has it. */
type Raw = {
  readonly name: string
  readonly kind: string
  readonly conversation: string
  readonly id: string
  readonly says: string
}

export function createRedisRecords(redis: RedisClient, call: CallUnit): Records {
  const log = (partition: number): string => `${partitionPrefix(partition)}records`
  return {
    async lastRecords() {
      const last = async (partition: number): Promise<string | undefined> => {
        // One that is away or broken holds up no other.
        const [newest] = await redis.xrevrange(log(partition), '+', '-', 'COUNT', 1).catch(() => [])
        return newest?.[0]
      }
      return await Promise.all(Array.from({ length: partitions }, (_, partition) => last(partition)))
    },

    async readRecords(partition, after, limit) {
      const found = await fromStore(redis.xrange(log(partition), `(${after}`, '+', 'COUNT', limit))
      const lines = found.map(([name, fields]) => toRaw(name, fields))
      const texts = await readTexts(redis, partition, lines)
      const read: (RecordLine | GoneLine)[] = []
      for (const line of lines) {
        try {
          read.push(toLine(line, texts.get(line)))
        } catch (error) {
          if (!isNewer(error)) throw error
          if (read.length === 0) throw error
          break
        }
      }
      return read
    },

    async findPlace(partition, reader, by) {
      const fields = [reader, `${reader}/starts`, `${reader}/by`]
      const [after, starts, begunBy] = await fromStore(redis.hmget(`${partitionPrefix(partition)}readers`, ...fields))
      const own = begunBy?.split(' ').includes(by) ? 1 : 0
      return { after: after ?? '0-0', starts: Math.max(0, Number(starts ?? 0) - own) }
    },

    async startReading(partition, reader, by) {
      const [after, starts] = list(await call('start', partitionPrefix(partition), ['', reader, by]))
      return { after: text(after), starts: integer(starts) }
    },

    async passRecord({ partition, reader, before, name, goesOn, by = '', setAside, from, letters = [] }) {
      const step = [reader, before, name, goesOn ? 1 : 0, goesOn ? by : '', setAside ? '1' : '0']
      const args = [from ?? '', ...step, ...letters.flatMap(toLetterArgs)]
      return (await call('pass', partitionPrefix(partition), args)) === 'OK' ? 'OK' : 'BEHIND'
    },

    async giveUpRecords(partition, olderThanMs) {
      return integer(await call('giveUp', partitionPrefix(partition), ['', olderThanMs]))
    },

    async findTurn(conversation, by) {
      const find = async (from: string): Promise<FoundTurn | undefined> =>
        (await readLinked(redis, conversation, { from, most: mostLookedAt })).flatMap(toFound)[0]
      const read = async (turn: string): Promise<FoundTurn | undefined> => {
        const key = `${partitionPrefix(toPartition(conversation))}tr:${conversation}`
        const [stored, links] = await fromStore(redis.hmget(key, turn, `${turn}/`))
        return stored ? toFound({ text: stored, links: links ?? '' })[0] : undefined
      }
      if (by === 'last') return await find('*')
      if ('turn' in by) return isName(by.turn) ? await read(by.turn) : undefined
      const { message } = by
      const named = (await find(`>${message}`)) ?? (await find(`@${message}`))
      return named ?? (hasStream(conversation) && isName(message) ? await read(toTurn(message)) : undefined)
    },

    async findTurns(conversation, session) {
      const texts = await readLinked(redis, conversation, { from: '*', most: mostTurns })
      const found = texts.flatMap(toFound).filter(({ record }) => record.session === session)
      return found.toReversed()
    },

    async lookAtRecords(partition) {
      const prefix = partitionPrefix(partition)
      const [lines, counted, readers] = await Promise.all([
        fromStore(redis.xlen(log(partition))),
        fromStore(redis.hmget(`${prefix}recorded`, 'bytes', 'lost')),
        fromStore(redis.hgetall(`${prefix}readers`)),
      ])
      const aside = Object.entries(readers).flatMap(([field, count]) =>
        field.endsWith('/aside') ? [[field.slice(0, -'/aside'.length), Number(count)] as const] : [],
      )
      const [bytes, lost] = counted.map((count) => Number(count ?? 0))
      const waitsMs = await findWaits(redis, log(partition), readers)
      return { lines, bytes: bytes ?? 0, lost: lost ?? 0, aside: Object.fromEntries(aside), waitsMs }
    },
  }
}

/** Records of a conversation to which `from` leads, the newest first, and what leads to each. */
type Linked = { readonly text: string; readonly links: string }

/** Nothing of work that is no turn. */
function toFound({ text: stored, links }: Linked): FoundTurn[] {
  const record = readStored('record', turnRecord.or(workRecord), stored)
  const about = links.split('\n').flatMap((link) => (link.startsWith('@') ? [link.slice(1)] : []))
  return isTurn(record) ? [{ record, about }] : []
}

async function readLinked(
  redis: RedisClient,
  conversation: ConversationId,
  { from, most }: { readonly from: string; readonly most: number },
): Promise<readonly Linked[]> {
  const prefix = partitionPrefix(toPartition(conversation))
  const [start, end] = [`[${from}\n`, `(${from}\u000b`]
  const found = await fromStore(redis.zrevrangebylex(`${prefix}tm:${conversation}`, end, start, 'LIMIT', 0, most))
  if (found.length === 0) return []
  const ids = found.map((link) => link.slice(link.lastIndexOf('\n') + 1))
  const stored = await fromStore(redis.hmget(`${prefix}tr:${conversation}`, ...ids.flatMap((id) => [id, `${id}/`])))
  return ids.flatMap((_, i) => {
    const [record, links] = [stored[2 * i], stored[2 * i + 1]]
    return record ? [{ text: record, links: links ?? '' }] : []
  })
}

const mostTurns = 100
/** Of records of other work, with which a conversation may be full, so many are passed over. */
const mostLookedAt = 20
/** Other fields of the hash tell what leads to a record. */
const isName = (turn: string): boolean => /^[\w.-]{1,64}$/.test(turn)
const isTurn = (record: TurnRecord | WorkRecord): record is TurnRecord => 'turn' in record

async function findWaits(
  redis: RedisClient,
  log: string,
  readers: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, number>>> {
  const [seconds] = await fromStore(redis.time())
  const ages = Object.entries(readers).map(async ([reader, after]) => {
    if (reader.includes('/')) return []
    const [next] = await fromStore(redis.xrange(log, `(${after}`, '+', 'COUNT', 1))
    return next ? [[reader, Math.max(0, Number(seconds) * 1000 - Number.parseInt(next[0], 10))] as const] : []
  })
  return Object.fromEntries((await Promise.all(ages)).flat())
}

/**
 * Takes away in portions what a conversation's records say: of one message, or all. `edited`: what one call can do is left to the step that
 * says so. Safe to repeat.
 */
export async function blankRecords(
  unit: CallOf,
  conversation: ConversationId,
  of: { readonly message: string; readonly why: 'forgotten' | 'edited' } | 'all',
): Promise<void> {
  const [message, why] = of === 'all' ? ['', ''] : [of.message, of.why]
  const args = [message, why, why === 'edited' ? '1' : '0']
  while (await unit('blank', conversation, args, ([left]) => left === 1));
}

/** Before a step that says of messages that they were edited. Few have any, and few of these more than the step can do. */
export async function blankEdited(unit: CallOf, conversation: ConversationId, step: Append): Promise<void> {
  for (const one of step.records ?? [])
    if (one.kind === 'edited') await blankRecords(unit, conversation, { message: one.message, why: 'edited' })
}

function toRaw(name: string, fields: readonly string[]): Raw {
  const [head = '', ...says] = (fields[1] ?? '').split('\n')
  const [kind = '', conversation = '', ...ids] = head.split(' ')
  return { name, kind, conversation, id: ids.join(' '), says: says.join('\n') }
}

/** What the records say whose lines these are; nothing of one that is gone. */
async function readTexts(
  redis: RedisClient,
  partition: number,
  lines: readonly Raw[],
): Promise<ReadonlyMap<Raw, string>> {
  const texts = new Map<Raw, string>()
  const named = lines.filter(({ kind }) => kind === 'turn' || kind === 'work')
  const read = async (conversation: string, own: readonly Raw[]): Promise<void> => {
    const key = `${partitionPrefix(partition)}tr:${conversation}`
    // A key of a wrong type is for the worker that meets it to park: its records are gone.
    const found = await fromStore(redis.hmget(key, ...own.map(({ id }) => id))).catch(unlessAway)
    own.forEach((line, i) => texts.set(line, found[i] ?? ''))
  }
  await Promise.all([...Map.groupBy(named, ({ conversation }) => conversation)].map(([one, own]) => read(one, own)))
  return texts
}

function unlessAway(error: unknown): readonly string[] {
  if (error instanceof BotError && error.retry === 'never') return []
  throw error
}

const versioned = z.object({ v: z.literal(1) })
/** As it was before it had a version. */
const olderForgotten = z.strictObject({ message: z.string(), why: forgotten.shape.why })

function readForgotten(says: string): Forgotten {
  const found = readStored('line', z.union([forgotten, olderForgotten]), says)
  return 'messages' in found ? found : { v: 1, messages: [found.message], why: found.why }
}

/** Throws BotError `store-newer` for what only a newer release can read. */
function toLine({ name, kind, conversation: given, id, says }: Raw, stored = ''): RecordLine | GoneLine {
  const { data: conversation } = conversationId.safeParse(given)
  if (conversation === undefined) return { name, kind: 'broken' }
  const line = { name, conversation } as const
  try {
    switch (kind) {
      case 'turn':
        return stored === ''
          ? { ...line, kind: 'gone' }
          : { ...line, kind, id, record: readStored('record', turnRecord, stored) }
      case 'work':
        return stored === ''
          ? { ...line, kind: 'gone' }
          : { ...line, kind, id, record: readStored('record', workRecord, stored) }
      case 'feedback':
        return { ...line, kind, id, feedback: readStored('feedback', feedback, says) }
      case 'forgotten':
        return { ...line, kind, ids: id.split(' ').filter(Boolean), forgotten: readForgotten(says) }
      case 'erased':
        if (says !== '') readStored('line', versioned, says)
        return { ...line, kind }
      default:
        throw new BotError(
          'store-newer',
          `A record's line is of the kind "${kind.slice(0, 40)}", which only a newer release knows.`,
        )
    }
  } catch (error) {
    if (isNewer(error)) throw error
    return { ...line, kind: 'broken' }
  }
}
