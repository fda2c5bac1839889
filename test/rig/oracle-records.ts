// The oracle's rules of records: the lines of a partition, what they name, what leads to them, and the count of their bytes agree.
import type { Redis, Cluster } from 'ioredis'

/** As `queues/records/units/records.lua` weighs them. */
const lineBytes = 150

type Fields = Readonly<Record<string, string>>

/** What is wrong with the records of the partition of this prefix, in which these conversations have a hash `tr` or a set `tm`. */
export async function recordBreaches(
  redis: Redis | Cluster,
  prefix: string,
  conversations: readonly string[],
): Promise<readonly string[]> {
  const lines = (await redis.xrange(`${prefix}records`, '-', '+')).map(([, [, text = '']]) => text)
  const written = new Set(lines.map((line) => line.split('\n', 1)[0]))
  const breaches: string[] = []
  let bytes = 0
  for (const conversation of conversations) {
    const fields = await redis.hgetall(`${prefix}tr:${conversation}`)
    const links = await redis.zrange(`${prefix}tm:${conversation}`, '0', '-1')
    const isWritten = (id: string): boolean =>
      ['turn', 'work'].some((kind) => written.has(`${kind} ${conversation} ${id}`))
    const found = [...hashBreaches(fields, isWritten), ...linkBreaches(fields, links)]
    breaches.push(...found.map((breach) => `${prefix}tr:${conversation}: ${breach}`))
    bytes += weighRecords(fields)
  }
  for (const line of lines) bytes += weighLine(line)
  const counted = Number((await redis.hget(`${prefix}recorded`, 'bytes')) ?? 0)
  return counted === bytes ? breaches : [...breaches, `${prefix}recorded: counts ${counted} bytes of ${bytes}`]
}

const toBytes = (text = ''): number => Buffer.byteLength(text)
const isRecord = (field: string): boolean => !/[/#]$/.test(field)

/** Of a record its place in the order, and its messages. */
function toMessages(fields: Fields, id: string): { readonly order: string; readonly messages: readonly string[] } {
  const [order = '', ...messages] = (fields[`${id}/`] ?? '').split('\n').filter(Boolean)
  return { order, messages }
}

function hashBreaches(fields: Fields, isWritten: (id: string) => boolean): readonly string[] {
  return Object.keys(fields).flatMap((field) => {
    const id = field.replace(/[/#]$/, '')
    if (!(id in fields)) return [`${field} belongs to no record`]
    if (field.endsWith('/')) {
      return /^\d+-\d+$/.test(toMessages(fields, id).order) ? [] : [`${field} has no place`]
    }
    return isRecord(field) && !isWritten(field) ? [`no line names ${field}`] : []
  })
}

/** What leads to records, and what these know of it, are the same. */
function linkBreaches(fields: Fields, links: readonly string[]): readonly string[] {
  const known = Object.keys(fields)
    .filter(isRecord)
    .flatMap((id) => {
      const { order, messages } = toMessages(fields, id)
      return ['*', ...messages].map((from) => `${from}\n${order}\n${id}`)
    })
  const [there, wanted] = [new Set(links), new Set(known)]
  return [
    ...links.filter((link) => !wanted.has(link)).map((link) => `${JSON.stringify(link)} leads to no record`),
    ...known.filter((link) => !there.has(link)).map((link) => `${JSON.stringify(link)} is missing`),
  ]
}

function weighRecords(fields: Fields): number {
  const weigh = (id: string, text: string): number => {
    const links = toMessages(fields, id).messages.map((message) => 150 + 2 * toBytes(message) + toBytes(id))
    return 300 + toBytes(text) + links.reduce((sum, one) => sum + one, 0)
  }
  return Object.entries(fields).reduce((sum, [id, text]) => sum + (isRecord(id) ? weigh(id, text) : 0), 0)
}

function weighLine(line: string): number {
  const [head = '', ...says] = line.split('\n')
  const [, , ...ids] = head.split(' ')
  return lineBytes + toBytes(ids.join(' ')) + toBytes(says.join('\n'))
}
