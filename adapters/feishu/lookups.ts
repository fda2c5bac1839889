// What events of Feishu leave out, asked for and remembered: how a person is called, who administers a chat and whether it is a direct one,
// in which conversation a message stands, and what it says. A question that is not answered in time is left out.
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { MessageEvent } from '#shared/chat/event.ts'
import type { Notes } from '#queues/fleet/notes.ts'
import { createAllowance, type Allowance } from './allowance.ts'
import { toConversation } from './ids.ts'
import { createNames, type Names } from './names.ts'
import { chat as chatShape, messageList, type FsChat, type FsItem } from './payloads.ts'
import { createPlaces, type Places } from './places.ts'
import { remember } from './remember.ts'
import type { RestApi } from './rest-api.ts'
import { withoutVainCalls } from './vain-calls.ts'

export type Lookups = {
  readonly names: Names
  readonly places: Places
  /** Whether Feishu calls this person an administrator of the group. */
  isAdmin(conversation: ConversationId, principal: PrincipalId): Promise<boolean>
  /** Where a message stood that somebody took back: by what is known, or by asking. Throws BotError `store-unavailable`. */
  findTakenBack(messageId: string, chat: string): Promise<ConversationId | undefined>
  /** What a group is called. */
  findTitle(chat: string): Promise<string | undefined>
  /** The conversation of a chat as a whole; undefined for a direct chat whose person is not known. */
  findChat(chat: string): Promise<ConversationId | undefined>
  /** The chat of this id is somebody's direct chat with the bot. */
  learnDirect(chat: string, openId: string): void
  /** A message of a conversation and what it forwards, for somebody who replies to it or forwards it; undefined when it cannot be told. */
  read(messageId: string, by: Reader): Promise<readonly FsItem[] | undefined>
}

/** The person who caused a look, and the conversation. */
export type Reader = Pick<MessageEvent, 'conversation' | 'principal'>

export type LookupDeps = {
  readonly api: RestApi
  readonly notes: Notes
  readonly now: () => number
  /** 0 when there is no limit. */
  readonly monthlyCalls: number
  readonly say: (text: string) => void
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** A press waits for this, and must be answered within three seconds. */
const timeoutMs = 700
/** Messages that are asked for because somebody replies to them, or takes them back; of the month's calls one in a hundred may go for each a day. */
const ofReplies = { person: 20, all: 300, monthPart: 1 / 100 }
const ofRecalls = { person: 60, all: 60, monthPart: 1 / 100 }
/** Of all that may be asked for a day. */
const onePersonsPart = 1 / 4

export function createLookups({ api: plain, notes, now, monthlyCalls, say }: LookupDeps): Lookups {
  const api = withoutVainCalls(plain, { now, say })
  const direct = remember<string>({ ask: async () => undefined, keepMs: dayMs, keepFailureMs: 0, most: 10_000, now })
  const places = createPlaces({ notes, now })
  const chats = rememberChats(api, now)
  const toAllowance = (of: typeof ofReplies): Allowance => createAllowance(toLimits(of, monthlyCalls), now)
  const [mayRead, mayLookFor] = [toAllowance(ofReplies), toAllowance(ofRecalls)]
  async function read(messageId: string, isOfGroup: boolean): Promise<readonly FsItem[] | undefined> {
    // As it was sent: what Feishu shows of a card otherwise has lost most of it.
    const query = { user_id_type: 'open_id', card_msg_content_type: 'user_card_content' }
    const call = { method: 'GET', path: `/im/v1/messages/${messageId}`, query, shape: messageList } as const
    const asked = await (isOfGroup ? api.callAboutGroup(call, limit()) : api.call(call, limit()))
    return asked.kind === 'ok' ? asked.value.items : undefined
  }
  async function toConversationOf(item: FsItem): Promise<ConversationId | undefined> {
    const { chat_id: chat, sender } = item
    if (chat === undefined) return undefined
    const topic = item.thread_id === undefined ? undefined : (item.root_id ?? item.message_id)
    // Of a direct chat the person is known by what they say.
    if (sender?.sender_type === 'user' && (await chats.find(chat))?.chat_mode === 'p2p') direct.learn(chat, sender.id)
    const conversation = await findChat(chat)
    return conversation === undefined || topic === undefined ? conversation : `${conversation}:${topic}`
  }
  async function findChat(chat: string): Promise<ConversationId | undefined> {
    const person = direct.peek(chat)
    if (person !== undefined) return toConversation(person)
    return (await chats.find(chat))?.chat_mode === 'p2p' ? undefined : toConversation(chat)
  }
  return {
    names: createNames({ api, now, limit }),
    places,
    async findTakenBack(messageId, chat) {
      const known = await places.find(messageId)
      if (known) return known.conversation
      const [item] = (mayLookFor(undefined) ? await read(messageId, direct.peek(chat) === undefined) : undefined) ?? []
      return item && (await toConversationOf(item))
    },
    read: async (messageId, { conversation, principal }) =>
      mayRead(principal) ? await read(messageId, isGroup(conversation)) : undefined,
    findChat,
    findTitle: async (chat) => (await chats.find(chat))?.name?.toWellFormed().slice(0, 200) || undefined,
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

const limit = () => ({ timeoutMs, signal: new AbortController().signal })

/** What Feishu says of chats, for some minutes. */
function rememberChats(api: Pick<RestApi, 'call'>, now: () => number) {
  return remember<FsChat>({
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
}

function toLimits({ person, all, monthPart }: typeof ofReplies, monthlyCalls: number) {
  const aDay = monthlyCalls === 0 ? Infinity : Math.ceil(monthlyCalls * monthPart)
  const day = { perMs: dayMs, person: Math.ceil(aDay * onePersonsPart), all: aDay }
  return [{ perMs: minuteMs, person, all }, day]
}

/** Groups go by the id of their chat, direct chats by that of their person. */
export const isGroup = (conversation: ConversationId): boolean => conversation.startsWith('feishu:oc_')
