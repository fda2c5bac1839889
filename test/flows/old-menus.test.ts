// Menus that outlive the fleet that showed them (faults.md row 40), on Telegram and Discord: pressed after a restart a week later they
// work; after two weeks the presser is told so, and the buttons go. Each press is acknowledged once.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFleet, until, type Fleet } from '#test/rig/fleet.ts'
import { startPlatform } from '#test/rig/platform.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { startDiscordSimulator } from '#test/simulators/discord/simulator.ts'
import { startTelegramSimulator } from '#test/simulators/telegram/simulator.ts'

type Card = { readonly id: string; readonly text: string; readonly buttons: readonly string[] }
/** A platform with one chat, as its people see it. */
type Place = {
  readonly env: Record<string, string>
  say(text: string): void
  /** The newest message of the bot. */
  card(): Card | undefined
  /** Presses a button by its label, and tells how the press can be asked about. */
  press(label: string): () => { readonly told: string | undefined; readonly acknowledged: number }
  connected(): Promise<unknown>
  close(): Promise<void>
}

async function openTelegram(): Promise<Place> {
  const telegram = await startTelegramSimulator()
  const last = () => telegram.visible(7).findLast(({ from }) => from === 'bot')
  return {
    env: { TELEGRAM_BOT_TOKEN: telegram.token, TELEGRAM_API_ROOT: telegram.apiRoot },
    say: (text) => void telegram.sendText({ from: 7, text }),
    card() {
      const found = last()
      return found && { id: String(found.id), text: found.text, buttons: found.buttons.flat().map(({ text }) => text) }
    },
    press(label) {
      const data = last()
        ?.buttons.flat()
        .find(({ text }) => text === label)?.data
      const { id } = telegram.press({ from: 7, message: last()?.id ?? 0, data: data ?? '' })
      return () => ({
        told: telegram.pressAnswer(id)?.text,
        acknowledged: telegram.ledger
          .of('answerCallbackQuery')
          .filter(({ params }) => params['callback_query_id'] === id).length,
      })
    },
    connected: async () => {},
    close: () => telegram.close(),
  }
}

async function openDiscord(): Promise<Place> {
  const discord = await startDiscordSimulator()
  const ada = discord.person('Ada')
  const last = () => discord.visible(ada.dm).findLast(({ from }) => from === 'bot')
  const sessions = () => discord.ledger.gateway.filter(({ kind }) => kind === 'identify' || kind === 'resume').length
  let known = 0
  return {
    env: { DISCORD_BOT_TOKEN: discord.token, DISCORD_API_ROOT: discord.apiRoot },
    say: (text) => void ada.say(ada.dm, text),
    card() {
      const found = last()
      return found && { id: found.id, text: found.text, buttons: found.buttons.flat().map(({ label }) => label) }
    },
    press(label) {
      const id = ada.press(ada.dm, last()?.id ?? '', label)
      return () => {
        const { state, answers } = discord.interaction(id)
        const told = answers.find(({ isEphemeral }) => isEphemeral)?.text ?? 'Got it.'
        return {
          told: state === 'answered' ? told : undefined,
          acknowledged: discord.ledger.of('answerInteraction').filter(({ call }) => call.includes(id)).length,
        }
      }
    },
    async connected() {
      await until(() => sessions() > known)
      known = sessions()
    },
    close: () => discord.close(),
  }
}

let redis: PrivateRedis
beforeAll(async () => void (redis = await startRedis()))
afterAll(() => redis.stop())

const days = 86_400_000

/** Everything that is forgotten after some time is so much nearer to it. */
async function letPass(ms: number): Promise<void> {
  for (const key of await redis.admin.keys('fl:*')) {
    const leftMs = await redis.admin.pttl(key)
    if (leftMs < 0) continue
    if (leftMs <= ms) await redis.admin.del(key)
    else await redis.admin.pexpire(key, leftMs - ms)
  }
}

test.each([
  ['telegram', openTelegram],
  ['discord', openDiscord],
] as const)(
  'a menu on %s works a week and a restart later, and is told to be over after two',
  async (platform, open) => {
    await redis.admin.flushall()
    const place = await open()
    const withFleet = async (act: (fleet: Fleet) => Promise<void>): Promise<void> => {
      await using fleet = await startFleet({ redisUrl: redis.url, env: { ...place.env, FLOTILLA_ALLOW: '*' } })
      const stop = await startPlatform(fleet.runtime, platform)
      await place.connected()
      try {
        await act(fleet)
      } finally {
        await stop()
      }
    }
    const shows = async (part: string): Promise<Card> => {
      return await until(() => [place.card()].find((card) => card?.text.includes(part)))
    }
    let card: Card | undefined
    await withFleet(async () => {
      place.say('/config')
      card = await shows('Default depth: automatic')
    })
    await letPass(7 * days)
    await withFleet(async () => {
      const first = place.press('Default depth')
      expect((await until(() => [first()].find(({ told }) => told !== undefined))).told).toBe('Got it.')
      await until(() => place.card()?.buttons.includes('deep'))
      const second = place.press('deep')
      expect(await shows('Default depth: deep, set by')).toMatchObject({ id: card?.id })
      expect([first().acknowledged, second().acknowledged]).toEqual([1, 1])
    })
    await letPass(14 * days)
    await withFleet(async () => {
      const late = place.press('Language')
      const { told } = await until(() => [late()].find((one) => one.told !== undefined))
      expect(told).toBe('This button is no longer valid.')
      await until(() => place.card()?.buttons.length === 0)
      expect(late().acknowledged).toBe(1)
      expect(place.card()?.text).toContain('Default depth: deep')
    })
    await place.close()
  },
)
