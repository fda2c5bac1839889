// Rows 37 and 38 on Telegram, Discord and the web, with a menu, a question, a choice and calls that need approval, in a group and by an owner for a
// member: of all who press at once one wins, the others are told who did, and what follows happens once; whoever may not press, in whatever chat
// and with whatever data, changes nothing.
import {
  choosing,
  countEffects,
  made,
  openService,
  really,
  scriptAsking,
  toOwners,
  type Service,
} from '#test/faults/rig/asking-cards.ts'
import { scriptNotes } from '#test/faults/rig/cards.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { eventually, type Place } from '#test/faults/rig/place.ts'
import { cardWhen, directPlace, findCard, groupPlace } from '#test/faults/rig/places.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { checkInvariants } from '#test/rig/oracle.ts'

const platforms = ['telegram', 'discord'] as const
const channels = [...platforms, 'web'] as const
const people = Array.from({ length: 20 }, (_, i) => 101 + i)
const [asker = 0] = people
const stranger = 190
const choices = ['light', 'standard', 'deep', 'automatic']
const member = 191
const outOfDate = /^(This message is out of date: its buttons no longer work\.|unknown)$/
const notYours = /^(This button is not for you\.|forbidden)$/
const wonNotice = /^(Got it\.|won|)$/

export const pressedAtOnce: Scenario = {
  name: 'pressed-at-once',
  rows: [37],
  async run(note) {
    await using service = await openService()
    await using fleet = await startPressFleet(service)
    for (const [nth, channel] of channels.entries()) {
      const place =
        channel === 'web'
          ? await directPlace(fleet, 'web', asker)
          : await groupPlace(fleet, channel, { by: asker, admins: people })
      await pressChoice(fleet, place)
      await pressCall(fleet, service, { place, shown: place, entry: `entry-${nth}` })
      if (channel !== 'web') {
        const shown = await directPlace(fleet, channel, asker)
        await pressCall(fleet, service, { place, shown, entry: `entry-${10 + nth}` })
      }
      // Last, since the depth that wins may be one in which nothing is called.
      await pressMenu(place)
    }
    for (const channel of channels) await pressQuestion(fleet, await directPlace(fleet, channel, 150))
    const { entries } = await fleet.model.asked()
    const goesOn = entries.filter(({ messages }) =>
      JSON.stringify(messages.findLast(({ role }) => role === 'user')).includes('They are kept'),
    )
    assert(goesOn.length === channels.length, `${channels.length} answers had ${goesOn.length} turns`)
    await expectSound(fleet)
    note(`${people.length} people at once, and one person ${people.length} times, on ${channels.join(', ')}: one won`)
  },
}

export const forgedPresses: Scenario = {
  name: 'forged-presses',
  rows: [38],
  async run(note) {
    await using service = await openService()
    await using fleet = await startPressFleet(service)
    let refused = 0
    for (const channel of channels)
      for (const [nth, kind] of forgeries.entries()) refused += await tryForged(fleet, channel, { nth, kind })
    // The others are asked about a second time, and were pressed once.
    assert(service.effects.length === 0, `${service.effects.length} calls were made`)
    await expectSound(fleet)
    note(
      `${refused} presses that nobody may make, on ${channels.join(', ')}: refused, nothing changed, the card still held`,
    )
  },
}

type Forgery = {
  ask(place: Place): Promise<void>
  readonly label: string
  /** How the card reads that was pressed by whom it is for. */
  readonly wins: string
}
const forgeries: readonly Forgery[] = [
  { ask: (place) => place.command('depth', asker), label: 'deep', wins: 'deep, set by' },
  { ask: (place) => place.say('Choose a hotel for me.', asker), label: 'Krone', wins: 'Chosen by' },
  {
    ask: (place) => place.say(`Delete entry-0 of the list for me.`, asker),
    label: 'Approve once',
    wins: 'waits for your second yes',
  },
]

