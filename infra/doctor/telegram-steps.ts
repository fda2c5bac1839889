// The steps of `infra/docs/telegram.md`, in its order and words, and how doctor sees whether each is done.
import { judgeOwner, judgeProcesses } from './fleet-facts.ts'
import { enumerate, ok, unseen, waits, wrong, type Step, type Verdict } from './steps.ts'
import type { TelegramApiFacts, TelegramFacts, TelegramGroup } from './telegram-facts.ts'

export type TelegramStep = 'create' | 'join' | 'read' | 'token' | 'start' | 'owner' | 'add' | 'allow' | 'write'
type Known = Extract<TelegramApiFacts, { kind: 'known' }>
type GroupIn = Extract<TelegramGroup, { kind: 'in' }>

export const telegramSteps: readonly Step<TelegramStep, TelegramFacts>[] = [
  { id: 'create', title: 'Create the bot', seenThrough: 'token' },
  { id: 'join', title: 'Allow groups', look: withApi(judgeJoining) },
  { id: 'read', title: 'Choose what it may read', look: withApi(judgeReading) },
  { id: 'token', title: 'Write down the token', look: judgeToken },
  { id: 'start', title: 'Start Flotilla', after: ['token'], look: withApi(judgeStart) },
  {
    id: 'owner',
    title: 'Become the owner',
    after: ['start'],
    look: withApi((facts) => judgeOwner({ ...facts, channel: 'telegram' })),
  },
  { id: 'add', title: 'Add the bot to the group', after: ['join', 'start'], look: withApi(judgeAdding) },
  { id: 'allow', title: 'Let the group in', after: ['add', 'owner'], look: withApi(judgeAllowing) },
  { id: 'write', title: 'Let the bot write', look: withApi(judgeWriting) },
]

type Look = (facts: TelegramFacts, api: Known) => Verdict<TelegramStep>

function withApi(look: Look): (facts: TelegramFacts) => Verdict<TelegramStep> {
  return (facts) => (facts.api.kind === 'known' ? look(facts, facts.api) : waits('token'))
}

function judgeToken({ api }: TelegramFacts): Verdict<TelegramStep> {
  switch (api.kind) {
    case 'unset':
      return wrong(
        'TELEGRAM_BOT_TOKEN is not set',
        'Write TELEGRAM_BOT_TOKEN=<the token> into the file .env of this folder. @BotFather shows the token on /mybots.',
      )
    case 'refused':
      return wrong(
        'Telegram refuses the token',
        'Copy it anew from @BotFather (/mybots, API Token) into TELEGRAM_BOT_TOKEN.',
      )
    case 'away':
      return unseen(api.reason)
    case 'known':
      return ok(`it is @${api.me.username}'s`)
    default:
      return api satisfies never
  }
}

function judgeJoining(_: TelegramFacts, { me }: Known): Verdict<TelegramStep> {
  if (me.can_join_groups) return ok('groups may add the bot')
  return wrong('no group may add the bot', `Send @BotFather /setjoingroups, choose @${me.username}, then Enable.`)
}

function judgeReading({ groups }: TelegramFacts, { me }: Known): Verdict<TelegramStep> {
  if (me.can_read_all_group_messages)
    return ok('privacy mode is off: it reads everything in groups it was added to since')
  const deaf = letIn(groups).filter(({ isAdmin, mode }) => mode !== 'mention' && !isAdmin)
  const [first] = deaf
  if (!first) return ok('privacy mode is on: in groups it reads mentions, replies to it and commands')
  return wrong(
    `privacy mode is on, but the mode of ${enumerate(deaf.map(quote))} is ${first.mode}, which needs every message`,
    `Send @BotFather /setprivacy, choose @${me.username}, then Disable; remove the bot from the group and add it again. Or say "/mode mention" there.`,
  )
}

