// Lets another process play the people, set faults and read the ledger: `POST /__control`, `GET /__ledger`, `GET /__channel`.
// A command is `{do: <name>, …}`; what it does is said at the function of that name in `people.ts`, `places.ts` and `controls.ts`.
import { z } from 'zod'
import { parseJson, readBody, sendJson, type Exchange } from '#test/simulators/http-server.ts'
import { permissionNames, privilegedIntents } from './bits.ts'
import type { Controls } from './controls.ts'
import { discordRule } from './faults.ts'
import { discordLimits } from './limits.ts'

const person = { person: z.string(), isBot: z.boolean().optional() }
const at = { ...person, channel: z.string() }
const about = { ...at, message: z.string() }
const shard = { shard: z.number().int().optional() }
const file = z.strictObject({ name: z.string(), content: z.string(), type: z.string().optional() })
const said = {
  text: z.string(),
  replyTo: z.string().optional(),
  pingsAuthor: z.boolean().optional(),
  forwardOf: z.strictObject({ channel: z.string(), message: z.string() }).optional(),
  files: z.array(file).optional(),
  more: z.record(z.string(), z.unknown()).optional(),
}
const names = z.array(z.string()).optional()

const controlCommand = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('person'), ...person }),
  z.strictObject({ do: z.literal('say'), ...at, ...said }),
  z.strictObject({ do: z.literal('edit'), ...about, text: z.string() }),
  z.strictObject({ do: z.literal('delete'), ...about }),
  z.strictObject({ do: z.literal('press'), ...about, button: z.string(), isForged: z.boolean().optional() }),
  z.strictObject({
    do: z.literal('slash'),
    ...at,
    name: z.string(),
    options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
    isForged: z.boolean().optional(),
  }),
  z.strictObject({ do: z.literal('react'), ...about, emoji: z.string() }),
  z.strictObject({ do: z.literal('unreact'), ...about, emoji: z.string() }),
  z.strictObject({ do: z.literal('openThread'), ...at, name: z.string(), message: z.string().optional() }),
  z.strictObject({
    do: z.literal('sayAsWebhook'),
    channel: z.string(),
    name: z.string(),
    text: z.string(),
    more: z.record(z.string(), z.unknown()).optional(),
  }),
  z.strictObject({
    do: z.literal('embedsArrive'),
    channel: z.string(),
    message: z.string(),
    title: z.string().optional(),
  }),
  z.strictObject({
    do: z.literal('addGuild'),
    name: z.string().optional(),
    channels: names,
    owner: z.string().optional(),
    admins: names,
    members: names,
    hasBot: z.boolean().optional(),
    hasCommandScope: z.boolean().optional(),
    id: z.string().optional(),
  }),
  z.strictObject({ do: z.literal('addChannel'), guild: z.string(), name: z.string() }),
  z.strictObject({
    do: z.literal('inviteBot'),
    guild: z.string(),
    by: z.string().optional(),
    hasCommandScope: z.boolean().optional(),
  }),
  z.strictObject({ do: z.literal('removeBot'), guild: z.string() }),
  z.strictObject({ do: z.literal('setGuildAvailable'), guild: z.string(), isAvailable: z.boolean() }),
  z.strictObject({ do: z.literal('deleteChannel'), channel: z.string() }),
  z.strictObject({ do: z.literal('archiveThread'), thread: z.string(), isLocked: z.boolean().optional() }),
  z.strictObject({
    do: z.literal('deny'),
    guild: z.string().optional(),
    channel: z.string().optional(),
    permissions: z.array(z.enum(permissionNames)),
  }),
  z.strictObject({ do: z.literal('grantIntents'), intents: z.array(z.enum(privilegedIntents)) }),
  z.strictObject({ do: z.literal('setDmsOpen'), person: z.string(), isOpen: z.boolean() }),
  z.strictObject({ do: z.literal('closeConnections'), ...shard, code: z.number().int().min(1000).max(4999) }),
  z.strictObject({ do: z.literal('dropConnections'), ...shard }),
  z.strictObject({ do: z.literal('silence'), ...shard }),
  z.strictObject({ do: z.literal('withholdAcks'), isWithheld: z.boolean() }),
  z.strictObject({ do: z.literal('requestReconnect'), ...shard }),
  z.strictObject({ do: z.literal('invalidate'), ...shard, isResumable: z.boolean().optional() }),
  z.strictObject({ do: z.literal('inject'), t: z.string(), d: z.unknown(), guild: z.string().optional() }),
  z.strictObject({ do: z.literal('repeat'), t: z.string() }),
  z.strictObject({ do: z.literal('fault'), rule: discordRule }),
  z.strictObject({ do: z.literal('clearFaults') }),
  z.strictObject({ do: z.literal('setLimits'), limits: discordLimits }),
  z.strictObject({ do: z.literal('open'), gate: z.string() }),
  z.strictObject({ do: z.literal('interaction'), id: z.string() }),
  z.strictObject({ do: z.literal('commands'), guild: z.string().optional() }),
  z.strictObject({ do: z.literal('clearLedger') }),
])
type ControlCommand = z.infer<typeof controlCommand>

