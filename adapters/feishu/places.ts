// Remembers in which conversation a message stands, so that Feishu need not be asked. A process knows the messages of people that it heard. All
// processes know the bot's own, for as long as its cards can be changed, and the topics in which somebody mentioned the bot or it spoke.
import { conversationId, type ConversationId } from '#shared/chat/conversation.ts'
import type { Notes } from '#queues/fleet/notes.ts'
import { toAddress } from './ids.ts'
import { remember } from './remember.ts'

export type Place = {
  readonly conversation: ConversationId
  /** The message is the bot's own. */
  readonly fromBot: boolean
}
type Shown = Pick<Place, 'conversation'> & { readonly card?: string | undefined }

export type Places = {
  /** A person's message, where this process has heard it, or one of the bot's, whoever sent it. Throws BotError `store-unavailable`. */
  find(messageId: string): Promise<Place | undefined>
  /** The card entity that a message of the bot shows now. Throws BotError `store-unavailable`. */
  findCard(messageId: string): Promise<string | undefined>
  /** A person said this here. */
  hear(messageId: string, conversation: ConversationId): void
  /** The bot's message stands here now, and shows this card entity, or no longer any. */
  show(messageId: string, shown: Shown): void
  /** A message of this topic that was there lately. Throws BotError `store-unavailable`. */
  findLast(topic: ConversationId): Promise<string | undefined>
  /** Whether somebody mentioned the bot in this topic. Throws BotError `store-unavailable`. */
  isOfBot(topic: ConversationId): Promise<boolean>
  /** By this message somebody mentions the bot in its topic. Throws BotError `store-unavailable`. */
  mention(topic: ConversationId, messageId: string): Promise<void>
}

export type PlacesDeps = {
  readonly notes: Notes
  /** ms, from any beginning. */
  readonly now: () => number
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** So long a card can be changed. */
const notedForMs = 14 * dayMs
const most = 10_000

export function createPlaces({ notes, now }: PlacesDeps): Places {
  const known = { keepFailureMs: 0, most, now }
  const places = remember<Place>({ ...known, ask: async (id) => toPlace(await notes.find(id)), keepMs: dayMs })
  const topics = remember<string>({ ...known, ask: async (topic) => await notes.find(toName(topic)), keepMs: hourMs })
  const note = async (topic: ConversationId, messageId: string): Promise<void> => {
    topics.learn(topic, messageId)
    await notes.put(toName(topic), messageId, notedForMs)
  }
  return {
    find: places.find,
    findCard: async (id) => toPlace(await notes.find(id))?.card,
    hear: (id, conversation) => places.learn(id, { conversation, fromBot: false }),
    show(id, { conversation, card }) {
      places.learn(id, { conversation, fromBot: true })
      // The message is there; without its note others take a reply to it for one among people.
      notes.put(id, card === undefined ? conversation : `${conversation} ${card}`, notedForMs).catch(() => {})
      if (toAddress(conversation).topic !== undefined) note(conversation, id).catch(() => {})
    },
    findLast: topics.find,
    isOfBot: async (topic) => (await topics.find(topic)) !== undefined,
    mention: note,
  }
}

const toName = (topic: ConversationId): string => `topic-${toAddress(topic).topic ?? ''}`

function toPlace(words: string | undefined): (Place & Shown) | undefined {
  const [conversation, card] = words?.split(' ') ?? []
  const known = conversationId.safeParse(conversation).data
  return known === undefined ? undefined : { conversation: known, fromBot: true, card }
}
