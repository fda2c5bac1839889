// Tells a request that never reached Telegram from one that may have: errors before the connection stands get a code of their own,
// and connecting has a time limit, so that a hanging connect does not look like a lost answer. Nothing is written after a pause of the process: others
// may have sent meanwhile what comes behind it.
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
    // Node's own switch for HTTPS_PROXY; agents made by hand must be told.
    ...(process.env['NODE_USE_ENV_PROXY'] === '1' ? { proxyEnv: process.env } : {}),
  }
  const agent = secure ? new https.Agent(options) : new http.Agent(options)
  const open = agent.createConnection.bind(agent)
  const wasPaused = watchPauses()
  agent.createConnection = (wanted, callback) => {
    const socket = open(wanted, callback)
    if (socket instanceof Socket) {
      watch(socket, secure ? 'secureConnect' : 'connect', connectTimeoutMs)
      refuseAfterPause(socket, wasPaused)
    }
    return socket
  }
  return agent
}

function watch(socket: Socket, ready: 'connect' | 'secureConnect', connectTimeoutMs: number): void {
  const timer = setTimeout(
    () => socket.destroy(new Error(`no connection within ${connectTimeoutMs} ms`)),
    connectTimeoutMs,
  )
  const mark = (error: Error): void => {
    clearTimeout(timer)
    const code = 'code' in error && typeof error.code === 'string' ? error.code : error.message
    Object.assign(error, { code: `${notConnected}: ${code}` })
  }
  socket.once('error', mark)
  socket.once('close', () => clearTimeout(timer))
  socket.once(ready, () => {
    clearTimeout(timer)
    socket.off('error', mark)
  })
}

const tickMs = 250
/** Less than the time in which others take a silent process for gone. */
const pauseMs = 2000

/** Tells whether this process has just stood still for so long that its timers have yet to notice. */
function watchPauses(): () => boolean {
  let tickedAtMs = performance.now()
  setInterval(() => (tickedAtMs = performance.now()), tickMs).unref()
  return () => performance.now() - tickedAtMs > pauseMs
}

/** A request of which the last part was not written is none to Telegram. */
function refuseAfterPause(socket: Socket, wasPaused: () => boolean): void {
  const refuse = (): Error => Object.assign(new Error('paused'), { code: `${notConnected}: the process was paused` })
  const { _write: write, _writev: writeMany } = socket
  // The names that Node gives to what every write ends in: between a check before it and the write itself a process can be paused.
  Object.assign(socket, {
    _write: (...[chunk, encoding, done]: Parameters<Socket['_write']>) =>
      wasPaused() ? done(refuse()) : write.call(socket, chunk, encoding, done),
    _writev: (...[chunks, done]: Parameters<NonNullable<Socket['_writev']>>) =>
      wasPaused() ? done(refuse()) : writeMany?.call(socket, chunks, done),
  })
}
