// Redis comes back without its last moments, as after a power cut: seqs are given out anew, and nobody's answer is taken for an old one.
import { expect, test } from 'vitest'
import { startFleet, until } from '#test/rig/fleet.ts'
import { startPlatform } from '#test/rig/platform.ts'
import { startDiscordSimulator } from '#test/simulators/discord/simulator.ts'

test('an answer is shown though Discord knows one of the same seq', { timeout: 60_000 }, async () => {
  const discord = await startDiscordSimulator()
  const env = { DISCORD_BOT_TOKEN: discord.token, DISCORD_API_ROOT: discord.apiRoot, FLOTILLA_ALLOW: '*' }
  await using fleet = await startFleet({ env })
  const stop = await startPlatform(fleet.runtime, 'discord')
  try {
    await discord.ledger.waitForGateway(({ kind }) => kind === 'identify')
    const ada = discord.person('Ada')
    const answers = (part: string): number =>
      discord.visible(ada.dm).filter(({ from, text }) => from === 'bot' && text.includes(part)).length
    ada.say(ada.dm, 'what is the capital of Spain?')
    await until(() => answers('Spain') === 1)
    const rest = () =>
      fleet.runtime.kernel.begin(
        {
          conversation: `discord:${ada.dm}`,
          owner: 'look',
          ttlMs: 1,
          sendTimeoutMs: 1,
          idempotentForMs: 0,
          leave: true,
        },
        'look',
      )
    await until(async () => (await rest()).kind === 'EMPTY')
    await fleet.redis.cli('SAVE')
    for (const command of ['/help', 'what is the capital of France?']) ada.say(ada.dm, command)
    await until(() => answers('France') === 1)
    await fleet.redis.restart()
    for (const command of ['/help', 'what is the capital of Japan?']) ada.say(ada.dm, command)
    await until(() => answers('Japan') === 1)
    expect(answers('Spain')).toBe(1)
    // Both times the same list of commands, each a message of its own.
    await until(() => answers('/status') === 2)
  } finally {
    await stop()
    await discord.close()
  }
})
