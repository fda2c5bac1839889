// A record as search sees it: an anchor is found by its reasons and tags, too.
import type { Entry } from './entry.ts'
import type { MemoryRecord } from './record.ts'

export function toEntry(record: MemoryRecord): Entry {
  const { scope, number, kind, name, saidAt, status, pinned, unfit } = record
  return {
    scope,
    id: String(number),
    kind,
    text: toSearchedText(record),
    ...(name === undefined ? {} : { speaker: name }),
    atMs: saidAt,
    firm: status === 'confirmed' || pinned === true,
    ...(unfit === undefined ? {} : { unfit }),
  }
}

/** All the words of a record that it is found by. */
export function toSearchedText({ text, anchor, skill }: Pick<MemoryRecord, 'text' | 'anchor' | 'skill'>): string {
  if (skill) return [text, ...skill.triggers].join('\n')
  if (!anchor) return text
  const { why = '', context = '', tags } = anchor
  return [text, why, context, ...tags].filter((part) => part !== '').join('\n')
}
