// Ten thousand random histories in memory, and a thousand in SQLite and in Meilisearch: nothing of one scope is ever found in another.
import { describe } from 'vitest'
import { describeHistories } from './memory-index-histories.ts'
import { openMeili, openSqlite, openWhole } from './memory-index-world.ts'

describe('in memory', () => describeHistories(openWhole, 10_000))
describe('SQLite', () => describeHistories(openSqlite, 1000))
describe('Meilisearch', () => describeHistories(openMeili, 1000))
