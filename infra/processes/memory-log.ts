// `flotilla memory log <conversation> [day]`: what was asked and answered there on a day, as `/log` tells it. It only looks.
import { loadSettings } from '#infra/config/settings.ts'
import { createLog } from '#infra/log/log.ts'
import { findRedis } from '#infra/redis/fleet-file.ts'
import { printLog, readDay } from '#services/memory/episodes.ts'
import { expectRedis, findOne } from './named-conversation.ts'
import { openRuntime } from './runtime.ts'

const usage =
  'Write flotilla memory log <conversation> [yesterday|2026-03-01], with a conversation like web:main, as it stands in the address of the page.\n'
const mostShown = 2000

/** Exits with 2 for words that it does not know; throws for what is not there. */
export async function runMemoryLog([name, word = '', ...more]: readonly string[]): Promise<number> {
  const settings = loadSettings(process.env, process.cwd())
  const { timeZone: zone } = settings
  const day = readDay(word.toLowerCase(), Date.now(), zone)
  if (name === undefined || name.startsWith('--') || day === undefined || more.length > 0) {
    process.stderr.write(usage)
    return 2
  }
  const redisUrl = await findRedis(settings)
  await expectRedis(redisUrl)
  const { log } = createLog({ level: 'fatal', secrets: settings.secrets })
  const told = { role: 'memory', does: ['memory'], settings: {} }
  const runtime = await openRuntime({ told, settings, redisUrl, log })
  try {
    const conversation = await findOne(runtime, name)
    const how = { conversation, day, zone, language: 'en', most: mostShown } as const
    const { text, shown } = await printLog(runtime.memoryLog, how)
    process.stdout.write(shown.length > 0 ? `${text}\n` : `Nothing is on record in ${conversation} for ${day}.\n`)
    return 0
  } finally {
    await runtime.close()
  }
}
