// What the bot may see and do: it must be switched on, in the chat, the chat must exist, the person must be within reach.
import { refusals } from './api-error.ts'
import type { FsChat, FsUser, StoredMessage, World } from './world.ts'
import { directChatOf } from './world.ts'

/** A chat that the bot may write in. */
export function checkWritable(world: World, chat: FsChat): FsChat {
  if (!world.app.hasBotAbility) throw refusals.noBotAbility()
  if (chat.isDissolved) throw refusals.dissolved()
  if (!chat.hasBot) throw refusals.botOutside()
  if (chat.isModerated) throw refusals.notAllowed()
  const [peer] = chat.members
  if (chat.mode === 'p2p' && peer !== undefined) checkReach(peer)
  return chat
}

function checkReach(user: FsUser): void {
  if (!user.isReachable) throw refusals.notAvailable()
  if (user.hasStoppedBot) throw refusals.stoppedByUser()
}

/** Whom `receive_id` names. */
export function findReceiver(world: World, idType: string | null, id: string): FsChat {
  if (!world.app.hasBotAbility) throw refusals.noBotAbility()
  if (idType === 'chat_id') {
    const chat = world.chats.get(id)
    if (chat === undefined) throw refusals.invalid('invalid receive_id.')
    return checkWritable(world, chat)
  }
  if (idType !== 'open_id' && idType !== 'union_id' && idType !== 'user_id') {
    throw refusals.invalid('invalid receive_id_type.')
  }
  const user = findUser(world, idType, id)
  if (user === undefined) throw refusals.invalid('invalid receive_id.')
  checkReach(user)
  return checkWritable(world, directChatOf(world, user))
}

export function findUser(world: World, idType: string, id: string): FsUser | undefined {
  return [...world.users.values()].find((user) => {
    if (idType === 'union_id') return user.unionId === id
    return idType === 'user_id' ? user.userId === id : user.openId === id
  })
}

/** A message in a chat that the bot is in. Throws for one that never was, that is gone, or that it cannot see. */
export function findKnownMessage(world: World, id: string | undefined): StoredMessage {
  if (!world.app.hasBotAbility) throw refusals.noBotAbility()
  const stored = id === undefined ? undefined : world.messages.get(id)
  if (stored === undefined) throw refusals.invalid('invalid message_id.')
  if (stored.chat.isDissolved) throw refusals.dissolved()
  if (!stored.chat.hasBot) throw refusals.botOutside()
  return stored
}
