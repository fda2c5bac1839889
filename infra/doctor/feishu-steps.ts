// The steps of `infra/docs/feishu.md`, in its order and words, and how doctor sees whether each is done.
import type { FeishuApiFacts, PublishedApp, Subscribed } from './feishu-app.ts'
import type { FeishuFacts, FeishuGroup } from './feishu-facts.ts'
import {
  allOfGroups,
  feishuCallback,
  feishuEvents,
  feishuRights,
  findMissing,
  looking,
  type FeishuNeed,
} from './feishu-needs.ts'
import { judgeOwner, judgeProcesses } from './fleet-facts.ts'
import { enumerate, ok, partly, unseen, waits, wrong, type Step, type Verdict } from './steps.ts'

export type FeishuStep =
  | 'create'
  | 'bot'
  | 'rights'
  | 'secret'
  | 'publish'
  | 'start'
  | 'events'
  | 'callback'
  | 'owner'
  | 'add'
  | 'allow'
  | 'write'
type Known = Extract<FeishuApiFacts, { kind: 'known' }>
type SeenApp = Extract<PublishedApp, { kind: 'seen' }>
type GroupIn = Extract<FeishuGroup, { kind: 'in' | 'hidden' }>
type Judged = Verdict<FeishuStep>

export const feishuSteps: readonly Step<FeishuStep, FeishuFacts>[] = [
  { id: 'create', title: 'Create the app', seenThrough: 'secret' },
  { id: 'bot', title: 'Add the bot', look: withApi(judgeBot) },
  { id: 'rights', title: 'Tick the permissions', after: ['publish'], look: withApi(judgeRights) },
  { id: 'secret', title: 'Write down the id and the secret', look: judgeSecret },
  { id: 'publish', title: 'Publish a version', look: withApi(judgePublishing) },
  { id: 'start', title: 'Start Flotilla', after: ['bot', 'publish'], look: withApi(judgeStart) },
  { id: 'events', title: 'Subscribe to the events', after: ['publish'], look: withApp(judgeEvents) },
  { id: 'callback', title: 'Subscribe to the buttons', after: ['publish'], look: withApp(judgeCallback) },
  {
    id: 'owner',
    title: 'Become the owner',
    after: ['rights', 'start', 'events'],
    look: withApi((facts) => judgeOwner({ ...facts, channel: 'feishu' })),
  },
  { id: 'add', title: 'Add the bot to the group', after: ['rights', 'start', 'events'], look: withApi(judgeAdding) },
  { id: 'allow', title: 'Let the group in', after: ['add', 'owner'], look: withApi(judgeAllowing) },
  { id: 'write', title: 'Let the bot write', look: withApi(judgeWriting) },
]

function withApi(look: (facts: FeishuFacts, api: Known) => Judged): (facts: FeishuFacts) => Judged {
  return (facts) => (facts.api.kind === 'known' ? look(facts, facts.api) : waits('secret'))
}

function withApp(look: (app: SeenApp, webhook: FeishuFacts['webhook']) => Judged): (facts: FeishuFacts) => Judged {
  return withApi(({ webhook }, { app, bot }) => {
    if (app.kind === 'hidden') {
      return partly(
        `could not look: it lacks ${looking[0]}`,
        `Nothing but doctor needs it: tick ${looking[0]} on the page Permissions & Scopes (权限管理), and publish a version.`,
      )
    }
    if (app.kind === 'unseen') return bot.kind === 'off' ? waits('publish') : unseen(app.reason)
    return app.isPublished ? look(app, webhook) : waits('publish')
  })
}

function judgeSecret({ api }: FeishuFacts): Judged {
  switch (api.kind) {
    case 'unset':
      return wrong(
        'FEISHU_APP_ID is not set',
        'Write FEISHU_APP_ID=<App ID> and FEISHU_APP_SECRET=<App Secret> into the file .env of this folder. Both stand on the page Credentials & Basic Info (凭证与基础信息) of the developer console.',
      )
    case 'refused':
      return wrong(
        'Feishu refuses the id or the secret',
        'Copy both anew from the page Credentials & Basic Info (凭证与基础信息) of the developer console into FEISHU_APP_ID and FEISHU_APP_SECRET, and set FEISHU_DOMAIN to feishu or lark, wherever the app was made.',
      )
    case 'away':
    case 'used-up':
      return unseen(api.reason)
    case 'known':
      return ok('Feishu takes them')
    default:
      return api satisfies never
  }
}

