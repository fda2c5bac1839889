// Groups on two platforms that an owner binds to one project: each reads what is kept for both, until they part; on the real processes.
import { expect, test } from 'vitest'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { labels, type Seen, type SimulatedChat } from '#test/rig/chats/chat.ts'
import { startDiscord } from '#test/rig/chats/discord-chat.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import type { Fleet } from '#test/rig/fleet.ts'

async function openChats() {
  const platforms = [
    await startTelegram({ patienceMs: 30_000 }),
    await startDiscord({ patienceMs: 30_000, limits: 'off' }),
  ] as const
  const [telegram, discord] = platforms
  const fleet = await startChatFleet(platforms, { owner: 'Olga' })
  const chats = {
    rocket: telegram.group({ by: 'Olga', title: 'Rocket team', admins: ['Ann'] }),
    engine: discord.group({ by: 'Olga' }),
    choir: telegram.group({ by: 'Olga', title: 'Choir' }),
    direct: telegram.direct('Olga'),
  }
  for (const chat of [chats.rocket, chats.choir]) await chat.until(() => chat.said()[0])
  chats.engine.ask('Olga', '/allow here')
  await chats.engine.hear('This server is let in')
  return {
    fleet,
    ...chats,
    async [Symbol.asyncDispose]() {
      await fleet[Symbol.asyncDispose]()
      for (const platform of platforms) await platform[Symbol.asyncDispose]()
    },
  }
}

/** The newest message of the bot that is so. */
async function find(chat: SimulatedChat, what: string, isIt: (one: Seen) => boolean): Promise<Seen> {
  return await chat
    .until(() => chat.said().findLast(isIt))
    .catch((cause: unknown) => {
      const said = chat.said().map((one) => `${one.text} [${labels(one).join()}]`)
      throw new Error(`Nothing has ${what}: ${said.join(' | ')}`, { cause })
    })
}
const hear = async (chat: SimulatedChat, part: string): Promise<string> =>
  (await find(chat, part, ({ text }) => text.includes(part))).text

async function press(chat: SimulatedChat, who: string, label: string): Promise<void> {
  const card = await find(chat, label, (one) => labels(one).includes(label))
  await chat.press(who, card.id, label).notice()
}

/** All that the model was given for the last answer. */
async function findGiven({ model }: Fleet, chat: SimulatedChat, question: string): Promise<string> {
  await chat.answerTo('Bob', question)
  return JSON.stringify(model.ledger.entries.at(-1)?.messages)
}

/** Says a command, and waits for its answer. */
const command = async (chat: SimulatedChat, who: string, text: string): Promise<string> =>
  (await chat.answerTo(who, text)).text

const question = 'which database do we use?'

