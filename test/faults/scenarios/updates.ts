// Rows 34 and 35: the same update many times and at two receivers at once; updates out of order, with gaps, an edit before its message.
import { startFleet } from '#test/faults/rig/fleet.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'

export const duplicates: Scenario = {
  name: 'duplicate-updates',
  rows: [34],
  async run(note) {
    await using fleet = await startFleet({ telegram: true })
    await Promise.all(
      ['router', 'router', 'executor', 'executor', 'telegram', 'telegram', 'web'].map((name) => fleet.start(name)),
    )
    const asked = []
    for (let n = 0; n < 10; n++) {
      const one = await fleet.askTelegram(900 + n, `what comes five times ${n}?`)
      asked.push(one)
      for (let i = 0; i < 4; i++) await fleet.telegram?.control({ do: 'replay', update: one.seq })
    }
    for (let n = 0; n < 10; n++) {
      const again = await fleet.tryWeb('five', `what was sent five times ${n}?`, () => {})
      await Promise.all([again(), again(), again(), again()])
    }
    await fleet.answered(20_000)
    for (const one of asked) await fleet.telegram?.control({ do: 'replay', update: one.seq })
    await fleet.pause(1500)
    await expectInvariants(fleet, { extraModelCalls: 0 })
    note(
      `${asked.length} updates five times and once more after their answer, ${asked.length} posts five times: one answer each`,
    )
  },
}

export const outOfOrder: Scenario = {
  name: 'out-of-order-updates',
  rows: [35],
  async run(note) {
    await using fleet = await startFleet({ telegram: true })
    const roles = await Promise.all(['router', 'executor', 'telegram'].map((name) => fleet.start(name)))
    const { telegram } = fleet
    assert(telegram !== undefined, 'no Telegram')
    await telegram.control({ do: 'hold' })
    for (let n = 0; n < 8; n++) await fleet.askTelegram(950 + (n % 2), `what is out of order ${n}?`)
    // The edit is released before the message it changes.
    const late = await fleet.askTelegram(955, 'what was first written?')
    await telegram.control({ do: 'edit', from: 955, message: 1, text: late.text })
    await telegram.control({ do: 'release', order: 'reversed' })
    await fleet.answered(20_000)
    // A gap of a thousand ids, a kind nobody knows, a press on a message that never was.
    await telegram.control({ do: 'inject', update: { update_id: late.seq + 1000, poll_answer: { option_ids: [] } } })
    const forged = {
      id: '1',
      from: { id: 955, is_bot: false, first_name: 'x' },
      chat_instance: '1',
      data: 'p01-none.yes',
    }
    await telegram.control({ do: 'inject', update: { update_id: late.seq + 1001, callback_query: forged } })
    await fleet.answered(20_000, [await fleet.askTelegram(955, 'what comes after the gap?')])
    for (const role of roles) assert(role.isRunning(), `${role.name} ended:\n${role.tail()}`)
    await expectInvariants(fleet, { extraModelCalls: 1, otherTexts: true })
    note(`${fleet.talk.asked.size} messages answered in the order of their ids`)
  },
}
