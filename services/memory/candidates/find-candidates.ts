// What is worth remembering in a message, by rules alone. The spirit of the message is judged first; then each sentence is read as clauses, each clause
// by its subject and its verb. Nothing comes of what is doubtful: something missed may be said again, something false is told to others.
import { resolveDays, findValidFrom } from './dates.ts'
import { judgeEnglish } from './en-judge.ts'
import { renderEnglish, roleOf } from './en-render.ts'
import { toClauses, type Clause } from './en-clauses.ts'
import { toKind } from '#services/memory/kind.ts'
import { findRefusal } from '#services/memory/refuse.ts'
import type { Candidate, JudgedMessage, Rough, Sentence, Verdict } from './message.ts'
import { toSentences } from './sentences.ts'
import { toProse } from './setting.ts'
import { findHan } from './zh-sentence.ts'

const mostCandidates = 10
const mostContentChars = 1000

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
  let isSettled = false
  for (const clause of toClauses(text, isQuestion)) {
    const verdict =
      judgeEnglish(clause, { isGroup, explicit }) ?? (explicit && found.length === 0 ? ordered(clause) : undefined)
    // "Decision made, I'm taking the job": what was settled stands in the next clause.
    if (verdict?.category === 'decision' && clause.words.length < 4 && clause.tails.length === 0) {
      isSettled = true
      continue
    }
    if (!verdict && !isSettled) continue
    const { category, topic }: Verdict = isSettled || !verdict ? { category: 'decision', topic: 'decision' } : verdict
    isSettled = false
    const content = renderEnglish(clause, verdict ?? { category, topic }, { speaker: message.speaker, isGroup })
    const last = found.at(-1)
    // One wish about how to be served, in two clauses.
    if (topic === 'style' && last?.topic === 'style')
      found.splice(-1, 1, { ...last, content: `${last.content}, ${content}` })
    else found.push({ category, topic, content })
    const role = topic === 'name' ? findRole(clause, message.speaker) : undefined
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
