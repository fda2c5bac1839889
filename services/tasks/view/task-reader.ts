// What is stored of the tasks of conversations, for those who only look: nothing is claimed and nothing written, so it is told at once while a step runs.
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { Kept } from '#shared/feature/kept.ts'
import type { Listed } from './listed.ts'
import type { TaskOwn } from '#services/tasks/run/own.ts'
import type { LoggedCall } from '#services/tasks/run/step-log.ts'

/** A task, and who looks: what is for another's eyes alone is not there for them. */
export type TaskPlace = {
  readonly home: ConversationId
  readonly number: number
  readonly principal: PrincipalId
}

/** What the turn at work has done so far. Times are ms since 1970. */
export type RunningTurn = {
  readonly begunAt: number
  readonly tokens: number
  /** The newest of its calls. */
  readonly calls: readonly LoggedCall[]
  readonly left: number
  /** When something of it was stored last. */
  readonly at: number
}

export type StoredTask = {
  readonly own: TaskOwn
  readonly running: Kept<RunningTurn> | undefined
  /** When the card that it waits with ends, ms since 1970 in Redis' time. */
  readonly endsAt: number | undefined
}

/** Each throws BotError `store-unavailable`, `store-newer` or `store-corrupt`. */
export type TaskReader = {
  /** As the conversation knows them, in the order in which they began. */
  list(home: ConversationId): Promise<readonly Listed[]>
  /** Undefined for one that is not there, or has not begun. */
  find(place: TaskPlace): Promise<StoredTask | undefined>
  /** A text that is kept whole beside the task. */
  findText(place: TaskPlace, name: string): Promise<Kept | undefined>
  /** Names of texts that begin like this, the oldest first; of very many the newest. */
  listTexts(place: TaskPlace, prefix: string): Promise<readonly string[]>
}
