// The routes of the page of memory. Everybody sees and changes what is kept for them; what is kept for everybody owners change.
import { z } from 'zod'
import { toPageRoute, type PageRoute } from '#shared/feature/page.ts'
import type { MemoryIndex } from '#shared/memory/entry.ts'
import { memoryKinds, mostRecordChars, ofPerson } from '#shared/memory/record.ts'
import { createRecall } from './recall.ts'
import { confirm, edit, forget, pin, type DeedDeps } from './page-deeds.ts'
import { findShown } from './page-find.ts'

export type MemoryPagePorts = DeedDeps & { readonly memoryIndex: MemoryIndex }

const label = z.string().regex(/^g?[1-9]\d{0,8}$/)
/** Which record, and as what it was seen. */
const seen = { label, id: z.string().min(1).max(120) }

export const toRoutes = (ports: MemoryPagePorts): readonly PageRoute[] => {
  const { memory, memoryIndex, clock } = ports
  const recall = createRecall({ memory, memoryIndex })
  return [
    toPageRoute({
      method: 'GET',
      path: 'find',
      input: { words: z.string().max(300).optional(), kind: z.enum(memoryKinds).optional() },
      async handle({ input: { words = '', kind }, principal }) {
        const look = { scope: ofPerson(principal), words, nowMs: clock.now(), ...(kind === undefined ? {} : { kind }) }
        return await findShown({ memory, recall }, look)
      },
    }),
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
      path: 'confirm',
      input: seen,
      handle: async ({ input, principal }) => await confirm(ports, { ...input, principal }),
    }),
  ]
}
