// Records of ended turns as they are read: by cursor, in the order of writing in each partition. They are kept for some days, whoever has read them.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { ReaderWorker } from '#shared/feature/projection.ts'
import type { Letter } from '#shared/run/step.ts'
import type { RecordLine, TurnRecord } from '#shared/run/record.ts'

/** A line that is there and whose text is not any more, or that cannot be read: a reader passes it. */
export type GoneLine =
  | { readonly name: string; readonly kind: 'gone'; readonly conversation: ConversationId }
  /** Whose it is, it may not say. */
  | { readonly name: string; readonly kind: 'broken'; readonly conversation?: ConversationId }

export type Passing = {
  readonly partition: number
  readonly reader: string
  /** Where it had read to, and where it has now. */
  readonly before: string
  readonly name: string
  /** Begins with the next one at once, and who does. */
  readonly goesOn: boolean
  readonly by?: string
  /** What stands between was not taken in: it failed each time. */
  readonly setAside?: boolean
  /** To be carried once, from the conversation of the line. */
  readonly from?: ConversationId
  readonly letters?: readonly Letter[]
  /** Work that is to be done for the line, by a worker, so much later at the earliest. */
  readonly job?: { readonly worker: ReaderWorker; readonly inMs: number }
}

export type FindTurn = 'last' | { readonly message: string } | { readonly turn: string }

export type Beginning = { readonly after: string; readonly starts: number }

export type Records = {
  /** The name of the last line in each partition; none where there was none, or none can be read now. Never rejects. */
  lastRecords(): Promise<readonly (string | undefined)[]>
  /**
   * The lines after this one, in order. Where a newer release wrote one, those before it.
   * Throws BotError `store-newer` when it is the first, `store-corrupt` when the partition's key is.
   */
  readRecords(partition: number, after: string, limit: number): Promise<readonly (RecordLine | GoneLine)[]>
  /** Where the reader has read to, and how many others than `by` have begun with what comes next and came to no end of it. */
  findPlace(partition: number, reader: string, by: string): Promise<Beginning>
  /**
   * Begins with what comes next: where the reader has read to, and how many have begun with that line, `by` among them; 0 where none is. Who
   * begins again is alive and counts once, however its first time ended.
   */
  startReading(partition: number, reader: string, by: string): Promise<Beginning>
  /** One line by its name; undefined where there is none. Throws BotError `store-newer` where a newer release wrote it. */
  readRecord(partition: number, name: string): Promise<RecordLine | GoneLine | undefined>
  /** BEHIND: another one has read on for this reader. */
  passRecord(passing: Passing): Promise<'OK' | 'BEHIND'>
  /** Gives up lines older than that, some hundred of a partition at most; how many. */
  giveUpRecords(partition: number, olderThanMs: number): Promise<number>
  /**
   * The record of a turn: of the conversation's last one, or the last that the bot's message answers, which where no platform names it is a row,
   * or else that a person's message went into; or the one of that name; with the platform ids of the messages that it came of. Nothing of work that is no turn, and of what is no longer kept.
   */
  findTurn(conversation: ConversationId, by: FindTurn): Promise<FoundTurn | undefined>
  /** The newest turns of a session that are kept, the newest last, 100 at most, each with the platform ids of the messages that it came of. */
  findTurns(conversation: ConversationId, session: string): Promise<readonly FoundTurn[]>
  /** How many lines a partition has, their bytes, how many went before their time, how many each reader set aside, and how long its next one waits. */
  lookAtRecords(partition: number): Promise<RecordsHealth>
}

export type FoundTurn = { readonly record: TurnRecord; readonly about: readonly string[] }

export type RecordsHealth = {
  readonly lines: number
  readonly bytes: number
  readonly lost: number
  readonly aside: Readonly<Record<string, number>>
  /** Jobs of each reader that were dropped: since too many waited or they could not be done within a day; and since they failed each time. */
  readonly dropped: Readonly<Record<string, number>>
  readonly failed: Readonly<Record<string, number>>
  /** Of readers that have not read to the end, ms. */
  readonly waitsMs: Readonly<Record<string, number>>
}