function judgeBot(_: FeishuFacts, { bot, scopes }: Known): Judged {
  if (bot.kind === 'there') return ok(`it is called "${bot.name}"`)
  // Before the first version is published no app has one.
  if (bot.kind === 'off' || scopes.kind === 'not-installed') return waits('publish')
  return wrong(
    'the app has no bot',
    'On the page Add Features (添加应用能力) of the developer console add Bot, and publish a version.',
  )
}

const release =
  'On the page Version Management & Release (版本管理与发布) of the developer console create a version and publish it; an administrator of the tenant approves it.'

/** https://open.feishu.cn/document/ukTMukTMukTM/uAjMxEjLwITMx4CMyETM: what `status` means. */
function judgePublishing(_: FeishuFacts, { bot, scopes, app }: Known): Judged {
  const isUnpublished = scopes.kind === 'not-installed' || (app.kind === 'seen' && !app.isPublished)
  const status = bot.kind === 'there' ? bot.status : undefined
  if (isUnpublished || status === 0 || status === 3) return wrong('no version of the app is in use', release)
  if (bot.kind === 'off' || status === 1 || status === 5 || status === 6) {
    const fix = 'An administrator of the tenant switches it on in the admin console, under its apps.'
    return wrong('the app is switched off in the tenant', fix)
  }
  if (bot.kind === 'none') return waits('bot')
  const isWaiting = status === 4 || (app.kind === 'seen' && app.isWaiting)
  return ok(isWaiting ? 'one is in use; a newer one waits for an administrator' : 'one is in use')
}

function judgeRights({ groups }: FeishuFacts, { scopes }: Known): Judged {
  if (scopes.kind === 'not-installed') return waits('publish')
  if (scopes.kind === 'unseen') return unseen(scopes.reason)
  const { granted } = scopes
  const needed = judgeNeeds(feishuRights, granted, 'on the page Permissions & Scopes (权限管理)')
  if (needed.kind === 'wrong' || granted.has(allOfGroups.name)) return needed
  const deaf = letIn(groups).filter(({ mode }) => mode !== 'mention')
  const [first] = deaf
  if (!first) return needed
  return wrong(
    `the mode of ${enumerate(deaf.map(quote))} is ${first.mode}, which needs ${allOfGroups.name}`,
    `Tick ${allOfGroups.name} on the page Permissions & Scopes (权限管理), and publish a version. Or say "/mode mention" there.`,
  )
}

function judgeNeeds(needs: readonly FeishuNeed[], given: ReadonlySet<string>, where: string): Judged {
  const missing = findMissing(needs, given)
  if (missing.length === 0) return ok('all that it needs')
  const names = missing.map(({ name }) => name).join(', ')
  const fix = `Add ${missing.length > 1 ? 'them' : 'it'} ${where} of the developer console, and publish a version.`
  const lost = [...new Set(missing.flatMap(({ without }) => without ?? []))]
  if (missing.some(({ without }) => without === undefined)) return wrong(`it lacks ${names}`, fix)
  return partly(`it lacks ${names}, and goes without: ${lost.join('; ')}`, fix)
}

function judgeStart({ fleet, webhook }: FeishuFacts, { bot }: Known): Judged {
  if (bot.kind !== 'there') return waits('bot')
  const missing = judgeProcesses(fleet, 'feishu')
  if (missing) return missing
  if (webhook)
    return ok(`it takes what Feishu pushes to ${new URL(webhook.url).host}; its log tells of what it refuses`)
  if (fleet.kind !== 'known' || fleet.isReceiving) return ok('it is connected')
  return wrong('the feishu process runs, but is not connected', 'See what its log says, and start it again.')
}

function judgeEvents({ events }: SeenApp, webhook: FeishuFacts['webhook']): Judged {
  const elsewhere = judgeMode(events, webhook, 'Event Configuration')
  if (elsewhere) return elsewhere
  if (!events.kinds) return unseen('Feishu does not say which events it brings')
  return judgeNeeds(feishuEvents, events.kinds, 'on the page Events & Callbacks (事件与回调)')
}

