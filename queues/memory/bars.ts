// What somebody had forgotten is not inferred again. Of its words stay hashes alone, with a key that the fleet made for itself: they tell whether a text
// says as much, and not what it said.
import { createHmac, randomBytes } from 'node:crypto'
import { agree } from '#shared/memory/agree.ts'
import type { MemoryScope, NewRecord } from '#shared/memory/record.ts'
import type { Comparing } from '#shared/memory/store.ts'
import type { RedisClient } from '#queues/connection.ts'
import { fromStore } from '#queues/store-failure.ts'
import { readSharers, type Place } from './place.ts'
import { scopePrefix } from './scope-key.ts'

const secretKey = 'fl:{bars}:key'
const secretBytes = 32
/** The most bars of a person's own scope, or of one speaker in a chat's scope. The oldest ones go first. */
const mostBars = 300
const mostWords = 40
const keptMs = 400 * 86_400_000
const signs = 8

/** Of a question, its reasons and answers are compared, too. */
type Told = Pick<NewRecord, 'text' | 'speaker' | 'name'> & Partial<Pick<NewRecord, 'asks'>>

/** By hashes. A bar is written as `<slot> <value,…> <word,…> <telling word,…> <enough>`. */
type Heard = {
  readonly slot: string
  readonly value: readonly string[]
  readonly words: readonly string[]
  /** Those of them that tell something. */
  readonly telling: readonly string[]
  /** So many of its words say as much as all of them. */
  readonly enough: number
}

export type Bars = {
  /** Nobody is to infer these again. */
  add(place: Place, all: readonly Told[]): Promise<void>
  /** The ones that say what somebody had forgotten. */
  findBarred<T extends Told>(place: Place, all: readonly T[]): Promise<readonly T[]>
  /** It was said once more, to be kept. */
  lift(place: Place, told: Told): Promise<void>
  /** The bars of one person's scope hold in the other scope, too. */
  copy(from: MemoryScope, to: MemoryScope): Promise<void>
}

export function createBars(redis: RedisClient, comparing: Comparing): Bars {
  const openHearing = createHearing(redis, comparing)
  /** Nobody is asked about what they had forgotten. Chats of one project keep their bars, and each has those of all. */
  async function findScopes({ scope, at }: Place): Promise<readonly MemoryScope[]> {
    if (at.startsWith('ask:')) return [`user:${at.slice('ask:'.length)}`]
    if (at === scope || isOwn(at)) return [at]
    return [...new Set([scope, ...(await readSharers(redis, at)).keys()])]
  }
  const read = async (key: string): Promise<readonly string[]> => await fromStore(redis.zrange(key, '0', '-1'))
  async function write(key: string, members: readonly (readonly [number, string])[]): Promise<void> {
    if (members.length === 0) return
    await fromStore(redis.zadd(key, ...members.flat()))
    await fromStore(redis.zremrangebyrank(key, 0, -mostBars - 1))
    await fromStore(redis.pexpire(key, keptMs))
  }
  return {
    async add(place, all) {
      if (all.length === 0) return
      // By one clock for all processes, in microseconds: the oldest ones go first.
      const [seconds, micros] = await fromStore(redis.time())
      const nowUs = Number(seconds) * 1_000_000 + Number(micros)
      const hear = await openHearing()
      for (const scope of await findScopes(place))
        for (const [key, own] of Map.groupBy(all, (told) => toKey(scope, told))) {
          // More would go again at once.
          const heard = own.slice(-mostBars).map((told) => hear(scope, told))
          await write(
            key,
            heard.map((one) => [nowUs, toMember(one)]),
          )
        }
    },
    async findBarred(place, all) {
      const found = new Set<(typeof all)[number]>()
      for (const scope of all.length > 0 ? await findScopes(place) : [])
        for (const [key, own] of Map.groupBy(all, (told) => toKey(scope, told))) {
          const bars = await read(key)
          // Nearly always there are none at all.
          if (bars.length === 0) continue
          const hear = await openHearing()
          for (const told of own) if (findAgainst(bars, toHeard(hear, scope, told)).length > 0) found.add(told)
        }
      return all.filter((told) => found.has(told))
    },
    async lift(place, told) {
      for (const scope of await findScopes(place)) {
        const bars = await read(toKey(scope, told))
        const lifted = bars.length > 0 ? findAgainst(bars, toHeard(await openHearing(), scope, told)) : []
        if (lifted.length > 0) await fromStore(redis.zrem(toKey(scope, told), ...lifted))
      }
    },
    async copy(from, to) {
      const found = await fromStore(redis.zrange(toOwnKey(from), '0', '-1', 'WITHSCORES'))
      await write(
        toOwnKey(to),
        found.flatMap((member, at) => (at % 2 === 0 ? [[Number(found[at + 1]), member] as const] : [])),
      )
    },
  }
}

