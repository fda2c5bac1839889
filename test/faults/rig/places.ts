// Chats of a fault test on each channel. The web page's people all are the owner.
import { z } from 'zod'
import type { Platform } from '#infra/processes/channels.ts'
import { bot } from '#test/rig/chats/chat.ts'
import { createWebChat } from '#test/rig/chats/web-chat.ts'
import { feishuPlace } from './feishu-place.ts'
import type { Fleet } from './fleet.ts'
import { eventually, type Card, type Place } from './place.ts'

/** The newest message with a button of this label, whatever mark it has. */
export async function findCard(place: Place, label: string): Promise<Card & { readonly data: string }> {
  return await eventually(
    async () => {
      const cards = (await place.said()).flatMap((card) =>
        card.buttons
          .filter((one) => one.label.replace('✓ ', '') === label)
          .map(({ data }) => Object.assign({}, card, { data })),
      )
      return cards.at(-1)
    },
    async () => `no button ${label} in ${place.conversation}: ${JSON.stringify(await place.said())}`,
  )
}

/** Resolves once the message is so. */
export async function cardWhen(place: Place, id: string, isSo: (card: Card) => boolean, timeoutMs?: number) {
  return await eventually(
    async () => (await place.said()).find((card) => card.id === id && isSo(card)),
    async () => `message ${id} of ${place.conversation} is not so: ${JSON.stringify(await place.said())}`,
    timeoutMs,
  )
}

/** The person's chat with the bot alone; on the web the owner's conversation of that number. */
export async function directPlace(fleet: Fleet, channel: Place['channel'], who: number): Promise<Place> {
  if (channel === 'web') return webPlace(fleet, String(who))
  if (channel === 'telegram') return telegramPlace(fleet, who, who)
  if (channel === 'feishu') return await feishuPlace(fleet.feishu, { who })
  const { dm } = person.parse(await controlOf(fleet, 'discord')({ do: 'person', person: toName(who) }))
  return discordPlace(fleet, dm, who)
}

/** A group in which all of these people are administrators; what they say names the bot. */
export async function groupPlace(
  fleet: Fleet,
  channel: Platform['name'],
  { by, admins }: { readonly by: number; readonly admins: readonly number[] },
): Promise<Place> {
  const control = controlOf(fleet, channel)
  if (channel === 'telegram') {
    const chat = -100_000 - by
    await control({ do: 'addBotToGroup', chat, by, admins, type: 'supergroup' })
    return telegramPlace(fleet, chat, by)
  }
  if (channel === 'feishu') {
    const chat = await control({ do: 'addGroup', owner: toName(by), admins: admins.map(toName) })
    return await feishuPlace(fleet.feishu, { who: by, group: z.string().parse(chat) })
  }
  const made = await control({ do: 'addGuild', owner: toName(by), admins: admins.map(toName) })
  const application = Buffer.from(fleet.discord?.token.split('.')[0] ?? '', 'base64').toString()
  return discordPlace(fleet, z.object({ channel: z.string() }).parse(made).channel, by, `<@${application}> `)
}

type Control = (command: { readonly do: string } & Record<string, unknown>) => Promise<unknown>

function controlOf(fleet: Fleet, channel: Platform['name']): Control {
  const platform = fleet[channel]
  if (!platform) throw new Error(`This fleet has no ${channel}.`)
  return platform.control
}

const toName = (who: number): string => `Person ${who}`
const person = z.object({ id: z.string(), dm: z.string() })

function webPlace({ web }: Fleet, name: string): Place {
  const chat = createWebChat({ ...web, name })
  return {
    channel: 'web',
    conversation: chat.conversation,
    say: async (text) => void (await chat.say('the owner', text)),
    command: async (given) => void (await chat.say('the owner', `/${given}`)),
    async said() {
      const seen = (await chat.seen()).filter(({ by }) => by === bot)
      // A message that takes another's place has an id of its own there, and stands where that one stood.
      return seen.map(({ text, texts, buttons }, i) => ({ id: String(i), text, texts, buttons: buttons.flat() }))
    },
    async press(card, data) {
      const notice = await chat.forge('the owner', card, data).notice()
      return { notice: async () => notice, acknowledged: async () => 1 }
    },
    nameOf: async () => 'web:owner',
  }
}

