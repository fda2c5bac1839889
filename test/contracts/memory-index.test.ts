// Memory search over every engine: each passes the same contract, and answers as if all entries were ranked in memory.
import { describeMemoryIndex } from './memory-index-contract.ts'
import { openMeili, openSqlite, openWhole } from './memory-index-world.ts'

describeMemoryIndex('in memory', openWhole)
describeMemoryIndex('SQLite', openSqlite)
describeMemoryIndex('Meilisearch', openMeili)
