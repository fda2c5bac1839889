// What people do, and the events that tell the bot of it; and what the developer's console and a test may change.
import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { isObject, readCard, type Button } from './cards.ts'
import { rule, type Faults } from './faults.ts'
import type { Envelope, Line } from './line.ts'
import {
  findMessage,
  newId,
  personOf,
  putMessage,
  type Chat,
  type Json,
  type Message,
  type Person,
  type State,
} from './state.ts'

export type PeopleDeps = { readonly state: State; readonly line: Line; readonly faults: Faults }

const who = { person: z.string() }
export const command = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('person'), ...who }),
  z.strictObject({ do: z.literal('say'), ...who, chat: z.string(), text: z.string(), replyTo: z.string().optional() }),
  z.strictObject({ do: z.literal('menu'), ...who, key: z.string() }),
  z.strictObject({
    do: z.literal('press'),
    ...who,
    chat: z.string(),
    message: z.string(),
    button: z.unknown(),
    isForged: z.boolean().optional(),
  }),
  z.strictObject({ do: z.literal('pressed'), token: z.string() }),
  z.strictObject({
    do: z.literal('addGroup'),
    name: z.string().default('Group'),
    owner: z.string().default('Olga'),
    admins: z.array(z.string()).default([]),
  }),
  z.strictObject({ do: z.enum(['addBot', 'removeBot']), chat: z.string(), by: z.string() }),
  z.strictObject({ do: z.literal('repeat'), type: z.string() }),
  z.strictObject({ do: z.literal('repeatAnew'), type: z.string(), isNewMessage: z.boolean().optional() }),
  z.strictObject({ do: z.literal('double'), type: z.string(), isDoubled: z.boolean() }),
  z.strictObject({ do: z.literal('silence') }),
  z.strictObject({ do: z.literal('dropConnections'), silentOnly: z.boolean().optional() }),
  z.strictObject({ do: z.literal('closeConnections'), code: z.number() }),
  z.strictObject({ do: z.literal('fault'), rule }),
  z.strictObject({ do: z.literal('clearFaults') }),
  z.strictObject({ do: z.literal('open'), gate: z.string() }),
  z.strictObject({ do: z.literal('revokeTokens') }),
  z.strictObject({
    do: z.literal('changeApp'),
    isEnabled: z.boolean().optional(),
    quotaPerMonth: z.union([z.number(), z.literal('none')]).optional(),
  }),
])
export type Command = z.infer<typeof command>

export function obey(deps: PeopleDeps, given: Command): unknown {
  const { state, line, faults } = deps
  switch (given.do) {
    case 'person': {
      const { openId, p2p } = personOf(state, given.person)
      return { openId, dm: p2p }
    }
    case 'say':
      return say(deps, given)
    case 'menu': {
      const person = personOf(state, given.person)
      const operator = { operator_name: person.name, operator_id: idsOf(person) }
      return line.push(
        wrap(state, 'application.bot.menu_v6', {
          operator,
          event_key: given.key,
          timestamp: Math.floor(Date.now() / 1000),
        }),
      )
    }
    case 'press':
      return press(deps, given)
    case 'pressed':
      return state.presses.get(given.token) ?? { state: 'failed' }
    case 'addGroup':
      return addGroup(deps, given)
    case 'addBot':
    case 'removeBot': {
      const chat = chatOf(state, given.chat)
      chat.hasBot = given.do === 'addBot'
      return line.push(toMoved(state, chat, personOf(state, given.by)))
    }
    case 'repeat':
      return line.repeat(given.type)
    case 'repeatAnew':
      return line.repeat(given.type, (envelope) => anew(envelope, given.isNewMessage === true))
    case 'double':
      return line.double(given.type, given.isDoubled)
    case 'silence':
      return line.silence()
    case 'dropConnections':
      return line.drop(given.silentOnly === true)
    case 'closeConnections':
      return line.close(given.code)
    case 'fault':
      return faults.add(given.rule)
    case 'clearFaults':
      return faults.clear()
    case 'open':
      return faults.open(given.gate)
    case 'revokeTokens':
      return state.tokens.clear()
    case 'changeApp':
      if (given.isEnabled !== undefined) state.isEnabled = given.isEnabled
      if (given.quotaPerMonth !== undefined)
        state.quota = given.quotaPerMonth === 'none' ? undefined : given.quotaPerMonth
      return undefined
    default:
      return given satisfies never
  }
}

const tenant = '736588c9260f175e'
const idsOf = ({ openId, unionId }: Person): Json => ({ union_id: unionId, user_id: null, open_id: openId })

function wrap({ appId }: State, type: string, event: Json): Envelope {
  // Events tell ms, presses µs.
  const at = `${Date.now()}${type === 'card.action.trigger' ? '000' : ''}`
  const header = {
    event_id: newId(''),
    event_type: type,
    create_time: at,
    token: 'v',
    app_id: appId,
    tenant_key: tenant,
  }
  return { schema: '2.0', header, event }
}

