// The steps of `infra/docs/discord.md`, in its order and words, and how doctor sees whether each is done.
import { ApplicationFlags } from 'discord-api-types/v10'
import type { DiscordApiFacts, DiscordFacts, DiscordGuild, DiscordTextChannel } from './discord-facts.ts'
import { findMissingRights } from './discord-rights.ts'
import { judgeOwner, judgeProcesses } from './fleet-facts.ts'
import { enumerate, ok, unseen, waits, wrong, type Step, type Verdict } from './steps.ts'

export type DiscordStep =
  | 'create'
  | 'intent'
  | 'token'
  | 'scopes'
  | 'rights'
  | 'invite'
  | 'start'
  | 'owner'
  | 'channel'
  | 'allow'
type Known = Extract<DiscordApiFacts, { kind: 'known' }>
type SeenGuild = Extract<DiscordGuild, { kind: 'seen' }>

export const discordSteps: readonly Step<DiscordStep, DiscordFacts>[] = [
  { id: 'create', title: 'Create the application', seenThrough: 'token' },
  { id: 'intent', title: 'Switch on Message Content Intent', look: withApi(judgeIntent) },
  { id: 'token', title: 'Write down the token', look: judgeToken },
  { id: 'scopes', title: 'Tick two scopes', look: withGuilds(judgeScopes) },
  { id: 'rights', title: 'Tick five permissions', look: withGuilds(judgeRights) },
  { id: 'invite', title: 'Invite the bot', look: withApi(judgeInvitation) },
  { id: 'start', title: 'Start Flotilla', after: ['token'], look: withApi(judgeStart) },
  {
    id: 'owner',
    title: 'Become the owner',
    after: ['invite', 'intent', 'start'],
    look: withApi((facts) => judgeOwner({ ...facts, channel: 'discord' })),
  },
  { id: 'channel', title: 'Open the channel to the bot', after: ['rights'], look: withGuilds(judgeChannels) },
  { id: 'allow', title: 'Let the server in', after: ['rights', 'channel', 'owner'], look: withGuilds(judgeAllowing) },
]

function withApi(
  look: (facts: DiscordFacts, api: Known) => Verdict<DiscordStep>,
): (facts: DiscordFacts) => Verdict<DiscordStep> {
  return (facts) => (facts.api.kind === 'known' ? look(facts, facts.api) : waits('token'))
}

type Around = { readonly facts: DiscordFacts; readonly api: Known; readonly guilds: readonly SeenGuild[] }

/** Looks at the guilds that matter: those that are let in, wholly or with a channel; or all while there is none. */
function withGuilds(look: (around: Around) => Verdict<DiscordStep>): (facts: DiscordFacts) => Verdict<DiscordStep> {
  return withApi((facts, api) => {
    if (api.guilds.length === 0) return waits('invite')
    const [hidden] = api.guilds.filter((guild) => guild.kind === 'unseen')
    if (hidden) return unseen(hidden.reason)
    const seen = api.guilds.filter((guild) => guild.kind === 'seen')
    const used = seen.filter((guild) => {
      const { servers, channels } = letIn(facts, [guild])
      return servers.length + channels.length > 0
    })
    return look({ facts, api, guilds: used.length > 0 ? used : seen })
  })
}

function judgeToken({ api }: DiscordFacts): Verdict<DiscordStep> {
  switch (api.kind) {
    case 'unset':
      return wrong(
        'DISCORD_BOT_TOKEN is not set',
        'Write DISCORD_BOT_TOKEN=<the token> into the file .env of this folder. Reset Token on the Bot page of the developer portal shows one.',
      )
    case 'refused':
      return wrong(
        'Discord refuses the token',
        'Press Reset Token on the Bot page of the developer portal, and copy the new one into DISCORD_BOT_TOKEN.',
      )
    case 'away':
      return unseen(api.reason)
    case 'known':
      return ok(`it is @${api.username}'s`)
    default:
      return api satisfies never
  }
}

function judgeIntent(_: DiscordFacts, { application }: Known): Verdict<DiscordStep> {
  const either = ApplicationFlags.GatewayMessageContent | ApplicationFlags.GatewayMessageContentLimited
  if ((application.flags & either) !== 0) return ok('it is on')
  return wrong(
    'it is off, and Discord refuses the connection',
    'In the developer portal, on the Bot page under Privileged Gateway Intents, switch on Message Content Intent and save.',
  )
}

