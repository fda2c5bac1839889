// Judges a call of a tool by what it does to the world and by what others wrote that the model has read. Pure: run it, perhaps with less than
// was asked, or refuse it with a reason that the model can tell the person.
import type { Taint } from '#shared/model/taint.ts'
import type { Tool } from '#shared/model/tool.ts'
import { mostQueryChars, refuseAddress, stripQuery, type Known } from './reach.ts'

export type Verdict =
  /** `note` tells the model what was taken out of its input. */
  | { readonly do: 'run'; readonly input: unknown; readonly note?: string }
  | { readonly do: 'refuse'; readonly why: string }

type Judged = Pick<Tool, 'effect' | 'sends'>

export function judge({ effect, sends }: Judged, input: unknown, taint: Taint, known: () => Known): Verdict {
  const isTainted = taint.length > 0
  // Until a person can be asked to approve the exact call.
  if (isTainted && effect === 'write')
    return {
      do: 'refuse',
      why: `this turn has read what others wrote (${taint.join(', ')}), and it changes something.`,
    }
  const sent = sends && toText(input, sends.argument)
  if (!sends || sent === undefined) return { do: 'run', input }
  if (sends.what === 'query') return judgeQuery(input, sends.argument, isTainted ? stripQuery(sent, known()) : sent)
  const why = isTainted ? refuseAddress(sent, known()) : undefined
  if (why === undefined) return { do: 'run', input }
  return {
    do: 'refuse',
    why: `this turn has read what others wrote (${taint.join(', ')}), and of this address ${why}.`,
  }
}

function judgeQuery(input: unknown, argument: string, query: string): Verdict {
  // On one line, since the note is read back with the results.
  const short = query.slice(0, mostQueryChars).toWellFormed().replaceAll(/\s+/g, ' ').trim()
  if (short === '' && toText(input, argument) !== '')
    return { do: 'refuse', why: 'nothing of the query was written by the person. Use their own words.' }
  if (short === toText(input, argument)) return { do: 'run', input }
  return { do: 'run', input: { ...Object(input), [argument]: short }, note: `[asked for: ${short}]` }
}

function toText(input: unknown, argument: string): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  const value: unknown = Object.entries(input).find(([name]) => name === argument)?.[1]
  return typeof value === 'string' ? value : undefined
}
