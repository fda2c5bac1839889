// One update's way in, the same for polling and webhook: into the mailbox, or resolved as a press, or ignored and counted. What it tells
// of the chat itself is written down first.
import { BotError } from '#shared/errors.ts'
import type { CommandInfo } from '#shared/feature/feature.ts'
import { asksRank } from '#shared/feature/rights.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import type { ChatBook } from '#queues/fleet/chat-book.ts'
import type { Ingest } from '#queues/workers/ingest.ts'
import { callsAdmin, type Admins } from './admins.ts'
import type { BotApi } from './bot-api.ts'
import type { ChatBudget } from './chat-budget.ts'
import { toAddress } from './ids.ts'
import { takePress } from './press.ts'
import { learn, noteAlive, eventAtHome } from './chat-home.ts'
import type { Incoming } from './to-event.ts'

export type TakeDeps = {
  readonly ingest: Ingest
  readonly chats: ChatBook
  readonly admins: Admins
  readonly bot: BotApi
  readonly budget: ChatBudget
  /** Those that say for whom they are. */
  readonly commands: readonly CommandInfo[]
  readonly now: () => number
  /** Tells the operator, in plain words without message text. */
  readonly say: (text: string) => void
  /** Counts what was ignored, by reason. */
  readonly count: (reason: string) => void
}

/** Resolves when the update is safe. Throws BotError when the store is away, so that Telegram must send it again. */
export async function takeIncoming(deps: TakeDeps, incoming: Incoming): Promise<void> {
  try {
    if (incoming.standing) await learn(deps.chats, incoming.standing)
    if (incoming.kind === 'ignored') return deps.count(incoming.reason)
    if (incoming.kind === 'press') await takePress(deps, incoming.press, incoming.id)
    else await takeEvent(deps, incoming.event)
  } catch (error) {
    if (!(error instanceof BotError) || error.retry !== 'never') throw error
    // One broken conversation must not keep the whole channel waiting for ever.
    deps.count('refused')
    deps.say(`An update of Telegram could not be stored and was left out: ${error.message}`)
  }
}

async function takeEvent(deps: TakeDeps, event: ChatEvent): Promise<void> {
  const how = { dedupeKey: event.id }
  if (toAddress(event.conversation).isGroup) {
    await deps.ingest.take(await eventAtHome(deps.chats, await withRank(deps, event)), how)
    return
  }
  // A private chat never moves, so that its message need not wait for the book.
  await Promise.all([deps.ingest.take(event, how), noteAlive(deps.chats, event)])
}

/** Says of a person whether the platform calls them an administrator, where that matters. */
async function withRank({ admins, commands }: TakeDeps, event: ChatEvent): Promise<ChatEvent> {
  if (event.kind !== 'message' || !event.command) return event
  const { name, args } = event.command
  const command = commands.find((known) => known.name === name)
  if (!command || !asksRank(command, args)) return event
  return (await callsAdmin(admins, event)) ? { ...event, senderIsAdmin: true } : event
}
