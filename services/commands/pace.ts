// How often somebody is answered without it costing tokens: people nobody admitted, whatever they send, and members by their commands. What
// one person can spend of an app's calls or of a chat's places is bounded so, however much they write. It is kept by each process for itself.

/** `tell`: no more than that they are too fast; `silent`: nothing any more. */
export type Pace = 'answer' | 'tell' | 'silent'

export type PaceLimits = {
  readonly perPerson: number
  /** ms from a person's first answer until they are answered anew. */
  readonly personMs: number
  /** Answers to all of them within a minute. */
  readonly perMinute?: number
}

/** Enough for a code typed wrong a few times. */
export const strangers: PaceLimits = { perPerson: 10, personMs: 3_600_000, perMinute: 60 }
/** Enough for somebody who tries out all there is. */
export const members: PaceLimits = { perPerson: 30, personMs: 600_000 }

export type PaceCount = {
  /** How this person may be answered now. */
  of(person: string): Pace
  /** They were answered, or told that they are too fast. */
  note(person: string): void
}

export function createPace(nowMs: () => number, { perPerson, personMs, perMinute = Infinity }: PaceLimits): PaceCount {
  let times: number[] = []
  /** By person, in the order in which they were first answered; so at most as many are kept as came within `personMs`. */
  const people = new Map<string, { count: number; readonly sinceMs: number }>()
  const forget = (atMs: number): void => {
    for (const [known, { sinceMs }] of people) {
      if (atMs - sinceMs < personMs) break
      people.delete(known)
    }
    times = times.filter((timeMs) => atMs - timeMs < 60_000)
  }
  return {
    of(name) {
      forget(nowMs())
      const count = people.get(name)?.count ?? 0
      if (times.length >= perMinute || count > perPerson) return 'silent'
      return count === perPerson ? 'tell' : 'answer'
    },
    note(name) {
      const person = people.get(name) ?? { count: 0, sinceMs: nowMs() }
      person.count += 1
      people.set(name, person)
      if (perMinute < Infinity) times.push(nowMs())
    },
  }
}
