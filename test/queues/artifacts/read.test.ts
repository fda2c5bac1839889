// What reading kept texts asks of Redis, which everybody shares.
import { expect, test } from 'vitest'
import { artifact, freshConversation, mustClaim, step } from '#test/contracts/kernel-fixtures.ts'
import { openStore } from '#test/rig/store.ts'

test('a text is read by its name without a look at all the others', async () => {
  await using store = await openStore()
  const { kernel, server } = store
  const c = freshConversation()
  const { epoch } = await mustClaim(kernel, c)
  await kernel.append(c, epoch, step('kept', { artifacts: [artifact('one'), artifact('two')] }))
  await server.cli('CONFIG', 'RESETSTAT')
  expect(await kernel.findArtifact(c, 'two')).toMatchObject({ name: 'two' })
  expect(await kernel.findArtifact(c, 'three')).toBeUndefined()
  expect(String(await server.cli('INFO', 'commandstats'))).not.toContain('cmdstat_hgetall')
  expect(await kernel.listArtifacts(c)).toHaveLength(2)
  expect(String(await server.cli('INFO', 'commandstats'))).toContain('cmdstat_hgetall:calls=1,')
})
