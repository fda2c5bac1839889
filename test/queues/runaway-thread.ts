// A thread that answers with the text in capitals, unless the text asks for trouble.
import process from 'node:process'
import { serveQueries } from '#queues/query-thread.ts'

serveQueries({
  open: ({ sign }: { readonly sign: string }) => ({
    answer(text: string): string {
      if (text === 'broken') throw new TypeError('broken')
      // Twice as long with each sign; with sixty it would not end in a lifetime.
      if (text === 'slow') return String(/^(?:a|a)*$/u.test(`${'a'.repeat(60)}!`))
      if (text === 'deadly') process.exit(1)
      const held: unknown[] = []
      if (text === 'greedy') for (;;) held.push(Array.from({ length: 2_000_000 }).fill(held.length))
      return `${text.toUpperCase()}${sign}`
    },
  }),
})
