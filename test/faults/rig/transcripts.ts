// What people asked, and what they see in web and console conversations: read from each conversation's own stream as it grows.
import { Redis } from 'ioredis'
import type { Kernel } from '#queues/kernel/kernel.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import { createBell } from '#test/simulators/signals.ts'

export type Said = { readonly text: string; readonly answers: readonly string[]; readonly atMs: number }
export type Asked = {
  readonly id: string
  readonly conversation: ConversationId
  readonly text: string
  readonly seq: number
  readonly atMs: number
}

export type Transcripts = {
  /** Notes a question and follows its conversation. */
  note(asked: Asked): void
  /** Adds what was seen in a conversation that has no stream of its own. */
  record(conversation: ConversationId, said: Said): void
  readonly asked: ReadonlyMap<string, Asked>
  readonly conversations: ReadonlyMap<ConversationId, readonly Said[]>
  /** The bot's messages that answer this event. */
  answersTo(id: string): readonly Said[]
  /** Asked and not answered yet. */
  readonly open: ReadonlySet<string>
  /** Resolves with the first defined value of `find`; looked at again after each new message. */
  until<T>(find: () => T | undefined, what: string, timeoutMs: number): Promise<T>
  close(): void
}

type Followed = { after: string; said: Said[]; reading: boolean; again: boolean }

const rereadMs = 700
const pageSize = 200

export function createTranscripts(url: string, kernel: Pick<Kernel, 'readOut'>): Transcripts {
  const followed = new Map<ConversationId, Followed>()
  const conversations = new Map<ConversationId, readonly Said[]>()
  const asked = new Map<string, Asked>()
  const answers = new Map<string, Said[]>()
  const open = new Set<string>()
  const bell = createBell()
  const subscriber = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 100 })
  subscriber.on('error', () => {})
  subscriber.psubscribe('fl:live:*').catch(() => {})
  subscriber.on('pmessage', (_, channel: string, payload: string) => {
    if (payload === 'out') read(channel.slice('fl:live:'.length))
  })
  // News may be lost while Redis is away; the stream is not. Only what waits for an answer is read anew.
  const timer = setInterval(() => {
    const waiting = new Set([...open].map((id) => asked.get(id)?.conversation))
    for (const conversation of waiting) if (conversation) read(conversation)
  }, rereadMs)

  function read(conversation: ConversationId): void {
    const state = followed.get(conversation)
    if (!state) return
    if (state.reading) {
      state.again = true
      return
    }
    state.reading = true
    void readAll(conversation, state)
      .catch(() => {})
      .finally(() => {
        state.reading = false
        if (!state.again) return
        state.again = false
        read(conversation)
      })
  }

  async function readAll(conversation: ConversationId, state: Followed): Promise<void> {
    for (;;) {
      const items = await kernel.readOut(conversation, state.after, pageSize)
      for (const item of items) {
        state.after = item.id
        if (item.role !== 'bot' || item.body.kind !== 'send') continue
        hear(state.said, { text: item.body.text, answers: item.body.answers, atMs: Date.now() })
      }
      if (items.length > 0) bell.ring()
      if (items.length < pageSize) return
    }
  }

  function hear(said: Said[], one: Said): void {
    said.push(one)
    for (const id of one.answers) {
      open.delete(id)
      answers.set(id, [...(answers.get(id) ?? []), one])
    }
  }

  function follow(conversation: ConversationId): Said[] {
    const known = followed.get(conversation)
    if (known) return known.said
    const said: Said[] = []
    const streamed = /^(web|console):/.test(conversation)
    followed.set(conversation, { after: '0', said, reading: !streamed, again: false })
    conversations.set(conversation, said)
    read(conversation)
    return said
  }

  return {
    asked,
    conversations,
    open,
    note(question) {
      asked.set(question.id, question)
      if (!answers.has(question.id)) open.add(question.id)
      follow(question.conversation)
    },
    record(conversation, said) {
      hear(follow(conversation), said)
      bell.ring()
    },
    answersTo: (id) => answers.get(id) ?? [],
    until: (find, what, timeoutMs) => bell.until(find, what, timeoutMs),
    close() {
      clearInterval(timer)
      subscriber.disconnect()
    },
  }
}
