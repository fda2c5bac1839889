// A delivery worker with a scripted platform and a conversation whose outbox can be filled.
import type { Draft } from '#shared/run/draft.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import type { Kernel, Outcome } from '#queues/kernel/kernel.ts'
import { createStillLiveness, type StillLiveness } from '#test/rig/still-liveness.ts'
import { createChatBook } from '#queues/fleet/chat-book.ts'
import { createSendBudget } from '#queues/fleet/send-budget.ts'
import type { ChannelDelivery } from '#queues/workers/channel-adapter.ts'
import { createNews } from '#queues/workers/news.ts'
import { deliverRows } from '#queues/workers/deliver-rows.ts'
import { createSentLately, type SentLately } from '#queues/workers/sent-lately.ts'
import { toBody } from '#test/rig/journal-entries.ts'
import type { Store } from '#test/rig/store.ts'

export const conversation = 'telegram:7'
export const emptyHanded = { conversation, owner: 'another', ttlMs: 1000, sendTimeoutMs: 2000, idempotentForMs: 0 }
export const shown = { kind: 'shown' } as const
export const textOf = (body: OutBody): string => (body.kind === 'send' ? body.text : body.kind)

export type Platform = {
  readonly delivery: ChannelDelivery
  /** What was sent, in order. */
  readonly sent: string[]
  readonly drafts: string[]
  /** Resolves when a text is being sent. */
  begun(text: string): Promise<AbortSignal>
}

/** A platform that answers as told, `sent` by default. */
export function createPlatform(
  answers: Readonly<Record<string, (signal: AbortSignal) => Promise<Outcome>>> = {},
  more: Partial<ChannelDelivery> = {},
): Platform {
  const sent: string[] = []
  const drafts: string[] = []
  const signals = new Map<string, AbortSignal>()
  const waiting = new Map<string, (signal: AbortSignal) => void>()
  return {
    sent,
    drafts,
    begun: (text) =>
      new Promise((resolve) => {
        const known = signals.get(text)
        if (known) resolve(known)
        else waiting.set(text, resolve)
      }),
    delivery: {
      idempotentForMs: 0,
      sendTimeoutMs: 2000,
      limits: (chat) => ({ bot: 'telegram:1', chat, perBot: [], perChat: [], cosmetics: [] }),
      streaming: () => ({ as: 'draft', everyMs: 0 }),
      chatOf: (one) => one,
      closes: (reason) => reason === 'blocked',
      split: (body) =>
        textOf(body).includes('|')
          ? textOf(body)
              .split('|')
              .map((text) => toBody(text))
          : [body],
      async deliver(_, { body }, signal) {
        const text = textOf(body)
        signals.set(text, signal)
        waiting.get(text)?.(signal)
        sent.push(text)
        return (await answers[text]?.(signal)) ?? { kind: 'sent', receipt: '1' }
      },
      async showDraft(_, draft) {
        drafts.push(draft.text)
        return shown
      },
      ...more,
    },
  }
}

export type How = {
  readonly signal?: AbortSignal
  readonly liveness?: StillLiveness
  readonly kernel?: Kernel
  readonly sent?: SentLately
  /** Before each draft is asked for. */
  readonly beforeDraft?: () => Promise<void>
}

export type Desk = {
  readonly kernel: Kernel
  readonly hinted: string[]
  /** When the worker wants to come back, ms from then. */
  readonly woken: number[]
  queue(...texts: string[]): Promise<void>
  work(platform: Platform, how?: How): Promise<void>
  draft(draft: Draft): Promise<unknown>
  stateOf(text: string): Promise<string | undefined>
}

export async function openDesk(store: Store): Promise<Desk> {
  const { call, kernel } = store
  await store.server.admin.flushall()
  const budget = createSendBudget(call)
  const hinted: string[] = []
  const woken: number[] = []
  let steps = 0
  return {
    kernel,
    hinted,
    woken,
    async queue(...texts) {
      const claimed = await kernel.claim(conversation, 'run', 60_000)
      if (claimed.kind !== 'CLAIMED') throw new Error(claimed.kind)
      steps += 1
      const rows = texts.map((text, i) => ({ id: `r${steps}-${i}`, body: toBody(text), expiresInMs: 60_000 }))
      await kernel.append(conversation, claimed.epoch, { key: `s${steps}`, entries: [], rows, folds: true })
    },
    work: (platform, how = {}) =>
      deliverRows(
        {
          kernel: how.kernel ?? kernel,
          delivery: platform.delivery,
          hints: { outbound: async (one) => void hinted.push(one) },
          budget: {
            ...budget,
            async acquireCosmetic(limits, asked) {
              if (asked.kind !== 'typing') await how.beforeDraft?.()
              return await budget.acquireCosmetic(limits, asked)
            },
          },
          chats: createChatBook(call),
          sent: how.sent ?? createSentLately(),
          wake: (_, afterMs) => void woken.push(afterMs),
          liveness: how.liveness ?? createStillLiveness(),
          giveBack: () => {},
          draftPollMs: 20,
          enter: createNews,
        },
        conversation,
        how.signal ?? new AbortController().signal,
      ),
    draft: (draft) => kernel.saveDraft(conversation, draft),
    async stateOf(text) {
      for (const key of await store.server.admin.keys('*:o:*')) {
        const row = await store.server.admin.hgetall(key)
        if (row['b']?.includes(`"text":"${text}"`)) return row['s']
      }
      return undefined
    },
  }
}
