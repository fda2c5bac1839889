// A second Feishu to test against, which shares nothing with the first: built from the vendor's pages and from what others saw on live tenants. What one
// of the two does not notice the other may. It serves the interface, the long connections, `/__control`, `/__ledger` and `/__chat`.
import { listen, parseJson, readBody, sendJson, type Exchange } from '#test/simulators/http-server.ts'
import { answerApi, type Entry } from './api.ts'
import { isObject } from './cards.ts'
import { createFaults } from './faults.ts'
import { createLine, type LineSettings } from './line.ts'
import { buttonsOf, command, obey } from './people.ts'
import { createState, type State } from './state.ts'

export type SecondFeishu = {
  readonly apiRoot: string
  readonly appId: string
  readonly appSecret: string
  readonly bot: State['bot']
  close(): Promise<void>
}

export async function startSecondFeishu(settings: LineSettings & { readonly port: number }): Promise<SecondFeishu> {
  const state = createState()
  const line = createLine(settings)
  const faults = createFaults()
  const entries: Entry[] = []
  let origin = ''

  async function connect({ req, res }: Exchange): Promise<void> {
    const given = parseJson(await readBody(req))
    const isApp = isObject(given) && given['AppID'] === state.appId && given['AppSecret'] === state.appSecret
    entries.push({ ...free, n: entries.length + 1, at: Date.now() })
    if (!isApp) return sendJson(res, 200, { code: 514, msg: 'auth failed' })
    if (line.connected().length >= mostConnections)
      return sendJson(res, 200, { code: 1_000_040_350, msg: 'connections of this app exceed the limit' })
    const URL = `${origin.replace('http', 'ws')}/ws?device_id=1&service_id=33554678`
    const ClientConfig = {
      ReconnectCount: -1,
      ReconnectInterval: 1,
      ReconnectNonce: 0,
      PingInterval: settings.pingSeconds,
    }
    sendJson(res, 200, { code: 0, msg: '', data: { URL, ClientConfig } })
  }

  async function control({ req, res }: Exchange): Promise<void> {
    const given = command.safeParse(parseJson(await readBody(req)))
    if (!given.success) return sendJson(res, 400, { ok: false, error: given.error.message })
    sendJson(res, 200, { ok: true, result: obey({ state, line, faults }, given.data) })
  }

  const server = await listen(
    async (exchange) => {
      const { res, url } = exchange
      if (await answerApi(exchange, { state, faults, entries })) return
      if (url.pathname === '/callback/ws/endpoint') return await connect(exchange)
      if (url.pathname === '/__control') return await control(exchange)
      if (url.pathname === '/__chat')
        return sendJson(res, 200, { result: { visible: toVisible(state, url.searchParams.get('chat') ?? '') } })
      if (url.pathname !== '/__ledger') return sendJson(res, 404, { code: 404, msg: '404 page not found' })
      const after = Number(url.searchParams.get('after') ?? 0)
      sendJson(res, 200, {
        entries: entries.filter(({ n }) => n > after),
        deliveries: line.deliveries,
        connections: line.happened,
        connected: line.connected(),
        pending: line.pending(),
      })
    },
    settings.port,
    (request, stream) => line.upgrade(request, stream),
  )
  origin = server.origin
  return {
    apiRoot: server.origin,
    appId: state.appId,
    appSecret: state.appSecret,
    bot: state.bot,
    async close() {
      line.drop(false)
      await server.close()
    },
  }
}

/** Of one app. */
const mostConnections = 50

const free = {
  route: 'getConnectUrl',
  call: 'POST /callback/ws/endpoint',
  query: {},
  body: undefined,
  outcome: 'ok',
  accepted: true,
  isDuringWait: false,
} as const

/** What people see in a chat. */
function toVisible({ messages }: State, chat: string): readonly object[] {
  return [...messages.values()]
    .filter((message) => message.chat.id === chat && !message.isGone)
    .map((message) => ({
      id: message.id,
      from: message.sender?.openId ?? 'bot',
      text: message.texts.at(-1) ?? '',
      texts: message.texts,
      buttons: buttonsOf(message),
      reactions: [...message.reactions.values()],
    }))
}
