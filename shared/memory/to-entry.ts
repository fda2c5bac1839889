// A record as search sees it.
import type { Entry } from './entry.ts'
import type { MemoryRecord } from './record.ts'

export const toEntry = ({
  scope,
  number,
  kind,
  text,
  name,
  saidAt,
  status,
  pinned,
  unfit,
  skill,
}: MemoryRecord): Entry => ({
  scope,
  id: String(number),
  kind,
  // A skill is found by what it is for, too.
  text: skill ? [text, ...skill.triggers].join('\n') : text,
  ...(name === undefined ? {} : { speaker: name }),
  atMs: saidAt,
  firm: status === 'confirmed' || pinned === true,
  ...(unfit === undefined ? {} : { unfit }),
})
