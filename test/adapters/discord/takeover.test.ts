// A process that holds the shard is killed while people write; a standby resumes its session. Real processes, as a deploy runs them.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { until } from '#test/rig/channel-rig.ts'
import { childEnv } from '#test/rig/child-env.ts'
import { startDiscordSimulator } from '#test/simulators/discord/simulator.ts'
import { openStore } from '#test/rig/store.ts'

const leaseMs = 600

test('a killed process loses nothing and doubles nothing: the next one resumes', async () => {
  await using store = await openStore({ patienceMs: 2000 })
  const [discord, folder] = await Promise.all([
    startDiscordSimulator(),
    mkdtemp(path.join(tmpdir(), 'flotilla-discord-')),
  ])
  const children: ChildProcess[] = []
  try {
    const { channel } = discord.addGuild()
    const start = (): ChildProcess => {
      const child = spawn(process.execPath, [path.resolve('infra/cli.ts'), 'discord'], {
        cwd: folder,
        stdio: 'ignore',
        env: {
          ...childEnv,
          REDIS_URL: store.server.url,
          DISCORD_BOT_TOKEN: discord.token,
          DISCORD_API_ROOT: discord.apiRoot,
          FLOTILLA_LEASE_MS: String(leaseMs),
        },
      })
      children.push(child)
      return child
    }
    const first = start()
    await discord.ledger.waitForGateway(({ kind }) => kind === 'identify', 20_000)
    const { kernel } = store
    const textsIn = async (): Promise<string[]> => {
      const { events } = await kernel.inbox(`discord:${channel}`, 500)
      return events.flatMap(({ event }) => (event.kind === 'message' ? [event.text] : []))
    }
    const ada = discord.person('Ada')
    ada.say(channel, 'first')
    await until(async () => ((await textsIn()).length === 1 ? true : undefined), 10_000)
    start()
    const wanted = ['first']
    for (let i = 0; i < 60; i++) {
      ada.say(channel, `message ${i}`)
      wanted.push(`message ${i}`)
      if (i === 20) first.kill('SIGKILL')
      await sleep(10)
    }
    await discord.ledger.waitForGateway(({ kind }) => kind === 'resume', 20_000)
    await until(async () => ((await textsIn()).length >= wanted.length ? true : undefined), 10_000)
    expect(await textsIn()).toEqual(wanted)
    expect(discord.ledger.identifies()).toBe(1)
  } finally {
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    await discord.close()
    await rm(folder, { recursive: true, force: true })
  }
})
