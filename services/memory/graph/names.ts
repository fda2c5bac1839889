// Names that may stand in a text: each row of its words, and each part of its Chinese. Those that are no entity of a scope are simply not found there.
import { toNormalForm } from '#shared/chat/normal-form.ts'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { toEntityKey, toPlainName } from '#shared/memory/entity-key.ts'
import type { EntityKey } from '#shared/memory/graph.ts'

const mostKeys = 2400
const mostChars = 2000
const mostWordsOfName = 5
const [leastSigns, mostSigns] = [2, 8]
const self = /(?<![a-z])(?:i|me|my|mine|myself|we|our|us)(?![a-z])|[我咱俺]/iu

/** At most 2,400, those of the beginning first. `principal` is who "I" is. */
export function findNames(text: string, principal: PrincipalId): readonly EntityKey[] {
  const said = toNormalForm(text.slice(0, mostChars), 'NFKC')
  const found = new Set<EntityKey>(self.test(said) ? [toEntityKey({ name: '', principal })] : [])
  for (const [run] of said.matchAll(/\p{Script=Han}+|(?:(?!\p{Script=Han})[^])+/gu)) {
    const names = /^\p{Script=Han}/u.test(run) ? partsOf([...run]) : rowsOf(run)
    for (const name of names) {
      if (found.size >= mostKeys) return [...found]
      if (name !== '') found.add(name)
    }
  }
  return [...found]
}

function* partsOf(signs: readonly string[]): Generator<string> {
  for (let at = 0; at < signs.length; at += 1)
    for (let length = leastSigns; length <= mostSigns && at + length <= signs.length; length += 1)
      yield signs.slice(at, at + length).join('')
}

function* rowsOf(run: string): Generator<string> {
  const words = run.split(/\s+/u).filter((word) => word !== '')
  for (let at = 0; at < words.length; at += 1)
    for (let length = 1; length <= mostWordsOfName && at + length <= words.length; length += 1) {
      const name = toPlainName(words.slice(at, at + length).join(' '))
      yield name
      yield name.replace(/['’]s$/u, '')
    }
}
