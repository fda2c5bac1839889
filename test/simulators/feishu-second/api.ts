// The interface over HTTP: who calls, what of it is noted, what goes wrong with it. What a call does stands in `routes.ts`.
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseJson, readBody, sendJson, type Exchange } from '#test/simulators/http-server.ts'
import { isObject, Refusal } from './cards.ts'
import type { Faults, Rule } from './faults.ts'
import { routes, type Done } from './routes.ts'
import type { State } from './state.ts'

export type Entry = {
  readonly n: number
  readonly at: number
  readonly route: string
  readonly call: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  outcome: 'open' | 'ok' | 'refused' | 'lost' | 'dropped'
  accepted: boolean
  readonly isDuringWait: boolean
  code?: number
  chat?: string
  message?: string
  text?: string
}

export type ApiDeps = { readonly state: State; readonly faults: Faults; readonly entries: Entry[] }

/** Free of the month's calls, and without a token or with one that nobody looks at. */
const plumbing = new Set(['getTenantToken', 'getConnectUrl', 'getBot'])
const root = '/open-apis/'

/** When the chat or the route that was told to wait may be called again. */
const closedUntil = new Map<string, number>()

/** False where the call is none of the interface's. */
export async function answerApi({ req, res, url }: Exchange, deps: ApiDeps): Promise<boolean> {
  if (!url.pathname.startsWith(root)) return false
  const parts = url.pathname.slice(root.length).split('/')
  const method = req.method ?? 'GET'
  const found = Object.entries(routes).find(([pattern]) => fits(pattern, method, parts))
  const [name, route] = found?.[1] ?? ['unknown', undefined]
  const bytes = await readBody(req)
  const body = parseJson(bytes) ?? toForm(bytes.toString('latin1'))
  const query = Object.fromEntries(url.searchParams)
  const { state, faults, entries } = deps
  const chat = toChat(state, parts, body)
  const entry: Entry = {
    n: entries.length + 1,
    at: Date.now(),
    route: name,
    call: `${method} /${parts.join('/')}`,
    query,
    body,
    outcome: 'open',
    accepted: false,
    isDuringWait: (closedUntil.get(`${name} ${chat}`) ?? 0) > Date.now(),
    ...(chat === undefined ? {} : { chat }),
  }
  entries.push(entry)
  const trouble = faults.take(name, chat)
  const run = (): Done => {
    if (!route) throw new Refusal(404, '404 page not found', 404)
    check(state, name, req.headers.authorization ?? '')
    return route(state, { parts, query, body })
  }
  try {
    if (trouble?.gate?.at === 'before') await faults.pass(trouble.gate.name)
    if (trouble?.delayMs !== undefined) await sleep(trouble.delayMs)
    if (spoil(trouble, { res, entry, run })) return true
    const done = run()
    note(entry, done)
    if (trouble?.gate?.at === 'after') await faults.pass(trouble.gate.name)
    entry.outcome = 'ok'
    entry.code = 0
    sendJson(res, 200, toBody(done))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    entry.outcome = 'refused'
    entry.code = error.code
    const resetS = Number(error.headers['x-ogw-ratelimit-reset'])
    if (resetS > 0) closedUntil.set(`${name} ${chat}`, Date.now() + resetS * 1000)
    sendJson(res, error.status, { code: error.code, msg: error.message }, error.headers)
  }
  return true
}

/** Of a form with a file its fields of text. */
function toForm(text: string): unknown {
  const fields = [...text.matchAll(/ name="([a-z_]{1,40})"\r\n\r\n([^\r\n]{0,200})\r\n/g)]
  return fields.length === 0 ? undefined : Object.fromEntries(fields.map(([, name, value]) => [name, value]))
}

function fits(pattern: string, method: string, parts: readonly string[]): boolean {
  const [verb, path = ''] = pattern.split(' ')
  const wanted = path.split('/')
  return verb === method && wanted.length === parts.length && wanted.every((one, i) => one === '*' || one === parts[i])
}

function toChat({ messages, chats, people }: State, parts: readonly string[], body: unknown): string | undefined {
  const given = isObject(body) ? body['receive_id'] : undefined
  const to = typeof given === 'string' ? given : ''
  const person = [...people.values()].find(({ openId }) => openId === to)
  return messages.get(parts[3] ?? '')?.chat.id ?? person?.p2p ?? (chats.has(to) ? to : undefined)
}

function check(state: State, name: string, authorization: string): void {
  if (name === 'getTenantToken') return
  if (!state.isEnabled) throw new Refusal(99_991_662, 'The app is not in use.')
  if (!state.tokens.has(authorization.replace(/^Bearer /, '')))
    throw new Refusal(99_991_663, 'Invalid access token for authorization.')
  if (plumbing.has(name) || state.quota === undefined) return
  if (state.quota <= 0) throw new Refusal(99_991_403, "This month's API call quota has been exceeded.", 429)
  state.quota -= 1
}

function note(entry: Entry, { message }: Done): void {
  entry.accepted = true
  if (!message) return
  entry.chat = message.chat.id
  entry.message = message.id
  entry.text = message.texts.at(-1) ?? ''
}

const toBody = ({ data, top }: Done): object => ({
  code: 0,
  msg: 'success',
  ...(data === undefined ? {} : { data }),
  ...top,
})

type Spoiled = { readonly res: ServerResponse; readonly entry: Entry; run(): Done }

/** Whether the rule has said how the call ends. Throws the refusal that it wants. */
function spoil(trouble: Rule | undefined, { res, entry, run }: Spoiled): boolean {
  const fault = trouble?.fault
  if (!fault) return false
  switch (fault.kind) {
    case 'rate-limit':
      throw new Refusal(99_991_400, 'request trigger frequency limit', 429, {
        'x-ogw-ratelimit-reset': String(fault.resetS),
      })
    case 'chat-limit':
      throw new Refusal(230_020, 'This operation triggers the frequency limit.')
    case 'error':
      throw new Refusal(fault.code, fault.message)
    case 'bad-gateway':
    case 'no-answer':
    case 'reset':
      if (fault.accepted) note(entry, run())
      entry.outcome = fault.accepted ? 'lost' : 'dropped'
      if (fault.kind === 'reset') res.destroy()
      if (fault.kind === 'bad-gateway') res.writeHead(502, { 'content-type': 'text/html' }).end('<html>502</html>')
      return true
    case 'half': {
      const done = run()
      note(entry, done)
      entry.outcome = 'lost'
      const body = JSON.stringify(toBody(done))
      res.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(body.slice(0, body.length / 2))
      return true
    }
    default:
      return fault satisfies never
  }
}
