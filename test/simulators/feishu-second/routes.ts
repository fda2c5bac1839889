// The routes of the interface: tokens, the bot, messages, people, groups, card entities. Each gives its `data`, or throws the refusal.
import { z } from 'zod'
import { badCard, isObject, readCard, Refusal } from './cards.ts'
import { newId, putMessage, type Chat, type Entity, type Json, type Message, type State } from './state.ts'

export type Call = {
  readonly parts: readonly string[]
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}
/** `message`: what the call made or changed. */
export type Done = { readonly data?: unknown; readonly top?: Json; readonly message?: Message }
export type Route = (state: State, call: Call) => Done

const perChat = { count: 5, perMs: 1000 }
const openMs = 600_000
const uuid = z.string().min(1).max(50).optional()
const sending = z.looseObject({
  msg_type: z.string(),
  content: z.string(),
  uuid,
  reply_in_thread: z.boolean().optional(),
})
const order = z.looseObject({
  uuid: z.string().max(64).optional(),
  sequence: z
    .number()
    .int()
    .min(1)
    .max(2 ** 31 - 1),
})

function read<T>(shape: z.ZodType<T>, body: unknown): T {
  const parsed = shape.safeParse(body)
  if (!parsed.success) throw new Refusal(230_001, 'Your request contains an invalid request parameter')
  return parsed.data
}

function parse(text: string): Json {
  try {
    const json: unknown = JSON.parse(text)
    if (isObject(json)) return json
  } catch {
    // Refused below.
  }
  throw new Refusal(230_001, 'content is not a string in json format')
}

const getTenantToken: Route = (state, { body }) => {
  const given = read(z.looseObject({ app_id: z.string(), app_secret: z.string() }), body)
  if (given.app_id !== state.appId) throw new Refusal(10_003, 'invalid param', 200)
  if (given.app_secret !== state.appSecret) throw new Refusal(10_014, 'app secret invalid', 200)
  // The same one while it has more than half an hour.
  const token = [...state.tokens].at(-1) ?? newId('t-')
  state.tokens.add(token)
  return { top: { msg: 'ok', tenant_access_token: token, expire: 7200 } }
}

const getBot: Route = ({ bot }) => ({
  top: { msg: 'ok', bot: { activate_status: 2, app_name: bot.name, open_id: bot.openId } },
})

const createMessage: Route = (state, { query, body }) => {
  const { receive_id: to, ...given } = read(sending.extend({ receive_id: z.string() }), body)
  const person = [...state.people.values()].find(({ openId }) => openId === to)
  const chat = state.chats.get(query['receive_id_type'] === 'chat_id' ? to : (person?.p2p ?? ''))
  if (!chat) throw new Refusal(230_034, 'The receive_id is invalid.')
  return send(state, chat, given)
}

const replyMessage: Route = (state, { parts, body }) => {
  const parent = known(state, parts[3])
  if (parent.isGone) throw new Refusal(230_011, 'The message was withdrawn.')
  return send(state, parent.chat, read(sending, body), parent)
}

const lately = new Map<string, number[]>()

function send(state: State, chat: Chat, given: z.infer<typeof sending>, parent?: Message): Done {
  const before = given.uuid === undefined ? undefined : state.sent.get(given.uuid)
  if (before) return { data: told(state, before), message: before }
  if (!chat.hasBot) throw new Refusal(230_002, 'The bot can not be outside the group.')
  const times = (lately.get(chat.id) ?? []).filter((at) => at > Date.now() - perChat.perMs)
  if (times.length >= perChat.count) throw new Refusal(230_020, 'This operation triggers the frequency limit.')
  lately.set(chat.id, [...times, Date.now()])
  const json = parse(given.content)
  const message = putMessage(state, {
    chat,
    sender: undefined,
    type: given.msg_type,
    parent,
    ...toShown(state, given, json),
  })
  if (given.uuid !== undefined) state.sent.set(given.uuid, message)
  return { data: told(state, message), message }
}

type Content = Pick<Message, 'content' | 'entity'> & { readonly text: string }

function toShown(state: State, { msg_type: type, content }: z.infer<typeof sending>, json: Json): Content {
  if (type === 'file') {
    const name = state.files.get(String(json['file_key']))
    if (name === undefined) throw new Refusal(230_001, 'invalid file_key')
    return { content, entity: undefined, text: `[file] ${name}` }
  }
  if (type !== 'interactive')
    return { content, entity: undefined, text: typeof json['text'] === 'string' ? json['text'] : content }
  if (json['type'] !== 'card') return { content, entity: undefined, text: readCard(json).text }
  const id = isObject(json['data']) ? json['data']['card_id'] : undefined
  const entity = state.entities.get(String(id))
  if (!entity) throw badCard(200_740, 'The card entity does not exist')
  if (entity.message) throw badCard(200_741, 'card entity has been sent')
  return { content, entity, text: readCard(entity.json).text }
}

