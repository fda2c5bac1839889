// One kind of worker in a process of its own, against REDIS_URL or the embedded Redis of this folder's fleet.
import { loadSettings } from '#infra/config/settings.ts'
import { toAgreed } from '#infra/config/agreed-settings.ts'
import { loadConfigFile } from '#infra/config/file.ts'
import { createLog } from '#infra/log/log.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { isWorker, thinks, type Role } from './roles.ts'
import { checkAgreement } from './agreement.ts'
import { describeRedis } from './describe-redis.ts'
import { holdLayout } from './held-locks.ts'
import { loadModel } from './model.ts'
import { findRedis } from '#infra/redis/fleet-file.ts'
import { runParts, type Start } from './lifecycle.ts'
import type { ExecutorTuning } from './executor.ts'
import type { Part } from './part.ts'
import { warnOfServer } from './server-warnings.ts'
import { startRole } from './start-role.ts'
import { startLoopWatch } from './watch-loop.ts'
import { openRuntime, type RuntimeOptions } from './runtime.ts'
import { startSweeper } from './sweeper.ts'

/** `features`: besides the fleet's own. */
type Tuning = Pick<RuntimeOptions, 'wrapUnits'> & {
  readonly executor?: ExecutorTuning
  readonly features?: readonly Feature[]
}

export async function runSeparate(
  roles: readonly Role[],
  { executor, features = [], ...units }: Tuning = {},
): Promise<number> {
  const folder = process.cwd()
  const settings = loadSettings(process.env, folder)
  const { log } = createLog({ level: settings.logLevel, secrets: settings.secrets, base: { role: roles.join('+') } })
  const start = async ({ add, addAll, defer }: Start): Promise<readonly Part[]> => {
    const model = roles.some(thinks) ? await loadModel(settings, (text) => log.warn(text)) : undefined
    const routing = roles.includes('router') ? loadConfigFile(folder).routing : undefined
    const agreed = toAgreed(settings, { roles, model: model?.port, routing })
    const runtime = await openRuntime({
      ...units,
      told: { role: roles.join('+'), does: [...roles], settings: agreed },
      settings,
      redisUrl: await findRedis(settings),
      log,
    })
    defer(() => runtime.close())
    const parts: Part[] = [add(await holdLayout(runtime)), add(startSweeper(runtime))]
    await warnOfServer(runtime, settings)
    await checkAgreement(runtime)
    const opened = model && (await import('./open-features.ts')).openFeatures(runtime, model, features)
    for (const role of roles)
      parts.push(...addAll(await startRole(role, runtime, { folder, executor, features: opened })))
    parts.push(add(startLoopWatch(runtime)))
    const { name, endpoint } = model?.port.describe() ?? {}
    log.info({ roles, redis: describeRedis(settings), ...(model && { model: `${name} at ${endpoint}` }) }, 'started')
    return parts
  }
  return await runParts(log, start, roles.every(isWorker) ? 'end' : 'go-on')
}
