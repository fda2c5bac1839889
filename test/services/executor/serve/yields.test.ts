// Who is to make room for others goes behind them after a turn: nothing is lost, and what waits is hinted again.
import { expect, test } from 'vitest'
import { createCompany } from '#queues/workers/company.ts'
import { executeConversation } from '#queues/workers/execute-conversation.ts'
import { serveConversation } from '#services/executor/serve/serve.ts'
import { createStage } from '#test/services/executor/stage.ts'
import { createStillLiveness } from '#test/rig/still-liveness.ts'

test('leaves its place between two turns where others wait, and is hinted again', async () => {
  const place = 'web:yields'
  const stage = createStage({ place })
  const hinted: string[] = []
  const noHint = async (): Promise<void> => {}
  const work = async (mustLeave: () => boolean): Promise<void> =>
    await executeConversation(
      {
        kernel: stage.kernel,
        hints: { inbound: noHint, outbound: noHint, execute: async (address) => void hinted.push(address) },
        signals: { listen: () => () => {}, tell: () => {} },
        company: createCompany(),
        liveness: createStillLiveness(),
        giveBack: () => {},
        serve: (run, signal) => serveConversation(stage.deps, { ...run, mustLeave }, signal),
        onParked: () => {},
        onLeft: () => {},
      },
      place,
      new AbortController().signal,
    )
  await stage.say('one')
  await stage.say('two', { principal: 'web:bob' })
  await work(() => true)
  expect([stage.requests.length, hinted]).toEqual([1, [place]])
  const claimed = await stage.kernel.claim(place, 'other', 1000)
  expect(claimed).toMatchObject({ kind: 'CLAIMED', attempts: 1, pending: [{ event: { text: 'two' } }] })
  if (claimed.kind === 'CLAIMED') await stage.kernel.release(place, 'other', claimed.epoch, true)
  // Nothing waits behind the last one.
  await work(() => true)
  expect([stage.requests.length, hinted]).toEqual([2, [place]])
})
