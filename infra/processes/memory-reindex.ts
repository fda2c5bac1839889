// `flotilla memory reindex`: takes the index of memory away, so that the reflection process fills a new one from Redis. Answers go on meanwhile; in scopes
// of more than 200 records they know the newest alone until it is filled.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { loadSettings } from '#infra/config/settings.ts'
import { connectMeilisearch, memoryUid, type MeilisearchSettings } from '#infra/search/meilisearch-client.ts'
import { fileName } from './memory-search.ts'

export async function runMemoryReindex(args: readonly string[]): Promise<number> {
  if (args.length > 0) {
    process.stderr.write('"memory reindex" takes no further words.\n')
    return 2
  }
  const { meilisearch, dataFolder } = loadSettings(process.env, process.cwd())
  if (meilisearch) return await clearMeilisearch(meilisearch)
  for (const end of ['', '-wal', '-shm']) rmSync(path.join(dataFolder, `${fileName}${end}`), { force: true })
  process.stdout.write('The index file is gone. A reflection process makes a new one within seconds, and fills it.\n')
  return 0
}

async function clearMeilisearch({ url, keys }: MeilisearchSettings): Promise<number> {
  if (keys.operator === undefined) {
    process.stderr.write(
      'Name the operator’s key in MEILISEARCH_KEYS (infra/docs/meilisearch.md): it alone may do this.\n',
    )
    return 2
  }
  const client = connectMeilisearch(url, keys.operator, 10_000)
  await client.deleteIndex(memoryUid).waitTask({ timeout: 60_000 })
  process.stdout.write('The index is gone. A reflection process makes a new one within seconds, and fills it.\n')
  return 0
}
