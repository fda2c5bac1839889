// `flotilla context <conversation>`: what its model would see if somebody asked now, part by part and then message by message. It only looks.
import { isTask } from '#shared/chat/address.ts'
import { loadSettings, type Settings } from '#infra/config/settings.ts'
import { createLog } from '#infra/log/log.ts'
import { findRedis } from '#infra/redis/fleet-file.ts'
import { createKnownKinds } from '#queues/fleet/known-kinds.ts'
import { findContext } from './context-now.ts'
import { printContext } from './print-context.ts'
import { createExecutorDeps } from './executor-deps.ts'
import { loadModel } from './model.ts'
import { expectRedis, findAddress } from './named-conversation.ts'
import { openFeatures } from './open-features.ts'
import { openRuntime, type Runtime } from './runtime.ts'

const usage =
  'Write flotilla context <conversation> [--at <turn>] [--json], with a conversation like web:main, as it stands in the address of the page: http://…/#main, or a task like web:main#3.\n'
const gatherMs = 10_000

/** Exits with 2 for words that it does not know; throws for what is not there. */
export async function runContext(args: readonly string[]): Promise<number> {
  const words = readWords(args)
  if (!words) {
    process.stderr.write(usage)
    return 2
  }
  const settings = loadSettings(process.env, process.cwd())
  const redisUrl = await findRedis(settings)
  await expectRedis(redisUrl)
  const { log } = createLog({ level: 'fatal', secrets: settings.secrets })
  const runtime = await openRuntime({
    told: { role: 'context', does: ['context'], settings: {} },
    settings,
    redisUrl,
    log,
  })
  try {
    const found = await look(runtime, settings, words)
    process.stdout.write(`${words.json ? JSON.stringify(found, undefined, 2) : printContext(found)}\n`)
    return 0
  } finally {
    await runtime.close()
  }
}

type Words = { readonly name: string; readonly at?: string; readonly json: boolean }

function readWords(args: readonly string[]): Words | undefined {
  const json = args.includes('--json')
  const rest = args.filter((arg) => arg !== '--json')
  const marked = rest.indexOf('--at')
  const at = marked < 0 ? undefined : rest[marked + 1]
  const [name, ...more] = marked < 0 ? rest : rest.toSpliced(marked, 2)
  const isStrange = name === undefined || name.startsWith('--') || more.length > 0
  if (isStrange || (marked >= 0 && at === undefined)) return undefined
  return { name, json, ...(at === undefined ? {} : { at }) }
}

async function look(runtime: Runtime, settings: Settings, { name, at }: Words) {
  const model = await loadModel(settings)
  const trouble = (what: string): void => {
    process.stderr.write(`${what}\n`)
  }
  const known = createKnownKinds(runtime.redis, runtime.clock.now)
  const { chats, tasks } = createExecutorDeps(runtime, openFeatures(runtime, model), { trouble, known })
  const address = await findAddress(runtime, name)
  return await findContext(
    { ...runtime, executor: isTask(address) ? tasks : chats },
    { address, at },
    AbortSignal.timeout(gatherMs),
  )
}
