// The refusals of memory, for those who have something kept.
import { refusals } from '#services/memory/refusal-words.ts'
import { findRefusal } from '#services/memory/refuse.ts'
import type { Refuse } from '#services/curiosity/desk/ports.ts'

export const refuse: Refuse = (text, where) => {
  const matter = findRefusal(text, where)
  return matter && { matter, why: refusals[matter] }
}
