// What of a platform's payload is read, or why it is ignored. What comes over the network is trusted in nothing.

export type Ignored = { readonly kind: 'ignored'; readonly reason: string }

type Schema<T> = { safeParse(value: unknown): { success: true; data: T } | { success: false } }

export function read<T, R>(schema: Schema<T>, value: unknown, use: (value: T) => R): R | Ignored {
  const parsed = schema.safeParse(value)
  return parsed.success ? use(parsed.data) : ignored('malformed')
}

export const ignored = (reason: string): Ignored => ({ kind: 'ignored', reason })
