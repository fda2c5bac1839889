// What exists on the second simulated Feishu. It holds and finds; nothing here is refused or sent.
import { randomBytes } from 'node:crypto'

export const newId = (prefix: string): string => `${prefix}${randomBytes(16).toString('hex')}`

export type Person = { readonly name: string; readonly openId: string; readonly unionId: string; readonly p2p: string }

export type Chat = {
  readonly id: string
  readonly mode: 'p2p' | 'group'
  readonly name: string
  /** Of a direct chat. */
  readonly person: Person | undefined
  readonly owner: Person | undefined
  readonly admins: readonly Person[]
  hasBot: boolean
}

export type Json = Readonly<Record<string, unknown>>

export type Entity = {
  readonly id: string
  json: Json
  sequence: number
  readonly uuids: Set<string>
  isStreaming: boolean
  message: Message | undefined
}

export type Message = {
  readonly id: string
  readonly chat: Chat
  /** Undefined when it is the bot's. */
  readonly sender: Person | undefined
  readonly type: string
  content: string
  /** What it has said, the first first. */
  readonly texts: string[]
  readonly root: Message | undefined
  readonly createdMs: number
  readonly entity: Entity | undefined
  readonly mentions: readonly { readonly key: string; readonly openId: string; readonly name: string }[]
  readonly reactions: Map<string, string>
  isGone: boolean
}

export type Press = {
  readonly token: string
  state: 'waiting' | 'answered' | 'failed'
  toast: string | undefined
}

export type State = {
  readonly appId: string
  readonly appSecret: string
  readonly bot: { readonly openId: string; readonly name: string }
  readonly people: Map<string, Person>
  readonly chats: Map<string, Chat>
  readonly messages: Map<string, Message>
  readonly entities: Map<string, Entity>
  readonly presses: Map<string, Press>
  /** Messages by the `uuid` that they were sent with. */
  readonly sent: Map<string, Message>
  /** Tokens that are good. */
  readonly tokens: Set<string>
  /** Names of what was uploaded, by key. */
  readonly files: Map<string, string>
  isEnabled: boolean
  /** Calls that are left in the month; undefined where there is no limit. */
  quota: number | undefined
}

export function createState(): State {
  return {
    appId: 'cli_5ec0d5ec0d5ec0d5',
    appSecret: 'the-second-secret',
    bot: { openId: newId('ou_'), name: 'Flotilla' },
    people: new Map(),
    chats: new Map(),
    messages: new Map(),
    entities: new Map(),
    presses: new Map(),
    sent: new Map(),
    tokens: new Set(),
    files: new Map(),
    isEnabled: true,
    quota: undefined,
  }
}

/** The person of this name or open id, made up on first use. */
export function personOf({ people, chats }: State, name: string): Person {
  const known = [...people.values()].find((one) => one.name === name || one.openId === name)
  if (known) return known
  const person = { name, openId: newId('ou_'), unionId: newId('on_'), p2p: newId('oc_') }
  people.set(name, person)
  chats.set(person.p2p, { id: person.p2p, mode: 'p2p', name: '', person, owner: undefined, admins: [], hasBot: true })
  return person
}

export type NewMessage = Pick<Message, 'chat' | 'sender' | 'type' | 'content'> & {
  readonly text: string
  readonly parent?: Message | undefined
  readonly entity?: Entity | undefined
  readonly mentions?: Message['mentions']
}

export function putMessage(state: State, { text, parent, entity, mentions = [], ...given }: NewMessage): Message {
  const message: Message = {
    ...given,
    id: newId('om_'),
    texts: [text],
    root: parent?.root ?? parent,
    createdMs: Date.now(),
    entity,
    mentions,
    reactions: new Map(),
    isGone: false,
  }
  state.messages.set(message.id, message)
  if (entity) entity.message = message
  return message
}

export function findMessage({ messages }: State, id: string): Message {
  const found = messages.get(id)
  if (!found) throw new Error(`There is no message ${id}`)
  return found
}