/** Answers a control request; false when the path is not a control path. */
export async function handleControl({ req, res, url }: Exchange, simulator: Controls): Promise<boolean> {
  switch (url.pathname) {
    case '/__control': {
      const command = controlCommand.safeParse(parseJson(await readBody(req)))
      if (command.success) run(res, () => apply(command.data, simulator))
      else sendJson(res, 400, { ok: false, error: z.prettifyError(command.error) })
      return true
    }
    case '/__ledger': {
      const after = Number(url.searchParams.get('after') ?? 0)
      const { entries, gateway } = simulator.ledger
      sendJson(res, 200, {
        entries: entries.filter((entry) => entry.n > after),
        gateway,
        identifies: simulator.ledger.identifies(),
        resumes: simulator.ledger.resumes(),
        invalidRequests: simulator.ledger.invalidRequests(),
        connectedShards: simulator.connectedShards(),
        commands: simulator.commands(),
      })
      return true
    }
    case '/__channel': {
      const channel = url.searchParams.get('channel') ?? ''
      const viewer = url.searchParams.get('viewer') ?? undefined
      run(res, () => ({ visible: simulator.visible(channel, viewer), typing: simulator.typing(channel) }))
      return true
    }
    default:
      return false
  }
}

function run(res: Exchange['res'], act: () => unknown): void {
  try {
    sendJson(res, 200, { ok: true, result: act() })
  } catch (error) {
    sendJson(res, 409, { ok: false, error: String(error) })
  }
}

function apply(command: ControlCommand, simulator: Controls): unknown {
  switch (command.do) {
    case 'person': {
      const { id, name, dm } = simulator.person(command.person, command)
      return { id, name, dm }
    }
    case 'say':
      return simulator.person(command.person, command).say(command.channel, command.text, command)
    case 'edit':
      return simulator.person(command.person).edit(command.channel, command.message, command.text)
    case 'delete':
      return simulator.person(command.person).delete(command.channel, command.message)
    case 'press':
      return simulator.person(command.person).press(command.channel, command.message, command.button, command)
    case 'slash':
      return simulator.person(command.person).slash(command.channel, command.name, command.options, command.isForged)
    case 'react':
      return simulator.person(command.person).react(command.channel, command.message, command.emoji)
    case 'unreact':
      return simulator.person(command.person).unreact(command.channel, command.message, command.emoji)
    case 'openThread':
      return simulator.person(command.person).openThread(command.channel, command.name, command.message)
    case 'sayAsWebhook':
      return simulator.sayAsWebhook(command)
    case 'embedsArrive':
      return simulator.embedsArrive(command)
    case 'addGuild':
      return simulator.addGuild(command)
    case 'addChannel':
      return simulator.addChannel(command)
    case 'inviteBot':
      return simulator.inviteBot(command.guild, command)
    case 'removeBot':
      return simulator.removeBot(command.guild)
    case 'setGuildAvailable':
      return simulator.setGuildAvailable(command.guild, command.isAvailable)
    case 'deleteChannel':
      return simulator.deleteChannel(command.channel)
    case 'archiveThread':
      return simulator.archiveThread(command.thread, command.isLocked)
    case 'deny':
      return simulator.deny(command)
    case 'grantIntents':
      return simulator.grantIntents(command.intents)
    case 'setDmsOpen':
      return simulator.setDmsOpen(command.person, command.isOpen)
    case 'closeConnections':
      return simulator.closeConnections(command)
    case 'dropConnections':
      return simulator.dropConnections(command)
    case 'silence':
      return simulator.silence(command)
    case 'withholdAcks':
      return simulator.withholdAcks(command.isWithheld)
    case 'requestReconnect':
      return simulator.requestReconnect(command)
    case 'invalidate':
      return simulator.invalidate(command)
    case 'inject':
      return simulator.inject(command)
    case 'repeat':
      return simulator.repeat(command.t)
    case 'fault':
      return simulator.fault(command.rule)
    case 'clearFaults':
      return simulator.clearFaults()
    case 'setLimits':
      return simulator.setLimits(command.limits)
    case 'open':
      return simulator.open(command.gate)
    case 'interaction':
      return simulator.interaction(command.id)
    case 'commands':
      return simulator.commands(command.guild)
    case 'clearLedger':
      return simulator.ledger.clear()
  }
}
