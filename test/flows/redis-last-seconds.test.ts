// Redis crashes and comes back without its last seconds; here without anything, which is the same to those who spoke in them. What they
// said is answered, and what was already said is not said again.
import { expect, test } from 'vitest'
import { until } from '#test/rig/fleet.ts'
import { startTelegramFleet } from '#test/rig/telegram-fleet.ts'

test(
  'messages that Redis lost with its last seconds are answered, in order and once',
  { timeout: 60_000 },
  async () => {
    await using rig = await startTelegramFleet({ env: { FLOTILLA_ALLOW: '*' } })
    const { telegram, fleet } = rig
    // No answer is ready when it happens.
    fleet.model.script({ gate: { name: 'lost' } })
    for (const text of ['first', 'second']) telegram.sendText({ from: 7, chat: 7, text: `what is the ${text} one?` })
    await until(() => telegram.pendingUpdates() === 0)
    await fleet.redis.kill()
    await fleet.redis.restart()
    fleet.model.open('lost')
    await until(() => rig.bot(7).some(({ text }) => text.includes('second')))
    expect(rig.lastPrompt()).toMatch(/first[^]*second/)
    expect(rig.bot(7).filter(({ text }) => text.includes('second'))).toHaveLength(1)
  },
)

test('an answer that was given in the lost seconds is not given again', { timeout: 60_000 }, async () => {
  await using rig = await startTelegramFleet({ env: { FLOTILLA_ALLOW: '*' } })
  const { telegram, fleet } = rig
  const { message } = telegram.sendText({ from: 7, chat: 7, text: 'what is one?' })
  await rig.replyTo(7, message)
  await fleet.redis.kill()
  await fleet.redis.restart()
  // The first is asked for a second time, and answered before what is said now.
  const next = telegram.sendText({ from: 7, chat: 7, text: 'what is two?' })
  await until(() => rig.bot(7).some(({ id, text }) => id > next.message && text.includes('two')))
  expect(rig.bot(7).filter(({ text }) => text.includes('one'))).toHaveLength(1)
})
