// How fast a bot may send, counted in Redis for all its senders, as platforms count it: everything that goes to a chat together, and besides
// what requests of a kind share. Each row gets a time, in the order of asking. Cosmetic calls, which nobody would miss, get what is free.
// A platform that asks to slow down stops its chat, or with `bot` everything; for a minute after that the chat goes at half its pace.
import type { CallUnit } from '#queues/units.ts'

/** At most `count` calls in any `perMs`. */
export type RateWindow = { readonly count: number; readonly perMs: number }

/** `draft` is a growing reply that is no message yet. */
export type CallKind = 'send' | 'edit' | 'typing' | 'draft' | 'reaction'

/** What calls of one kind, or of several with a bucket of the same name, share. */
export type Bucket = {
  readonly name: string
  /** In a chat, beside the chat's total. */
  readonly perChat?: readonly RateWindow[]
  /** Of the bot, in place of its total. */
  readonly perBot?: readonly RateWindow[]
}

export type SendLimits = {
  /** Whose limits these are, e.g. `telegram:4200`. */
  readonly bot: string
  /** What counts together: a group's topics do. */
  readonly chat: string
  /** All that goes to the chat, typing too. */
  readonly perChat: readonly RateWindow[]
  readonly perBot: readonly RateWindow[]
  readonly buckets?: Readonly<Partial<Record<CallKind, Bucket>>>
  /** How much of the chat's budget cosmetic calls may use. */
  readonly cosmetics: readonly RateWindow[]
}

/** `id` is unique for the bot; `cameAtMs` is when the row came, now when left out. */
export type Asked = { readonly kind: CallKind; readonly id: string; readonly cameAtMs?: number }

export type SendBudget = {
  /**
   * ms until this may be sent, or is to be asked for again; 0 is now, and then it counts as sent. Asked again with the same `id`, it keeps
   * its permit. Where not all can be sent, what came last goes first.
   */
  acquire(limits: SendLimits, asked: Asked): Promise<number>
  /** As `acquire`, for telling what was lost: of a chat's permits at most one in twenty goes to that. */
  acquireForNotice(limits: SendLimits, id: string): Promise<number>
  /** ms until there may be room for a call that nobody would miss, of which nothing is promised; 0 is now, and then it counts as sent. */
  acquireCosmetic(limits: SendLimits, asked: Asked): Promise<number>
  /** Whether a reply in the making may be shown now, in the same way; then it counts. Not within a minute after a pause of the chat. */
  mayShow(limits: SendLimits, asked: Asked): Promise<boolean>
  /**
   * The call for which this was asked is over, or was never made. It counts from now on by this moment in its chat, where until then it counted as
   * sent now. Nobody waits for it, and it never fails: where it is lost, others wait a little longer.
   */
  ended(limits: SendLimits, asked: Asked): void
  /** Whether no pause holds; counts as nothing. */
  isOpen(limits: SendLimits): Promise<boolean>
  pause(limits: SendLimits, scope: 'chat' | 'bot', ms: number): Promise<void>
}

/** Requests arrive less evenly than they are sent. Who comes late goes without the margin: the unit takes it off again, so the two agree. */
const margin = 15 / 14
/**
 * Where a chat has several conversations, all of them together. Telegram shows it for 5 s, Discord for 10 s. This is far below what
 * platforms take of it alone: Telegram about 40 in 30 s, Discord five in 5 s.
 */
const typings: Bucket = { name: 'typing', perChat: [{ count: 1, perMs: 3700 }] }
/** People must see that something is missing, and the answers need the permits. */
const permitsPerNotice = 20

/** A call under way is renewed so often: Redis forgets one of which it hears nothing for three times as long (`units/send.lua`). */
const renewMs = 1000
/** No call to a platform lasts so long. */
const mostRenewals = 60

/** A fortieth of a row's life: so long an answer waits before newer ones go first. */
const fortiethMs = 15_000

type Scope = { readonly name: string; readonly isOfChat: boolean; readonly windows: readonly RateWindow[] }

