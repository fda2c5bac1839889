// A person's private chat with the bot on the simulated Telegram, through grammY.
import { createTelegramChannel } from '#adapters/telegram/telegram-channel.ts'
import { pressTexts } from '#adapters/press/texts.ts'
import type { ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import { startTelegramSimulator, type TelegramSimulator } from '#test/simulators/telegram/simulator.ts'
import type { Fleet, Platform, Shown, Told } from './channel-world.ts'

const person = 7
const group = -100_700

export async function openTelegram(fleet: Fleet): Promise<Platform> {
  const telegram = await startTelegramSimulator({ canReadAllGroupMessages: false })
  const open = (): ChannelAdapter =>
    createTelegramChannel(
      {
        token: telegram.token,
        apiRoot: telegram.apiRoot,
        leaseMs: 400,
        rates: { botPerS: 10_000, chatPerS: 10_000, groupPerMinute: 10_000 },
        pollS: 1,
        sendTimeoutMs: 500,
        backOff: { firstMs: 20, maxMs: 100 },
        leastWaitMs: 50,
      },
      { chats: fleet.chats, call: fleet.call, say: () => {}, count: () => {}, now: Date.now },
    )
  let last = { message: 0, update: 0 as number | undefined }
  const press = async (message: number, data: string): Promise<Told> => {
    const { id } = telegram.press({ from: person, message, data, isForged: true })
    return toTold((await telegram.until(() => telegram.pressAnswer(id))).text)
  }
  // A card that was answered loses its buttons, while somebody else may still see them.
  const buttons = new Map<string, { readonly message: number; readonly data: string }>()
  const look = (chat: number, topic?: number): Shown[] => {
    for (const one of telegram.visible(chat))
      for (const { text, data = '' } of one.buttons.flat()) buttons.set(text, { message: one.id, data })
    return toShown(telegram, chat, topic)
  }
  return {
    adapter: open(),
    another: async () => open(),
    conversation: `telegram:${person}`,
    person: `telegram:${person}`,
    async says(text) {
      last = telegram.sendText({ from: person, text })
      return String(last.message)
    },
    async repeats() {
      telegram.replay(last.update ?? 0)
    },
    async presses(label) {
      const button = buttons.get(label)
      if (!button) throw new Error(`No button ${label} was seen.`)
      return await press(button.message, button.data)
    },
    forges: (data) => press(telegram.visible(person).findLast((one) => one.from === 'bot')?.id ?? 0, data),
    shown: async () => look(person),
    growing: async () => telegram.drafts(person).at(-1),
    reaction: () => telegram.visible(person).find(({ id }) => id === last.message)?.reaction,
    loseNextAnswer: () =>
      telegram.fault({ when: { chat: person }, times: 1, fault: { kind: 'no-answer', accepted: true } }),
    async openThread() {
      telegram.addBotToGroup({ chat: group, by: person, isForum: true })
      const topic = telegram.createTopic({ chat: group, by: person, name: 'Plans' })
      return {
        conversation: `telegram:${group}:${topic}`,
        async says(text) {
          const said = telegram.sendText({
            from: person,
            chat: group,
            topic,
            text: `@${telegram.bot.username} ${text}`,
          })
          return String(said.message)
        },
        shown: async () => look(group, topic),
      }
    },
    [Symbol.asyncDispose]: () => telegram.close(),
  }
}

function toShown(telegram: TelegramSimulator, chat: number, topic: number | undefined): Shown[] {
  return telegram
    .visible(chat)
    .filter((one) => one.from === 'bot' && one.topic === topic)
    .map(({ text, buttons, entities, hasLinkPreview, document, documentText = '' }) => ({
      text,
      buttons: buttons.flat().map((button) => button.text),
      // A name with an @ is found by Telegram itself, and there is none for everybody.
      pings: entities.filter(({ type }) => type === 'text_mention').map(({ type }) => type),
      previews: hasLinkPreview && document === undefined,
      ...(document === undefined ? {} : { file: { name: document, text: documentText } }),
    }))
}

function toTold(toast: string | undefined): Told {
  if (toast === pressTexts.won.en) return 'won'
  if (toast === pressTexts.unknown.en) return 'unknown'
  if (toast?.startsWith(pressTexts.already.en) || toast?.startsWith(pressTexts.mine.en)) return 'already'
  throw new Error(`The presser was told "${toast}".`)
}
