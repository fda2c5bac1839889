// The thread in which a router decides.
import { serveQueries } from '#queues/query-thread.ts'
import type { DecideInput } from '#queues/workers/route-events.ts'
import { findWish } from '#services/reminders/read/wish.ts'
import { createClassifier } from '#services/router/classify.ts'
import { decide } from '#services/router/decide.ts'
import type { RoutingConfig } from '#services/router/patterns.ts'
import type { Decision } from '#shared/chat/decision.ts'

export type RouterThreadData = { readonly routing: RoutingConfig; readonly openCommands: readonly string[] }

serveQueries({
  open({ routing, openCommands }: RouterThreadData) {
    const classify = createClassifier(routing)
    return {
      answer: (input: DecideInput): Decision => decide({ classify, openCommands, findReminder: findWish }, input),
    }
  },
})
