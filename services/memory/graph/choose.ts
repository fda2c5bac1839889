// What is kept of a model's answer: what it was sure of, in names and values that stand in the messages, and that may be kept there. The answer is as
// untrusted as the messages.
import { toNormalForm } from '#shared/chat/normal-form.ts'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { toEntityKey, toPlainName } from '#shared/memory/entity-key.ts'
import type { GraphCount, GraphEntity, NewGraphItem } from '#shared/memory/graph.ts'
import { findRefusal } from '#services/memory/refuse.ts'
import { speakerName, type Answer } from './question.ts'

/** From here on it counts at once; from the other on it waits until it is said again. */
export const sureFrom = 0.75
const pendingFrom = 0.55
const mostItems = 60

export type Said = {
  readonly texts: readonly string[]
  readonly speaker: PrincipalId
  /** Their shown name. */
  readonly name?: string | undefined
  readonly saidAt: number
  readonly group: boolean
}
export type Chosen = {
  readonly items: readonly NewGraphItem[]
  readonly counts: ReadonlyMap<GraphCount, number>
}

const self = new Set([
  speakerName.toLowerCase(),
  'i',
  'me',
  'my',
  'myself',
  'user',
  'the user',
  'the speaker',
  '我',
  '本人',
  '用户',
  '说话人',
])
const noName =
  /^(?:he|she|it|they|we|you|him|her|them|us|his|hers|its|their|our|your|this|that|these|those|someone|somebody|everyone|everybody|who|what|你|您|他|她|它|他们|她们|它们|我们|咱们|你们|大家|这|那|这个|那个|有人|谁)$/u
const small = new Set('a an the of in at to and is are was on for by with from as or 的 了 是 在'.split(' '))

export function choose({ entities }: Answer, said: Said): Chosen {
  const counts = new Map<GraphCount, number>()
  const count = (what: GraphCount): void => {
    counts.set(what, (counts.get(what) ?? 0) + 1)
  }
  const text = toText(said.texts.join('\n'))
  const types = new Map(entities.map(({ entity, type }) => [toPlainName(entity), type]))
  const toEntity = (name: string): GraphEntity | undefined => findEntity(name, { said, text, types })
  const found = new Map<string, NewGraphItem>()
  const add = (item: NewGraphItem | undefined): void => {
    if (!item) return count('invented')
    if (item.confidence < pendingFrom) return count('unsure')
    const words = item.kind === 'fact' ? item.value : item.to.name
    if (findRefusal(`${item.entity.name} ${item.key} ${words}`, said)) return count('refused')
    const id = JSON.stringify([toEntityKey(item.entity), item.key.toLowerCase(), words.toLowerCase()])
    const isSurer = item.confidence > (found.get(id)?.confidence ?? 0)
    if (isSurer && (found.has(id) || found.size < mostItems)) found.set(id, item)
  }
  for (const one of entities) {
    const entity = toEntity(one.entity)
    for (const { key, value, confidence } of one.facts)
      add(
        entity && standsAll(value, text)
          ? { ...toCommon(said), kind: 'fact', entity, key: toKey(key), value, confidence }
          : undefined,
      )
    for (const { type, to, confidence } of one.relations) {
      const other = toEntity(to)
      const isPair = entity && other && toEntityKey(entity) !== toEntityKey(other)
      add(isPair ? { ...toCommon(said), kind: 'relation', entity, key: toKey(type), to: other, confidence } : undefined)
    }
  }
  const items = [...found.values()]
  for (const { confidence } of items) count(confidence >= sureFrom ? 'written' : 'pending')
  return { items, counts }
}

const toCommon = ({ speaker, name, saidAt }: Said) => ({
  speaker,
  ...(name === undefined ? {} : { name: name.slice(0, 100).toWellFormed() }),
  saidAt,
})

/** The model's own words: a label, on one line. */
const toKey = (key: string): string =>
  key
    .replaceAll(/[_\s]{1,60}/gu, ' ')
    .trim()
    .toWellFormed() || 'is'

type Known = { readonly said: Said; readonly text: string; readonly types: ReadonlyMap<string, GraphEntity['type']> }

function findEntity(name: string, { said, text, types }: Known): GraphEntity | undefined {
  const plain = toPlainName(name)
  const own = said.name === undefined ? undefined : toPlainName(said.name)
  if (self.has(plain) || (own !== undefined && plain === own))
    return { name: said.name?.slice(0, 80).toWellFormed() || speakerName, type: 'person', principal: said.speaker }
  if (plain === '' || noName.test(plain) || !stands(plain, text)) return undefined
  return { name: name.replaceAll(/\s{1,80}/gu, ' ').toWellFormed(), type: types.get(plain) ?? 'concept' }
}

const toText = (text: string): string =>
  toNormalForm(text, 'NFKC')
    .toLowerCase()
    .replaceAll(/[\p{Z}\s]+/gu, ' ')

const isWordSign = (sign: string): boolean => /^(?!\p{Script=Han})[\p{L}\p{N}]$/u.test(sign)

/** As whole words, except in Chinese, which has no spaces. Both are plain. */
function stands(words: string, text: string): boolean {
  const [first = '', last = ''] = [words.at(0), words.at(-1)]
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const before = isWordSign(first) && isWordSign(text.charAt(at - 1))
    const behind = isWordSign(last) && isWordSign(text.charAt(at + words.length))
    if (!before && !behind) return true
  }
  return false
}

/** Each word of it, in whatever order; of Chinese each two signs. */
function standsAll(value: string, text: string): boolean {
  const plain = toText(value)
  const words = plain.match(/(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu) ?? []
  const runs = plain.match(/\p{Script=Han}+/gu) ?? []
  if (words.length + runs.length === 0) return false
  const pairs = runs.flatMap((run) =>
    run.length === 1 ? [run] : Array.from(run.slice(1), (_, at) => run.slice(at, at + 2)),
  )
  return words.every((word) => small.has(word) || stands(word, text)) && pairs.every((pair) => text.includes(pair))
}
