// Row 46 for tasks, both ways: a task that waits was written by this release, or by the next one, whose tasks keep a field more (next-release.ts). Whoever of
// them is there goes on with it, also where the other one has shown the card and the press came while none was there. Each part comes once.
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { guideOrder, parts, scriptGuide } from '#test/faults/rig/guide.ts'
import { eventually, type Place } from '#test/faults/rig/place.ts'
import { directPlace, findCard } from '#test/faults/rig/places.ts'
import { next } from '#test/faults/rig/releases.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { checkInvariants } from '#test/rig/oracle.ts'

const roles = ['router', 'executor']
const ours = {}

export const taskReleases: Scenario = {
  name: 'task-releases',
  rows: [46],
  async run(note) {
    await using fleet = await startFleet({ telegram: true })
    await scriptGuide(fleet)
    await Promise.all(['telegram', 'web'].map((role) => fleet.start(role)))
    const orders = [
      [ours, next, ours],
      [next, ours, next],
    ] as const
    for (const [nth, releases] of orders.entries()) {
      const places = [await directPlace(fleet, 'telegram', 300 + nth), await directPlace(fleet, 'web', 300 + nth)]
      let workers = await start(fleet, releases[0])
      await Promise.all(places.map((place) => place.command(guideOrder)))
      for (const [at, part] of parts.entries()) {
        for (const place of places) await heard(place, part)
        // What the next release keeps more outlives what this one stores.
        const wasNew = releases.some((one, n) => one === next && n <= at)
        for (const place of places)
          assert(
            (await hasMood(fleet, place)) === wasNew,
            `at step ${at + 1} the task of ${place.conversation} ${wasNew ? 'lost' : 'has'} what the next release keeps`,
          )
        await Promise.all(workers.map((role) => role.stop()))
        const pressed = await Promise.all(
          places.map(async (place) => {
            const { id, data } = await findCard(place, 'Continue')
            return await place.press(id, data)
          }),
        )
        workers = await start(fleet, releases[at + 1] ?? releases[0])
        await Promise.all(pressed.map((one) => one.notice()))
      }
      for (const place of places) await expectWhole(place)
      await Promise.all(workers.map((role) => role.stop()))
    }
    const back = await start(fleet, ours)
    await fleet.pause(1500)
    const broken = await checkInvariants(fleet.redis.admin)
    assert(broken.length === 0, `broken: ${broken.join(', ')}`)
    assert((await fleet.redis.admin.keys('fl:*parked')).length === 0, 'a conversation or a task is parked')
    assert(
      back.every((role) => role.isRunning()),
      'a process ended',
    )
    note('4 tasks on Telegram and the web, each gone on with by this release and by the next one, both ways: whole')
  },
}

const start = (fleet: Fleet, env: Readonly<Record<string, string>>) =>
  Promise.all(roles.map((role) => fleet.start(role, env)))

/** Whether the task keeps what only the next release knows. */
async function hasMood({ redis }: Fleet, { conversation }: Place): Promise<boolean> {
  const key = `${partitionPrefix(toPartition(conversation))}r:${conversation}#1`
  return (await redis.admin.hget(key, 'f.tasks'))?.includes('"mood"') ?? false
}

const heard = async (place: Place, text: string): Promise<unknown> =>
  await eventually(
    async () => (await place.said()).find((card) => card.text.includes(text)),
    async () => `nobody said "${text}" in ${place.conversation}: ${JSON.stringify(await place.said())}`,
    30_000,
  )

async function expectWhole(place: Place): Promise<void> {
  await heard(place, '#1 · done')
  await heard(place, parts.join('\n\n'))
  const texts = (await place.said()).map(({ text }) => text)
  for (const part of parts) {
    const count = texts.filter((text) => text.includes(part)).length
    assert(count === 1, `"${part}" stands in ${count} messages of ${place.conversation}`)
  }
}
