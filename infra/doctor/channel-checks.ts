// What doctor says of each channel that is connected by a token: its steps, in the order in which channels are named to people.
import { platforms } from '#infra/processes/channels.ts'
import type { Settings } from '#infra/config/settings.ts'
import type { Finding } from '#infra/checks/finding.ts'
import { readDiscord } from './discord-facts.ts'
import { discordSteps } from './discord-steps.ts'
import { checkCalls } from './feishu-calls.ts'
import { readFeishu } from './feishu-facts.ts'
import { feishuSteps } from './feishu-steps.ts'
import type { ConnectedChannel, FleetFacts, Store } from './fleet-facts.ts'
import { judgeSteps, numberOf, type Step } from './steps.ts'
import { readTelegram } from './telegram-facts.ts'
import { telegramSteps } from './telegram-steps.ts'

type ChannelCheck = {
  readonly channel: ConnectedChannel
  /** `isWanted`: somebody asked for this channel, so that its steps are told also where it is not connected. */
  check(settings: Settings, store: Store, isWanted: boolean): Promise<Finding[]>
}

export const channelChecks: readonly ChannelCheck[] = [
  toCheck('telegram', { title: 'Telegram', steps: telegramSteps, tokenStep: 'token', read: readTelegram }),
  toCheck('discord', { title: 'Discord', steps: discordSteps, tokenStep: 'token', read: readDiscord }),
  toCheck('feishu', {
    title: 'Feishu',
    steps: feishuSteps,
    tokenStep: 'secret',
    read: readFeishu,
    besides: checkCalls,
  }),
]

type Facts = { readonly api: { readonly kind: string }; readonly fleet: FleetFacts }
type Described<Id extends string, F extends Facts> = {
  readonly title: string
  readonly steps: readonly Step<Id, F>[]
  /** The step that gives the token. */
  readonly tokenStep: Id
  read(settings: Settings, store: Store): Promise<F>
  /** What there is to say besides the steps, where it is connected. */
  besides?(facts: F): Finding[]
}

function toCheck<Id extends string, F extends Facts>(
  channel: ConnectedChannel,
  { title, steps, tokenStep, read, besides = () => [] }: Described<Id, F>,
): ChannelCheck {
  return {
    channel,
    async check(settings, store, isWanted) {
      const facts = await read(settings, store)
      if (facts.api.kind !== 'unset' || isWanted) return [...judgeSteps(title, steps, facts), ...besides(facts)]
      return [notConnected(channel, { title, step: numberOf(steps, tokenStep) }, facts.fleet)]
    },
  }
}

/** Nobody must have every channel; but a token that only the other terminal has would hide what is wrong. */
function notConnected(
  channel: ConnectedChannel,
  { title: about, step }: { readonly title: string; readonly step: number },
  fleet: FleetFacts,
): Finding {
  const variable = platforms.find(({ name }) => name === channel)?.needs ?? ''
  if (fleet.kind === 'known' && fleet.isTold && !fleet.missing.includes(channel)) {
    const found = `could not look: a ${channel} process runs, but ${variable} is not set here`
    return { level: 'warning', about, found, fix: `Write ${variable} into .env, or export it here too.` }
  }
  const found = `not connected: ${variable} is not set (step ${step} of infra/docs/${channel}.md)`
  return { level: 'off', about, found }
}
