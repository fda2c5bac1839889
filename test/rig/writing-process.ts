// A process that writes entries into a memory index of SQLite: `node test/rig/writing-process.ts <file> <name> <count>`. Each is found by its name and number.
import { openSqliteEngine } from '#infra/search/sqlite-engine.ts'
import { createMemoryIndex } from '#services/memory/search/memory-search.ts'

const [file = '', name = '', count = '0'] = process.argv.slice(2)
const engine = openSqliteEngine({ path: file, onNew: () => undefined, patienceMs: 30_000 })
const index = createMemoryIndex(engine)
for (let i = 0; i < Number(count); i++) {
  await index.put([{ scope: 'global', id: `${name}${i}`, kind: 'fact', text: `${name} wrote number${i}`, atMs: i }])
}
engine.close()
