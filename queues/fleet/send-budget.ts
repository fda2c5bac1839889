// How fast a bot may send, counted in Redis for all its senders: each row gets a time, in the order of asking; a draft is shown only
// where nothing waits. A platform that asks to slow down stops its chat, or with `bot` everything.
import type { CallUnit } from '#queues/units.ts'

/** At most `count` sends and edits in any `perMs`. */
export type RateWindow = { readonly count: number; readonly perMs: number }

export type SendLimits = {
  /** Whose limits these are, e.g. `telegram:4200`. */
  readonly bot: string
  /** What counts together: a group's topics do. */
  readonly chat: string
  readonly perChat: readonly RateWindow[]
  readonly perBot: readonly RateWindow[]
  /** How much of the chat's budget drafts may use. */
  readonly drafts: readonly RateWindow[]
  /** Drafts that are no messages do not count in the chat. */
  readonly nativeDrafts?: boolean
}

export type SendBudget = {
  /**
   * ms until this may be sent, or is to be asked for again; 0 is now, and then it counts as sent. Asked again with the same `id`, unique for
   * the bot, it keeps its permit. Where not all can be sent, what came last goes first.
   */
  acquire(limits: SendLimits, id: string, cameAtMs?: number): Promise<number>
  /** As `acquire`, for telling what was lost: of a chat's permits at most one in twenty goes to that. */
  acquireForNotice(limits: SendLimits, id: string): Promise<number>
  /** Whether a draft may be shown now; then it counts. */
  mayDraft(limits: SendLimits, id: string): Promise<boolean>
  /** Whether it may be shown now that a reply is being written; then it counts for the bot, though in the chat it is no message. */
  mayType(limits: SendLimits, id: string): Promise<boolean>
  /** Whether no pause holds; counts as nothing. */
  isOpen(limits: SendLimits): Promise<boolean>
  pause(limits: SendLimits, scope: 'chat' | 'bot', ms: number): Promise<void>
}

/** Requests arrive less evenly than they are sent. */
const margin = 1.07
/** Where a chat has several conversations, all of them together. Telegram shows it for 5 s, Discord for 10 s. */
const typings: readonly RateWindow[] = [{ count: 1, perMs: 3700 }]
/** People must see that something is missing, and the answers need the permits. */
const permitsPerNotice = 20

/** A fortieth of a row's life: so long an answer waits before newer ones go first. */
const fortiethMs = 15_000

/** `aheadMs`: for how long ahead the bot's permits are promised, when everybody together wants more than it may send. */
export function createSendBudget(call: CallUnit, aheadMs = fortiethMs): SendBudget {
  const request = async (
    action: 'ask' | 'notice' | 'draft' | 'typing',
    limits: SendLimits,
    id: string,
    cameAtMs = 0,
  ): Promise<number> => {
    const perChat = action === 'draft' && limits.nativeDrafts ? [] : limits.perChat
    const few = action === 'notice' ? toNotices(limits) : limits.drafts
    const windows = [perChat, limits.perBot, few].flatMap((list) => [
      list.length,
      ...list.flatMap(({ count, perMs }) => [count, Math.ceil(perMs * margin)]),
    ])
    return Number(await call('send', toKey(limits), [action, id, limits.chat, aheadMs, cameAtMs, ...windows]))
  }
  return {
    acquire: (limits, id, cameAtMs) => request('ask', limits, id, cameAtMs),
    acquireForNotice: (limits, id) => request('notice', limits, id),
    mayDraft: async (limits, id) => (await request('draft', limits, id)) === 0,
    async mayType(limits, id) {
      // Half of the bot's permits are left to what people wait for, however many replies are being written.
      const perBot = limits.perBot.map(({ count, perMs }) => ({ count: Math.ceil(count / 2), perMs }))
      return (await request('typing', { ...limits, perChat: [], perBot, drafts: typings }, id)) === 0
    },
    isOpen: async (limits) =>
      (await request('draft', { ...limits, perChat: [], perBot: [], drafts: [] }, 'open')) === 0,
    async pause(limits, scope, ms) {
      await call('send', toKey(limits), ['pause', '', scope === 'chat' ? limits.chat : '', Math.ceil(ms)])
    },
  }
}

function toNotices({ perChat }: SendLimits): RateWindow[] {
  const permitMs = Math.max(0, ...perChat.map(({ count, perMs }) => perMs / count))
  return permitMs > 0 ? [{ count: 1, perMs: permitMs * permitsPerNotice }] : []
}

const toKey = ({ bot }: SendLimits): string => `fl:{send:${bot}}:`
