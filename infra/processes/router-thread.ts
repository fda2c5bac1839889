// The thread in which a router decides.
import { serveQueries } from '#queues/query-thread.ts'
import type { DecideInput } from '#queues/workers/route-events.ts'
import { createClassifier } from '#services/router/classify.ts'
import { decide } from '#services/router/decide.ts'
import type { RoutingConfig } from '#services/router/patterns.ts'
import type { Decision } from '#shared/chat/decision.ts'
import { findMeant } from './find-meant.ts'

export type RouterThreadData = { readonly routing: RoutingConfig; readonly openCommands: readonly string[] }

/** The first look at a time costs many times a later one: names of zones are read for it. The thread has time for that while it opens. */
const warmUp = ['remind me at 9am London time to call', '明天北京时间9点提醒我开会']

serveQueries({
  open({ routing, openCommands }: RouterThreadData) {
    const classify = createClassifier(routing)
    for (const text of warmUp) findMeant(text, { group: false, replies: false })
    return {
      answer: (input: DecideInput): Decision => decide({ classify, openCommands, findMeant }, input),
    }
  },
})