function chatOf({ chats }: State, id: string): Chat {
  const chat = chats.get(id)
  if (!chat) throw new Error(`There is no chat ${id}`)
  return chat
}

function addGroup(
  { state, line }: PeopleDeps,
  { name, owner, ...given }: Extract<Command, { do: 'addGroup' }>,
): string {
  const person = personOf(state, owner)
  const admins = given.admins.map((one) => personOf(state, one))
  const chat: Chat = { id: newId('oc_'), mode: 'group', name, person: undefined, owner: person, admins, hasBot: true }
  state.chats.set(chat.id, chat)
  line.push(toMoved(state, chat, person))
  return chat.id
}

function toMoved(state: State, { id, name, hasBot }: Chat, by: Person): Envelope {
  const type = `im.chat.member.bot.${hasBot ? 'added' : 'deleted'}_v1`
  const about = { external: false, operator_tenant_key: tenant, name, i18n_names: { zh_cn: name } }
  return wrap(state, type, { chat_id: id, operator_id: idsOf(by), ...about })
}

function say({ state, line }: PeopleDeps, given: Extract<Command, { do: 'say' }>): string {
  const chat = chatOf(state, given.chat)
  const sender = personOf(state, given.person)
  const mention = `@${state.bot.name}`
  const isNamed = given.text.includes(mention)
  const mentions = isNamed ? [{ key: '@_user_1', openId: state.bot.openId, name: state.bot.name }] : []
  const content = JSON.stringify({ text: given.text.replaceAll(mention, '@_user_1') })
  const parent = given.replyTo === undefined ? undefined : findMessage(state, given.replyTo)
  const message = putMessage(state, { chat, sender, type: 'text', content, text: given.text, parent, mentions })
  if (chat.hasBot) line.push(wrap(state, 'im.message.receive_v1', toReceived(message, sender)))
  return message.id
}

function toReceived({ id, chat, root, createdMs, type, content, mentions }: Message, sender: Person): Json {
  return {
    sender: { sender_id: idsOf(sender), sender_type: 'user', tenant_key: tenant },
    message: {
      message_id: id,
      ...(root ? { root_id: root.id, parent_id: root.id } : {}),
      create_time: String(createdMs),
      update_time: String(createdMs),
      chat_id: chat.id,
      chat_type: chat.mode,
      message_type: type,
      content,
      ...(mentions.length > 0
        ? {
            mentions: mentions.map(({ key, openId, name }) => {
              const ids = { union_id: newId('on_'), user_id: null, open_id: openId }
              return { key, id: ids, name, mentioned_type: 'bot', tenant_key: tenant }
            }),
          }
        : {}),
    },
  }
}

/** The same event under another id; also of what looks like another message, as it was seen on live tenants. */
function anew(envelope: Envelope, isNewMessage: boolean): Envelope {
  const header = { ...envelope.header, event_id: newId('') }
  const event = envelope['event']
  if (!isNewMessage || !isObject(event) || !isObject(event['message'])) return { ...envelope, header }
  return { ...envelope, header, event: { ...event, message: { ...event['message'], message_id: newId('om_') } } }
}

export function buttonsOf({ type, content, entity }: Message): readonly (readonly Button[])[] {
  if (type !== 'interactive') return []
  const card: unknown = entity ? entity.json : JSON.parse(content)
  return readCard(card).buttons
}

/** Gives the press's token; it is answered once, within three seconds, or fails. */
function press({ state, line }: PeopleDeps, given: Extract<Command, { do: 'press' }>): string {
  const message = findMessage(state, given.message)
  const shown = buttonsOf(message)
    .flat()
    .find(({ label, value }) => label === given.button || JSON.stringify(value) === JSON.stringify(given.button))
  if (!shown && given.isForged !== true) throw new Error(`The message ${message.id} has no such button`)
  const token = `c-${randomInt(1e9)}-${state.presses.size}`
  const made = { token, state: 'waiting', toast: undefined } as const
  const pressed: { token: string; state: 'waiting' | 'answered' | 'failed'; toast: string | undefined } = { ...made }
  state.presses.set(token, pressed)
  const event = {
    operator: { tenant_key: tenant, ...idsOf(personOf(state, given.person)) },
    token,
    action: { value: shown?.value ?? given.button, tag: 'button' },
    host: 'im_message',
    context: { open_message_id: message.id, open_chat_id: given.chat },
  }
  void line.tell(wrap(state, 'card.action.trigger', event)).then((answer) => {
    pressed.state = answer.kind === 'ok' ? 'answered' : 'failed'
    const toast: unknown = answer.kind === 'ok' && isObject(answer.data) ? answer.data['toast'] : undefined
    if (isObject(toast)) pressed.toast = String(toast['content'])
  })
  return token
}
