// Three days without a word for a fleet that runs all the while, then fifteen in which all of it is down: every chat is answered again and
// nothing is said twice. A question and a menu can be answered after three days; after a week they are over, each once, and their buttons go,
// also where nobody was there to see to it in time.
import { z } from 'zod'
import { pressIn, scriptNotes, shownIn } from '#test/faults/rig/cards.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { startMovingClock, type MovingClock } from '#test/rig/moving-clock.ts'
import { findKeyBreaches, readKeyRows } from '#test/rig/stored-keys.ts'

const dayMs = 86_400_000
const waitMs = 20_000
const person = 7
const over = 'Nobody said (deadline).'
const roles = ['router', 'executor', 'telegram', 'web']
const card = z.object({
  id: z.number(),
  from: z.unknown(),
  text: z.string(),
  buttons: z.array(z.array(z.object({ text: z.string(), data: z.string().optional() }))),
})

export const daysPass: Scenario = {
  name: 'days-pass',
  rows: [40, 41, 'days'],
  async run(note) {
    using clock = startMovingClock()
    await using fleet = await startFleet({ clock, telegram: true, env: { SAMPLE_FEATURE: '1' } })
    await scriptNotes(fleet)
    const processes = await Promise.all(roles.map((role) => fleet.start(role)))
    await askAll(fleet)
    for (const chat of ['soon', 'late']) await fleet.answered(waitMs, [await fleet.ask(chat, 'May you keep it')])
    await fleet.telegram?.control({ do: 'sendText', from: person, text: '/config' })
    await findCard(fleet, 'Language')
    await expectReceipts(fleet, true)

    await pass(fleet, clock, 3)
    await expectReceipts(fleet, false)
    const kept = await pressIn(fleet, 'soon', 'Keep', clock.now())
    assert(kept.kind === 'WON', `a question of three days ago is ${kept.kind}`)
    await fleet.answered(waitMs, [kept.asked])
    assert((await pressMenu(fleet, 'Default depth')) === 'Got it.', 'a menu of three days ago was not taken')
    await findCard(fleet, 'deep')
    await askAll(fleet)

    const menu = await findCard(fleet, 'deep')
    await expectInvariants(fleet, { extraModelCalls: 10, otherTexts: true })
    await Promise.all(processes.map((one) => one.stop()))
    clock.step(15 * dayMs)
    const backMs = Date.now()
    await Promise.all(roles.map((role) => fleet.start(role)))
    await until(
      fleet,
      async () =>
        (await readChat(fleet)).find(({ id }) => id === menu.message)?.buttons.length === 0 ? true : undefined,
      async () => `a menu of fifteen days ago has its buttons: ${JSON.stringify(await readChat(fleet))}`,
    )
    await until(
      fleet,
      async () => ((await shownIn(fleet, 'late')).some(({ text }) => text === over) ? true : undefined),
      async () => `a question of eighteen days ago is still open: ${JSON.stringify(await shownIn(fleet, 'late'))}`,
    )
    const overMs = Date.now() - backMs
    const late = await pressIn(fleet, 'late', 'Keep', clock.now())
    assert(late.kind === 'UNKNOWN', `a question of eighteen days ago is ${late.kind}`)
    await askAll(fleet)

    await pass(fleet, clock, 0)
    await expectSaid(fleet)
    assert(fleet.roles.length === roles.length, `of ${roles.length} processes ${fleet.roles.length} still run`)
    note(
      `3 and 15 days later: both channels answer, what was asked held for a week and was over ${overMs} ms after the return, ` +
        'nothing was said twice',
    )
  },
}

async function askAll(fleet: Fleet): Promise<void> {
  const asked = [await fleet.ask('talk', 'what is new?'), await fleet.askTelegram(person, 'what is new?')]
  await fleet.answered(waitMs, asked)
}

/** Nothing is in flight, and all that is stored has its bound; then the days pass. */
async function pass(fleet: Fleet, clock: MovingClock, days: number): Promise<void> {
  // A turn with a tool asks twice for one answer.
  await expectInvariants(fleet, { extraModelCalls: 10, otherTexts: true })
  clock.step(days * dayMs)
  const rows = readKeyRows()
  await until(
    fleet,
    async () => ((await findKeyBreaches(fleet.redis.admin, rows, 'rest')).length === 0 ? true : undefined),
    async () => `${days} days later: ${(await findKeyBreaches(fleet.redis.admin, rows, 'rest')).join('\n')}`,
  )
}

/** Receipts of delivered rows are kept for 48 hours. */
async function expectReceipts({ redis }: Fleet, wanted: boolean): Promise<void> {
  const found = await redis.admin.keys('fl:*:done:*')
  assert(found.length > 0 === wanted, `there are ${found.length} lists of receipts`)
}

/** Every chat shows what it was told, once. */
async function expectSaid(fleet: Fleet): Promise<void> {
  const page = ['talk', 'soon', 'late'].map(async (chat) => (await shownIn(fleet, chat)).map(({ text }) => text))
  const [talk = [], soon, late] = await Promise.all(page)
  const asks = ['Keep none?', 'I go on when this question is answered.']
  const ends = [...asks, over]
  const mine = (await readChat(fleet)).flatMap(({ from, text }) => (from === 'bot' ? [text] : []))
  const echoes = [talk, mine].map((texts) => new Set(texts.filter((text) => text.startsWith('echo: '))).size)
  const isOnce =
    talk.length === 3 &&
    mine.length === 4 &&
    echoes.join() === '3,3' &&
    soon?.join() === [...asks, 'Good.', 'Kept: none'].join()
  assert(isOnce && late?.join() === ends.join(), `said: ${JSON.stringify([talk, soon, late, mine])}`)
}

async function readChat({ telegram }: Fleet): Promise<readonly z.infer<typeof card>[]> {
  const reply: unknown = await (await fetch(`${telegram?.apiRoot}/__chat?chat=${person}`)).json()
  return z.object({ result: z.object({ visible: z.array(card) }) }).parse(reply).result.visible
}

/** The newest message of the bot with a button of this label, once there is one. */
async function findCard(fleet: Fleet, label: string): Promise<{ readonly message: number; readonly data: string }> {
  return await until(
    fleet,
    async () =>
      (await readChat(fleet))
        .flatMap(({ id, buttons }) => buttons.flat().map(({ text, data = '' }) => ({ message: id, text, data })))
        .findLast(({ text }) => text === label),
    async () => `no button ${label} among ${JSON.stringify(await readChat(fleet))}`,
  )
}

/** Presses a button of the menu; resolves with what the person is told. */
async function pressMenu(fleet: Fleet, label: string): Promise<string> {
  const { message, data } = await findCard(fleet, label)
  const control = async (command: { readonly do: string } & Record<string, unknown>): Promise<unknown> =>
    await fleet.telegram?.control(command)
  const { id } = z.object({ id: z.string() }).parse(await control({ do: 'press', from: person, message, data }))
  const answered = z.object({ text: z.string() }).optional()
  const { text } = await until(
    fleet,
    async () => answered.parse(await control({ do: 'pressAnswer', id })),
    async () => `the press of ${label} was not acknowledged`,
  )
  return text
}

async function until<T>({ pause }: Fleet, find: () => Promise<T | undefined>, why: () => Promise<string>): Promise<T> {
  for (const endsAtMs = Date.now() + waitMs; Date.now() < endsAtMs; await pause(50)) {
    const found = await find()
    if (found !== undefined) return found
  }
  throw new Error(`Not within ${waitMs} ms: ${await why()}`)
}