function judgeCallback({ callbacks }: SeenApp, webhook: FeishuFacts['webhook']): Judged {
  const elsewhere = judgeMode(callbacks, webhook, 'Callback Configuration')
  if (elsewhere) return elsewhere
  if (!callbacks.kinds) return unseen('Feishu does not say which callbacks it brings')
  if (callbacks.kinds.has(feishuCallback)) return ok(feishuCallback)
  return wrong(
    `it lacks ${feishuCallback}`,
    `Add ${feishuCallback} on the page Events & Callbacks (事件与回调), under Callback Configuration, and publish a version.`,
  )
}

/** Undefined where it is as it should be, or not said. */
function judgeMode({ mode, url }: Subscribed, webhook: FeishuFacts['webhook'], tab: string): Judged | undefined {
  if (mode === undefined) return undefined
  const place = `on the page Events & Callbacks (事件与回调) of the developer console, under ${tab}, and publish a version.`
  if (!webhook) {
    if (mode !== 'webhook') return undefined
    return wrong(
      'Feishu pushes to an address, and none is set here',
      `Choose the persistent connection ${place} Flotilla must run meanwhile. Or set FEISHU_WEBHOOK_URL to that address.`,
    )
  }
  if (mode === 'webhook' && (url === undefined || url === '' || url === webhook.url)) return undefined
  const found =
    mode === 'webhook' ? 'Feishu pushes to another address than FEISHU_WEBHOOK_URL' : 'Feishu pushes to no address'
  return wrong(found, `Set the request URL to FEISHU_WEBHOOK_URL ${place}`)
}

function judgeAdding({ fleet, groups }: FeishuFacts, { bot }: Known): Judged {
  if (fleet.kind !== 'known') return waits('start')
  const inside = groups.filter(isIn)
  if (inside.length > 0) return ok(enumerate(inside.map(quote)))
  const [unknown] = groups.filter((group) => group.kind === 'unseen')
  if (unknown) return unseen(unknown.reason)
  const name = bot.kind === 'there' ? bot.name : 'the bot'
  return wrong(
    'it is in no group that Flotilla knows of',
    `In your group open the settings, then Bots (群机器人), and add "${name}". If it is there already, mention it with "/allow here" as the owner.`,
  )
}

function judgeAllowing({ fleet, groups, everyone }: FeishuFacts): Judged {
  const inside = groups.filter(isIn)
  if (everyone) return ok('FLOTILLA_ALLOW=* lets every group in')
  if (inside.length === 0) return waits(fleet.kind === 'known' ? 'add' : 'start')
  const open = letIn(groups)
  if (open.length > 0) {
    const closed = inside.filter(({ isLetIn }) => !isLetIn)
    return ok(`${enumerate(open.map(quote))}${closed.length > 0 ? `; not ${enumerate(closed.map(quote))}` : ''}`)
  }
  return wrong(
    `${enumerate(inside.map(quote))} is not let in`,
    'As the owner mention the bot in the group, with "/allow here".',
  )
}

function judgeWriting({ fleet, groups }: FeishuFacts): Judged {
  if (fleet.kind !== 'known') return waits('start')
  const open = letIn(groups)
  if (open.length === 0) return waits(groups.some(isIn) ? 'allow' : 'add')
  if (open.some(({ kind }) => kind === 'hidden')) return waits('rights')
  const muted = open.filter((group) => group.kind === 'in' && group.isMuted)
  if (muted.length === 0) return ok('it may write in every group that is let in')
  return wrong(
    `it may not write in ${enumerate(muted.map(quote))}`,
    "In the group's settings, under Group Management (群管理), let all members send messages, or make the bot an administrator; then write something there.",
  )
}

const isIn = (group: FeishuGroup): group is GroupIn => group.kind === 'in' || group.kind === 'hidden'
const letIn = (groups: readonly FeishuGroup[]): GroupIn[] => groups.filter(isIn).filter(({ isLetIn }) => isLetIn)
const quote = (group: GroupIn): string => `"${group.kind === 'in' ? group.title : group.home}"`
