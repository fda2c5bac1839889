// The HTTP interface of the list of conversations: what there is, renaming, deleting with everything that is kept, searching.
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { cleanText } from '#shared/chat/clean-text.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import type { Ingest } from '#queues/workers/ingest.ts'
import { refuse, refuseStore, within } from './answer.ts'
import { cutTitle, titleChars, type ConversationList } from './conversation-list.ts'
import { storeTimeoutMs, toWebConversation } from './conversation-routes.ts'
import { readJson } from './request-body.ts'
import { createSearch } from './search.ts'

export type ListRouteDeps = {
  /** Undefined before the channel has started and after it was told to stop. */
  ingest(): Ingest | undefined
  readonly kernel: Pick<Kernel, 'readOutBefore'>
  readonly list: ConversationList
}

const maxQueryChars = 100
const titleBody = z.object({ title: z.string() }).describe('{"title": "a name"}')

export function addListRoutes(app: Hono, deps: ListRouteDeps): void {
  const { kernel, list } = deps
  const search = createSearch({ kernel, list })
  app.get('/api/conversations', async (context) => context.json({ conversations: await list.load() }))
  app.post('/api/conversations/:id/title', (context) => rename(list, context))
  app.delete('/api/conversations/:id', (context) => erase(deps, context))
  app.get('/api/search', async (context) => {
    const query = (context.req.query('q') ?? '').trim()
    if (query === '' || query.length > maxQueryChars) {
      return refuse(context, 400, { code: 'bad-input', message: `q must have 1 to ${maxQueryChars} characters.` })
    }
    return context.json(await search(query))
  })
}

/** Deleted is what stays so: it is told when it is on disk, and given to Redis again like what was said. */
async function erase(deps: ListRouteDeps, context: Context): Promise<Response> {
  const id = context.req.param('id') ?? ''
  const conversation = toWebConversation(id)
  const ingest = deps.ingest()
  if (!ingest) return refuseStore(context)
  const unlist = async (): Promise<void> => {
    const shown = await deps.kernel.readOutBefore(conversation, '0', 1)
    if (shown.length === 0) await deps.list.remove(id)
  }
  const work = async (): Promise<true> => {
    await ingest.erase(conversation, unlist)
    await ingest.synced()
    return true
  }
  return (await within(work(), storeTimeoutMs)) ? context.json({ deleted: id }) : refuseStore(context)
}

async function rename(list: ConversationList, context: Context): Promise<Response> {
  const id = context.req.param('id') ?? ''
  toWebConversation(id)
  const body = await readJson(context.req.raw, titleBody)
  if (body.kind === 'refused') return refuse(context, body.problem.status, body.problem)
  const { text } = cleanText(body.value.title)
  const title = cutTitle(text)
  if ([...text].length > titleChars) {
    return refuse(context, 400, { code: 'bad-input', message: `A name has at most ${titleChars} characters.` })
  }
  if ((await list.rename(id, title)) === 'unknown') {
    return refuse(context, 404, { code: 'not-found', message: 'There is no such conversation in the list.' })
  }
  return context.json({ title })
}