/** Resolves with how many presses were refused. */
async function tryForged(
  fleet: Fleet,
  channel: (typeof channels)[number],
  { nth, kind }: { readonly nth: number; readonly kind: Forgery },
): Promise<number> {
  const isWeb = channel === 'web'
  const place = isWeb
    ? await directPlace(fleet, 'web', 300 + nth)
    : await groupPlace(fleet, channel, { by: people[nth + 1] ?? 0, admins: [asker] })
  const own = await directPlace(fleet, channel, isWeb ? 310 + nth : asker)
  for (const one of [place, own]) await kind.ask(one)
  const [card, other] = [await findCard(place, kind.label), await findCard(own, kind.label)]
  for (const one of [place, own]) await quiet(fleet, one)
  const before = await dump(fleet, place)
  // The same button under another message, pressed by whom it is for.
  await expectTold(own, { card: other.id, data: card.data }, notYours)
  if (!isWeb) {
    await expectTold(place, { card: card.id, data: card.data, who: stranger }, notYours)
    await expectTold(own, { card: await forward(fleet, own, place, card), data: card.data }, notYours)
  } else await expectNoToken(fleet, place, card.data)
  const forged = forge(card.data, other.data)
  for (const data of forged) await expectTold(place, { card: card.id, data, who: asker }, outOfDate)
  assert((await dump(fleet, place)) === before, `${place.conversation} was changed by a refused press`)
  assert((await findCard(place, kind.label)).texts.length === 1, `${place.conversation}: the card was changed`)
  const refused = isWeb ? 1 : 3
  await expectRecords(fleet, channel, refused * (nth + 1))
  await expectTold(place, { card: card.id, data: card.data, who: asker }, wonNotice)
  await cardWhen(place, card.id, ({ text }) => text.includes(kind.wins))
  await quiet(fleet, own)
  await expectTold(own, { card: other.id, data: other.data }, wonNotice)
  return forged.length + (isWeb ? 2 : 3)
}

async function startPressFleet(service: Service): Promise<Fleet> {
  const fleet = await startFleet({ telegram: true, discord: true, env: { SAMPLE_FEATURE: '1', ...service.env } })
  await scriptNotes(fleet)
  await scriptAsking(fleet, service, 20)
  const env = await toOwners(fleet, { telegram: [asker], discord: [asker] })
  await Promise.all(['router', 'executor', 'executor', ...channels].map((role) => fleet.start(role, env)))
  await fleet.discord?.connected()
  for (const channel of channels) {
    // So that an owner can be written to.
    const direct = await directPlace(fleet, channel, asker)
    await direct.say('/status')
    await eventually(async () => (await direct.said())[0], `nobody answers in ${direct.conversation}`)
  }
  return fleet
}

type Told = {
  readonly who: number
  readonly label: string
  readonly notice: string
  readonly isOnce: boolean
}

/** Presses of these buttons by these people in the same moment, each twice. */
async function pressAll(
  place: Place,
  card: { readonly id: string; readonly buttons: readonly { readonly label: string; readonly data: string }[] },
  by = people,
): Promise<readonly Told[]> {
  const presses = by
    .flatMap((who) => [who, who])
    .map(async (who, i) => {
      const button = card.buttons[(i >> 1) % card.buttons.length]
      const pressed = await place.press(card.id, button?.data ?? '', who)
      const notice = await pressed.notice()
      return { who, label: button?.label ?? '', notice, pressed }
    })
  const told = await Promise.all(presses)
  return await Promise.all(
    told.map(async ({ pressed, ...one }) => ({ ...one, isOnce: (await pressed.acknowledged()) === 1 })),
  )
}

/** Anyone of the chat may choose: one choice holds, the others are told whose, and the turn goes on once. */
async function pressChoice(fleet: Fleet, place: Place): Promise<void> {
  await place.say(choosing.wish, asker)
  const card = await findCard(place, choosing.button)
  await quiet(fleet, place)
  const won = await expectOneWinner(place, await pressAll(place, card))
  const ended = await cardWhen(place, card.id, ({ buttons }) => buttons.length === 0)
  assert(/Chosen by .+: /.test(ended.text) && ended.text.includes(won), `${ended.text} is not what has won: ${won}`)
  await expectSaidOnce(fleet, place, choosing.answered)
}

/** Of all who press only the owner may approve the call: it is made once, and their turn, or the member's, goes on once. */
async function pressCall(
  fleet: Fleet,
  service: Service,
  { place, shown, entry }: { readonly place: Place; readonly shown: Place; readonly entry: string },
): Promise<void> {
  const isOwners = place !== shown
  const ends = (await place.said()).filter(({ text }) => text.includes(made)).length
  await place.say(
    isOwners ? `Write ${entry} into the list, please.` : `Delete ${entry} of the list for me.`,
    isOwners ? member : asker,
  )
  // What cannot be taken back is asked twice.
  for (const label of isOwners ? ['Approve once'] : ['Approve once', really]) {
    const { data, ...card } = await findCard(shown, label)
    await quiet(fleet, shown)
    assert(countEffects(service, entry) === 0, `${entry} was changed before it was approved`)
    const buttons = [{ label, data }]
    // Nobody else is in an owner's direct chat: others press the same button under a message of the group.
    const told = isOwners
      ? (
          await Promise.all([
            pressAll(
              shown,
              { ...card, buttons },
              Array.from({ length: 10 }, () => asker),
            ),
            pressAll(place, { id: (await place.said()).at(-1)?.id ?? '', buttons }),
          ])
        ).flat()
      : await pressAll(shown, { ...card, buttons })
    const mine = told.filter(({ who }) => who === asker)
    // On the page all who press are its owner, so that any of them may be first.
    assert(
      (shown.channel === 'web' ? told : mine).some(({ notice }) => wonNotice.test(notice)),
      `the owner is told ${JSON.stringify(mine)}, all are told ${JSON.stringify(told)}`,
    )
    const wrong = told.find(({ who, notice }) => who !== asker && !notYours.test(notice))
    if (shown.channel === 'web') assert(told.filter(({ notice }) => notice === 'won').length === 1, 'more than one won')
    else assert(!wrong, `${shown.conversation}: who may not approve is told "${wrong?.notice}"`)
    assert(
      told.every(({ isOnce }) => isOnce),
      'presses were not acknowledged once',
    )
  }
  await eventually(
    async () => (await place.said()).filter(({ text }) => text.includes(made)).length > ends || undefined,
    async () => `${place.conversation} did not go on: ${JSON.stringify(await place.said())}`,
  )
  await expectSaidOnce(fleet, place, made, ends)
  assert(countEffects(service, entry) === 1, `${entry} was changed ${countEffects(service, entry)} times`)
  const cards = (await shown.said()).filter(({ text }) => text.includes(entry))
  assert(
    cards.every(({ buttons }) => buttons.length === 0),
    `${shown.conversation} shows ${JSON.stringify(cards)}`,
  )
}

