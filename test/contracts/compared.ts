// What of two kernels' answers is compared: what is drawn by chance is left out, and a refusal is an answer.
import type { BegunRow } from '#queues/kernel/kernel.ts'

/** A begun row without what is drawn by chance: ids of notices and of their questions. */
export function anonymous(begun: BegunRow): unknown {
  const unnamed = (id: string): string => id.replace(/^notice-[^.]+/, 'notice')
  const { body } = begun
  const told = body.kind === 'notice' ? { ...body, about: unnamed(body.about), question: '' } : body
  return { ...begun, id: unnamed(begun.id), body: told }
}

type Refused = { readonly kind: 'REFUSED'; readonly code: unknown }
export async function answer<T>(call: Promise<T>): Promise<T | Refused> {
  try {
    return await call
  } catch (error) {
    if (error instanceof Error && 'code' in error) return { kind: 'REFUSED', code: error.code }
    throw error
  }
}
