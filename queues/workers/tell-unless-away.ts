// What the operator is told of work that goes on without a part of it.
import { BotError } from '#shared/errors.ts'

export type Tell = (what: string, error: unknown) => void

/** While Redis is away everything says so. */
export function tellUnlessAway(onTrouble: Tell, what: string, error: unknown): void {
  if (!(error instanceof BotError) || error.code !== 'store-unavailable') onTrouble(what, error)
}
