// A record as search sees it.
import type { Entry } from './entry.ts'
import type { MemoryRecord } from './record.ts'

export const toEntry = ({ scope, number, kind, text, name, saidAt, status, pinned, unfit }: MemoryRecord): Entry => ({
  scope,
  id: String(number),
  kind,
  text,
  ...(name === undefined ? {} : { speaker: name }),
  atMs: saidAt,
  firm: status === 'confirmed' || pinned === true,
  ...(unfit === undefined ? {} : { unfit }),
})
