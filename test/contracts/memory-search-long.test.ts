// Ten thousand random histories in memory, a thousand in SQLite and five hundred in Meilisearch: nothing of one scope is ever found in another.
import { describe } from 'vitest'
import { describeHistories } from './memory-search-histories.ts'
import { openMeili, openMeiliNear, openSqlite, openSqliteNear, openWhole } from './memory-search-world.ts'

describe('in memory', () => {
  describeHistories(openWhole, 10_000)
})
describe('SQLite', () => {
  describeHistories(openSqlite, 1000)
})
describe('Meilisearch', () => {
  describeHistories(openMeili, 500)
})
describe('SQLite, by meaning too', () => {
  describeHistories(openSqliteNear, 1000)
})
describe('Meilisearch, by meaning too', () => {
  describeHistories(openMeiliNear, 300)
})
