// What doctor says of the embedding model.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadSettings } from '#infra/config/settings.ts'
import { checkEmbedding } from '#infra/doctor/embedding-check.ts'
import { startModelSimulator, type ModelSimulator } from '#test/simulators/model/simulator.ts'

let server: ModelSimulator
beforeEach(async () => {
  server = await startModelSimulator()
})
afterEach(() => server.close())

const look = async (env: Record<string, string> = { FLOTILLA_EMBEDDING_MODEL: 'sim-embed' }) =>
  (await checkEmbedding(loadSettings({ OPENAI_BASE_URL: server.url, FLOTILLA_MODEL: 'sim', ...env }, '/'))).map(
    ({ level, about, found }) => `${level} ${about}: ${found}`,
  )

test('says how long a vector takes, and warns where a turn would not wait for it', async () => {
  expect(await look()).toEqual([
    expect.stringMatching(/^ok embedding model sim-embed: gives vectors of 1024 numbers in \d+ ms$/),
  ])
  server.embeddings.latencyMs = 150
  expect(await look()).toEqual([expect.stringMatching(/^warning .* in \d{3} ms$/)])
})

test('says what is wrong, and nothing where there is none', async () => {
  server.embeddings.fault = { status: 404 }
  expect(await look()).toEqual([expect.stringMatching(/^error .*refused with 404/)])
  server.embeddings.fault = 'zeros'
  expect(await look()).toEqual([expect.stringMatching(/^error .*without a direction/)])
  const before = server.embeddings.asked.length
  expect(await look({})).toEqual([])
  expect(server.embeddings.asked.length).toBe(before)
})
