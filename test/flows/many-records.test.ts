// A person who had much kept: what is older than the newest records is found by the index, which follows what is written and forgotten, also when the
// process that keeps it ends and another one takes over, or when its file is lost.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startMemoryIndex } from '#infra/processes/follow-memory.ts'
import { ofPerson } from '#shared/memory/record.ts'
import { startFleet, until, type Fleet } from '#test/rig/fleet.ts'
import { remembered } from '#test/rig/remembered.ts'

const scope = ofPerson('web:owner')

async function ask(fleet: Fleet, text: string): Promise<string> {
  await fleet.ask(text)
  return JSON.stringify(fleet.model.ledger.entries.at(-1)?.messages)
}

async function holds(folder: string, word: string): Promise<boolean> {
  const files = await readdir(folder)
  const read = await Promise.all(files.map(async (file) => await readFile(path.join(folder, file)).catch(() => '')))
  return read.some((bytes) => bytes.includes(word))
}

test('what is old is found among many, and gone from the file once it is forgotten', { timeout: 90_000 }, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'flotilla-index-'))
  await using fleet = await startFleet({ env: { FLOTILLA_DATA: folder } })
  const { memory } = fleet.runtime
  const first = remembered('my boat is called Zebrafinch', { conversation: 'web:home', message: 'm-boat' })
  await memory.write(scope, { ...first, speaker: 'web:owner' })
  for (let n = 0; n < 300; n += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        memory.write(
          scope,
          remembered(`the ${n + i}th crate holds apples`, { conversation: 'web:home', message: `m${n + i}` }),
        ),
      ),
    )
  const part = startMemoryIndex(fleet.runtime)
  try {
    await until(async () => (await ask(fleet, 'What is my boat called?')).includes('Zebrafinch'))
    expect(await ask(fleet, 'What does the weather do?')).not.toContain('crate')
    await memory.forget('web:home', ['m-boat'])
    await until(async () => !(await holds(folder, 'ebrafinch')))
    expect(await ask(fleet, 'Say, what is my boat called?')).not.toContain('boat is called Zebrafinch')
  } finally {
    await part.stop(0)
  }
  await memory.write(scope, remembered('my bicycle is called Heron', { conversation: 'web:home', message: 'm-bike' }))
  await rm(folder, { recursive: true, force: true })
  const again = startMemoryIndex(fleet.runtime)
  try {
    const signal = new AbortController().signal
    const find = async () =>
      await fleet.runtime.memoryIndex.find({ scopes: [scope], text: 'bicycle', limit: 3 }, signal)
    await until(async () => (await find()).length > 0)
    expect(await find()).toMatchObject([{ entry: { text: 'my bicycle is called Heron' } }])
  } finally {
    await again.stop(0)
    await rm(folder, { recursive: true, force: true })
  }
})