function known({ messages }: State, id: string | undefined): Message {
  const found = messages.get(id ?? '')
  if (!found) throw new Refusal(99_992_354, 'The request you send is not a valid {open_message_id} or not exists')
  if (!found.chat.hasBot) throw new Refusal(230_002, 'The bot can not be outside the group.')
  return found
}

/** A card for a card, where it was shared and stays so; what a message shows of an entity is overwritten too. */
const patchMessage: Route = (state, { parts, body }) => {
  const message = known(state, parts[3])
  if (message.isGone) throw new Refusal(230_011, 'The message was withdrawn.')
  if (message.type !== 'interactive' || message.sender) throw new Refusal(230_001, 'This message is NOT a card.')
  const { content } = read(z.looseObject({ content: z.string() }), body)
  const card = parse(content)
  const { text } = readCard(card)
  if (!isObject(card['config']) || card['config']['update_multi'] !== true)
    throw new Refusal(230_001, 'update_multi must be true')
  message.content = content
  if (message.entity) Object.assign(message.entity, { json: card, isStreaming: false })
  message.texts.push(text)
  return { data: {}, message }
}

const getMessage: Route = (state, { parts, query }) => {
  const message = known(state, parts[3])
  const asSent = query['card_msg_content_type'] === 'user_card_content'
  const older = JSON.stringify({
    title: null,
    elements: [[{ tag: 'text', text: '请升级至最新版本客户端，以查看内容' }]],
  })
  const content = message.type === 'interactive' && !asSent ? older : message.content
  const item = { ...told(state, message), body: { content: message.isGone ? 'This message was recalled' : content } }
  return { data: { items: [item] }, message }
}

function told({ appId }: State, message: Message): Json {
  const { id, root, type, createdMs, isGone, chat, sender, content } = message
  return {
    message_id: id,
    ...(root ? { root_id: root.id, parent_id: root.id } : {}),
    msg_type: type,
    create_time: String(createdMs),
    deleted: isGone,
    chat_id: chat.id,
    sender: sender
      ? { id: sender.openId, id_type: 'open_id', sender_type: 'user' }
      : { id: appId, id_type: 'app_id', sender_type: 'app' },
    body: { content },
  }
}

const uploadFile: Route = (state, { body }) => {
  const { file_name: name } = read(z.looseObject({ file_name: z.string().min(1) }), body)
  const key = newId('file_')
  state.files.set(key, name)
  return { data: { file_key: key } }
}

const addReaction: Route = (state, { parts, body }) => {
  const message = known(state, parts[3])
  const { reaction_type: type } = read(z.looseObject({ reaction_type: z.object({ emoji_type: z.string() }) }), body)
  const id = newId('')
  message.reactions.set(id, type.emoji_type)
  return { data: { reaction_id: id, reaction_type: type }, message }
}

const removeReaction: Route = (state, { parts }) => {
  const message = known(state, parts[3])
  if (!message.reactions.delete(parts[5] ?? '')) throw new Refusal(231_010, 'The reaction is NOT found.')
  return { data: {}, message }
}

const getChat: Route = (state, { parts }) => {
  const chat = state.chats.get(parts[3] ?? '')
  if (!chat) throw new Refusal(232_006, 'Your request specifies a chat_id which is invalid.')
  if (!chat.hasBot) throw new Refusal(232_011, 'Operator can NOT be out of the chat.')
  const owner = chat.owner ? { owner_id: chat.owner.openId, owner_id_type: 'open_id' } : {}
  return {
    data: {
      name: chat.name,
      chat_mode: chat.mode,
      ...owner,
      user_manager_id_list: chat.admins.map(({ openId }) => openId),
    },
  }
}

const getUser: Route = ({ people }, { parts }) => {
  const person = [...people.values()].find(({ openId }) => openId === parts[3])
  if (!person) throw new Refusal(41_050, 'no user authority error')
  return { data: { user: { open_id: person.openId, union_id: person.unionId, name: person.name } } }
}

