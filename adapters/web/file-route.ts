// GET …/messages/{id}/file: the file of one of the bot's messages, to be saved and never shown as a page. Whoever may read the
// conversation may fetch it; the address opens nothing to anybody else.
import type { Hono } from 'hono'
import type { RedisClient } from '#queues/connection.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { findShownFile } from '#queues/workers/shown-files.ts'
import { toPosition } from '#queues/shown/out-position.ts'
import { refuse } from './answer.ts'
import { toWebConversation } from './conversation-routes.ts'

export function addFiles(app: Hono, kernel: Pick<Kernel, 'readOut'>, redis: Pick<RedisClient, 'get'>): void {
  app.get('/api/conversations/:id/messages/:message/file', async (context) => {
    const conversation = toWebConversation(context.req.param('id'))
    const position = context.req.param('message')
    const number = /^\d{1,15}-(\d{1,15})$/.exec(position)?.[1]
    const [item] = number === undefined ? [] : await kernel.readOut(conversation, String(Number(number) - 1), 1)
    const body = item?.role === 'bot' && toPosition(item) === position ? item.body : undefined
    const text = body && (await findShownFile(redis, conversation, body))
    if (body?.kind !== 'send' || !body.file || text === undefined) {
      const message = 'This message has no file, or its file is not kept any more: the newest is, for two weeks.'
      return refuse(context, 404, { code: 'not-found', message })
    }
    const { name } = body.file
    return context.body(text, 200, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}"`,
    })
  })
}
