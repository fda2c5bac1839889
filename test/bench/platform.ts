// A simulated platform in a process of its own: `telegram`, `discord` or `feishu`. Says how it is reached, which conversations it has, and how
// many texts have arrived.
import process from 'node:process'
import { startDiscordSimulator } from '#test/simulators/discord/simulator.ts'
import { startFeishuSimulator } from '#test/simulators/feishu/simulator.ts'
import { startTelegramSimulator } from '#test/simulators/telegram/simulator.ts'
import { serveParent } from './child.ts'

export type PlatformName = 'telegram' | 'discord' | 'feishu'
export type PlatformQuestion =
  | { readonly kind: 'where' }
  | { readonly kind: 'chats'; readonly count: number }
  | 'arrived'

type Simulated = {
  readonly env: Readonly<Record<string, string>>
  /** New direct chats, as the platform names them. */
  chats(count: number): readonly string[]
  arrived(): number
}

const opened = { telegram: openTelegram, discord: openDiscord, feishu: openFeishu }
const simulated = await opened[process.argv[2] as PlatformName]()

serveParent(async (question) => {
  const asked = question as PlatformQuestion
  if (asked === 'arrived') return simulated.arrived()
  return asked.kind === 'where' ? simulated.env : simulated.chats(asked.count)
})
process.once('SIGTERM', () => process.exit(0))

async function openTelegram(): Promise<Simulated> {
  const telegram = await startTelegramSimulator()
  // People have written, so that the bot may; what they wrote is kept from it.
  telegram.hold()
  let made = 0
  return {
    env: {
      TELEGRAM_BOT_TOKEN: telegram.token,
      TELEGRAM_API_ROOT: telegram.apiRoot,
      TELEGRAM_RATES: '100000,100000,100000',
    },
    chats: (count) =>
      Array.from({ length: count }, () => {
        const from = 1000 + made++
        telegram.sendText({ from, text: 'hello' })
        return String(from)
      }),
    arrived: () => telegram.ledger.of('sendMessage').filter(({ outcome }) => outcome === 'ok').length,
  }
}

async function openDiscord(): Promise<Simulated> {
  const discord = await startDiscordSimulator({ limits: 'off' })
  let made = 0
  return {
    env: { DISCORD_BOT_TOKEN: discord.token, DISCORD_API_ROOT: discord.apiRoot, DISCORD_RATE: '100000' },
    chats: (count) => Array.from({ length: count }, () => discord.person(`Person ${made++}`).dm),
    arrived: () => discord.ledger.of('createMessage').filter(({ outcome }) => outcome === 'ok').length,
  }
}

async function openFeishu(): Promise<Simulated> {
  const feishu = await startFeishuSimulator({ limits: 'off' })
  let made = 0
  return {
    env: { FEISHU_APP_ID: feishu.appId, FEISHU_APP_SECRET: feishu.appSecret, FEISHU_DOMAIN: feishu.apiRoot },
    chats: (count) => Array.from({ length: count }, () => feishu.person(`Person ${made++}`).openId),
    arrived: () => feishu.ledger.of('createMessage').filter(({ outcome }) => outcome === 'ok').length,
  }
}
