// A client that comes back after a long time reads on from the oldest item that is still kept.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readFrom, toPosition } from '#queues/shown/out-position.ts'
import { freshConversation, mustClaim, row, step } from '#test/contracts/kernel-fixtures.ts'
import { openStore, type Store } from '#test/rig/store.ts'

let store: Store
beforeAll(async () => void (store = await openStore()))
afterAll(() => store.stop())

test('what it had is gone, and much after it too', async () => {
  const { kernel } = store
  const c = freshConversation('web')
  const { epoch } = await mustClaim(kernel, c)
  const show = async (name: string): Promise<unknown> => {
    const rows = Array.from({ length: 100 }, (_, i) => row(`${name}-${i}`))
    return await kernel.append(c, epoch, step(name, { rows }))
  }
  await show('seen')
  const [last] = (await kernel.readOut(c, '0', 100)).slice(-1)
  if (!last) throw new Error('Nothing is shown.')
  for (let page = 0; page < 13; page++) await show(`p${page}`)

  for (const position of [toPosition(last), '0']) {
    const reader = readFrom(kernel, c, position)
    const ids: string[] = []
    for (let items = await reader.next(30); items.length > 0; items = await reader.next(30))
      ids.push(...items.map(({ id }) => id))
    expect(ids).toEqual(Array.from({ length: 1000 }, (_, i) => String(i + 401)))
  }
})
