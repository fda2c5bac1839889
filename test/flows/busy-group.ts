// A group in which much is answered: what its tests have in common.
import type { ChatPlatform, SimulatedChat } from '#test/rig/chats/chat.ts'
import type { Fleet } from '#test/rig/fleet.ts'
import type { TelegramLedgerEntry } from '#test/simulators/telegram/ledger.ts'

const pieceChars = 24
export const end = 'and that is all there is to say.'

/** An answer of some length, which takes so long to be written. */
export function script({ model }: Fleet, asked: string, ms: number): void {
  const text = `It is like this: ${'word by word the answer grows and grows. '.repeat(14)}${asked}, ${end}`
  model.script({
    when: { text: asked },
    answer: { kind: 'text', text },
    chunkDelayMs: (ms * pieceChars) / text.length,
  })
}

/** The group once it may be talked in, and nothing is left to be said there. */
export async function openGroup(platform: ChatPlatform, hasThreads = false): Promise<SimulatedChat> {
  const group = platform.group({ by: 'Ann', hasThreads })
  const greeting = await group.until(() => group.said()[0])
  if (greeting.text.includes('/allow here')) await group.replyTo(group.ask('Ann', '/allow here'))
  return group
}

export const isCosmetic = ({ method, params }: TelegramLedgerEntry): boolean =>
  method === 'sendChatAction' || (method === 'editMessageText' && String(params['text']).endsWith('…'))
