// A check says what it found and, if that is wrong, how to mend it.

export type Finding = {
  /** `waits`: another step comes first. */
  readonly level: 'ok' | 'off' | 'warning' | 'error' | 'waits'
  readonly about: string
  readonly found: string
  /** What to do; only where something is wrong. */
  readonly fix?: string
}

export function finding(about: string, found: string, good: boolean, fix: string): Finding {
  return good ? { level: 'ok', about, found } : { level: 'error', about, found, fix }
}
