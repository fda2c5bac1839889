// The oracle's rules of the cards that words may answer: a card leads to a question that is asked, and that question knows the card.
import type { Redis, Cluster } from 'ioredis'

type Place = { readonly prefix: string; readonly home: string }

/** What is wrong with the cards of one conversation. */
export async function cardBreaches(redis: Redis | Cluster, { prefix, home }: Place): Promise<readonly string[]> {
  const name = `${prefix}cards:${home}`
  const breaches: string[] = []
  for (const [card, id] of Object.entries(await redis.hgetall(name))) {
    const [state, conversation, own] = await redis.hmget(`${prefix}q:${id}`, 's', 'c', 'card')
    if (state !== 'asked' || conversation !== home)
      breaches.push(`${name}: ${card} shows ${id}, which is not asked here`)
    else if (own !== card) breaches.push(`${name}: ${card} shows ${id}, which is shown by ${own ?? 'nothing'}`)
  }
  return breaches
}

/** What is wrong with the card that the question of these fields says to be shown by. */
export async function shownBreaches(
  redis: Redis | Cluster,
  name: string,
  { s: state, c: home = '', card }: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  if (card === undefined) return []
  const [, prefix = '', id = ''] = /^(fl:\{p\d\d\}:)q:(.*)$/.exec(name) ?? []
  if (state !== 'asked') return [`${name}: is ${state ?? 'nothing'}, and shown by ${card}`]
  const shown = await redis.hget(`${prefix}cards:${home}`, card)
  return shown === id ? [] : [`${name}: is shown by ${card}, which shows ${shown ?? 'nothing'}`]
}
