// Whether the processes that work on one Redis were started with the same settings. A difference is told and no more, so that a change can
// be rolled through them; but nothing answers by rules beside a real model, because people would get answers of either by chance.
import { isDemo } from '#infra/config/agreed-settings.ts'
import { readProcesses, type ProcessFacts } from '#queues/fleet/process-key.ts'
import { BotError } from '#shared/errors.ts'
import type { Runtime } from './runtime.ts'

export type Difference = {
  /** The variable, or the file. */
  readonly name: string
  /** Each value, and by whom it is held: `Asia/Shanghai (executor, process 12 on host), …`. */
  readonly found: string
}

/** Those in which processes differ that both work by the setting. */
export function findDifferences(living: readonly ProcessFacts[]): readonly Difference[] {
  const names = new Set(living.flatMap(({ settings }) => Object.keys(settings)))
  return [...names].toSorted().flatMap((name) => {
    const stated = living.filter(({ settings }) => settings[name] !== undefined)
    const values = Map.groupBy(stated, ({ settings }) => settings[name] ?? '')
    if (values.size < 2) return []
    const found = [...values]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([value, by]) => `${value} (${by.map(toName).join(', ')})`)
      .join('; ')
    return [{ name, found }]
  })
}

const toName = ({ role, host, pid }: ProcessFacts): string => `${role}, process ${pid} on ${host}`

/** Throws BotError `config` where this process would answer as the demo model beside one that has a real model. */
export async function checkAgreement({ redis, log, liveness }: Runtime): Promise<void> {
  const { living } = await readProcesses(redis)
  const own = living.find(({ process }) => process === liveness.process)
  const answering = living.filter(({ does, process }) => does.includes('executor') && process !== liveness.process)
  const real = answering.find(({ settings }) => !isDemo(settings))
  if (own?.does.includes('executor') && isDemo(own.settings) && real) throw new BotError('config', toRefusal(real))
  const demo = answering.find(({ settings }) => isDemo(settings))
  if (own?.does.includes('executor') && !isDemo(own.settings) && demo)
    log.error(
      `The ${toName(demo)}, answers as the offline demo model beside this one: people get answers of either. Stop it.`,
    )
  for (const { name, found } of findDifferences(living))
    log.warn(
      `Processes of this fleet have different settings. ${name}: ${found}. Give all the same .env and start them again.`,
    )
}

const toRefusal = (real: ProcessFacts): string =>
  `This process would answer as the offline demo model, because neither OPENAI_API_KEY nor OPENAI_BASE_URL is set here. ` +
  `But the ${real.role} (process ${real.pid} on ${real.host}) answers as ${real.settings['FLOTILLA_MODEL'] ?? 'a real model'}. ` +
  'Start this one with the same .env. To go back to the demo model, stop that one first.'
