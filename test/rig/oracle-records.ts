// The oracle's rules of records: the lines of a partition, what they name, and the count of their bytes agree.
import type { Redis, Cluster } from 'ioredis'

/** As `queues/records/units/records.lua` weighs them. */
const [lineBytes, recordBytes, linkBytes] = [150, 200, 80]

type Fields = Readonly<Record<string, string>>

/** What is wrong with the records of the partition of this prefix, whose hashes `tr` are `names`. */
export async function recordBreaches(
  redis: Redis | Cluster,
  prefix: string,
  names: readonly string[],
): Promise<readonly string[]> {
  const lines = (await redis.xrange(`${prefix}records`, '-', '+')).map(([, [, text = '']]) => text)
  const written = new Set(lines.map((line) => line.split('\n', 1)[0]))
  const breaches: string[] = []
  let bytes = 0
  for (const name of names) {
    const fields = await redis.hgetall(name)
    const conversation = name.slice(`${prefix}tr:`.length)
    const isWritten = (id: string): boolean =>
      ['turn', 'work'].some((kind) => written.has(`${kind} ${conversation} ${id}`))
    breaches.push(...hashBreaches(fields, isWritten).map((breach) => `${name}: ${breach}`))
    bytes += weighRecords(fields)
  }
  for (const line of lines) bytes += weighLine(line)
  const counted = Number((await redis.hget(`${prefix}recorded`, 'bytes')) ?? 0)
  return counted === bytes ? breaches : [...breaches, `${prefix}recorded: counts ${counted} bytes of ${bytes}`]
}

const toBytes = (text = ''): number => Buffer.byteLength(text)
const toLines = (text = ''): readonly string[] => text.split('\n').filter(Boolean)
const isMessage = (field: string): boolean => /^[@>]/.test(field)
const isRecord = (field: string): boolean => !isMessage(field) && !/[/#]$/.test(field)

function hashBreaches(fields: Fields, isWritten: (id: string) => boolean): readonly string[] {
  return Object.entries(fields).flatMap(([field, text]) => {
    if (isMessage(field)) {
      const ids = text.split(' ')
      const named = ids.filter((id) => toLines(fields[`${id}/`]).includes(field))
      return named.length === ids.length && new Set(ids).size === ids.length
        ? []
        : [`${field} names ${ids.length} records, of which ${named.length} know it`]
    }
    const id = field.replace(/[/#]$/, '')
    if (!(id in fields)) return [`${field} belongs to no record`]
    if (field.endsWith('/'))
      return toLines(text).flatMap((message) =>
        (fields[message] ?? '').split(' ').includes(id) ? [] : [`${message} does not name ${id}`],
      )
    return isRecord(field) && !isWritten(field) ? [`no line names ${field}`] : []
  })
}

function weighRecords(fields: Fields): number {
  const weigh = (id: string, text: string): number => {
    const links = toLines(fields[`${id}/`]).map((message) => linkBytes + 2 * toBytes(message) + toBytes(id))
    return recordBytes + toBytes(text) + links.reduce((sum, one) => sum + one, 0)
  }
  return Object.entries(fields).reduce((sum, [id, text]) => sum + (isRecord(id) ? weigh(id, text) : 0), 0)
}

function weighLine(line: string): number {
  const [head = '', ...says] = line.split('\n')
  const [, , ...ids] = head.split(' ')
  return lineBytes + toBytes(ids.join(' ')) + toBytes(says.join('\n'))
}
