// What is worth remembering in a message, by rules alone. The spirit of the message is judged first; then each sentence is read as clauses, each clause
// by its subject and its verb. Nothing comes of what is doubtful: something missed may be said again, something false is told to others.
import { resolveDays, findValidFrom } from './dates.ts'
import { judgeEnglish, type Verdict } from './en-judge.ts'
import { renderEnglish, roleOf } from './en-render.ts'
import { toClauses, type Clause } from './en-clauses.ts'
import { toKind } from '#services/memory/kind.ts'
import { findRefusal } from '#services/memory/refuse.ts'
import type { Candidate, JudgedMessage, Sentence } from './message.ts'
import { toSentences } from './sentences.ts'
import { toProse } from './setting.ts'
import { findHan } from './zh-sentence.ts'

const mostCandidates = 10
const mostContentChars = 1000

export type Rough = { readonly category: Candidate['category']; readonly content: string; readonly topic: string }

/** At most ten, in the order in which they are said. Linear in the text. */
export function findCandidates(message: JudgedMessage): readonly Candidate[] {
  const prose = toProse(message)
  if (prose === undefined || findRefusal(message.text, { group: message.chat === 'group' })) return []
  const found = toSentences(prose).flatMap((sentence) => judgeSentence(sentence, message))
  const distinct = found.filter(({ content }, at) => found.findIndex((other) => other.content === content) === at)
  return distinct.slice(0, mostCandidates)
}

function judgeSentence(sentence: Sentence, message: JudgedMessage): readonly Candidate[] {
  const isHan = /\p{Script=Han}/u.test(sentence.text)
  const rough = isHan ? findHan(sentence, message) : findEnglish(sentence, message)
  return rough.map(({ category, content, topic }) => {
    const { text } = resolveDays(content, message.atMs)
    const validFrom = findValidFrom(
      sentence.text,
      message.atMs,
      /moved|since|start|switched|changed|搬|换|改/u.test(sentence.text),
    )
    const holds =
      validFrom !== undefined &&
      (topic === 'home' || topic === 'corrected' || topic === 'changed' || category === 'fact')
    const kept = text.slice(0, mostContentChars).toWellFormed()
    return { category, content: kept, explicit: sentence.explicit, ...(holds ? { validFrom } : {}) }
  })
}

function findEnglish({ text, isQuestion, explicit }: Sentence, message: JudgedMessage): readonly Rough[] {
  const isGroup = message.chat === 'group'
  const found: Rough[] = []
  for (const clause of toClauses(text, isQuestion)) {
    const verdict =
      judgeEnglish(clause, { isGroup, explicit }) ?? (explicit && found.length === 0 ? ordered(clause) : undefined)
    if (!verdict) continue
    found.push({
      category: verdict.category,
      topic: verdict.topic,
      content: renderEnglish(clause, verdict, { speaker: message.speaker, isGroup }),
    })
    const role = verdict.topic === 'name' ? findRole(clause, message.speaker) : undefined
    if (role) found.push(role)
  }
  return found
}

/** What is ordered to be kept is kept, whatever it says. */
function ordered({ words }: Clause): Verdict | undefined {
  return words.length > 2 ? { category: toKind(words.map(({ as }) => as).join(' ')), topic: 'said' } : undefined
}

/** "I'm Noor, a pharmacist in Leeds" says two things. */
function findRole({ tails }: Clause, speaker: string): Rough | undefined {
  const role = tails.map(roleOf).find((said) => said !== undefined)
  return role === undefined ? undefined : { category: 'fact', topic: 'job', content: `${speaker} is ${role}` }
}
