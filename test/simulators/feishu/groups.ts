// What people do with groups, and what an administrator of the tenant does: make them, add and remove the bot, rename, dissolve, let only
// administrators speak, and whom the bot reaches. An impossible act throws.
import type { Events } from './events.ts'
import { userNamed } from './people.ts'
import { addChat, chatOf, type World } from './world.ts'

export type GroupInput = {
  readonly name?: string | undefined
  readonly owner?: string | undefined
  readonly admins?: readonly string[] | undefined
  readonly members?: readonly string[] | undefined
  /** Every message opens a topic there. */
  readonly isTopics?: boolean | undefined
  /** True unless told otherwise; the owner adds it. */
  readonly hasBot?: boolean | undefined
}

export type Groups = {
  /** The group's id. */
  addGroup(input?: GroupInput): string
  addBot(chat: string, by: string): void
  removeBot(chat: string, by: string): void
  rename(chat: string, by: string, name: string): void
  disband(chat: string, by: string): void
  /** Only the owner and administrators may speak there, and so not the bot. */
  setModerated(chat: string, isModerated: boolean): void
  setAdmins(chat: string, admins: readonly string[]): void
  /** Takes no cards from then on. */
  setCardless(chat: string, isCardless: boolean): void
  /** Whether the application is available to this person. */
  setReach(person: string, isReachable: boolean): void
  /** Whether the person is within the application's range of contacts; it can write to others, but not look them up. */
  setContact(person: string, isContact: boolean): void
  /** The person tells the bot to send nothing more, until they write again. */
  stopBot(person: string): void
}

type Deps = { readonly world: World; readonly events: Events; onChange(): void }

export function createGroups({ world, events, onChange }: Deps): Groups {
  const named = (name: string) => userNamed(world, name)
  const move = (id: string, by: string, isIn: boolean) => {
    const chat = chatOf(world, id)
    if (chat.mode === 'p2p') throw new Error(`The chat ${id} is no group`)
    if (chat.hasBot === isIn) throw new Error(`The bot is ${isIn ? 'already' : 'not'} in ${id}`)
    chat.hasBot = isIn
    events.botMoved(chat, named(by), isIn ? 'added' : 'deleted')
    onChange()
  }
  return {
    addGroup: ({ name = 'Group', owner = 'Olga', admins = [], members = [], isTopics = false, hasBot = true } = {}) => {
      const founder = named(owner)
      const chat = addChat(world, { mode: isTopics ? 'topic' : 'group', name, owner: founder, hasBot })
      for (const one of admins) chat.admins.add(named(one))
      for (const one of [...admins, ...members]) chat.members.add(named(one))
      if (hasBot) events.botMoved(chat, founder, 'added')
      return chat.id
    },
    addBot: (id, by) => move(id, by, true),
    removeBot: (id, by) => move(id, by, false),
    rename: (id, by, name) => {
      const chat = chatOf(world, id)
      const before = { name: chat.name }
      chat.name = name
      if (chat.hasBot) events.updated(chat, named(by), before)
    },
    disband: (id, by) => {
      const chat = chatOf(world, id)
      if (chat.owner !== named(by)) throw new Error(`${by} does not own ${id}`)
      chat.isDissolved = true
      if (chat.hasBot) events.disbanded(chat, named(by))
      onChange()
    },
    setModerated: (id, isModerated) => {
      chatOf(world, id).isModerated = isModerated
    },
    setCardless: (id, isCardless) => {
      chatOf(world, id).isCardless = isCardless
    },
    setAdmins: (id, admins) => {
      const chat = chatOf(world, id)
      chat.admins.clear()
      for (const one of admins) {
        chat.admins.add(named(one))
        chat.members.add(named(one))
      }
    },
    setReach: (person, isReachable) => {
      named(person).isReachable = isReachable
    },
    setContact: (person, isContact) => {
      named(person).isContact = isContact
    },
    stopBot: (person) => {
      named(person).hasStoppedBot = true
    },
  }
}