const telegramChat = z.object({
  result: z.object({
    visible: z.array(
      z.object({
        id: z.number(),
        from: z.unknown(),
        text: z.string(),
        texts: z.array(z.string()),
        buttons: z.array(z.array(z.object({ text: z.string(), data: z.string().default('') }))),
      }),
    ),
  }),
})

function telegramPlace(fleet: Fleet, chat: number, owner: number): Place {
  const { telegram } = fleet
  const control = controlOf(fleet, 'telegram')
  return {
    channel: 'telegram',
    conversation: `telegram:${chat}`,
    async say(text, who = owner) {
      await control({ do: 'sendText', from: who, chat, text: chat < 0 ? `@${botName} ${text}` : text })
    },
    async command(name, who = owner) {
      const [first = '', ...rest] = name.split(' ')
      const named = chat < 0 ? `/${first}@${botName}` : `/${first}`
      await control({ do: 'sendText', from: who, chat, text: [named, ...rest].join(' ') })
    },
    async said() {
      const reply: unknown = await (await fetch(`${telegram?.apiRoot}/__chat?chat=${chat}`)).json()
      return telegramChat
        .parse(reply)
        .result.visible.filter(({ from }) => from === 'bot')
        .map(({ id, buttons, ...one }) => {
          const shown = buttons.flat().map(({ text: label, data }) => ({ label, data }))
          return { ...one, id: String(id), buttons: shown }
        })
    },
    async press(card, data, who = owner) {
      const made = await control({ do: 'press', from: who, chat, message: Number(card), data, isForged: true })
      const { id } = z.object({ id: z.string() }).parse(made)
      const told = z.object({ text: z.string().default('') }).optional()
      return {
        notice: async () =>
          (
            await eventually(
              async () => told.parse(await control({ do: 'pressAnswer', id })),
              `a press in telegram:${chat} was not acknowledged`,
            )
          ).text,
        acknowledged: async () =>
          ((await telegram?.calls()) ?? []).filter(({ params }) => params['callback_query_id'] === id).length,
      }
    },
    nameOf: async (who) => String(who),
  }
}

const botName = 'flotilla_test_bot'

const discordChannel = z.object({
  result: z.object({
    visible: z.array(
      z.object({
        id: z.string(),
        from: z.string(),
        text: z.string(),
        texts: z.array(z.string()),
        buttons: z.array(z.array(z.object({ label: z.string(), customId: z.string().default('') }))),
      }),
    ),
  }),
})
const interaction = z.object({
  state: z.string(),
  answers: z.array(z.object({ text: z.string(), isEphemeral: z.boolean() })),
})

function discordPlace(fleet: Fleet, channel: string, owner: number, mention = ''): Place {
  const { discord } = fleet
  const control = controlOf(fleet, 'discord')
  return {
    channel: 'discord',
    conversation: `discord:${channel}`,
    async say(text, who = owner) {
      await control({ do: 'say', person: toName(who), channel, text: `${mention}${text}` })
    },
    async command(name, who = owner) {
      await control({ do: 'slash', person: toName(who), channel, name, isForged: true })
    },
    async said() {
      const { origin } = new URL(discord?.apiRoot ?? '')
      const reply: unknown = await (await fetch(`${origin}/__channel?channel=${channel}`)).json()
      return discordChannel
        .parse(reply)
        .result.visible.filter(({ from }) => from === 'bot')
        .map(({ buttons, ...one }) => {
          const shown = buttons.flat().map(({ label, customId }) => ({ label, data: customId }))
          return { ...one, buttons: shown }
        })
    },
    async press(message, button, who = owner) {
      const made = await control({ do: 'press', person: toName(who), channel, message, button, isForged: true })
      const id = z.string().parse(made)
      const look = async () => interaction.parse(await control({ do: 'interaction', id }))
      return {
        async notice() {
          const { state, answers } = await eventually(
            async () => [await look()].find((found) => found.state !== 'waiting'),
            `a press in discord:${channel} was not acknowledged`,
          )
          if (state === 'failed') return 'This interaction failed'
          return answers.flatMap(({ text, isEphemeral }) => (isEphemeral ? [text] : [])).join('\n')
        },
        acknowledged: async () =>
          ((await discord?.calls()) ?? []).filter(
            ({ route, call }) => route === 'answerInteraction' && call.includes(id),
          ).length,
      }
    },
    nameOf: async (who) => `<@${person.parse(await control({ do: 'person', person: toName(who) })).id}>`,
  }
}
