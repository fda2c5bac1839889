// The routes of the page of memory. Everybody sees and changes what is kept for them; what is kept for everybody owners change.
import { z } from 'zod'
import { toPageRoute, type PageRoute } from '#shared/feature/page.ts'
import { BotError } from '#shared/errors.ts'
import type { MemoryIndex } from '#shared/memory/entry.ts'
import { memoryKinds, mostRecordChars, ofAll, ofPerson, type MemoryScope } from '#shared/memory/record.ts'
import { createRecall } from './recall.ts'
import { allow, confirm, edit, forget, pin, type DeedDeps } from './page-deeds.ts'
import { findShown } from './page-find.ts'
import { drawGraph, type GraphPagePorts } from './page-graph.ts'

export type MemoryPagePorts = DeedDeps &
  GraphPagePorts & {
    readonly memoryIndex: MemoryIndex
    /** How many records each scope has. */
    countScopes(): Promise<ReadonlyMap<MemoryScope, number>>
  }

/** Of people and chats, in numbers alone. */
function toCounts(counts: ReadonlyMap<MemoryScope, number>) {
  const of = (kind: string): readonly number[] =>
    [...counts].flatMap(([scope, count]) => (scope.startsWith(kind) ? [count] : []))
  const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0)
  const [people, chats] = [of('user:'), of('chat:')]
  return {
    people: people.length,
    ofPeople: sum(people),
    chats: chats.length,
    ofChats: sum(chats),
    forAll: counts.get(ofAll) ?? 0,
  }
}

const itemId = z.string().min(1).max(160)
const label = z.string().regex(/^g?[1-9]\d{0,8}$/)
/** Which record, and as what it was seen. */
const seen = { label, id: z.string().min(1).max(120) }

export const toRoutes = (ports: MemoryPagePorts): readonly PageRoute[] => [
  toFindRoute(ports),
  ...toGraphRoutes(ports),
  toCountsRoute(ports),
  toPageRoute({
    method: 'POST',
    path: 'edit',
    input: { ...seen, text: z.string().min(1).max(mostRecordChars) },
    handle: async ({ input, principal }) => await edit(ports, { ...input, principal }, input.text),
  }),
  toPageRoute({
    method: 'POST',
    path: 'forget',
    input: seen,
    handle: async ({ input, principal }) => await forget(ports, { ...input, principal }),
  }),
  toPageRoute({
    method: 'POST',
    path: 'pin',
    input: { ...seen, pinned: z.boolean() },
    handle: async ({ input, principal }) => await pin(ports, { ...input, principal }, input.pinned),
  }),
  toPageRoute({
    method: 'POST',
    path: 'groups',
    input: { ...seen, allowed: z.boolean() },
    handle: async ({ input, principal }) => await allow(ports, { ...input, principal }, input.allowed),
  }),
  toPageRoute({
    method: 'POST',
    path: 'confirm',
    input: seen,
    handle: async ({ input, principal }) => await confirm(ports, { ...input, principal }),
  }),
]

/** What is kept for whoever asks, a hundred at a time. */
const toFindRoute = ({ memory, memoryIndex, clock }: MemoryPagePorts): PageRoute => {
  const recall = createRecall({ memory, memoryIndex })
  return toPageRoute({
    method: 'GET',
    path: 'find',
    input: {
      words: z.string().max(300).optional(),
      kind: z.enum(memoryKinds).optional(),
      waits: z.literal('yes').optional(),
      skip: z
        .string()
        .regex(/^[1-9]\d{0,4}$/)
        .optional(),
    },
    async handle({ input: { words = '', kind, waits, skip = '0' }, principal }) {
      const look = {
        scope: ofPerson(principal),
        words,
        skip: Number(skip),
        nowMs: clock.now(),
        ...(kind === undefined ? {} : { kind }),
        ...(waits && { waits: true as const }),
      }
      return await findShown({ memory, recall }, look)
    },
  })
}

const toGraphRoutes = ({ graph, placeNodes }: MemoryPagePorts): readonly PageRoute[] => [
  toPageRoute({
    method: 'GET',
    path: 'graph',
    input: {},
    handle: async ({ principal }) => await drawGraph({ graph, placeNodes }, principal),
  }),
  toPageRoute({
    method: 'POST',
    path: 'graph/forget',
    input: { id: itemId },
    handle: async ({ input: { id }, principal }) => ({ count: await graph.take(ofPerson(principal), [id]) }),
  }),
  toPageRoute({
    method: 'POST',
    path: 'graph/confirm',
    input: { id: itemId },
    async handle({ input: { id }, principal }) {
      if (await graph.confirm(ofPerson(principal), id, principal)) return {}
      throw new BotError('not-found', 'That is not kept any more.')
    },
  }),
]

const toCountsRoute = (ports: MemoryPagePorts): PageRoute =>
  toPageRoute({
    method: 'GET',
    path: 'counts',
    input: {},
    async handle({ principal }) {
      if (!(await ports.access.isOwner(principal, 'web:main')))
        throw new BotError('forbidden', 'Only an owner sees how much is kept of others.')
      return toCounts(await ports.countScopes())
    },
  })
