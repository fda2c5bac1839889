// Memory search over every engine: each passes the same contract, and answers as if all entries were ranked in memory.
import { describeMemoryIndex } from './memory-search-contract.ts'
import { openMeili, openSqlite, openWhole } from './memory-search-world.ts'

describeMemoryIndex('in memory', openWhole)
describeMemoryIndex('SQLite', openSqlite)
describeMemoryIndex('Meilisearch', openMeili)
