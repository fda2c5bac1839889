// What the demo model knows of the product: the questions that people ask first, each with its words and its answer. A message fits when
// it has a word of every group of a fact; no pattern is matched. A test holds commands, settings and files named there to what exists.
import table from './demo-facts.json' with { type: 'json' }
import type { DemoLanguage } from './demo-turn.ts'
import { toNormalForm } from '#shared/chat/normal-form.ts'

/** A longer message is work, not a question about the product. */
const maxLength = 120
/** Stands in a group for all words that ask. */
const anyQuestion = '?'

const facts = table.facts.map(({ words, ...answers }) => ({
  groups: words.map((group) => group.flatMap((word) => (word === anyQuestion ? table.question : [word]))),
  answers,
}))

/** The answer of the first fact that fits. */
export function findFact(asked: string, language: DemoLanguage): string | undefined {
  if (asked.length > maxLength) return undefined
  const text = ` ${toNormalForm(asked, 'NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}/]+/gu, ' ')
    .replaceAll(/(?<=\p{Script=Han})(?=[a-z\d/])|(?<=[a-z\d])(?=\p{Script=Han})/gu, ' ')} `
  const found = facts.find(({ groups }) => groups.every((group) => group.some((word) => has(text, word))))
  return found?.answers[language].join('\n')
}

/** Chinese words stand anywhere, others between spaces; `connect*` is also found as the beginning of a word. */
function has(text: string, word: string): boolean {
  if (/\p{Script=Han}/u.test(word)) return text.includes(word)
  return text.includes(word.endsWith('*') ? ` ${word.slice(0, -1)}` : ` ${word} `)
}
