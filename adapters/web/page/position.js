// Positions in a conversation, as the server gives them: `<ms>-<count>`, or `0` for the beginning.

/** Whether it comes later. @param {string} id @param {string} other */
export function isAfter(id, other) {
  const [ms = 0, count = 0] = id.split('-').map(Number)
  const [otherMs = 0, otherCount = 0] = other.split('-').map(Number)
  return ms > otherMs || (ms === otherMs && count > otherCount)
}
