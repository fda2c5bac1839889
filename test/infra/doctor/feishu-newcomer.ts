// A newcomer who goes through infra/docs/feishu.md against the simulator, with nothing ticked but what stands there, and leaves something
// out.
import { feishuCallback, feishuEvents, feishuRights, looking } from '#infra/doctor/feishu-needs.ts'
import { feishuSteps, type FeishuStep } from '#infra/doctor/feishu-steps.ts'
import { numberOf } from '#infra/doctor/steps.ts'
import { toConnectedSign } from '#adapters/feishu/ids.ts'
import { startFleet, until, type Fleet } from '#test/rig/fleet.ts'
import { startPlatform } from '#test/rig/platform.ts'
import { allScopes } from '#test/simulators/feishu/scopes.ts'
import { startFeishuSimulator, type FeishuSimulator } from '#test/simulators/feishu/simulator.ts'
import type { Env } from './connecting.ts'

export const code = 'abcdefghjkmn'

export type Connected = AsyncDisposable & {
  readonly feishu: FeishuSimulator
  readonly fleet: Fleet
  /** The group's id, once the bot was added to it. */
  readonly group: string
  /** As the newcomer's terminal has it. */
  readonly env: Env
  stop(): Promise<void>
}

export type LeftOut = { readonly step?: FeishuStep; readonly right?: string; readonly event?: string }

/** Does everything but what is left out, and nothing that cannot be done without it. */
export async function connect(without: LeftOut = {}, more: Env = {}): Promise<Connected> {
  const did = (step: FeishuStep): boolean => step !== without.step
  const feishu = await startFeishuSimulator({ redeliverMs: [300, 600, 1200, 2400] })
  tick(feishu, without)
  const app: Record<string, string> = did('secret')
    ? { FEISHU_APP_ID: feishu.appId, FEISHU_APP_SECRET: feishu.appSecret }
    : {}
  const given = { ...app, FEISHU_DOMAIN: feishu.apiRoot, FLOTILLA_LANGUAGE: 'en', ...more }
  const fleet = await startFleet({ env: given, redis: { aof: true, maxmemory: '1gb' } })
  const runs = fleet.runtime.settings.feishu !== undefined && did('start')
  const stop = runs ? await startPlatform(fleet.runtime, 'feishu') : async () => {}
  await fleet.runtime.access.code(code)
  let group = ''
  if (runs && did('bot') && did('publish')) {
    const { webhook } = fleet.runtime.settings.feishu ?? {}
    if (webhook) await setWebhook(feishu, webhook)
    else await until(async () => await has(fleet, 'EXISTS', `fl:{${toConnectedSign(feishu.appId)}}`))
    group = await liveThrough({ feishu, fleet }, without)
  }
  const model = { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: fleet.model.url, FLOTILLA_MODEL: 'sim-main' }
  return {
    feishu,
    fleet,
    group,
    env: { REDIS_URL: fleet.redis.url, ...model, ...given },
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      await fleet[Symbol.asyncDispose]()
      await feishu.close()
    },
  }
}

/** As the console has it saved: as soon as the address answers. */
async function setWebhook(
  feishu: FeishuSimulator,
  webhook: Parameters<FeishuSimulator['setWebhook']>[0],
): Promise<void> {
  await until(
    async () =>
      await feishu.setWebhook(webhook).then(
        () => true,
        () => false,
      ),
  )
}

/** In the developer console. */
function tick(feishu: FeishuSimulator, { step, right, event }: LeftOut): void {
  const rights = step === 'rights' ? [] : feishuRights.map(({ name }) => name)
  const ticked = new Set([...rights, ...looking.slice(0, 1)].filter((name) => name !== right))
  feishu.deny(...allScopes.filter((name) => !ticked.has(name)))
  feishu.grant(...ticked)
  const events = step === 'events' ? [] : feishuEvents.map(({ name }) => name).filter((name) => name !== event)
  feishu.subscribe([...events, ...(step === 'callback' ? [] : [feishuCallback])])
  feishu.changeApp({ hasBotAbility: step !== 'bot', isPublished: step !== 'publish' })
}

/** What the newcomer does in Feishu once the fleet is connected. */
async function liveThrough(
  { feishu, fleet }: Pick<Connected, 'feishu' | 'fleet'>,
  { step, right, event }: LeftOut,
): Promise<string> {
  const isDeaf = step === 'rights' || step === 'events' || event === 'im.message.receive_v1'
  const ada = feishu.person('Ada')
  const owns = step !== 'owner' && !isDeaf && right !== 'im:message.p2p_msg:readonly'
  if (owns) {
    ada.say(ada.dm, `/start ${code}`)
    await until(() => has(fleet, 'HEXISTS', 'fl:{access}', `owner:feishu:${ada.openId}`))
  }
  if (step === 'add' || isDeaf) return ''
  // Nobody is let in by a member who is no owner.
  const group = feishu.addGroup({ owner: step === 'allow' ? 'Bo' : 'Ada', name: 'Harbour' })
  const isTold = right !== 'im:chat:readonly' && event !== 'im.chat.member.bot.added_v1'
  if (isTold) await until(() => has(fleet, 'HEXISTS', 'fl:{chats}', `open:feishu:${group}`))
  if (owns && step !== 'allow') {
    if (!isTold) ada.say(group, `@${feishu.bot.name} /allow here`)
    await until(() => has(fleet, 'HEXISTS', 'fl:{access}', `chat:feishu:${group}`))
  }
  if (step === 'write') feishu.setModerated(group, true)
  return group
}

async function has({ redis }: Fleet, ...command: readonly [string, ...string[]]): Promise<boolean> {
  const [name, ...args] = command
  return (await redis.cli(name, ...args)) === 1
}

export function toName(step: FeishuStep): string {
  const found = feishuSteps.find(({ id }) => id === step)
  return `${numberOf(feishuSteps, step)}, ${found?.title}`
}
