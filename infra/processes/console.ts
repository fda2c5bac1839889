// `flotilla console`: a chat in this terminal with the fleet of this folder, or of REDIS_URL.
import { userInfo } from 'node:os'
import { createConsoleChannel } from '#adapters/console/console-channel.ts'
import { loadSettings } from '#infra/config/settings.ts'
import { createLog } from '#infra/log/log.ts'
import { findRedis } from '#infra/redis/fleet-file.ts'
import { listCommands } from './features.ts'
import { openRuntime } from './runtime.ts'

/** After the end of a piped input, how long to wait for the last answers. */
const waitMs = 120_000

/** `[name]` chooses the conversation; without one it is the user's name on this machine. The exit code is 1 when something was not answered. */
export async function runConsole(args: readonly string[]): Promise<number> {
  const settings = loadSettings(process.env, process.cwd())
  // The terminal is for the chat: only what ends it is logged.
  const { log } = createLog({ level: 'fatal', secrets: settings.secrets })
  const runtime = await openRuntime({
    told: { role: 'console', does: ['console'], settings: {} },
    settings,
    redisUrl: await findRedis(settings),
    log,
  })
  const name = (args[0] ?? userInfo().username).replaceAll(/[^\w@.-]/g, '_').slice(0, 64) || 'me'
  const language = settings.language ?? (/^zh/i.test(process.env.LANG ?? '') ? 'zh' : 'en')
  const stopping = new AbortController()
  process.once('SIGTERM', () => stopping.abort())
  const { ingestKernel: kernel, live } = runtime
  const commands = listCommands().map((command) => command.name)
  const ports = { input: process.stdin, output: process.stdout }
  const channel = createConsoleChannel({ kernel, live, name, language, waitMs, commands }, ports)
  await channel.start(runtime.ingest, stopping.signal)
  await runtime.close()
  return channel.answered() ? 0 : 1
}
