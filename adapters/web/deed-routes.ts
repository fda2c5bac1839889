// What the page's buttons do with what was said: none of it is a message of the person, so nothing of it is shown, kept or told as one.
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import type { ChatEvent } from '#shared/chat/event.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { forgetShown } from '#queues/shown/forget-shown.ts'
import { refuseStore, within } from './answer.ts'
import {
  sendersProgram,
  store,
  storeTimeoutMs,
  toEventId,
  toKey,
  toMessage,
  toWebConversation,
  webOwner,
  type RouteDeps,
} from './conversation-routes.ts'
import { readJson } from './request-body.ts'

const message = z.string().regex(/^web-[0-9a-f]{40}$/)
const row = z.string().regex(/^[\w.-]{1,64}$/)
const deedBody = z
  .discriminatedUnion('deed', [
    /** Answers the last question again. */
    z.object({ deed: z.literal('again'), ...sendersProgram }),
    /** Tells how the bot's message of this row came about. */
    z.object({ deed: z.literal('why'), of: row, ...sendersProgram }),
    /** Has the bot show what there is: its commands, settings, models or reminders. */
    z.object({ deed: z.literal('show'), what: z.enum(['help', 'config', 'model', 'reminders']), ...sendersProgram }),
    /** Brings the card of what waits on the person's desk. */
    z.object({ deed: z.literal('ask'), ...sendersProgram }),
    /** Forgets a message of the person, with what was answered to it. */
    z.object({ deed: z.literal('forget'), of: message, ...sendersProgram }),
    /** Ends the answer that is being written; this message and later ones are answered all the same. */
    z.object({ deed: z.literal('stop'), spares: message.optional() }),
    /** Takes back a message that is not worked on yet. */
    z.object({ deed: z.literal('withdraw'), of: message }),
  ])
  .describe('{"deed": "again"}')

export type DeedDeps = RouteDeps & {
  readonly kernel: Pick<Kernel, 'halt' | 'readOut' | 'forget'>
}
type Deed = z.infer<typeof deedBody>

export function addDeedRoutes(app: Hono, deps: DeedDeps): void {
  app.post('/api/conversations/:id/deeds', async (context) => {
    const conversation = toWebConversation(context.req.param('id'))
    const id = toEventId(conversation, toKey(context))
    const body = await readJson(context.req.raw, deedBody)
    if (body.kind === 'refused') return context.json({ error: body.problem }, body.problem.status)
    return await act(deps, context, { conversation, id, deed: body.value })
  })
}

async function act(
  deps: DeedDeps,
  context: Context,
  { conversation, id, deed }: { readonly deed: Deed } & Pick<ChatEvent, 'conversation' | 'id'>,
): Promise<Response> {
  const at = deps.now()
  switch (deed.deed) {
    case 'again':
    case 'why':
    case 'forget': {
      const { deed: name, language, zone } = deed
      const text = name === 'again' ? '/retry' : `/${name}`
      const replyTo = deed.deed === 'again' ? undefined : deed.of
      const event = toMessage({ conversation, id, at, text, replyTo, language, zone })
      return await store(deps, context, { event, echo: false })
    }
    case 'ask':
    case 'show': {
      const { language, zone } = deed
      const text = deed.deed === 'ask' ? '/questions now' : `/${deed.what}`
      const event = toMessage({ conversation, id, at, text, language, zone })
      const answer = await store(deps, context, { event, echo: false })
      if (answer.status === 202) deps.list.touch(conversation.slice('web:'.length), at).catch(() => {})
      return answer
    }
    case 'stop': {
      const work = deps.kernel.halt(conversation, webOwner, deed.spares).then(() => true)
      return (await within(work, storeTimeoutMs)) ? context.json({ eventId: id, seq: 0 }, 202) : refuseStore(context)
    }
    case 'withdraw': {
      const event: ChatEvent = { v: 1, kind: 'delete', id, conversation, principal: webOwner, at, messageId: deed.of }
      const answer = await store(deps, context, { event, echo: false })
      const shown = forgetShown(deps.kernel, conversation, [deed.of]).then(() => true)
      return answer.status === 202 && !(await within(shown, storeTimeoutMs)) ? refuseStore(context) : answer
    }
    default:
      return deed satisfies never
  }
}
