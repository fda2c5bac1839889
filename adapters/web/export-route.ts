// GET …/export: everything that the page shows of a conversation, greetings and commands too, as a text to keep. What /export gives is the bot's
// memory of the session instead.
import type { Hono } from 'hono'
import type { Kernel } from '#queues/kernel/kernel.ts'
import type { OutItem } from '#queues/shown/shown.ts'
import { toWebConversation } from './conversation-routes.ts'

const pageItems = 200
/** As many as are kept. */
const mostPages = 5

export function addExport(app: Hono, kernel: Pick<Kernel, 'readOut'>): void {
  app.get('/api/conversations/:id/export', async (context) => {
    const conversation = toWebConversation(context.req.param('id'))
    const items: OutItem[] = []
    for (let page = 0; page < mostPages; page++) {
      const found = await kernel.readOut(conversation, items.at(-1)?.id ?? '0', pageItems)
      items.push(...found)
      if (found.length < pageItems) break
    }
    return context.body(toText(items), 200, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Disposition': 'attachment; filename="conversation.txt"',
    })
  })
}

/** What stands for an earlier message stands in its place. */
function toText(items: readonly OutItem[]): string {
  const shown = new Map<string, string>()
  for (const item of items) {
    const said = toSaid(item)
    if (said) shown.set(said.at, said.text)
  }
  return `${[...shown.values()].join('\n\n')}\n`
}

/** `at` names where it stands. */
function toSaid(item: OutItem): { readonly at: string; readonly text: string } | undefined {
  const time = new Date(item.at).toISOString().slice(0, 16).replace('T', ' ')
  if (item.role === 'person') {
    const { event } = item
    return event.kind === 'message' ? { at: item.id, text: `[${time} UTC] You:\n${event.text}` } : undefined
  }
  const { body } = item
  if (body.kind !== 'send') return undefined
  const text = body.file?.caption ?? body.text
  return { at: body.replaces ?? body.row ?? item.id, text: `[${time} UTC] Flotilla:\n${text}` }
}
