// An item of what a conversation shows, read from how it is stored.
import { isNewer } from '#shared/errors.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import { integer, text } from '#queues/reply.ts'
import { parseBody, parseEvent } from '#queues/stored.ts'
import type { OutItem } from './shown.ts'

/** In the place of what only a newer release can show: who counts items misses none. */
const notShown: OutBody = {
  v: 1,
  kind: 'send',
  text: '这里的内容要等更新完成后才能显示。 / What stands here can be shown once the update is done.',
  answers: [],
  language: 'en',
}

export function toOutItem([id, stored]: readonly unknown[]): OutItem {
  const [, mark, at, json = ''] = /^([eb])(\d*)(?!\d)(.*)$/s.exec(text(stored)) ?? []
  const item = { id: text(id), at: integer(at) }
  try {
    return mark === 'e'
      ? { ...item, role: 'person', event: parseEvent(json) }
      : { ...item, role: 'bot', body: parseBody(json) }
  } catch (error) {
    if (!isNewer(error)) throw error
    return { ...item, role: 'bot', body: notShown }
  }
}