test('what one group settled is given in the other while both are bound', { timeout: 120_000 }, async () => {
  await using place = await openChats()
  const { fleet, rocket, engine, choir, direct } = place
  await command(direct, 'Olga', 'remember that my database at home is called Zebrafinch')
  rocket.ask('Ann', '/anchor D database: we use Postgres')
  await press(rocket, 'Ann', 'Confirm')
  await hear(rocket, 'Settled as number 1')
  await command(engine, 'Bob', 'remember that the valve is called Kestrel')
  expect(await findGiven(fleet, engine, question)).not.toContain('Postgres')
  expect(await command(engine, 'Bob', '/project Apollo')).toContain('Only the bot’s owners')
  expect(await command(engine, 'Bob', '/project')).toContain('This chat is bound to no project')
  expect(await command(direct, 'Olga', '/project Apollo')).toContain('Groups alone are bound to a project')
  expect(await command(rocket, 'Olga', '/project @all')).toContain('A project’s name has at most 40 characters')

  expect(await command(rocket, 'Olga', '/project Apollo')).toContain(
    '(one thing) is then read in all chats of “Apollo”',
  )
  await press(rocket, 'Olga', 'Bind')
  await hear(rocket, 'No other chat is bound to it yet.')
  const card = await command(engine, 'Olga', '/project apollo')
  expect(card).toMatch(/now one other; administrators of each may change it.*\(one thing\).*\n+- .*Rocket team/)
  // Nobody reads it before the press, and nobody else presses.
  expect(await findGiven(fleet, engine, question)).not.toContain('Postgres')
  await press(engine, 'Bob', 'Bind')
  expect(await command(engine, 'Bob', '/project')).toContain('This chat is bound to no project')
  await press(engine, 'Olga', 'Bind')
  await hear(engine, 'This chat is now bound to the project “Apollo”')
  // A prompt that waits too long for what is kept goes without it.
  let given = ''
  for (let times = 0; times < 5 && !given.includes('we use Postgres'); times++)
    given = await findGiven(fleet, engine, question)
  expect(given).toContain('we use Postgres')
  expect(await command(rocket, 'Bob', '/memory')).toContain('Kestrel')
  expect(await findGiven(fleet, choir, question)).not.toContain('Postgres')
  for (const { messages } of fleet.model.ledger.entries) expect(JSON.stringify(messages)).not.toContain('Zebrafinch')

  // Forgotten in one, it is gone in both.
  engine.ask('Bob', '/forget Kestrel')
  await press(engine, 'Bob', 'Forget it')
  await hear(engine, 'is forgotten')
  expect(await command(rocket, 'Ann', '/memory')).not.toContain('Kestrel')
  await command(engine, 'Bob', 'remember that the pump is called Osprey')

  expect(await command(engine, 'Bob', '/project off')).toContain('Only the bot’s owners')
  expect(await command(engine, 'Olga', '/project off')).toContain('not bound to “Apollo” any more')
  const engines = await command(engine, 'Bob', '/memory')
  expect(engines).toContain('Osprey')
  expect(engines).not.toContain('Postgres')
  const rockets = await command(rocket, 'Ann', '/memory')
  expect(rockets).toContain('Postgres')
  expect(rockets).not.toContain('Osprey')
  expect(await findGiven(fleet, engine, question)).not.toContain('Postgres')
})

test('in Chinese, to another project, and with nobody pressing', { timeout: 120_000 }, async () => {
  await using place = await openChats()
  const { rocket, choir } = place
  expect(await command(rocket, 'Ann', '/project 登月')).toContain('只有机器人的主人')
  await command(rocket, 'Olga', '记住我们周一开会')
  expect(await command(rocket, 'Olga', '/project 登月')).toContain('要把这个群绑定到项目“登月”吗？')
  await press(rocket, 'Olga', '绑定')
  await hear(rocket, '现在绑定了项目“登月”')
  expect(await command(choir, 'Olga', '/project 登月')).toContain('Rocket team')
  // A card that says what is not so any more asks anew.
  await command(rocket, 'Olga', '/project 关')
  await press(choir, 'Olga', '绑定')
  await hear(choir, '现在还没有别的群')
  await press(choir, 'Olga', '绑定')
  await hear(choir, '这个群现在绑定了项目“登月”')
  await command(rocket, 'Olga', '/project 登月')
  await press(rocket, 'Olga', '绑定')
  await hear(rocket, '别的群')
  expect(await command(choir, 'Olga', '/project 合唱')).toContain('它会先离开“登月”')
  await press(choir, 'Olga', '不绑定')
  await hear(choir, '没有绑定')
  await command(choir, 'Olga', '/project 合唱')
  await press(choir, 'Olga', '绑定')
  await hear(choir, '现在绑定了项目“合唱”')
  expect(await place.fleet.runtime.memory.read(`chat:${choir.conversation}`)).toMatchObject({ count: 0 })
  expect(await command(rocket, 'Olga', '/project 关')).toContain('不再绑定“登月”')
  expect(await place.fleet.runtime.memory.read(`chat:${rocket.conversation}`)).toMatchObject({ count: 1 })
})
