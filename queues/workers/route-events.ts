// The router's worker: reads what is unrouted, decides by rules, writes the decisions in order by compare-and-set. It changes nothing else.
import type { ConversationId } from '#shared/chat/conversation.ts'
import { toChat } from '#shared/chat/conversation.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import type { Decision } from '#shared/chat/decision.ts'
import type { Access, AccessList } from '#queues/fleet/access.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import type { Hints } from '#queues/jobs/hints.ts'
import { addressedTogether, decidedTogether } from './burst.ts'
import type { Gathering } from './gather.ts'

export type DecideInput = {
  readonly event: ChatEvent
  readonly access: Access
  readonly previousReply?: string
}

export type RouterDeps = {
  readonly kernel: Pick<Kernel, 'inbox' | 'route'>
  readonly access: Pick<AccessList, 'find'>
  readonly hints: Pick<Hints, 'execute'>
  readonly gathering: Pick<Gathering, 'ready'>
  decide(input: DecideInput): Decision
}

const page = 100

const stranger: Access = { owner: false, person: false, chat: false, mode: 'mention' }

/** Routes what waits in a conversation, but for what its senders are still writing. */
export async function routeEvents(deps: RouterDeps, conversation: ConversationId): Promise<void> {
  for (;;) {
    const inbox = await deps.kernel.inbox(conversation, page)
    const waiting = inbox.events.slice(0, deps.gathering.ready(conversation, inbox.events))
    if (waiting.length === 0) return
    const server = waiting.findLast(({ event }) => event.server !== undefined)?.event.server
    const principals = [...new Set(waiting.map(({ event }) => event.principal))]
    const known = new Map(
      await Promise.all(
        principals.map(async (principal) => {
          const access = await deps.access.find(principal, toChat(conversation), server)
          return [principal, access] as const
        }),
      ),
    )
    const events = addressedTogether(waiting.map(({ event }) => event))
    const decisions = events.map((event) => {
      const previous = inbox.previousReply === undefined ? {} : { previousReply: inbox.previousReply }
      return deps.decide({ event, access: known.get(event.principal) ?? stranger, ...previous })
    })
    const result = await deps.kernel.route(conversation, inbox.routedSeq, decidedTogether(events, decisions))
    // BEHIND may be our own write whose reply was lost: a spare hint is harmless, a missing one waits for the sweeper.
    if (result.kind === 'BEHIND' || result.work) await deps.hints.execute(conversation)
    if (result.kind === 'OK' && waiting.length < page) return
  }
}
