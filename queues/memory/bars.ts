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
/** Of a person's own scope, or of one speaker in a scope of several: the oldest ones go first. */
const mostBars = 300
const mostWords = 40
const keptMs = 400 * 86_400_000
const signs = 8

type Told = Pick<NewRecord, 'text' | 'speaker' | 'name'>

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
  add(place: Place, all: readonly Told[], nowMs: number): Promise<void>
  /** Whether somebody had as much forgotten. */
  isBarred(place: Place, told: Told): Promise<boolean>
  /** It was said once more, to be kept. */
  lift(place: Place, told: Told): Promise<void>
  /** What may not be inferred in one person's scope may not be in the other. */
  copy(from: MemoryScope, to: MemoryScope): Promise<void>
}

export function createBars(redis: RedisClient, comparing: Comparing): Bars {
  const hear = createHearing(redis, comparing)
  /** Nobody is asked about what they had forgotten. Chats of one project keep their bars, and each has those of all. */
  async function findScopes({ scope, at }: Place): Promise<readonly MemoryScope[]> {
    if (at.startsWith('ask:')) return [`user:${at.slice('ask:'.length)}`]
    if (at === scope || isOwn(at)) return [at]
    return [...new Set([scope, ...(await readSharers(redis, at)).keys()])]
  }
  const read = async (scope: MemoryScope, told: Told): Promise<readonly string[]> =>
    await fromStore(redis.zrange(toKey(scope, told), '0', '-1'))
  async function write(key: string, members: readonly (readonly [number, string])[]): Promise<void> {
    if (members.length === 0) return
    await fromStore(redis.zadd(key, ...members.flat()))
    await fromStore(redis.zremrangebyrank(key, 0, -mostBars - 1))
    await fromStore(redis.pexpire(key, keptMs))
  }
  /** Those that it says as much as. Nearly always there are none at all. */
  async function findAgainst(scope: MemoryScope, told: Told): Promise<readonly string[]> {
    const bars = await read(scope, told)
    if (bars.length === 0) return []
    const heard = await hear(scope, told)
    return bars.filter((bar) => saysAsMuch(heard, toBar(bar)))
  }
  return {
    async add(place, all, nowMs) {
      for (const scope of await findScopes(place))
        for (const [key, own] of Map.groupBy(all, (told) => toKey(scope, told))) {
          // More would go again at once.
          const heard = await Promise.all(own.slice(-mostBars).map((told) => hear(scope, told)))
          await write(
            key,
            heard.map((one) => [nowMs, toMember(one)]),
          )
        }
    },
    async isBarred(place, told) {
      for (const scope of await findScopes(place)) if ((await findAgainst(scope, told)).length > 0) return true
      return false
    },
    async lift(place, told) {
      for (const scope of await findScopes(place)) {
        const lifted = await findAgainst(scope, told)
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

/** What a text says, by hashes. */
function createHearing(redis: RedisClient, comparing: Comparing): (scope: MemoryScope, told: Told) => Promise<Heard> {
  let secret: Promise<string> | undefined
  const findSecret = async (): Promise<string> => {
    await fromStore(redis.set(secretKey, randomBytes(secretBytes).toString('hex'), 'NX'))
    return (await fromStore(redis.get(secretKey))) ?? ''
  }
  return async (scope, told) => {
    // A failure is not remembered.
    secret ??= findSecret().catch((error: unknown) => {
      secret = undefined
      throw error
    })
    const key = await secret
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
/** Else so much of what is barred has to be said once more, and of its telling words, and at least so many words; of one word alone, in a text of few. A sign says less than a word does. */
const [shareOfWords, shareOfSigns, leastWords, fewWords] = [0.6, 0.75, 2, 3]

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