function judgeStart({ fleet, webhook }: TelegramFacts, { hook }: Known): Verdict<TelegramStep> {
  const missing = judgeProcesses(fleet, 'telegram')
  if (missing) return missing
  if (webhook) return judgeWebhook(webhook.url, hook)
  if (hook.url) {
    const host = URL.parse(hook.url)?.host ?? 'somewhere'
    return wrong(
      `Telegram pushes this bot's messages to a webhook at ${host}, so that none can be fetched`,
      dismissRival,
    )
  }
  if (fleet.kind === 'known' && fleet.hasRival) {
    return wrong('another program fetches messages with the same token', dismissRival)
  }
  if (fleet.kind !== 'known' || fleet.isReceiving) return ok(`it fetches messages${waiting(hook)}`)
  return wrong('the telegram process runs, but fetches no messages', 'See what its log says, and start it again.')
}

const dismissRival =
  'Stop the other program that uses this token, or get a new token from @BotFather (/revoke). Then start Flotilla again.'

function judgeWebhook(url: string, hook: Known['hook']): Verdict<TelegramStep> {
  if (hook.url !== url) {
    const found = hook.url ? 'Telegram pushes to another address than TELEGRAM_WEBHOOK_URL' : 'no webhook is set'
    return wrong(found, 'Start the telegram process again: it tells Telegram the address and the secret.')
  }
  const { last_error_message: error, pending_update_count: count } = hook
  // What it says of the past does not matter once everything has arrived.
  if (error === undefined || count === 0) return ok(`Telegram pushes messages to ${new URL(url).host}${waiting(hook)}`)
  const fix = /\b401\b/.test(error)
    ? 'The secret differs: start the telegram process again, with the TELEGRAM_WEBHOOK_SECRET that all its processes share.'
    : 'TELEGRAM_WEBHOOK_URL must reach the telegram process (or web) from the internet, by HTTPS with a valid certificate.'
  return wrong(`${count} messages wait, and the webhook fails: ${error}`, fix)
}

const waiting = ({ pending_update_count: count }: Known['hook']): string => (count > 0 ? `, ${count} are waiting` : '')

function judgeAdding({ fleet, groups }: TelegramFacts, { me }: Known): Verdict<TelegramStep> {
  if (fleet.kind !== 'known') return waits('start')
  const inside = groups.filter(isIn)
  if (inside.length > 0) return ok(enumerate(inside.map(quote)))
  const [hidden] = groups.filter((group) => group.kind === 'unseen')
  if (hidden) return unseen(hidden.reason)
  return wrong(
    'it is in no group that Flotilla knows of',
    `In your group choose Add members and @${me.username}. If it is there already, write "/allow@${me.username} here" as the owner.`,
  )
}

function judgeAllowing(facts: TelegramFacts, { me }: Known): Verdict<TelegramStep> {
  const inside = facts.groups.filter(isIn)
  if (facts.everyone) return ok('FLOTILLA_ALLOW=* lets every group in')
  if (inside.length === 0) return waits(facts.fleet.kind === 'known' ? 'add' : 'start')
  const open = letIn(facts.groups)
  if (open.length > 0) {
    const closed = inside.filter(({ isLetIn }) => !isLetIn)
    return ok(`${enumerate(open.map(quote))}${closed.length > 0 ? `; not ${enumerate(closed.map(quote))}` : ''}`)
  }
  return wrong(
    `${enumerate(inside.map(quote))} is not let in`,
    `As the owner write "/allow@${me.username} here" in the group.`,
  )
}

function judgeWriting({ fleet, groups }: TelegramFacts, { me }: Known): Verdict<TelegramStep> {
  if (fleet.kind !== 'known') return waits('start')
  const open = letIn(groups)
  if (open.length === 0) return waits(groups.some(isIn) ? 'allow' : 'add')
  const muted = open.filter(({ canWrite }) => !canWrite)
  if (muted.length === 0) return ok('it may write in every group that is let in')
  return wrong(
    `it may not write in ${enumerate(muted.map(quote))}`,
    `In the group's settings, under Permissions, allow members to send messages, and lift any restriction of @${me.username}; or make it an administrator.`,
  )
}

const isIn = (group: TelegramGroup): group is GroupIn => group.kind === 'in'
const letIn = (groups: readonly TelegramGroup[]): GroupIn[] => groups.filter(isIn).filter(({ isLetIn }) => isLetIn)
const quote = ({ title }: GroupIn): string => `"${title}"`
