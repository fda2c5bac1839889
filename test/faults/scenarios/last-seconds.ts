// Redis is killed and comes back with a file that is two seconds older, under Telegram, Discord and Feishu. What was said and answered in those
// seconds is answered, once, and so is what is said afterwards.
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import type { Asked, Said } from '#test/faults/rig/transcripts.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'

const chats = 10
const lostMs = 2000
const afterwards = 'after its return'

export const lastSeconds: Scenario = {
  name: 'redis-last-seconds',
  rows: [11],
  async run(note) {
    await using fleet = await startFleet({ telegram: true, discord: true, feishu: true })
    const roles = await Promise.all(
      ['router', 'executor', 'telegram', 'discord', 'feishu'].map((name) => fleet.start(name)),
    )
    await fleet.discord?.connected()
    await fleet.feishu?.connected()
    await fleet.model.latency(300)
    const say = async (when: string, first = 700) =>
      await Promise.all(
        Array.from({ length: chats }, async (_, i) => [
          await fleet.askTelegram(first + i, `what was it ${when} in ${i}?`),
          await fleet.askDiscord(first + i, `what was it ${when} in ${i}?`),
          await fleet.askFeishu(first + i, `what was it ${when} in ${i}?`),
        ]),
      )
    await say('before')
    await fleet.answered(20_000)
    const goBack = await fleet.redis.copyFiles()
    const copiedAtMs = Date.now()
    const answered = (await say('answered and lost')).flat()
    await fleet.answered(lostMs, answered)
    // In chats of their own: what is lost together is answered together, which may say once more what was answered by itself.
    await say('taken and lost', 800)
    await fleet.pause(Math.max(0, copiedAtMs + lostMs - Date.now()))
    await fleet.redis.kill()
    const lostForMs = Date.now() - copiedAtMs
    await goBack()
    await fleet.redis.restart()
    const backAtMs = Date.now()
    await say(afterwards)
    await fleet.answered(30_000)
    const tookMs = Date.now() - backAtMs
    // What was answered in the lost seconds would come again by now: it was taken in before what has just been answered.
    const twice = [...fleet.talk.asked.values()].filter((asked) => timesSaid(fleet.talk, asked) > 1)
    assert(twice.length === 0, `said twice: ${twice.map(({ text }) => text).join(', ')}`)
    for (const role of roles) assert(role.isRunning(), `${role.name} ended:\n${role.tail()}`)
    note(
      `${fleet.talk.asked.size} messages, ${lostForMs} ms lost: all answered ${tookMs} ms after its return, none twice`,
    )
  },
}

/**
 * Alone: what is said right after the return may come while the lost message, which is there again, still waits. Then both are answered in one,
 * which is no answer given twice. An echo repeats only the later of the two, whichever that is.
 */
function timesSaid({ answersTo, asked }: Fleet['talk'], { id, text }: Asked): number {
  const isAfter = (one: string | undefined): boolean => one?.includes(afterwards) === true
  const isTogether = ({ answers }: Said): boolean => answers.some((one) => isAfter(asked.get(one)?.text))
  return answersTo(id).filter((said) => isAfter(text) || !isTogether(said)).length
}
