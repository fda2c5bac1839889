// What a statement tells, of whom.

export type Told = {
  readonly relation: string
  /** `self`, `we`, a role such as `mother`, or a name. */
  readonly subject: string
  readonly value: string
  /** It may be true beside another value: only what says that something changed takes its place. */
  readonly keeps?: true
}