/** After it has come to rest. `before`: how often it was said already. */
async function expectSaidOnce(fleet: Fleet, place: Place, text: string, before = 0): Promise<void> {
  const all = async (): Promise<number> => (await place.said()).filter((one) => one.text.includes(text)).length
  await eventually(async () => (await all()) > before || undefined, `${place.conversation} does not say "${text}"`)
  await quiet(fleet, place)
  const times = (await all()) - before
  assert(times === 1, `${place.conversation} says "${text}" ${times} times`)
}

/** All press another choice of the menu in the same moment; each does so twice. */
async function pressMenu(place: Place): Promise<void> {
  await place.command('depth', asker)
  const { id, buttons } = await findCard(place, 'deep')
  const told = await pressAll(place, { id, buttons: buttons.slice(0, choices.length) })
  const card = await cardWhen(place, id, ({ text }) => text.includes('set by'))
  assert(card.texts.length === 2 && card.buttons.length === 0, `${place.conversation} shows ${JSON.stringify(card)}`)
  const label = await expectOneWinner(place, told)
  assert(card.text.includes(`: ${label.replace('✓ ', '')}, set by`), `${card.text} is not what has won`)
}

/** All others are told who won, and each press was acknowledged once. Resolves with the label that won. */
async function expectOneWinner(place: Place, told: readonly Told[]): Promise<string> {
  const won = told.filter(({ notice }) => wonNotice.test(notice))
  const [winner] = won
  if (place.channel === 'web') {
    assert(won.length === 1, `${won.length} of ${told.length} presses on the page won`)
    assert(told.filter(({ notice }) => notice === 'already').length === told.length - 1, 'not all are told so')
  } else {
    const winners = new Set(won.map(({ who }) => who))
    assert(winners.size === 1, `${place.conversation}: ${winners.size} people won`)
    const wanted = `Already answered by ${await place.nameOf(winner?.who ?? 0)}`
    // Who presses when the card shows the answer already is told no label.
    const isRight = (notice: string): boolean => notice === wanted || notice === `${wanted}: ${winner?.label}`
    const wrong = told.find(({ who, notice }) => !winners.has(who) && !isRight(notice))
    assert(!wrong, `${place.conversation}: somebody is told "${wrong?.notice}", not "${wanted}: ${winner?.label}"`)
  }
  assert(
    told.every(({ isOnce }) => isOnce),
    'presses were not acknowledged once',
  )
  return winner?.label ?? ''
}

/** One person presses one button again and again, before anything shows that it was taken: a turn follows, once. */
async function pressQuestion(fleet: Fleet, place: Place): Promise<void> {
  await place.say('May you keep it')
  const { id, data } = await findCard(place, 'Keep')
  const presses = await Promise.all(people.map(() => place.press(id, data)))
  const notices = await Promise.all(presses.map((pressed) => pressed.notice()))
  const isFine = notices.every((notice) => wonNotice.test(notice) || notice === 'already')
  assert(isFine, `${place.conversation}: the presser is told ${JSON.stringify(notices)}`)
  const isOver = async () => (await place.said()).find(({ text }) => text === 'Kept: none')
  await eventually(isOver, `${place.conversation} did not go on`)
  await quiet(fleet, place)
  const said = (await place.said()).map(({ text }) => text)
  const wanted = ['Keep none?', 'I go on when this question is answered.', 'Good.', 'Kept: none']
  assert(said.join() === wanted.join(), `${place.conversation} says ${JSON.stringify(said)}`)
  await cardWhen(place, id, ({ buttons }) => buttons.length === 0)
}

type Try = { readonly card: string; readonly data: string; readonly who?: number }

