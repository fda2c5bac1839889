// Where the records of a scope stand. A person's accounts may share one scope, and so may chats: that of each then leads there. A unit that is called where the
// records do not stand any more changes nothing and says so; then the place is looked for anew.
import { setTimeout as sleep } from 'node:timers/promises'
import { BotError } from '#shared/errors.ts'
import { ofAll, type MemoryRecord, type MemoryScope } from '#shared/memory/record.ts'
import type { RedisClient } from '#queues/connection.ts'
import { list, text } from '#queues/reply.ts'
import { fromStore } from '#queues/store-failure.ts'
import type { CallUnit, UnitName } from '#queues/units.ts'
import { scopePrefix } from './scope-key.ts'

/** `via` of a unit that changes records or takes them away wherever they stand. */
export const raw = '!'

/** `at`: where the records of `scope` stand. */
export type Place = {
  readonly scope: MemoryScope
  readonly at: MemoryScope
  /** What units are told: the scope that leads to `at`, `-` for none. */
  readonly via: string
}

/** A process that moves the records of an account or a chat, `of`. It has a turn. Once another process has a later turn, all that it calls throws `Moved`. */
export type Mover = { readonly of: MemoryScope; readonly turn: number }
export const toMoving = (scope: MemoryScope, { of, turn }: Mover): Place => ({
  scope,
  at: scope,
  via: `${raw}${of} ${turn}`,
})

/** The scope for everybody never leads elsewhere. */
const mayLead = (scope: MemoryScope): boolean => scope !== ofAll

/** The records do not stand there, or somebody else moves them by now. */
export class Moved extends Error {}

type DoAt = <T>(scope: MemoryScope, work: (place: Place) => Promise<T>) => Promise<T>
export type Places = {
  find(scope: MemoryScope): Promise<Place>
  /** Does something where the records stand; once more where they moved meanwhile. */
  in: DoAt
  /** The same for what calls a unit first of all: it is tried at the scope itself, as nearly all lead nowhere. */
  try: DoAt
}

const mostTries = 20

export const toFindLead =
  (redis: RedisClient) =>
  async (scope: MemoryScope): Promise<MemoryScope | undefined> =>
    (await fromStore(redis.hget(`${scopePrefix(scope)}mc:${scope}`, 'to'))) ?? undefined

/** Own scopes of those that share a scope, with what is known of each. */
export async function readSharers(redis: RedisClient, shared: MemoryScope): Promise<ReadonlyMap<MemoryScope, string>> {
  const found = Object.entries(await fromStore(redis.hgetall(`${scopePrefix(shared)}mc:${shared}`)))
  const sharers = found.flatMap(([field, json]) => (field.startsWith('of ') ? [[field.slice(3), json] as const] : []))
  return new Map(sharers.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** `findLead`: where a scope leads, if it leads anywhere. */
export function createPlaces(findLead: (scope: MemoryScope) => Promise<MemoryScope | undefined>): Places {
  async function find(scope: MemoryScope): Promise<Place> {
    const to = mayLead(scope) ? await findLead(scope) : undefined
    return to === undefined ? { scope, at: scope, via: '-' } : { scope, at: to, via: scope }
  }
  async function doAt<T>(first: Place, work: (place: Place) => Promise<T>): Promise<T> {
    const { scope } = first
    let place = first
    for (let tries = 1; ; tries++) {
      try {
        return await work(place)
      } catch (error) {
        if (!(error instanceof Moved)) throw error
        if (tries > mostTries)
          throw new BotError('store-unavailable', `The records of ${scope} move all the time. Try again.`)
        if (tries > 1) await sleep(10 * tries)
        place = await find(scope)
      }
    }
  }
  return {
    find,
    in: async (scope, work) => await doAt(await find(scope), work),
    try: (scope, work) => doAt({ scope, at: scope, via: '-' }, work),
  }
}

/** Calls a unit on the records of a place. Throws what `in` of `Places` catches, where they do not stand there. */
export async function callAt(
  call: CallUnit,
  name: UnitName,
  { at, via }: Place,
  args: readonly (string | number)[],
): Promise<unknown> {
  const answer = await call(name, scopePrefix(at), [at, via, ...args])
  if (Array.isArray(answer) && answer.length === 2 && text(list(answer)[0]) === 'MOVED')
    throw new Moved(`The records of ${at} stand elsewhere.`)
  return answer
}

const isOfChat = (scope: MemoryScope): boolean => scope.startsWith('chat:')

/** As who asks for it sees it: all accounts of a person are that person. In chats everybody stays who they are. */
export function toAsked(record: MemoryRecord, { scope, at }: Place): MemoryRecord {
  if (at === scope) return record
  if (isOfChat(scope)) return { ...record, scope }
  const principal = scope.slice(scope.indexOf(':') + 1)
  const { confirmedBy } = record
  return { ...record, scope, speaker: principal, ...(confirmedBy !== undefined && { confirmedBy: principal }) }
}

/** The other way round, of a record that was changed. */
export function toStanding(wanted: MemoryRecord, before: MemoryRecord, place: Place): MemoryRecord {
  if (place.at === place.scope) return wanted
  if (isOfChat(place.scope)) return { ...wanted, scope: place.at }
  const { confirmedBy = wanted.confirmedBy } = before
  return {
    ...wanted,
    scope: place.at,
    speaker: before.speaker,
    ...(wanted.confirmedBy !== undefined && confirmedBy !== undefined && { confirmedBy }),
  }
}
