// Says things into the conversation for the person at the terminal: messages and presses, each stored before it counts as said.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConversationId } from '#shared/chat/conversation.ts'
import { toPress } from '#adapters/press/to-press.ts'
import { parseCommand } from '#shared/chat/parse-command.ts'
import { BotError } from '#shared/errors.ts'
import type { ResolveResult } from '#queues/questions/questions.ts'
import type { Ingest } from '#queues/workers/ingest.ts'

/** Whoever has a terminal on this machine owns the fleet. */
const consoleOwner = 'console:owner'
const retryEveryMs = 1000

export type MouthDeps = {
  readonly ingest: Ingest
  /** Told when the store is away, and when it is back. */
  onStore(state: 'away' | 'back'): void
}

/** `replyTo`: the row of the bot's that it replies to. */
export type Said = { readonly id: string; readonly text: string; readonly replyTo?: string | undefined }

export type Mouth = {
  /** An id for what is said next: known before it is stored, since its reply may be quick. */
  newId(): string
  /** Resolves once the message is stored; tries again under the same id while the store is away. */
  say(message: Said, signal: AbortSignal): Promise<void>
  press(button: { readonly id: string; readonly buttonId: string }, signal: AbortSignal): Promise<ResolveResult>
}

export function createMouth(deps: MouthDeps, conversation: ConversationId): Mouth {
  const base = (id: string) => ({ v: 1, id, conversation, principal: consoleOwner, at: Date.now() }) as const

  async function insist<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        const value = await work()
        if (tries > 1) deps.onStore('back')
        return value
      } catch (error) {
        if (!(error instanceof BotError) || error.code !== 'store-unavailable') throw error
        if (tries === 1) deps.onStore('away')
        await sleep(retryEveryMs, undefined, { signal })
      }
    }
  }

  return {
    newId: () => `console-${randomBytes(16).toString('hex')}`,
    async say({ id, text, replyTo }, signal) {
      const command = parseCommand(text)
      const event = {
        ...base(id),
        kind: 'message',
        text,
        messageId: id,
        addressed: true,
        group: false,
        ...(replyTo === undefined ? {} : { replyTo: { messageId: replyTo, fromBot: true } }),
        ...(command ? { command } : {}),
      } as const
      await insist(() => deps.ingest.take(event, { dedupeKey: id, echo: true }), signal)
    },
    async press({ id, buttonId }, signal) {
      const press = toPress({ id, conversation, principal: consoleOwner, at: Date.now(), data: buttonId })
      return await insist(() => deps.ingest.press(press), signal)
    },
  }
}
