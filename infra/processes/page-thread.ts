// The thread in which pages of the web are taken apart.
import { serveQueries } from '#queues/query-thread.ts'
import { readFetched, type PageQuery } from '#infra/web/reading/read-fetched.ts'

serveQueries({
  open: () => ({ answer: (query: PageQuery) => readFetched(query) }),
})
