// What no question may be about, by the rules of memory.
import type { Refuse } from '#services/curiosity/desk/ports.ts'

/** Grants of rights are told by memory from statements; a question has words of its own for them. */
export const toRefused =
  (refuse: Refuse) =>
  (text: string): boolean => {
    const refused = refuse(text, { group: true })
    return refused !== undefined && refused.matter !== 'right'
  }
