// Rows 34 and 35 on Feishu: what it brings again after 15 s, 5 min, 1 h and almost 7 h, to two processes at once, also under another event's id
// and another message's. It is one event: stored once, answered once. Time moves for the fleet; Feishu's ladder is done by hand.
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { eventually } from '#test/faults/rig/place.ts'
import { directPlace } from '#test/faults/rig/places.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { startMovingClock } from '#test/rig/moving-clock.ts'
import { checkInvariants } from '#test/rig/oracle.ts'

const ladderMs = [15_000, 300_000, 3_600_000, 24_840_000]
/** To two connections at random: all to one of them once in 128 times. */
const atOnce = 8
const said = 'im.message.receive_v1'
const chosen = 'application.bot.menu_v6'

export const feishuAgain: Scenario = {
  name: 'feishu-again',
  rows: [34, 35],
  async run(note) {
    using clock = startMovingClock()
    await using fleet = await startFleet({ clock, feishu: true })
    const { feishu } = fleet
    assert(feishu !== undefined, 'there is no Feishu')
    await Promise.all(['router', 'router', 'executor', 'executor', 'feishu', 'feishu'].map((role) => fleet.start(role)))
    await feishu.connected(2)
    // At once, before anybody knows of it.
    await feishu.control({ do: 'double', type: said, isDoubled: true })
    const [doubled, once] = [
      await fleet.askFeishu(900, 'what comes twice?'),
      await fleet.askFeishu(901, 'what comes again?'),
    ]
    await feishu.control({ do: 'double', type: said, isDoubled: false })
    await fleet.answered(30_000)
    const place = await directPlace(fleet, 'feishu', 902)
    await feishu.control({ do: 'menu', person: 'Person 902', key: 'help' })
    await eventually(async () => (await place.said())[0], 'the menu is not answered')
    const before = await countAnswers(fleet)
    let brought = 0
    let goneMs = 0
    for (const atMs of ladderMs) {
      clock.step(atMs - goneMs)
      goneMs = atMs
      for (const type of [said, chosen]) {
        for (let i = 0; i < atOnce; i++) await feishu.control({ do: 'repeat', type })
        await feishu.control({ do: 'repeatAnew', type })
        await feishu.control({ do: 'repeatAnew', type, isNewMessage: true })
        brought += atOnce + 2
      }
      await eventually(async () => (await feishu.pending()) === 0 || undefined, 'Feishu still holds events')
    }
    // What is said now comes after all of it.
    await fleet.answered(30_000, [await fleet.askFeishu(902, 'what comes at last?')])
    await fleet.pause(2000)
    const after = await countAnswers(fleet)
    assert(
      after.menus === before.menus + 1,
      `${after.menus - before.menus} messages came into the chat of the menu, where one was said`,
    )
    assert(after.answers === before.answers + 1, `${after.answers - before.answers} answers`)
    for (const { id, text } of [doubled, once]) {
      const answers = fleet.talk.answersTo(id).length
      assert(answers === 1, `"${text}" has ${answers} answers`)
    }
    const broken = await checkInvariants(fleet.redis.admin)
    assert(broken.length === 0, `broken: ${broken.join(', ')}`)
    const used = new Set((await feishu.deliveries()).map(({ connection }) => connection))
    assert(used.size === 2, `${used.size} connections were used`)
    note(`${brought} times again until ${goneMs / 3_600_000} h later, over two connections: each event once`)
  },
}

/** What the bot said in all chats, and in the one of the menu. */
async function countAnswers(fleet: Fleet): Promise<{ readonly answers: number; readonly menus: number }> {
  const answers = [...fleet.talk.conversations.values()].flat().filter(({ text }) => text.startsWith('echo: ')).length
  const menus = (await (await directPlace(fleet, 'feishu', 902)).said()).length
  return { answers, menus }
}
