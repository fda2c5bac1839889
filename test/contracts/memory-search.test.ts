// Memory search over every engine: each passes the same contract, and answers as if all entries were ranked in memory.
import { describeMemoryIndex } from './memory-search-contract.ts'
import {
  openMeili,
  openMeiliNear,
  openSqlite,
  openSqliteNear,
  openWhole,
  openWholeNear,
} from './memory-search-world.ts'

describeMemoryIndex('in memory', openWhole)
describeMemoryIndex('SQLite', openSqlite)
describeMemoryIndex('Meilisearch', openMeili)
describeMemoryIndex('in memory, by meaning too', openWholeNear)
describeMemoryIndex('SQLite, by meaning too', openSqliteNear)
describeMemoryIndex('Meilisearch, by meaning too', openMeiliNear)