function judgeInvitation(_: DiscordFacts, { guilds, application }: Known): Verdict<DiscordStep> {
  if (guilds.length > 0) return ok(enumerate(guilds.map(({ name }) => `"${name}"`)))
  const fix = application.bot_require_code_grant
    ? 'On the Bot page switch off Requires OAuth2 Code Grant, which refuses every invitation; then open the link of the page OAuth2.'
    : 'Open the link of the page OAuth2, choose your server, and confirm.'
  return wrong('the bot is in no server', fix)
}

function judgeScopes({ guilds }: Around): Verdict<DiscordStep> {
  const without = guilds.filter(({ hasCommandScope }) => !hasCommandScope)
  if (without.length === 0) return ok('bot and applications.commands')
  return wrong(
    `${enumerate(without.map(quote))} was not asked for applications.commands`,
    'On the page OAuth2 tick both bot and applications.commands, and open the new link; the bot need not leave first.',
  )
}

function judgeRights({ guilds }: Around): Verdict<DiscordStep> {
  const lacking = guilds.flatMap((guild) => {
    const missing = findMissingRights(guild.rights)
    return missing.length > 0 ? [`${missing.join(', ')} in ${quote(guild)}`] : []
  })
  if (lacking.length === 0) return ok('all that it needs')
  return wrong(
    `it lacks ${enumerate(lacking)}`,
    "Give them to the bot's role in Server Settings, Roles; or tick them on the page OAuth2 and open the new link.",
  )
}

function judgeStart({ fleet }: DiscordFacts, { commands }: Known): Verdict<DiscordStep> {
  const missing = judgeProcesses(fleet, 'discord')
  if (missing) return missing
  const again = 'See what its log says, and start it again.'
  if (fleet.kind === 'known' && !fleet.isReceiving) return wrong('no discord process holds the connection', again)
  if (commands === 0) return wrong('the slash commands are not registered', again)
  return ok(`it is connected, with ${commands} slash commands`)
}

/** Rights that the whole guild lacks are another step's. */
function judgeChannels({ facts, guilds }: Around): Verdict<DiscordStep> {
  if (facts.fleet.kind !== 'known') return waits('start')
  const { channels: open, servers } = letIn(facts, guilds)
  const some = servers.length > 0 ? servers : guilds
  const judged = (open.length > 0 ? open : some.flatMap((guild) => guild.channels.map((one) => ({ guild, one })))).map(
    ({ guild, one }) => {
      const known = findMissingRights(guild.rights)
      return { name: `#${one.name}`, missing: findMissingRights(one.rights).filter((name) => !known.includes(name)) }
    },
  )
  const closed = judged.filter(({ missing }) => missing.length > 0)
  const [first] = closed
  // Of a server that is let in nobody knows which channel is meant: one that is open will do.
  if (!first || (open.length === 0 && closed.length < judged.length)) return ok('the bot may read and write there')
  return wrong(
    `in ${enumerate(closed.map(({ name }) => name))} the bot lacks ${first.missing.join(', ')}`,
    "In the channel's settings, under Permissions, add the bot's role and allow View Channel, Send Messages, Send Messages in Threads, Read Message History and Add Reactions.",
  )
}

function judgeAllowing({ facts, api, guilds }: Around): Verdict<DiscordStep> {
  if (facts.everyone) return ok('FLOTILLA_ALLOW=* lets every server in')
  if (facts.fleet.kind !== 'known') return waits('start')
  const { servers, channels } = letIn(facts, guilds)
  const open = [...servers.map(quote), ...channels.map(({ one }) => `#${one.name}`)]
  if (open.length > 0) return ok(enumerate(open))
  return wrong('no server is let in', `As the owner write "@${api.username} /allow here" in one of its channels.`)
}

type ChannelIn = { readonly guild: SeenGuild; readonly one: DiscordTextChannel }

/** Servers as a whole, and channels of their own right, as earlier releases let them in. */
function letIn(
  { fleet }: DiscordFacts,
  guilds: readonly SeenGuild[],
): { readonly servers: readonly SeenGuild[]; readonly channels: readonly ChannelIn[] } {
  const isIn = ({ id }: { readonly id: string }): boolean =>
    fleet.kind === 'known' && fleet.access.chats.includes(`discord:${id}`)
  return {
    servers: guilds.filter(isIn),
    channels: guilds.flatMap((guild) => guild.channels.filter(isIn).map((one) => ({ guild, one }))),
  }
}

const quote = ({ name }: DiscordGuild): string => `"${name}"`
