// Tells a request that never reached Telegram from one that may have: errors before the connection stands get a code of their own,
// and connecting has a time limit, so that a hanging connect does not look like a lost answer.
import http from 'node:http'
import https from 'node:https'
import { Socket } from 'node:net'
import { neverSent } from '#adapters/calls/call-result.ts'

/** Begins the `code` of an error that happened before anything was sent. */
const notConnected = 'NOT_CONNECTED'
const idleTimeoutMs = 15_000

/** Whether an error with this code proves that nothing was sent. Connections that a proxy makes are not watched. */
export function isBeforeConnection(code: string): boolean {
  return code.startsWith(notConnected) || neverSent.test(code)
}

/** A keep-alive agent for this root whose connections are watched. */
export function createWatchedAgent(apiRoot: string, connectTimeoutMs: number): http.Agent {
  const secure = apiRoot.startsWith('https:')
  const options = {
    keepAlive: true,
    timeout: idleTimeoutMs,
    // Node's own switch for HTTPS_PROXY; agents made by hand must be told (Node 24.5 and later).
    ...(process.env['NODE_USE_ENV_PROXY'] === '1' ? { proxyEnv: process.env } : {}),
  }
  const agent = secure ? new https.Agent(options) : new http.Agent(options)
  const open = agent.createConnection.bind(agent)
  agent.createConnection = (wanted, callback) => {
    const socket = open(wanted, callback)
    if (socket instanceof Socket) watch(socket, secure ? 'secureConnect' : 'connect', connectTimeoutMs)
    return socket
  }
  return agent
}

function watch(socket: Socket, ready: 'connect' | 'secureConnect', connectTimeoutMs: number): void {
  const startedAtMs = performance.now()
  const giveUp = (): unknown => socket.destroy(new Error(`no connection within ${connectTimeoutMs} ms`))
  const timer = setTimeout(giveUp, connectTimeoutMs)
  const mark = (error: Error): void => {
    clearTimeout(timer)
    const code = 'code' in error && typeof error.code === 'string' ? error.code : error.message
    Object.assign(error, { code: `${notConnected}: ${code}` })
  }
  socket.once('error', mark)
  socket.once('close', () => clearTimeout(timer))
  socket.once(ready, () => {
    // After a pause of the process this comes before the timer, and what waits to be written goes next: by then others may have sent what follows it.
    if (performance.now() - startedAtMs > connectTimeoutMs) return giveUp()
    clearTimeout(timer)
    socket.off('error', mark)
  })
}