async function expectTold(place: Place, { card, data, who }: Try, wanted: RegExp): Promise<void> {
  const notice = await (await place.press(card, data, who)).notice()
  assert(
    wanted.test(notice),
    `${place.conversation}: who presses ${JSON.stringify(data.slice(0, 80))} is told "${notice}"`,
  )
}

/** Data that no button has, made of a real one and of another chat's. */
function forge(own: string, other: string): readonly string[] {
  const [question = '', option = ''] = own.split('.')
  return [
    'x'.repeat(64),
    `${question}.shorter`,
    `${question}.`,
    question,
    `.${option}`,
    `${question.startsWith('p63') ? 'p62' : 'p63'}-${question.slice(4)}.${option}`,
    `p64-${question.slice(4)}.${option}`,
    `p00-${'a'.repeat(22)}.${option}`,
    `${other.split('.')[0]}.set-nonsense`,
    `${question}.${'y'.repeat(32)}`,
    '__proto__',
    '{"v":1}',
    '*',
    '\u0000\u0001\ufffd\u{1f4a3}\u202e',
  ]
}

/** Forwards the card into the other chat; resolves with the copy. Discord forwards no buttons, and a client may press them all the same. */
async function forward(fleet: Fleet, into: Place, from: Place, card: { id: string; data: string }): Promise<string> {
  if (into.channel === 'discord') {
    const channel = into.conversation.slice('discord:'.length)
    const forwardOf = { channel: from.conversation.slice('discord:'.length), message: card.id }
    return String(await fleet.discord?.control({ do: 'say', person: `Person ${asker}`, channel, text: '', forwardOf }))
  }
  const extra = {
    forward_origin: { type: 'hidden_user', date: Math.floor(Date.now() / 1000), sender_user_name: 'Flotilla' },
    reply_markup: { inline_keyboard: [[{ text: 'deep', callback_data: card.data }]] },
  }
  const sent = await fleet.telegram?.control({ do: 'sendText', from: asker, text: 'Default depth: automatic', extra })
  return String((sent as { message: number }).message)
}

async function expectNoToken({ web }: Fleet, { conversation }: Place, buttonId: string): Promise<void> {
  const name = conversation.slice('web:'.length)
  const url = `http://127.0.0.1:${web.port}/api/conversations/${name}/presses`
  const headers = { authorization: 'Bearer forged', 'content-type': 'application/json' }
  const { status } = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ buttonId }) })
  assert(status === 401, `a press with a forged token is answered ${status}`)
}

/** Each that names a question stands in the log, with who, where and which. */
async function expectRecords(fleet: Fleet, channel: string, wanted: number): Promise<void> {
  const role = fleet.roles.find(({ name }) => name === channel)
  const forbidden = async () => {
    const lines = (role?.tail(400) ?? '').split('\n').filter((line) => line.includes('refused a press'))
    const found = lines.filter((line) => line.includes('FORBIDDEN'))
    return found.length >= wanted && found.every((line) => line.includes('"question":"p')) ? found : undefined
  }
  const found = await eventually(forbidden, async () => `not on record: ${role?.tail(20)}`)
  assert(found.length === wanted, `${found.length} of ${wanted} presses are on record`)
}

/** Until the conversation has nothing to do. */
async function quiet(fleet: Fleet, place: Place): Promise<void> {
  let before = ''
  await eventually(async () => {
    const now = await dump(fleet, place)
    const isSame = now === before
    before = now
    await fleet.pause(700)
    return isSame ? true : undefined
  }, `${place.conversation} does not come to rest`)
}

/** All that Redis holds of the conversation, its questions and its timers. */
async function dump({ redis: { admin } }: Fleet, { conversation }: Place): Promise<string> {
  const prefix = partitionPrefix(toPartition(conversation))
  const keys = (await admin.keys(`${prefix}*`)).toSorted()
  const due = await admin.zrange(`${prefix}timers`, '0', '-1', 'WITHSCORES')
  const timers = due.flatMap((name, i) => (name.startsWith(`${conversation} `) ? [name, due[i + 1]] : []))
  const values = keys.map(async (key) => {
    const type = await admin.type(key)
    const fields = type === 'hash' ? await admin.hgetall(key) : {}
    if (!key.includes(conversation) && fields['c'] !== conversation) return []
    if (type === 'list') return [key, await admin.lrange(key, 0, -1)]
    // Redis tells fields in another order while it makes room for more.
    const sorted = Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1))
    return [key, sorted, type === 'stream' ? await admin.xlen(key) : type]
  })
  return JSON.stringify([timers, await Promise.all(values)])
}

async function expectSound(fleet: Fleet): Promise<void> {
  await fleet.pause(1500)
  const broken = await checkInvariants(fleet.redis.admin)
  assert(broken.length === 0, `broken: ${broken.join(', ')}`)
}
