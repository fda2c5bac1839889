// How far each conversation was read in this browser. What was there before it first looked counts as read.

const storageKey = 'flotilla.read'

/** @returns {Record<string, number>} */
function load() {
  try {
    /** @type {unknown} */
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? '{}')
    const all = typeof stored === 'object' && stored !== null ? Object.entries(stored) : []
    return Object.fromEntries(all.filter(([, at]) => typeof at === 'number'))
  } catch {
    return {}
  }
}

/** @param {readonly { id: string, saidAt?: number | undefined }[]} listed */
export function startMarks(listed) {
  const known = load()
  // Those that are gone from the list are forgotten here too.
  const marks = Object.fromEntries(listed.map(({ id, saidAt }) => [id, known[id] ?? saidAt ?? 0]))
  localStorage.setItem(storageKey, JSON.stringify(marks))
}

/** @param {string} id @param {number} at ms since 1970 */
export function markRead(id, at) {
  const marks = load()
  if ((marks[id] ?? 0) >= at) return
  localStorage.setItem(storageKey, JSON.stringify({ ...marks, [id]: at }))
}

/** @param {string} id @param {number | undefined} saidAt */
export function isUnread(id, saidAt) {
  const at = load()[id]
  return saidAt !== undefined && at !== undefined && saidAt > at
}
