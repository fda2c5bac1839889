// The routes about the bot itself: who it is, its application with the intents that are switched on, its commands, the gateway's
// address.
import { z } from 'zod'
import { refusals } from './api-error.ts'
import { toApplicationFlags } from './bits.ts'
import { check } from './form-body.ts'
import { idIn, type RouteCall, type RouteDeps, type RouteResult } from './route.ts'
import type { DcCommand } from './types.ts'
import type { World } from './world.ts'

const commandName = z
  .string()
  .min(1)
  .max(32)
  .refine((name) => /^[-_'\p{L}\p{N}]{1,32}$/u.test(name) && name === name.toLowerCase(), {
    message: String.raw`Command name is invalid`,
    params: { discord: 'APPLICATION_COMMAND_INVALID_NAME' },
  })
const described = { description: z.string().min(1).max(100) }
const commandOption = z.looseObject({ name: commandName, type: z.number().int().min(1).max(11), ...described })
const commandBody = z.looseObject({
  name: commandName,
  type: z.literal(1).default(1),
  ...described,
  options: z.array(commandOption).max(25).optional(),
})
const commandList = z
  .array(commandBody)
  .max(100)
  .superRefine((given, context) => {
    for (const [at, { name }] of given.entries()) {
      if (given.findIndex((one) => one.name === name) === at) continue
      const params = { discord: 'APPLICATION_COMMANDS_DUPLICATE_NAME' }
      context.addIssue({
        code: 'custom',
        message: 'Application command names must be unique',
        params,
        path: [at, 'name'],
      })
    }
  })

export function getSelf({ world }: RouteDeps): RouteResult {
  const account = { verified: true, mfa_enabled: true, email: null, locale: 'en-US', flags: 0, banner: null }
  return { status: 200, body: { ...world.bot, ...account, accent_color: null } }
}

export function getUser({ world }: RouteDeps, call: RouteCall): RouteResult {
  const user = world.users.get(idIn(call, 'user'))
  if (user === undefined) throw refusals.unknownUser()
  return { status: 200, body: user }
}

export function getApplication({ world }: RouteDeps): RouteResult {
  const { bot, applicationId: id } = world
  return {
    status: 200,
    body: {
      id,
      name: bot.username,
      icon: null,
      description: '',
      summary: '',
      type: null,
      bot_public: true,
      bot_require_code_grant: false,
      verify_key: '0'.repeat(64),
      flags: toApplicationFlags(world.granted),
      bot,
      hook: true,
      redirect_uris: [],
      interactions_endpoint_url: null,
      role_connections_verification_url: null,
      approximate_guild_count: [...world.guilds.values()].filter(({ hasBot }) => hasBot).length,
      team: null,
    },
  }
}

export function getGateway({ world }: RouteDeps): RouteResult {
  return { status: 200, body: { url: world.origin.replace('http', 'ws') } }
}

export function getGatewayBot({ world, options, identifiesLeft }: RouteDeps): RouteResult {
  return {
    status: 200,
    body: {
      url: world.origin.replace('http', 'ws'),
      shards: options.shards,
      session_start_limit: {
        total: options.identifyLimit,
        remaining: identifiesLeft(),
        reset_after: 86_400_000,
        max_concurrency: options.maxConcurrency,
      },
    },
  }
}

export function getCommands({ world }: RouteDeps, call: RouteCall): RouteResult {
  return { status: 200, body: world.commands.get(commandScope(world, call)) ?? [] }
}

/** Replaces all commands; one of the same name keeps its id. */
export function putCommands({ world }: RouteDeps, call: RouteCall): RouteResult {
  const scope = commandScope(world, call)
  const known = world.commands.get(scope) ?? []
  const commands = check(commandList, call.body).map((given): DcCommand => ({
    id: known.find(({ name }) => name === given.name)?.id ?? world.newId(),
    application_id: world.applicationId,
    version: world.newId(),
    default_member_permissions: null,
    nsfw: false,
    dm_permission: true,
    contexts: null,
    integration_types: [0],
    ...given,
  }))
  world.commands.set(scope, commands)
  return { status: 200, body: commands }
}

function commandScope(world: World, call: RouteCall): string {
  if (idIn(call, 'application') !== world.applicationId) throw refusals.missingAccess()
  const guild = call.path['guild']
  if (guild === undefined) return ''
  const { hasBot = false, hasCommandScope = false } = world.guilds.get(guild) ?? {}
  if (!hasBot || !hasCommandScope) throw refusals.missingAccess()
  return guild
}
