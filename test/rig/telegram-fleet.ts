// The small fleet with a simulated Telegram: people write in chats, and what they see is the truth. Person 1 is an owner; group -100
// is there and admitted.
import { startFleet, type Fleet, type FleetOptions } from './fleet.ts'
import { startPlatform } from './platform.ts'
import type { VisibleMessage } from '#test/simulators/telegram/visible.ts'
import {
  startTelegramSimulator,
  type TelegramSimulator,
  type TelegramSimulatorOptions,
} from '#test/simulators/telegram/simulator.ts'

export type TelegramFleet = AsyncDisposable & {
  readonly fleet: Fleet
  readonly telegram: TelegramSimulator
  /** What the bot says in a chat, oldest first. */
  bot(chat: number): VisibleMessage[]
  /** Waits until the bot has said so many messages in a chat. */
  waitFor(chat: number, count: number): Promise<VisibleMessage[]>
  /** Waits until the bot has answered this message of a group by a reply, or of a direct chat by anything after it. */
  replyTo(chat: number, message: number): Promise<VisibleMessage>
  /** The people's side of the last prompt that was answered, as one text. */
  lastPrompt(): string
}

export const owner = 1
export const group = -100

export async function startTelegramFleet(
  options: FleetOptions & { readonly simulator?: TelegramSimulatorOptions } = {},
): Promise<TelegramFleet> {
  const telegram = await startTelegramSimulator(options.simulator)
  const fleet = await startFleet({
    ...options,
    env: {
      TELEGRAM_BOT_TOKEN: telegram.token,
      TELEGRAM_API_ROOT: telegram.apiRoot,
      // The pace of sending is a fact of other tests.
      TELEGRAM_RATES: '1000,1000,60000',
      FLOTILLA_OWNERS: `telegram:${owner}`,
      ...options.env,
    },
  })
  const stop = await startPlatform(fleet.runtime, 'telegram')
  const bot = (chat: number): VisibleMessage[] => telegram.visible(chat).filter((one) => one.from === 'bot')
  telegram.addBotToGroup({ chat: group, by: owner })
  await fleet.runtime.access.admit('chat', `telegram:${group}`, 'test')
  await telegram.until(() => bot(group)[0])
  return {
    fleet,
    telegram,
    bot,
    waitFor: (chat, count) =>
      telegram.until(() => {
        const said = bot(chat)
        return said.length >= count ? said : undefined
      }),
    replyTo: (chat, message) =>
      telegram.until(() => bot(chat).find((one) => (chat < 0 ? one.replyTo === message : one.id > message))),
    lastPrompt() {
      const { messages = [] } = fleet.model.ledger.entries.at(-1) ?? {}
      return messages
        .flatMap((one) => (one.role === 'user' && typeof one.content === 'string' ? [one.content] : []))
        .join('\n')
    },
    async [Symbol.asyncDispose]() {
      await stop()
      await fleet[Symbol.asyncDispose]()
      await telegram.close()
    },
  }
}
