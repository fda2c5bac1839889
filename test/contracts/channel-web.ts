// The owner's conversation on the web: HTTP requests and the event stream, as the page makes them.
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ApiMessage } from '#adapters/web/api-message.ts'
import { createWebChannel, type WebChannel } from '#adapters/web/web-channel.ts'
import { openStream, type EventReader } from '#test/adapters/web/event-reader.ts'
import { until, type Fleet, type Platform, type Shown, type Told } from './channel-world.ts'

export async function openWeb(fleet: Fleet): Promise<Platform> {
  const folder = await mkdtemp(path.join(tmpdir(), 'flotilla-web-'))
  const tokenFile = path.join(folder, 'web-token')
  let port = 0
  const open = async (): Promise<WebChannel> => {
    const { kernel, live, redis } = fleet
    const channel = await createWebChannel({ tokenFile, closeGraceMs: 200 }, { kernel, live, redis })
    port = await channel.listen(port)
    return channel
  }
  const adapter = await open()
  const token = (await readFile(tokenFile, 'utf8')).trim()
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const route = (what: string): string => `http://127.0.0.1:${port}/api/conversations/room/${what}`
  const post = (what: string, body: object, more: Record<string, string> = {}): Promise<Response> =>
    fetch(route(what), { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) })
  const messages = async (): Promise<readonly ApiMessage[]> => {
    const answer = (await (await fetch(route('messages'), { headers })).json()) as { messages: ApiMessage[] }
    return answer.messages
  }
  let last = { key: '', text: '' }
  /** As the page does: the same key until it is taken. */
  const send = (): Promise<string> =>
    until('the message to be taken', async () => {
      const answer = await post('messages', { text: last.text }, { 'Idempotency-Key': last.key }).catch(() => undefined)
      if (answer?.status !== 202) return undefined
      return ((await answer.json()) as { eventId: string }).eventId
    })
  const press = async (buttonId: string): Promise<Told> => {
    const answer = await post('presses', { buttonId })
    if (answer.status === 400) return 'unknown'
    return ((await answer.json()) as { outcome: Told }).outcome
  }
  let reader: EventReader | undefined
  return {
    adapter,
    another: open,
    conversation: 'web:room',
    person: 'web:owner',
    async says(text) {
      last = { key: randomUUID(), text }
      return await send()
    },
    repeats: async () => void (await send()),
    async presses(label) {
      const buttons = (await messages()).flatMap((one) => one.buttons?.flat() ?? [])
      return await press(buttons.findLast((button) => button.label === label)?.id ?? '')
    },
    forges: press,
    async shown() {
      const all = await messages()
      const [sent] = all.filter((one) => one.file !== undefined)
      const files = sent ? { [sent.row ?? '']: await fetchFile(route(`messages/${sent.id}/file`), headers) } : {}
      return toShown(all, files)
    },
    async growing() {
      reader ??= await openStream(route('stream'), headers)
      const { data } = await reader.next('draft')
      return String(data.text)
    },
    async [Symbol.asyncDispose]() {
      reader?.cut()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function fetchFile(address: string, headers: Record<string, string>): Promise<NonNullable<Shown['file']>> {
  const answer = await fetch(address, { headers })
  const name = /^attachment; filename="([^"]+)"$/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? ''
  return { name, text: await answer.text() }
}

/** As the page shows it: a message that replaces another stands in its place. */
function toShown(messages: readonly ApiMessage[], files: Readonly<Record<string, Shown['file']>>): Shown[] {
  const shown: { row: string | undefined; text: string; buttons: string[] }[] = []
  for (const { role, text, buttons = [], row, replaces } of messages) {
    if (role === 'user') continue
    const labels = buttons.flat().map((button) => button.label)
    const replaced = shown.find((one) => replaces !== undefined && one.row === replaces)
    if (role === 'change') replaced?.buttons.splice(0)
    else if (replaced) Object.assign(replaced, { row, text, buttons: labels })
    else shown.push({ row, text, buttons: labels })
  }
  return shown.map(({ row = '', text, buttons }) => {
    const file = files[row]
    return { text, buttons, pings: [], previews: false, ...(file ? { file } : {}) }
  })
}
