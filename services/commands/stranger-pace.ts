// How often people nobody admitted are answered, whatever they send: what they cost is bounded, however many they are. It is kept by each
// process for itself.

/** Of one stranger within an hour: enough for a code typed wrong a few times. */
const perPerson = 10
const personMs = 3_600_000
/** Of all of them together, within a minute. */
const perMinute = 60

/** Whether this stranger may be answered now; then it counts. */
export function createStrangerPace(nowMs: () => number): (stranger: string) => boolean {
  let times: number[] = []
  /** Answers by stranger, in the order in which they were first answered; so at most an hour's answers are kept. */
  const people = new Map<string, { count: number; readonly sinceMs: number }>()
  return (stranger) => {
    const atMs = nowMs()
    for (const [name, { sinceMs }] of people) {
      if (atMs - sinceMs < personMs) break
      people.delete(name)
    }
    times = times.filter((timeMs) => atMs - timeMs < 60_000)
    const person = people.get(stranger) ?? { count: 0, sinceMs: atMs }
    if (times.length >= perMinute || person.count >= perPerson) return false
    times.push(atMs)
    person.count += 1
    people.set(stranger, person)
    return true
  }
}
