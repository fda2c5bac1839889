// A thread of the page reader that does what the address of the page says: it ends, hangs, or wants all memory.
import process from 'node:process'
import { serveQueries } from '#queues/query-thread.ts'
import type { PageQuery } from '#infra/web/reading/read-fetched.ts'
import type { Page } from '#services/browser-fetch/browser-fetch.ts'

serveQueries({
  open: () => ({
    answer({ fetched: { address }, plainly }: PageQuery): Page {
      const { pathname } = new URL(address)
      if (pathname === '/ends') process.exit(1)
      if (pathname === '/throws') throw new Error('CANARY of the page')
      if (pathname === '/hangs' || (pathname === '/hangs-at-first' && !plainly)) for (;;);
      const held: unknown[] = []
      if (pathname === '/grows') for (;;) held.push(Array.from({ length: 1_000_000 }).fill(held.length))
      return { address, title: pathname, text: '', links: [], missing: '' }
    },
  }),
})
