// What events of Feishu leave out, asked for and remembered: how a person is called, who administers a chat and whether it is a direct one,
// in which conversation a message stands, and what it says. A question that is not answered in time is left out.
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { Refused } from '#adapters/calls/call-result.ts'
import { createAllowance, type Allowance } from './allowance.ts'
import type { Missing } from './answers.ts'
import { toConversation } from './ids.ts'
import { chat as chatShape, messageList, user, type FsChat, type FsItem } from './payloads.ts'
import { remember, type Remembered } from './remember.ts'
import type { RestApi } from './rest-api.ts'
import { isOfPermission } from './trouble.ts'

export type Lookups = {
  /** By open id. */
  readonly names: Remembered<string>
  /** Whether Feishu calls this person an administrator of the group. */
  isAdmin(conversation: ConversationId, principal: PrincipalId): Promise<boolean>
  /** Where a message stands, by what was learnt or by asking; `fromBot`: it is the bot's own. `by`: who did something to it, where that is told. */
  findPlace(messageId: string, by?: string): Promise<Place | undefined>
  /** By what was learnt alone. */
  peekPlace(messageId: string): Place | undefined
  learnPlace(messageId: string, place: Place): void
  /** What a group is called. */
  findTitle(chat: string): Promise<string | undefined>
  /** The conversation of a chat as a whole; undefined for a direct chat whose person is not known. */
  findChat(chat: string): Promise<ConversationId | undefined>
  /** The chat of this id is somebody's direct chat with the bot. */
  learnDirect(chat: string, openId: string): void
  /** A message and what it forwards, for somebody who replies to it or forwards it; undefined when it cannot be told. */
  read(messageId: string, by: string): Promise<readonly FsItem[] | undefined>
}

export type Place = { readonly conversation: ConversationId; readonly fromBot: boolean }

export type LookupDeps = {
  readonly api: RestApi
  readonly now: () => number
  /** 0 when there is no limit. */
  readonly monthlyCalls: number
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** A press waits for this, and must be answered within three seconds. */
const timeoutMs = 700
/**
 * Messages that are asked for because somebody replies to them, or reacts to them; of the month's calls one in thirty may be asked a day by
 * replies, one in a hundred by reactions, which most often are to nobody's answer.
 */
const ofReplies = { person: 20, all: 300, monthPart: 1 / 30 }
const ofReactions = { person: 10, all: 60, monthPart: 1 / 100 }
/** Of all that may be asked for a day. */
const onePersonsPart = 1 / 4

export function createLookups({ api: plain, now, monthlyCalls }: LookupDeps): Lookups {
  const api = withoutVainCalls(plain, now)
  const limit = () => ({ timeoutMs, signal: new AbortController().signal })
  const direct = remember<string>({ ask: async () => undefined, keepMs: dayMs, keepFailureMs: 0, most: 10_000, now })
  const names = remember<string>({
    async ask(id) {
      const query = { user_id_type: 'open_id' }
      const asked = await api.call({ method: 'GET', path: `/contact/v3/users/${id}`, query, shape: user }, limit())
      const name = asked.kind === 'ok' ? asked.value.user.name.toWellFormed().slice(0, 64) : ''
      return name === '' ? undefined : name
    },
    keepMs: dayMs,
    keepFailureMs: 10 * minuteMs,
    most: 10_000,
    now,
  })
  const chats = remember<FsChat>({
    async ask(id) {
      const query = { user_id_type: 'open_id' }
      const asked = await api.call({ method: 'GET', path: `/im/v1/chats/${id}`, query, shape: chatShape }, limit())
      return asked.kind === 'ok' ? asked.value : undefined
    },
    keepMs: 5 * minuteMs,
    keepFailureMs: 10_000,
    most: 1000,
    now,
  })
  const toAllowance = ({ person, all, monthPart }: typeof ofReplies): Allowance => {
    const aDay = monthlyCalls === 0 ? Infinity : Math.ceil(monthlyCalls * monthPart)
    const day = { perMs: dayMs, person: Math.ceil(aDay * onePersonsPart), all: aDay }
    return createAllowance([{ perMs: minuteMs, person, all }, day], now)
  }
  const [mayRead, mayLookFor] = [toAllowance(ofReplies), toAllowance(ofReactions)]
  async function read(messageId: string): Promise<readonly FsItem[] | undefined> {
    // As it was sent: what Feishu shows of a card otherwise has lost most of it.
    const query = { user_id_type: 'open_id', card_msg_content_type: 'user_card_content' }
    const asked = await api.call(
      { method: 'GET', path: `/im/v1/messages/${messageId}`, query, shape: messageList },
      limit(),
    )
    return asked.kind === 'ok' ? asked.value.items : undefined
  }
  async function toPlace(item: FsItem): Promise<Place | undefined> {
    const { chat_id: chat, sender } = item
    if (chat === undefined) return undefined
    const fromBot = sender?.sender_type === 'app' && sender.id === api.appId
    const topic = item.thread_id === undefined ? undefined : (item.root_id ?? item.message_id)
    // Of a direct chat the person is known by what they say.
    if (sender?.sender_type === 'user' && (await chats.find(chat))?.chat_mode === 'p2p') direct.learn(chat, sender.id)
    const conversation = await findChat(chat)
    if (conversation === undefined) return undefined
    return { conversation: topic === undefined ? conversation : `${conversation}:${topic}`, fromBot }
  }
  async function findChat(chat: string): Promise<ConversationId | undefined> {
    const person = direct.peek(chat)
    if (person !== undefined) return toConversation(person)
    return (await chats.find(chat))?.chat_mode === 'p2p' ? undefined : toConversation(chat)
  }
  const places = remember<Place>({
    async ask(messageId, by) {
      const [item] = (mayLookFor(by) ? await read(messageId) : undefined) ?? []
      return item && (await toPlace(item))
    },
    keepMs: dayMs,
    keepFailureMs: minuteMs,
    most: 10_000,
    now,
  })
  return {
    names,
    read: async (messageId, by) => (mayRead(by) ? await read(messageId) : undefined),
    findChat,
    findTitle: async (chat) => (await chats.find(chat))?.name?.toWellFormed().slice(0, 200) || undefined,
    findPlace: places.find,
    peekPlace: places.peek,
    learnPlace: places.learn,
    learnDirect: direct.learn,
    async isAdmin(conversation, principal) {
      const [, id = ''] = conversation.split(':')
      const [, person = ''] = principal.split(':')
      if (!isGroup(conversation)) return false
      const found = await chats.find(id)
      return found !== undefined && (found.owner_id === person || (found.user_manager_id_list ?? []).includes(person))
    },
  }
}

/** What the app has no permission for is refused to all alike, and each time it is a call of the month: for an hour it is not asked again. */
function withoutVainCalls(api: RestApi, now: () => number): RestApi {
  const vain = new Map<string, { readonly refused: Refused<Missing>; readonly untilMs: number }>()
  return {
    ...api,
    async call(call, limit) {
      const [, kind = ''] = call.path.match(/^(.*)\//) ?? []
      const known = vain.get(kind)
      if (known && known.untilMs > now()) return known.refused
      const result = await api.call(call, limit)
      if (result.kind === 'refused' && isOfPermission(result))
        vain.set(kind, { refused: result, untilMs: now() + hourMs })
      return result
    },
  }
}

/** Groups go by the id of their chat, direct chats by that of their person. */
export const isGroup = (conversation: ConversationId): boolean => conversation.startsWith('feishu:oc_')
