// Issue 43, "Begin": a task ordered in a Telegram group and at the web page, whose executor is killed after each card and at each press; another one stands
// by. The end is what it is without a kill: each part once, each card once, nothing left open.
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { guideOrder, parts, scriptGuide } from '#test/faults/rig/guide.ts'
import { eventually, type Place } from '#test/faults/rig/place.ts'
import { directPlace, findCard, groupPlace } from '#test/faults/rig/places.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { checkInvariants } from '#test/rig/oracle.ts'

const asker = 101
/** When the executor is killed: once a card is shown, or as it is pressed. */
const kinds = ['never', 'shown', 'pressed'] as const
type Kill = (typeof kinds)[number]

export const taskKills: Scenario = {
  name: 'task-kills',
  rows: [40, 'begin'],
  async run(note) {
    await using fleet = await startFleet({ telegram: true })
    await scriptGuide(fleet)
    await Promise.all(['router', 'executor', 'executor', 'telegram', 'web'].map((role) => fleet.start(role)))
    for (const [nth, kill] of kinds.entries()) {
      const by = asker + nth
      const places = [await groupPlace(fleet, 'telegram', { by, admins: [by] }), await directPlace(fleet, 'web', by)]
      for (const place of places) {
        const begunAtMs = Date.now()
        const kills = await order(fleet, place, kill)
        const texts = (await place.said()).map(({ text }) => text)
        expectWhole(place, texts)
        note(`${place.conversation}, ${kills} kills (${kill}): the whole guide in ${Date.now() - begunAtMs} ms`)
      }
    }
    await fleet.pause(1500)
    const broken = await checkInvariants(fleet.redis.admin)
    assert(broken.length === 0, `broken: ${broken.join(', ')}`)
  },
}

async function order(fleet: Fleet, place: Place, kill: Kill): Promise<number> {
  let kills = 0
  const lose = async (): Promise<void> => {
    const [victim] = fleet.roles.filter(({ name, isRunning }) => name === 'executor' && isRunning())
    await victim?.kill()
    await fleet.start('executor')
    kills += 1
  }
  await place.command(guideOrder)
  for (const part of parts) {
    await heard(place, part)
    if (kill === 'shown') await lose()
    const { id, data } = await findCard(place, 'Continue')
    const pressed = await place.press(id, data)
    if (kill === 'pressed') await lose()
    await pressed.notice()
    await eventually(
      async () => (await place.said()).find((card) => card.id === id && !card.text.includes(part)),
      `the card of "${part}" is as it was in ${place.conversation}`,
    )
  }
  await heard(place, '#1 · done')
  await heard(place, parts.join('\n\n'))
  return kills
}

const heard = async (place: Place, text: string): Promise<unknown> =>
  await eventually(
    async () => (await place.said()).find((card) => card.text.includes(text)),
    async () => `nobody said "${text}" in ${place.conversation}: ${JSON.stringify(await place.said())}`,
    30_000,
  )

function expectWhole({ conversation }: Place, texts: readonly string[]): void {
  const count = (part: string): number => texts.filter((text) => text.includes(part)).length
  for (const part of parts) assert(count(part) === 1, `"${part}" stands in ${count(part)} messages of ${conversation}`)
  assert(
    count('Started as task #1') === 1,
    `${conversation} was told ${count('Started as task #1')} times that it began`,
  )
  assert(count(': Continue') === parts.length, `cards: ${JSON.stringify(texts)}`)
}
