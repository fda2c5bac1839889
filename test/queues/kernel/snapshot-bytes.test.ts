// What a long history costs each time something is done: what was said stands beside the snapshot and is written only when it changes.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStage, type Stage } from '#test/services/executor/stage.ts'
import { deletion, toApply, toCommand } from '#test/rig/events.ts'
import { openStore, type Store } from '#test/rig/store.ts'

let store: Store
beforeAll(async () => void (store = await openStore()))
afterAll(() => store.stop())

const historyBytes = 150_000

async function bytesOf(work: () => Promise<unknown>): Promise<number> {
  const read = async (): Promise<number> =>
    Number(/total_net_input_bytes:(\d+)/.exec(await store.server.admin.info('stats'))?.[1])
  const before = await read()
  await work()
  return (await read()) - before
}

/** A conversation in which so much was said already. */
async function openLong(): Promise<Stage> {
  await store.server.admin.flushall()
  const stage = createStage({ historyTokens: 120_000 }, 256_000, store.kernel)
  for (let n = 0; n < historyBytes / 7500; n++) {
    stage.answers('word '.repeat(1500))
    await stage.ask(`question ${n}`)
  }
  expect(JSON.stringify((await stage.state()).history).length).toBeGreaterThan(historyBytes)
  return stage
}

test('twenty /help, twenty overheard messages and a turn write no history that stands already', async ({
  annotate,
}) => {
  const stage = await openLong()
  const { history } = await stage.state()
  let answer = ''
  const help = await bytesOf(async () => {
    for (let n = 0; n < 20; n++) answer = await stage.ask('/help', { as: toCommand('help') })
  })
  const heard = await bytesOf(async () => {
    for (let n = 0; n < 20; n++)
      await stage.ask(`by the way ${n}`, { as: toApply('observe'), group: true, addressed: false })
  })
  const turn = await bytesOf(() => stage.ask('and now?'))
  const set = await bytesOf(() => stage.ask('/lang en', { as: toCommand('lang', 'en') }))
  await annotate(
    `20 /help: ${help} B, each with an answer of ${answer.length} signs; 20 overheard: ${heard} B; a turn: ${turn} B; /lang: ${set} B`,
  )
  // From its arrival to its answer, whatever is known of the conversation.
  // The answer itself is written as a row, and as what was said last.
  expect(help / 20 - 2 * Buffer.byteLength(answer)).toBeLessThan(2048)
  expect(set).toBeLessThan(4096)
  expect(heard).toBeLessThan(2 * historyBytes)
  expect(turn).toBeLessThan(historyBytes / 4)
  const now = (await stage.state()).history
  expect(now.slice(0, history.length)).toEqual(history)
  expect(now.slice(history.length).map((item) => item.text)).toEqual([
    ...Array.from({ length: 20 }, (_, n) => `by the way ${n}`),
    'and now?',
    'ok',
  ])
})

test('what is forgotten, or left behind by /new, stands nowhere any more', async () => {
  const stage = await openLong()
  const run = `fl:{p*}:r:*`
  const [key = ''] = await store.server.admin.keys(run)
  expect(JSON.stringify(await store.server.admin.hgetall(key))).toContain('question 3')
  await stage.put(deletion('m4'), toApply('delete'))
  await stage.work()
  expect(JSON.stringify(await store.server.admin.hgetall(key))).not.toContain('question 3')
  expect(JSON.stringify(await store.server.admin.hgetall(key))).toContain('question 2')
  await stage.ask('/new', { as: toCommand('new') })
  expect(JSON.stringify(await store.server.admin.hgetall(key))).not.toContain('question')
  expect((await stage.state()).history).toEqual([])
})
