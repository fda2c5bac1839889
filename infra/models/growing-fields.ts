// Fields that come in pieces: texts and lists grow, all else is replaced. Bounded: what goes beyond that is left out.
import { isList, type Fields } from '#shared/json.ts'

export type GrowingFields = { add(fields: Fields): void; read(): Fields }

/** UTF-16 units. */
const mostUnits = 64_000

export function createFields(): GrowingFields {
  const all = new Map<string, unknown>()
  let units = 0
  return {
    add(fields) {
      for (const [key, value] of Object.entries(fields)) {
        units += JSON.stringify(value).length
        if (units > mostUnits) return
        const before = all.get(key)
        if (typeof before === 'string' && typeof value === 'string') all.set(key, before + value)
        else if (isList(before) && isList(value)) all.set(key, before.concat(value))
        else all.set(key, value)
      }
    },
    read: () => Object.fromEntries(all),
  }
}
