// A message that is deleted while it is answered: nobody wants that answer any more, so the turn ends as by a stop, unless something was done in it.
import { expect, test } from 'vitest'
import { deletion, toApply } from '#test/rig/events.ts'
import { createStage, hanging, look } from './stage.ts'

test('the model is not asked to go on, and nothing of it is kept', async () => {
  const stage = createStage()
  const { answer, written } = hanging('Rivers of canary')
  stage.answers(answer)
  await stage.say('Tell me of the canary', { messageId: 'gone' })
  const working = stage.work()
  await written
  await stage.put(deletion('gone'), toApply('delete'))
  await working
  const fin = stage.steps.flatMap(({ entries }) => entries).findLast(({ t }) => t === 'turn:fin')
  expect(fin).toMatchObject({ ending: 'stopped' })
  stage.answers('Hm.')
  await stage.ask('And now?')
  expect(JSON.stringify(stage.requests.at(-1))).not.toContain('canary')
})

test.each([
  ['of which another message is left', 'read', true],
  ['that has changed something', 'write-local', false],
] as const)('a turn goes on %s', async (_, effect, isJoined) => {
  const [looking, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const run = async () => {
    looking.resolve()
    await go.promise
    return { text: 'looked', source: 'own' } as const
  }
  const stage = createStage({ features: [{ name: 'looking', tools: [{ ...look, effect, run }] }] })
  stage.answers({ toolCalls: [{ id: 'c1', name: 'look', arguments: '{}' }] }, 'Answered.')
  await stage.say('Look', { messageId: 'gone' })
  if (isJoined) await stage.say('And there', { messageId: 'stays' })
  const working = stage.work()
  await looking.promise
  await stage.put(deletion('gone'), toApply('delete'))
  go.resolve()
  await working
  const fin = stage.steps.flatMap(({ entries }) => entries).findLast(({ t }) => t === 'turn:fin')
  expect(fin).toMatchObject({ ending: 'answered' })
})
