// An English clause in the third person: "I'm off every Wednesday" is "Noor is off every Wednesday".
import type { Clause, Word } from './en-clauses.ts'
import { toFrame } from './en-frame.ts'
import { adverbs } from './en-words.ts'
import type { Verdict } from './en-judge.ts'

export function renderEnglish(clause: Clause, verdict: Verdict, speaker: string, isGroup: boolean): string {
  const frame = toFrame(clause.words)
  const words = verdict.topic === 'corrected' ? (clause.tails[0] ?? []) : clause.words.slice(verdict.skip ?? 0)
  const tails = verdict.topic === 'corrected' ? [] : clause.tails
  const isOrder =
    verdict.topic === 'style' &&
    !/^(?:i|my|we|everyone|everybody|people|your|all|answers|replies|code|numbers)$/u.test(clause.words[0]?.low ?? '')
  const whole = [words, ...tails].map((part) => toThird(part, speaker, isGroup).join(' ')).join(', ')
  if (verdict.topic === 'corrected')
    return `${speaker}: ${whole.replace(/ since .{1,40}$/u, '')} (not before)`.replace(' (not before)', '')
  if (isOrder) return `${speaker} wants: ${whole.replace(/^(?:please|from now on|can you|could you)[, ]+/iu, '')}`
  if (frame.who === 'none' && verdict.skip === undefined)
    return `${speaker} ${/^(?:allergic|based|born|big|huge|massive|not|into|fond|from|married|hooked|living|working)/u.test(whole) ? 'is ' : ''}${whole}`
  return whole
}

/** Verbs behind "I" take the third person's ending. */
function toThird(words: readonly Word[], speaker: string, isGroup: boolean): readonly string[] {
  const out: string[] = []
  let isVerbNext = false
  for (const { low, as } of words) {
    if (isVerbNext && !adverbs.has(low) && low !== 'not') {
      out.push(inflect(low, as))
      isVerbNext = false
      continue
    }
    if (low === 'i' || (low === 'we' && !isGroup)) isVerbNext = true
    if (low === 'i') out.push(speaker)
    else if (low === 'we') out.push(isGroup ? 'the group' : `${speaker}’s household`)
    else if (low === 'my' || low === 'mine') out.push(`${speaker}'s`)
    else if (low === 'our' || low === 'ours') out.push(isGroup ? 'the' : `${speaker}'s`)
    else if (low === 'me' || low === 'myself') out.push(speaker)
    else out.push(as)
  }
  return out
}

const irregular: Readonly<Record<string, string>> = { am: 'is', are: 'is', have: 'has', do: 'does', go: 'goes' }
const same =
  /^(?:can|will|would|could|must|should|may|might|ought|had|was|were|is|has)$|ed$|^(?:got|chose|chosen|bought|became|made|went)$/u

function inflect(low: string, as: string): string {
  if (same.test(low)) return as
  const known = irregular[low]
  if (known !== undefined) return known
  if (/(?:s|sh|ch|x|z)$/u.test(low)) return `${as}es`
  return /[^aeiou]y$/u.test(low) ? `${as.slice(0, -1)}ies` : `${as}s`
}
