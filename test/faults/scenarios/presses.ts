// Rows 37 and 38 on Telegram, Discord and the web, with a menu and a question that have deadlines: of all who press at once one wins, the others
// are told who did, and what follows happens once; whoever may not press, in whatever chat and with whatever data, changes nothing.
import { scriptNotes } from '#test/faults/rig/cards.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { cardWhen, directPlace, eventually, findCard, groupPlace, type Place } from '#test/faults/rig/places.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { checkInvariants } from '#test/rig/oracle.ts'

const platforms = ['telegram', 'discord'] as const
const channels = [...platforms, 'web'] as const
const people = Array.from({ length: 20 }, (_, i) => 101 + i)
const [asker = 0] = people
const stranger = 190
const choices = ['light', 'standard', 'deep', 'automatic']
const outOfDate = /^(This message is out of date: its buttons no longer work\.|unknown)$/
const notYours = /^(This button is not for you\.|forbidden)$/
const wonNotice = /^(Got it\.|won|)$/

export const pressedAtOnce: Scenario = {
  name: 'pressed-at-once',
  rows: [37],
  async run(note) {
    await using fleet = await startPressFleet()
    for (const channel of platforms) await pressMenu(await groupPlace(fleet, channel, { by: asker, admins: people }))
    await pressMenu(await directPlace(fleet, 'web', asker))
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
    await using fleet = await startPressFleet()
    let refused = 0
    for (const channel of channels) {
      const isWeb = channel === 'web'
      const place = isWeb
        ? await directPlace(fleet, 'web', asker)
        : await groupPlace(fleet, channel, { by: people[1] ?? 0, admins: [asker] })
      const own = await directPlace(fleet, channel, isWeb ? 2 : asker)
      for (const one of [place, own]) await one.command('depth', asker)
      const [card, other] = [await findCard(place, 'deep'), await findCard(own, 'deep')]
      await quiet(fleet, place)
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
      assert((await findCard(place, 'deep')).texts.length === 1, `${place.conversation}: the card was changed`)
      await expectRecords(fleet, channel, isWeb ? 1 : 3)
      await expectTold(place, { card: card.id, data: card.data, who: asker }, wonNotice)
      await cardWhen(place, card.id, ({ text, buttons }) => text.includes('deep, set by') && buttons.length === 0)
      await expectTold(own, { card: other.id, data: other.data }, wonNotice)
      refused += forged.length + (isWeb ? 2 : 3)
    }
    await expectSound(fleet)
    note(
      `${refused} presses that nobody may make, on ${channels.join(', ')}: refused, nothing changed, the card still held`,
    )
  },
}

async function startPressFleet(): Promise<Fleet> {
  const fleet = await startFleet({ telegram: true, discord: true, env: { SAMPLE_FEATURE: '1' } })
  await scriptNotes(fleet)
  await Promise.all(['router', 'executor', 'executor', ...channels].map((role) => fleet.start(role)))
  await fleet.discord?.connected()
  return fleet
}

/** All press another choice of the menu in the same moment; each does so twice. */
async function pressMenu(place: Place): Promise<void> {
  await place.command('depth', asker)
  const { id, buttons } = await findCard(place, 'deep')
  const presses = people
    .flatMap((who) => [who, who])
    .map(async (who, i) => {
      const button = buttons[(i >> 1) % choices.length]
      const pressed = await place.press(id, button?.data ?? '', who)
      return { who, label: button?.label ?? '', notice: await pressed.notice(), pressed }
    })
  const told = await Promise.all(presses)
  const card = await cardWhen(place, id, ({ text }) => text.includes('set by'))
  assert(card.texts.length === 2 && card.buttons.length === 0, `${place.conversation} shows ${JSON.stringify(card)}`)
  const won = told.filter(({ notice }) => wonNotice.test(notice))
  const winners = new Set(won.map(({ who }) => who))
  if (place.channel === 'web') {
    assert(won.length === 1, `${won.length} of ${told.length} presses on the page won`)
    assert(told.filter(({ notice }) => notice === 'already').length === told.length - 1, 'not all are told so')
  } else {
    assert(winners.size === 1, `${place.conversation}: ${winners.size} people won`)
    const [winner] = won
    const wanted = `Already answered by ${await place.nameOf(winner?.who ?? 0)}: ${winner?.label}`
    const others = told.filter(({ who }) => !winners.has(who))
    const wrong = others.find(({ notice }) => notice !== wanted)
    assert(!wrong, `${place.conversation}: somebody is told "${wrong?.notice}", not "${wanted}"`)
  }
  assert(card.text.includes(`: ${won[0]?.label.replace('✓ ', '')}, set by`), `${card.text} is not what has won`)
  const acknowledged = await Promise.all(told.map(({ pressed }) => pressed.acknowledged()))
  assert(
    acknowledged.every((count) => count === 1),
    `presses were acknowledged ${acknowledged.join()} times`,
  )
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
