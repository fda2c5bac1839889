// Lets another process play the people, set faults and read the ledger: `POST /__control`, `GET /__ledger`, `GET /__chat`.
// A command is `{do: <name>, …}` with the arguments of the function of that name in `controls.ts`; anything else is refused.
import { z } from 'zod'
import { parseJson, readBody, sendJson, type Exchange } from '#test/simulators/http-server.ts'
import { telegramLimits, telegramRule } from './faults.ts'
import type { Controls } from './controls.ts'
import { tgEntity, tgUser } from './types.ts'

const where = { from: z.number(), chat: z.number().optional() }
const said = {
  ...where,
  topic: z.number().optional(),
  replyTo: z.number().optional(),
  date: z.number().optional(),
  extra: z.record(z.string(), z.unknown()).optional(),
}

const controlCommand = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('sendText'), ...said, text: z.string(), entities: z.array(tgEntity).optional() }),
  z.strictObject({
    do: z.literal('sendMedia'),
    ...said,
    kind: z.enum(['photo', 'document', 'voice', 'audio', 'video', 'sticker']),
    caption: z.string().optional(),
    name: z.string().optional(),
    content: z.string().optional(),
    bytes: z.number().optional(),
  }),
  z.strictObject({ do: z.literal('sendContent'), ...said, content: z.record(z.string(), z.unknown()) }),
  z.strictObject({
    do: z.literal('editContent'),
    ...where,
    message: z.number(),
    content: z.record(z.string(), z.unknown()),
  }),
  z.strictObject({ do: z.literal('edit'), ...where, message: z.number(), text: z.string() }),
  z.strictObject({ do: z.literal('remove'), chat: z.number(), message: z.number() }),
  z.strictObject({
    do: z.literal('press'),
    ...where,
    message: z.number(),
    data: z.string(),
    isForged: z.boolean().optional(),
  }),
  z.strictObject({ do: z.literal('react'), ...where, message: z.number(), emoji: z.string() }),
  z.strictObject({ do: z.literal('stopGeneration'), ...where, draft: z.number() }),
  z.strictObject({ do: z.literal('addUser'), user: tgUser }),
  z.strictObject({
    do: z.literal('addBotToGroup'),
    chat: z.number(),
    by: z.number(),
    title: z.string().optional(),
    type: z.enum(['group', 'supergroup']).optional(),
    isForum: z.boolean().optional(),
    isBotAdmin: z.boolean().optional(),
    admins: z.array(z.number()).optional(),
    anonymous: z.array(z.number()).optional(),
  }),
  z.strictObject({ do: z.literal('removeBotFromGroup'), chat: z.number(), by: z.number() }),
  z.strictObject({ do: z.literal('createTopic'), chat: z.number(), by: z.number(), name: z.string() }),
  z.strictObject({ do: z.literal('upgradeGroup'), chat: z.number(), to: z.number(), by: z.number() }),
  z.strictObject({ do: z.literal('mute'), chat: z.number() }),
  z.strictObject({ do: z.literal('unmute'), chat: z.number() }),
  z.strictObject({ do: z.literal('setPrivacyMode'), isOn: z.boolean() }),
  z.strictObject({ do: z.literal('setJoinGroups'), isAllowed: z.boolean() }),
  z.strictObject({ do: z.literal('setMembersWrite'), chat: z.number(), mayWrite: z.boolean() }),
  z.strictObject({ do: z.literal('block'), user: z.number() }),
  z.strictObject({ do: z.literal('unblock'), user: z.number() }),
  z.strictObject({ do: z.literal('deleteChat'), chat: z.number() }),
  z.strictObject({ do: z.literal('inject'), update: z.looseObject({ update_id: z.number().int() }) }),
  z.strictObject({ do: z.literal('replay'), update: z.number() }),
  z.strictObject({ do: z.literal('hold') }),
  z.strictObject({ do: z.literal('release'), order: z.enum(['as-sent', 'reversed']).default('as-sent') }),
  z.strictObject({ do: z.literal('fault'), rule: telegramRule }),
  z.strictObject({ do: z.literal('clearFaults') }),
  z.strictObject({ do: z.literal('setLimits'), limits: telegramLimits }),
  z.strictObject({ do: z.literal('open'), gate: z.string() }),
  z.strictObject({ do: z.literal('pressAnswer'), id: z.string() }),
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
      const { entries, pushes } = simulator.ledger
      const newer = entries.filter((entry) => entry.n > after)
      const pendingUpdates = simulator.pendingUpdates()
      const unfurled = simulator.unfurled()
      sendJson(res, 200, { entries: newer, pushes, unfurled, pendingUpdates, commands: simulator.commands() })
      return true
    }
    case '/__chat': {
      const chat = Number(url.searchParams.get('chat'))
      run(res, () => ({
        visible: simulator.visible(chat),
        drafts: simulator.drafts(chat),
        action: simulator.action(chat),
      }))
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
    case 'sendText':
      return simulator.sendText(command)
    case 'sendMedia':
      return simulator.sendMedia(command)
    case 'sendContent':
      return simulator.sendContent(command)
    case 'editContent':
      return simulator.editContent(command)
    case 'edit':
      return simulator.edit(command)
    case 'remove':
      return simulator.remove(command)
    case 'press':
      return simulator.press(command)
    case 'react':
      return simulator.react(command)
    case 'stopGeneration':
      return simulator.stopGeneration(command)
    case 'addUser':
      return simulator.addUser(command.user)
    case 'addBotToGroup':
      return simulator.addBotToGroup(command)
    case 'removeBotFromGroup':
      return simulator.removeBotFromGroup(command)
    case 'createTopic':
      return simulator.createTopic(command)
    case 'upgradeGroup':
      return simulator.upgradeGroup(command)
    case 'mute':
      return simulator.mute(command.chat)
    case 'unmute':
      return simulator.unmute(command.chat)
    case 'setPrivacyMode':
      return simulator.setPrivacyMode(command.isOn)
    case 'setJoinGroups':
      return simulator.setJoinGroups(command.isAllowed)
    case 'setMembersWrite':
      return simulator.setMembersWrite(command.chat, command.mayWrite)
    case 'block':
      return simulator.block(command.user)
    case 'unblock':
      return simulator.unblock(command.user)
    case 'deleteChat':
      return simulator.deleteChat(command.chat)
    case 'inject':
      return simulator.inject(command.update)
    case 'replay':
      return simulator.replay(command.update)
    case 'hold':
      return simulator.hold()
    case 'release':
      return simulator.release(command.order)
    case 'fault':
      return simulator.fault(command.rule)
    case 'clearFaults':
      return simulator.clearFaults()
    case 'setLimits':
      return simulator.setLimits(command.limits)
    case 'open':
      return simulator.open(command.gate)
    case 'pressAnswer':
      return simulator.pressAnswer(command.id)
    case 'clearLedger':
      return simulator.ledger.clear()
  }
}