const createCard: Route = (state, { body }) => {
  const given = read(z.looseObject({ type: z.literal('card_json'), data: z.string() }), body)
  const json = parse(given.data)
  readCard(json)
  const entity: Entity = {
    id: String(Date.now() * 1000 + state.entities.size),
    json,
    sequence: 0,
    uuids: new Set(),
    isStreaming: isObject(json['config']) && json['config']['streaming_mode'] === true,
    message: undefined,
  }
  state.entities.set(entity.id, entity)
  setTimeout(() => (entity.isStreaming = false), openMs).unref()
  return { data: { card_id: entity.id } }
}

/** The entity as it would be after `toNext`, checked, then put in its place with the number of the call. */
function change(state: State, { parts, body }: Call, toNext: (json: Json, entity: Entity) => Json): Done {
  const { uuid: name, sequence } = read(order, body)
  const entity = state.entities.get(parts[3] ?? '')
  if (!entity) throw new Refusal(200_740, 'The card entity does not exist')
  if (name !== undefined && entity.uuids.has(name)) throw new Refusal(200_770, 'UUID conflict')
  if (sequence <= entity.sequence) throw new Refusal(300_317, 'sequence number compare failed')
  const json = toNext(structuredClone(entity.json), entity)
  const { text } = readCard(json)
  entity.json = json
  entity.sequence = sequence
  if (name !== undefined) entity.uuids.add(name)
  if (entity.message && entity.message.texts.at(-1) !== text) entity.message.texts.push(text)
  return { data: {}, ...(entity.message ? { message: entity.message } : {}) }
}

const updateCard: Route = (state, call) => {
  const { card } = read(z.looseObject({ card: z.looseObject({ data: z.string() }) }), call.body)
  return change(state, call, () => parse(card.data))
}

const updateCardSettings: Route = (state, call) => {
  const { settings } = read(z.looseObject({ settings: z.string() }), call.body)
  const { config = {} } = parse(settings)
  return change(state, call, (json, entity) => {
    const next = { ...(isObject(json['config']) ? json['config'] : {}), ...(isObject(config) ? config : {}) }
    entity.isStreaming = next['streaming_mode'] === true
    return { ...json, config: next }
  })
}

const updateCardContent: Route = (state, call) => {
  const { content } = read(z.looseObject({ content: z.string().min(1) }), call.body)
  return change(state, call, (json, entity) => {
    if (!entity.isStreaming) throw new Refusal(300_309, 'Card streaming closed')
    const found = elementsOf(json).find(({ element_id: id }) => id === call.parts[5])
    if (!found) throw new Refusal(300_313, `not find elementID : ${call.parts[5]}`)
    Object.assign(found, { content })
    return json
  })
}

const deleteCardElement: Route = (state, call) =>
  change(state, call, (json) => {
    const elements = elementsOf(json)
    const left = elements.filter(({ element_id: id }) => id !== call.parts[5])
    if (left.length === elements.length) throw new Refusal(300_314, `not find elementID : ${call.parts[5]}`)
    return { ...json, body: { ...(isObject(json['body']) ? json['body'] : {}), elements: left } }
  })

const elementsOf = (json: Json): readonly Json[] => {
  const elements: unknown = isObject(json['body']) ? json['body']['elements'] : []
  return Array.isArray(elements) ? elements.filter(isObject) : []
}

/** By method and path; `*` stands for an id. */
export const routes: Readonly<Record<string, readonly [name: string, route: Route]>> = {
  'POST auth/v3/tenant_access_token/internal': ['getTenantToken', getTenantToken],
  'GET bot/v3/info': ['getBot', getBot],
  'POST im/v1/messages': ['createMessage', createMessage],
  'POST im/v1/files': ['uploadFile', uploadFile],
  'POST im/v1/messages/*/reply': ['replyMessage', replyMessage],
  'PATCH im/v1/messages/*': ['patchMessage', patchMessage],
  'GET im/v1/messages/*': ['getMessage', getMessage],
  'POST im/v1/messages/*/reactions': ['addReaction', addReaction],
  'DELETE im/v1/messages/*/reactions/*': ['removeReaction', removeReaction],
  'GET im/v1/chats/*': ['getChat', getChat],
  'GET contact/v3/users/*': ['getUser', getUser],
  'POST cardkit/v1/cards': ['createCard', createCard],
  'PUT cardkit/v1/cards/*': ['updateCard', updateCard],
  'PATCH cardkit/v1/cards/*/settings': ['updateCardSettings', updateCardSettings],
  'PUT cardkit/v1/cards/*/elements/*/content': ['updateCardContent', updateCardContent],
  'DELETE cardkit/v1/cards/*/elements/*': ['deleteCardElement', deleteCardElement],
}
