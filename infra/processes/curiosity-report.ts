// `flotilla curiosity report [--json]`: what the fleet asked its people, and what came of it, in numbers. It only looks.
import process from 'node:process'
import { loadSettings } from '#infra/config/settings.ts'
import { createLog } from '#infra/log/log.ts'
import { findRedis } from '#infra/redis/fleet-file.ts'
import { drops } from '#services/curiosity/reading/check.ts'
import { countAsked } from '#services/curiosity/report/count-asked.ts'
import { printReport, type CuriosityReport } from './curiosity-report-text.ts'
import { expectRedis } from './named-conversation.ts'
import { openDesk } from './open-desk.ts'
import { openRuntime, type Runtime } from './runtime.ts'

const usage = 'Write flotilla curiosity report, or flotilla curiosity report --json for programs.\n'
const mostPeople = 10_000

/** Exits with 2 for words that it does not know; throws BotError `store-unavailable` where no Redis answers. */
export async function runCuriosityReport([word, ...more]: readonly string[]): Promise<number> {
  if ((word !== undefined && word !== '--json') || more.length > 0) {
    const wrong = [word, ...more].find((one) => one !== '--json') ?? '--json'
    process.stderr.write(`"${wrong.slice(0, 40)}" is not known here, or stands there twice. ${usage}`)
    return 2
  }
  const settings = loadSettings(process.env, process.cwd())
  const redisUrl = await findRedis(settings)
  await expectRedis(redisUrl)
  const { log } = createLog({ level: 'fatal', secrets: settings.secrets })
  const told = { role: 'report', does: ['report'], settings: {} }
  const runtime = await openRuntime({ told, settings, redisUrl, log })
  try {
    const report = await readReport(runtime)
    process.stdout.write(word === '--json' ? `${JSON.stringify(report)}\n` : printReport(report))
    return 0
  } finally {
    await runtime.close()
  }
}

async function readReport(runtime: Runtime): Promise<CuriosityReport> {
  const { settings, modelGate, payer } = runtime
  // A budget counts for all people together.
  const anybody = { conversation: 'web:main', principal: 'web:owner', budget: 'curiosity' } as const
  const { calls, tokens, micros } = (await modelGate.spent(payer(anybody))).work
  const isPriced = Object.keys(settings.model.prices).length > 0
  return {
    isOn: settings.curiosity,
    isStopped: await runtime.incurious.isQuiet(),
    asked: await countAsked(openDesk(runtime), mostPeople),
    dropped: await readDropped(runtime),
    today: { calls, tokens, ...(isPriced ? { usd: micros / 1_000_000 } : {}) },
  }
}

/** Since ever. */
async function readDropped({ readingCounts }: Runtime): Promise<Readonly<Record<string, number>>> {
  const counts = await readingCounts.read()
  return Object.fromEntries(drops.flatMap((why) => (counts.get(why) ? [[why, counts.get(why) ?? 0]] : [])))
}
