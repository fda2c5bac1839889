// The owner's conversation on the web: HTTP requests and the event stream, as the page makes them.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ApiMessage } from '#adapters/web/api-message.ts'
import { openStream, type EventReader } from '#test/adapters/web/event-reader.ts'
import { until } from '#test/rig/fleet.ts'
import { bot, type Chat, type Seen } from './chat.ts'

/** A message as it stands on the page: `first` is the id that it had before anything took its place, `row` its name for a reply to it. */
export type WebSeen = Seen & { readonly first: string; readonly row: string | undefined }

export type WebChat = Omit<Chat, 'seen'> & {
  seen(): Promise<readonly WebSeen[]>
  /** Ends the event stream. */
  close(): void
}

export type WebPlace = {
  readonly port: number
  readonly tokenFile: string
  /** Of the conversation. */
  readonly name: string
}

export function createWebChat({ port, tokenFile, name }: WebPlace): WebChat {
  const route = (what: string): string => `http://127.0.0.1:${port}/api/conversations/${name}/${what}`
  const headers = async (): Promise<Record<string, string>> => ({
    Authorization: `Bearer ${(await readFile(tokenFile, 'utf8')).trim()}`,
    'Content-Type': 'application/json',
  })
  const post = async (what: string, body: object, more: Record<string, string> = {}): Promise<Response> =>
    fetch(route(what), { method: 'POST', headers: { ...(await headers()), ...more }, body: JSON.stringify(body) })
  const get = async (what: string): Promise<Response> => fetch(route(what), { headers: await headers() })
  let last: { key: string; text: string; replyTo?: string | undefined } = { key: '', text: '' }
  /** As the page does: the same key until it is taken. */
  const send = (): Promise<string> =>
    until(async () => {
      const { key, ...message } = last
      const answer = await post('messages', message, { 'Idempotency-Key': key }).catch(() => undefined)
      return answer?.status === 202 && ((await answer.json()) as { eventId: string }).eventId
    })
  const press = async (buttonId: string): Promise<string> => {
    const answer = await post('presses', { buttonId })
    return answer.status === 400 ? 'unknown' : ((await answer.json()) as { outcome: string }).outcome
  }
  let reader: EventReader | undefined
  return {
    conversation: `web:${name}`,
    mention: '',
    async say(_, text, { replyTo } = {}) {
      last = { key: randomUUID(), text, replyTo }
      return await send()
    },
    repeat: async () => void (await send()),
    forge(_, __, data) {
      const pressed = press(data)
      return { notice: () => pressed }
    },
    async seen() {
      const { messages } = (await (await get('messages')).json()) as { messages: ApiMessage[] }
      const files = messages.map(async ({ id, row = '', file }) =>
        file === undefined ? [] : [[row, await readAttachment(await get(`messages/${id}/file`))] as const],
      )
      return toSeen(messages, new Map((await Promise.all(files)).flat()))
    },
    async growing() {
      reader ??= await openStream(route('stream'), await headers())
      const { data } = await reader.next('draft')
      return String(data.text)
    },
    close: () => reader?.cut(),
  }
}

async function readAttachment(answer: Response): Promise<Seen['files'][number]> {
  const name = /^attachment; filename="([^"]+)"$/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? ''
  return { name, text: await answer.text() }
}

/** As the page shows it: a message that replaces another stands in its place. */
export function toSeen(
  messages: readonly ApiMessage[],
  files: ReadonlyMap<string, Seen['files'][number]> = new Map(),
): WebSeen[] {
  const shown: WebSeen[] = []
  for (const { id, role, text, buttons = [], row, replaces } of messages) {
    const at = shown.findIndex((one) => replaces !== undefined && one.row === replaces)
    const [before] = at < 0 ? [] : shown.slice(at)
    if (role === 'change') {
      if (before) shown[at] = { ...before, buttons: [] }
      continue
    }
    const file = files.get(row ?? '')
    const one = {
      id,
      first: before?.first ?? id,
      row,
      by: role === 'user' ? 'the owner' : bot,
      text,
      texts: [...(before?.texts ?? []), text],
      buttons: buttons.map((line) => line.map((button) => ({ label: button.label, data: button.id }))),
      replyTo: undefined,
      files: file ? [file] : [],
      reaction: undefined,
      pings: [],
      previews: false,
    }
    if (before) shown[at] = one
    else shown.push(one)
  }
  return shown
}
