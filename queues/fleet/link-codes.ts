// One-time codes of accounts that are to be linked, by their digest: Redis holds no code that somebody could type.
import { hash, randomInt } from 'node:crypto'
import { toNormalForm } from '#shared/chat/normal-form.ts'
import { account, type LinkCodes } from '#shared/memory/accounts.ts'
import { readStored } from '#shared/stored-json.ts'
import type { RedisClient } from '#queues/connection.ts'
import { fromStore } from '#queues/store-failure.ts'

/** How long a code may be typed, and how long a wrong one counts, seconds. */
const livesSeconds = 600
const mostTries = 5
/** Each link moves all that is kept for two accounts: so many within a day. */
const mostLinks = 10
const daySeconds = 86_400

/** None that looks like another. */
const signs = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const length = 8

const digest = (text: string): string => hash('sha256', text, 'hex').slice(0, 40)
const toCodeKey = (code: string): string => `fl:{link-codes}:code:${digest(code)}`
const toOwnKey = (principal: string): string => `fl:{link-codes}:of:${principal}`
const toTriesKey = (principal: string): string => `fl:{link-codes}:tries:${principal}`
const toUsedKey = (principal: string): string => `fl:{link-codes}:used:${principal}`
const dead = 'burnt'

/** As somebody types it: small letters, other dashes, blanks. */
const toPlain = (typed: string): string =>
  toNormalForm(typed.slice(0, 100), 'NFKC')
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/gu, '')

export function createLinkCodes(redis: RedisClient): LinkCodes {
  const find = async (code: string) => {
    const [json, by] = await fromStore(redis.hmget(toCodeKey(code), 'account', 'by'))
    return json ? { account: readStored('code of an account', account, json), by: by ?? undefined } : undefined
  }
  const countWrong = async (principal: string): Promise<void> => {
    const key = toTriesKey(principal)
    await fromStore(redis.set(key, 0, 'EX', livesSeconds, 'NX'))
    await fromStore(redis.incr(key))
  }
  const findUsed = async (principals: readonly string[]): Promise<number> => {
    const counts = await fromStore(redis.mget(principals.map(toUsedKey)))
    return Math.max(...counts.map(Number))
  }
  const countUsed = async (principal: string): Promise<void> => {
    const key = toUsedKey(principal)
    await fromStore(redis.set(key, 0, 'EX', daySeconds, 'NX'))
    await fromStore(redis.incr(key))
  }
  return {
    async make(of) {
      const code = Array.from({ length }, () => signs[randomInt(signs.length)]).join('')
      const [key, ownKey] = [toCodeKey(code), toOwnKey(of.principal)]
      const older = await fromStore(redis.get(ownKey))
      if (older) await fromStore(redis.del(older))
      // It ends even where this process dies before the next line.
      await fromStore(redis.set(ownKey, key, 'EX', livesSeconds))
      await fromStore(redis.multi().hset(key, 'account', JSON.stringify(of)).expire(key, livesSeconds).exec())
      return `${code.slice(0, length / 2)}-${code.slice(length / 2)}`
    },

    async use(typed, { principal, event }) {
      const tries = Number((await fromStore(redis.get(toTriesKey(principal)))) ?? 0)
      if (tries >= mostTries) return { kind: 'locked' }
      const code = toPlain(typed)
      const found = code.length === length ? await find(code) : undefined
      if (found && found.by === undefined) {
        const both = [principal, found.account.principal]
        if ((await findUsed(both)) >= mostLinks) return { kind: 'often' }
        const isFirst = await fromStore(redis.hsetnx(toCodeKey(code), 'by', event))
        if (isFirst === 1) await Promise.all(both.map(countUsed))
      }
      const now = found && (await find(code))
      if (now?.by === event) return { kind: 'found', account: now.account, id: digest(code).slice(0, 24) }
      await countWrong(principal)
      return { kind: 'wrong' }
    },

    async burn(typed) {
      const code = toPlain(typed)
      if (code.length === length && (await find(code))) await fromStore(redis.hsetnx(toCodeKey(code), 'by', dead))
    },
  }
}
