// Finds fields of what a step stores that its schema does not know: what is spread into a stored thing by mistake would stay in Redis, and
// reading keeps it, since a newer release may know it.
import type { z } from 'zod'
import { chatEvent } from '#shared/chat/event.ts'
import { journalEntry } from '#shared/run/journal.ts'
import { outBody } from '#shared/run/out-row.ts'
import { question } from '#shared/run/question.ts'
import { turnRecord, workRecord } from '#shared/run/record.ts'
import type { Append } from '#shared/run/step.ts'

/** Their places, such as `timers.0.event.wanted`. */
export function findUnknownFields({ entries, rows, questions, timers, letters, records }: Append): readonly string[] {
  const parts: readonly (readonly [string, z.ZodType, readonly unknown[]])[] = [
    ['entries', journalEntry, entries],
    ['rows', outBody, (rows ?? []).map(({ body }) => body)],
    ['questions', question, questions ?? []],
    ['timers', chatEvent, (timers ?? []).map(({ event }) => ({ ...event, at: 0 }))],
    ['letters', chatEvent, (letters ?? []).map(({ event }) => ({ ...event, at: 0 }))],
    ['turns', turnRecord, (records ?? []).flatMap((one) => (one.kind === 'turn' ? [one.record] : []))],
    ['works', workRecord, (records ?? []).flatMap((one) => (one.kind === 'work' ? [one.record] : []))],
  ]
  return parts.flatMap(([name, schema, stored]) =>
    stored.flatMap((value, i) => {
      const json: unknown = JSON.parse(JSON.stringify(value))
      return findMore(json, schema.parse(json), `${name}.${i}`)
    }),
  )
}

/** What there is in a value and not in what a schema made of it. */
function findMore(value: unknown, known: unknown, place: string): readonly string[] {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = Array.isArray(known) ? known : []
    return value.flatMap((item: unknown, i) => findMore(item, items[i], `${place}.${i}`))
  }
  if (!isObject(value)) return []
  const fields = isObject(known) ? known : {}
  return Object.entries(value).flatMap(([name, item]) =>
    name in fields ? findMore(item, fields[name], `${place}.${name}`) : [`${place}.${name}`],
  )
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