/** Of a person's own all is theirs, by whichever account; of a chat's each has their own, which nobody else can push out. */
const isOwn = (scope: MemoryScope): boolean => scope.startsWith('user:')
const toOwnKey = (scope: MemoryScope): string => `${scopePrefix(scope)}mb:${scope}`
const toKey = (scope: MemoryScope, { speaker }: Told): string =>
  isOwn(scope) ? toOwnKey(scope) : `${toOwnKey(scope)}:${speaker}`

/** Each of its texts, and whether it is a question. */
type Texts = { readonly heard: readonly Heard[]; readonly isAsked: boolean }

const toHeard = (hear: Hear, scope: MemoryScope, told: Told): Texts => ({
  heard: toTexts(told).map((text) => hear(scope, { ...told, text })),
  isAsked: told.asks !== undefined,
})

/** Those of the bars that it says as much as. */
const findAgainst = (bars: readonly string[], { heard, isAsked }: Texts): readonly string[] =>
  bars.filter((member) => {
    const bar = toBar(member)
    return heard.some((one) => saysAsMuch(one, bar) || (isAsked && offers(one, bar)))
  })

function toTexts({ text, asks }: Told): readonly string[] {
  if (!asks) return [text]
  const { why, changes, assumed, said = '', options } = asks
  return [text, why, changes, assumed, said, ...options].filter((one) => one.trim() !== '')
}

type Hear = (scope: MemoryScope, told: Told) => Heard

/** What a text says, by hashes. */
function createHearing(redis: RedisClient, comparing: Comparing): () => Promise<Hear> {
  // Asked for each time: Redis may have lost the second in which it was made, and somebody else made another one.
  async function findSecret(): Promise<string> {
    const known = await fromStore(redis.get(secretKey))
    if (known !== null) return known
    await fromStore(redis.set(secretKey, randomBytes(secretBytes).toString('hex'), 'NX'))
    return (await fromStore(redis.get(secretKey))) ?? ''
  }
  const toHear =
    (key: string): Hear =>
    (scope, told) => {
      const whose = isOwn(scope) ? 'self' : told.speaker
      const toHash = (text: string): string =>
        createHmac('sha256', key).update(`${whose}\n${text}`).digest('base64url').slice(0, signs)
      const { words, telling, slot } = comparing.read(told)
      const single = words.filter((word) => !pair.test(word)).slice(0, mostWords)
      const share = single.every((word) => sign.test(word)) ? shareOfSigns : shareOfWords
      return {
        slot: slot ? toHash(slot.of) : '-',
        value: slot?.value.map(toHash) ?? [],
        words: single.map(toHash),
        telling: single.filter((word) => telling.includes(word)).map(toHash),
        enough: Math.max(leastWords, Math.ceil(share * single.length)),
      }
    }
  return async () => toHear(await findSecret())
}

/** Of a script without blanks: one sign, and two of them, which stand there by themselves, too. */
const sign = /^u(?:[\da-f]{4}|z[\da-f]{1,8})$/
const pair = /^b[\da-fz]{8,20}$/

const toMember = ({ slot, value, words, telling, enough }: Heard): string =>
  [slot, value.join(), words.join(), telling.join(), enough].join(' ')
function toBar(member: string): Heard {
  const [slot = '-', value = '', words = '', telling = '', enough] = member.split(' ')
  const split = (text: string): readonly string[] => (text === '' ? [] : text.split(','))
  return { slot, value: split(value), words: split(words), telling: split(telling), enough: Number(enough) }
}

/** All that it tells is said again, whatever else is said: 我喜欢里昂奶酪 was forgotten, and 我每天都吃里昂奶酪 tells as much. */
const leastTold = 4
/**
 * Else this share of the barred words has to be said again, and the same share of the telling ones; and two words at least. A bar of one word holds in a text
 * of three words at most. The share of signs is higher, since a sign says less than a word does.
 */
const [shareOfWords, shareOfSigns, leastWords, fewWords] = [0.6, 0.75, 2, 3]

/** An answer that is offered, or a reason, has the very value: "which city? Lyon". */
const offers = ({ words }: Heard, { value }: Heard): boolean =>
  value.length > 0 && value.every((one) => words.includes(one))

function saysAsMuch(heard: Heard, bar: Heard): boolean {
  if (heard.slot !== '-' && bar.slot !== '-')
    return heard.slot === bar.slot && heard.value.length > 0 && agree(heard.value, bar.value)
  const known = new Set(heard.words)
  const shared = bar.words.filter((word) => known.has(word)).length
  if (bar.words.length === 1) return shared === 1 && heard.words.length <= fewWords
  const told = bar.telling.filter((word) => known.has(word)).length
  if (told === bar.telling.length && told >= leastTold) return true
  return shared >= bar.enough && told >= shareOfWords * bar.telling.length
}
