// `flotilla doctor [model|telegram|discord|feishu]`: looks at everything a fleet stands on and says how to mend what is wrong. Changes nothing
// without --repair or --replay.
import type { Finding } from '#infra/checks/finding.ts'
import { loadSettings, type Settings } from '#infra/config/settings.ts'
import { createScrub } from '#infra/log/redaction.ts'
import { BotError } from '#shared/errors.ts'
import { readErrand } from './errand.ts'
import { channelChecks } from './channel-checks.ts'
import { checkEmbedding } from './embedding-check.ts'
import { checkListen } from './fleet-checks.ts'
import { checkFolder, checkFrozen } from './folder-checks.ts'
import { checkHttp } from './http-checks.ts'
import { checkIdleRedis } from './idle-redis.ts'
import { checkMeilisearch } from './meilisearch-checks.ts'
import { checkModel } from './model-checks.ts'
import { examineModel } from './model-trials.ts'
import { checkNode } from './node-check.ts'
import { checkStore, toFrozen } from './store-checks.ts'

const marks = { ok: 'ok  ', off: 'off ', warning: 'warn', error: 'FAIL', waits: 'wait' } as const

/**
 * Prints the findings; the exit code is 1 when one is an error. With a channel's name that channel must be connected, and the others are
 * left out; with `model` only the model is tried, in all that a fleet asks of one. `--repair <conversation>` puts a parked conversation or task back, `--replay <conversation>` what was set aside there after
 * three crashes.
 */
export async function runDoctor(args: readonly string[]): Promise<number> {
  const settings = loadSettings(process.env, process.cwd())
  const findings = await examine(settings, args)
  const scrub = createScrub(settings.secrets)
  for (const { level, about, found, fix } of findings) {
    process.stdout.write(scrub(`${marks[level]}  ${about}: ${found}\n${fix ? `      fix: ${fix}\n` : ''}`))
  }
  process.stdout.write(`${sumUp(findings)}\n`)
  return findings.some((item) => item.level === 'error') ? 1 : 0
}

function sumUp(findings: readonly Finding[]): string {
  const count = (wanted: Finding['level']): number => findings.filter(({ level }) => level === wanted).length
  const [wrong, warnings] = [count('error'), count('warning')]
  const warned = warnings === 0 ? '' : ` ${warnings} warning${warnings > 1 ? 's' : ''} above.`
  if (wrong > 0) return `${wrong} thing${wrong > 1 ? 's' : ''} to mend: see FAIL above.${warned}`
  return count('waits') > 0 ? `Nothing failed, but not all is done: see wait above.${warned}` : `All is well.${warned}`
}

export async function examine(settings: Settings, args: readonly string[]): Promise<Finding[]> {
  if (args[0] === 'model') return await examineModel(settings)
  const names: readonly string[] = channelChecks.map(({ channel }) => channel)
  const [word, target] = args.filter((arg) => !names.includes(arg))
  if (word !== undefined && word !== '--repair' && word !== '--replay') {
    const forms = ['doctor', 'doctor model', ...names.map((name) => `doctor ${name}`)]
    throw new BotError(
      'bad-input',
      `doctor does not know "${word}". Use ${forms.slice(0, -1).join(', ')} or ${forms.at(-1)}.`,
    )
  }
  const errand = readErrand(word, target)
  const only = args.find((arg) => names.includes(arg))
  const ownRedis = settings.redisUrl === undefined
  const onDisk = await checkFolder(settings.dataFolder, process.cwd(), { ownRedis })
  const frozen = ownRedis ? await checkFrozen(settings.dataFolder) : undefined
  const { store, findings } = frozen ? toFrozen(frozen) : await checkStore(settings, errand)
  try {
    const looked = channelChecks.filter(({ channel }) => only === undefined || channel === only)
    const looks = [
      checkModel(settings),
      checkEmbedding(settings),
      checkHttp(settings.http),
      checkMeilisearch(settings.meilisearch),
      ...looked.map(({ check }) => check(settings, store, only !== undefined)),
    ]
    const idle = ownRedis ? await checkIdleRedis() : []
    return [
      checkNode(process.versions.node),
      ...onDisk,
      ...findings,
      ...checkListen(settings),
      ...idle,
      ...(await Promise.all(looks)).flat(),
    ]
  } finally {
    if (store.kind === 'open') store.redis.disconnect()
  }
}
