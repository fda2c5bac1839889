// What plain words of both languages are found by.
import type { SlashCommand } from '#shared/chat/event.ts'

/** Each is to fit the whole of a message. */
export const toPatterns = (...all: readonly string[]): readonly RegExp[] =>
  all.map((one) => new RegExp(`^(?:${one})$`, 'iu'))

export const fits = (all: readonly RegExp[], said: string): boolean => all.some((one) => one.test(said))

/** What the first pattern that fits names; empty where it names nothing. */
export function findThing(all: readonly RegExp[], said: string): string | undefined {
  const found = all.map((one) => one.exec(said)).find((one) => one !== null)
  return found ? (found[1] ?? '') : undefined
}

export const toMemory = (args: string): SlashCommand => ({ name: 'memory', args })
export const toForget = (args: string): SlashCommand => ({ name: 'forget', args })
