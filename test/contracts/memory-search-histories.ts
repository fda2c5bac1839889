// Random histories of writing and dropping in several scopes at once: nothing of one is ever found in another, and what is found is what stands there.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rankWhole } from '#services/memory/search/rank.ts'
import type { Entry } from '#shared/memory/entry.ts'
import { runs } from '#test/rig/property-runs.ts'
import { todayMs, type IndexWorld, type OpenIndex } from './memory-search-world.ts'

const words = ['tea', 'boat', 'Lyon', '茶', '里昂', 'E-1042', 'the', "Ann's", '"', '*']
const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }).map((all) => all.join(' '))
const scope = fc.constantFrom('a', 'A', 'b', 'a"b', ' a')
const id = fc.constantFrom('1', '2', '3')
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('put' as const), scope, id, text, session: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('drop' as const), scope, id }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('find' as const), scopes: fc.uniqueArray(scope, { minLength: 1 }), text }),
  },
)
const histories = fc.array(step, { minLength: 4, maxLength: 12 })
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** One index for all histories: each has scopes of its own. */
export function describeHistories(open: OpenIndex, count = 150): void {
  test(`never crosses scopes, in ${count} random histories`, { timeout: 600_000 }, async () => {
    const world = await open()
    let number = 0
    try {
      await fc.assert(
        fc.asyncProperty(histories, async (steps) => await follow(world, steps, `${++number}:`)),
        runs(count),
      )
    } finally {
      await world.close()
    }
  })
}

async function follow({ index, near: meaning }: IndexWorld, steps: readonly Step[], prefix: string): Promise<void> {
  const standing = new Map<string, Entry>()
  const { signal } = new AbortController()
  for (const [at, one] of steps.entries()) {
    if (one.do === 'find') {
      const query = { scopes: one.scopes.map((name) => `${prefix}${name}`), text: one.text, limit: 20 }
      const found = await index.find(query, signal)
      expect(found.filter(({ entry }) => !query.scopes.includes(entry.scope))).toEqual([])
      const near = await meaning?.findNear(query, signal)
      const there = [...standing.values()].filter(({ scope: own }) => query.scopes.includes(own))
      expect(there).toEqual(expect.arrayContaining(near?.found.map(({ entry }) => entry) ?? []))
      expect(toTexts(found)).toEqual(toTexts(rankWhole(there, { ...query, ...(near && { near }) })))
      continue
    }
    const key = { scope: `${prefix}${one.scope}`, id: one.id }
    if (one.do === 'drop') {
      standing.delete(JSON.stringify(key))
      await index.drop([key])
      continue
    }
    const place = one.session ? { session: 's', ordinal: Number(one.id) } : {}
    const entry: Entry = { ...key, kind: 'fact', text: one.text, atMs: todayMs + at, ...place }
    standing.set(JSON.stringify(key), entry)
    await index.put([entry])
  }
}

const toTexts = (found: readonly { readonly entry: Entry }[]): readonly string[] =>
  found.map(({ entry }) => JSON.stringify([entry.scope, entry.id, entry.text]))