/** `aheadMs`: for how long ahead the bot's permits are promised, when everybody together wants more than it may send. */
export function createSendBudget(call: CallUnit, aheadMs = fortiethMs): SendBudget {
  const underway = new Map<string, NodeJS.Timeout>()
  const request = async (
    action: 'ask' | 'notice' | 'cosmetic' | 'show' | 'open' | 'underway' | 'ended',
    limits: SendLimits,
    { id, cameAtMs = 0, scopes }: Omit<Asked, 'kind'> & { readonly scopes: readonly Scope[] },
  ): Promise<number> => {
    const counted = scopes.flatMap(({ name, isOfChat, windows }) => [
      name,
      isOfChat ? 1 : 0,
      windows.length,
      ...windows.flatMap(({ count, perMs }) => [count, Math.ceil(perMs * margin)]),
    ])
    return Number(await call('send', toKey(limits), [action, id, limits.chat, aheadMs, cameAtMs, ...counted]))
  }
  const end = (limits: SendLimits, id: string): void => {
    clearInterval(underway.get(`${limits.bot} ${id}`))
    underway.delete(`${limits.bot} ${id}`)
  }
  /** From its permit on the call is renewed until it ends, or until its process does. */
  const acquire = async (
    action: 'ask' | 'notice' | 'cosmetic' | 'show',
    limits: SendLimits,
    what: Omit<Asked, 'kind'> & { readonly scopes: readonly Scope[] },
  ): Promise<number> => {
    const afterMs = await request(action, limits, what)
    if (afterMs > 0) return afterMs
    end(limits, what.id)
    let renewals = 0
    const timer = setInterval(() => {
      renewals += 1
      if (renewals > mostRenewals) end(limits, what.id)
      else request('underway', limits, what).catch(() => {})
    }, renewMs)
    timer.unref()
    underway.set(`${limits.bot} ${what.id}`, timer)
    return 0
  }
  return {
    acquire: (limits, asked) => acquire('ask', limits, { ...asked, scopes: toScopes(limits, asked.kind) }),
    acquireForNotice(limits, id) {
      const own = { name: `notices:${limits.chat}`, isOfChat: true, windows: toNotices(limits) }
      return acquire('notice', limits, { id, scopes: [own, ...toScopes(limits, 'send')] })
    },
    acquireCosmetic: (limits, asked) =>
      acquire('cosmetic', limits, { ...asked, scopes: toCosmeticScopes(limits, asked.kind) }),
    mayShow: async (limits, asked) =>
      (await acquire('show', limits, { ...asked, scopes: toCosmeticScopes(limits, asked.kind) })) === 0,
    ended(limits, asked) {
      end(limits, asked.id)
      // A cosmetic call is in more of them than another; what is not in one does not come in.
      request('ended', limits, { ...asked, scopes: toCosmeticScopes(limits, asked.kind) }).catch(() => {})
    },
    isOpen: async (limits) => (await request('open', limits, { id: '', scopes: [] })) === 0,
    async pause(limits, scope, ms) {
      await call('send', toKey(limits), ['pause', '', scope === 'chat' ? limits.chat : '', Math.ceil(ms)])
    },
  }
}

/** The bot's comes last: a call that finds no room in its chat uses up nothing that others could have. */
function toScopes({ chat, perChat, perBot, buckets }: SendLimits, kind: CallKind): readonly Scope[] {
  const bucket = kind === 'typing' ? typings : buckets?.[kind]
  return [
    { name: `chat:${chat}`, isOfChat: true, windows: perChat },
    ...(bucket?.perChat ? [{ name: `${bucket.name}:${chat}`, isOfChat: true, windows: bucket.perChat }] : []),
    bucket?.perBot
      ? { name: `bot:${bucket.name}`, isOfChat: false, windows: bucket.perBot }
      : { name: 'bot', isOfChat: false, windows: perBot },
  ]
}

function toCosmeticScopes(limits: SendLimits, kind: CallKind): readonly Scope[] {
  const share = { name: `cosmetics:${limits.chat}`, isOfChat: true, windows: limits.cosmetics }
  return [share, ...toScopes(limits, kind).map(withHalfOfBot)]
}

/** Half of the bot's permits are left to what people wait for, however many replies are being written. */
function withHalfOfBot(scope: Scope): Scope {
  if (scope.isOfChat) return scope
  return { ...scope, windows: scope.windows.map(({ count, perMs }) => ({ count: Math.ceil(count / 2), perMs })) }
}

function toNotices({ perChat }: SendLimits): RateWindow[] {
  const permitMs = Math.max(0, ...perChat.map(({ count, perMs }) => perMs / count))
  return permitMs > 0 ? [{ count: 1, perMs: permitMs * permitsPerNotice }] : []
}

const toKey = ({ bot }: SendLimits): string => `fl:{send:${bot}}:`
