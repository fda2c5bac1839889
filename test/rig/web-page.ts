// The web page of a fleet of this process, with the pages of its features, in a folder of its own.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createWebChannel } from '#adapters/web/web-channel.ts'
import { listPages } from '#infra/processes/list-pages.ts'
import type { Fleet } from './fleet.ts'

export async function startPage({ runtime }: Fleet) {
  const folder = await mkdtemp(path.join(tmpdir(), 'flotilla-web-'))
  const { kernel, live, redis, ingest } = runtime
  const tokenFile = path.join(folder, 'web-token')
  const channel = await createWebChannel(
    { tokenFile, closeGraceMs: 200 },
    { kernel, live, redis, findMissing: async () => [], pages: listPages(runtime) },
  )
  const port = await channel.listen(0)
  const stopping = new AbortController()
  const running = channel.start(ingest, stopping.signal)
  return {
    port,
    tokenFile,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await running
      await rm(folder, { recursive: true, force: true })
    },
  }
}
