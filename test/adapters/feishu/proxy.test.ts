// Facts about a network that lets nothing out but through a proxy: calls and the connection both go that way.
import http from 'node:http'
import net from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { openFeishuRig } from './feishu-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())
afterEach(() => vi.unstubAllEnvs())

/** Notes what comes through it. */
async function startProxy() {
  const through: string[] = []
  const proxy = http.createServer((request, response) => {
    through.push(`${request.method} ${new URL(request.url ?? '').pathname}`)
    const { method, headers } = request
    request.pipe(
      http.request(request.url ?? '', { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      }),
    )
  })
  proxy.on('upgrade', (request, socket) => {
    const url = new URL(request.url ?? '')
    through.push(`UPGRADE ${url.pathname}`)
    const onward = net.connect(Number(url.port), url.hostname, () => {
      const lines = request.rawHeaders.flatMap((name, i, all) => (i % 2 === 0 ? [`${name}: ${all[i + 1]}`] : []))
      onward.write(`GET ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      onward.pipe(socket)
      socket.pipe(onward)
    })
    socket.on('error', () => onward.destroy())
    onward.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const close = async (): Promise<void> => {
    proxy.closeAllConnections()
    await new Promise((resolve) => void proxy.close(resolve))
  }
  return { through, url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: close }
}

test('the connection goes through the proxy that the calls go through', async () => {
  await using proxy = await startProxy()
  for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy']) vi.stubEnv(name, proxy.url)
  await using rig = await openFeishuRig(server)
  const stop = await rig.start()
  const ada = rig.feishu.person('Ada')
  ada.say(ada.dm, 'hello')
  await rig.waitForEvents(rig.direct('Ada'), 1)
  expect(proxy.through).toEqual(expect.arrayContaining(['POST /callback/ws/endpoint', 'UPGRADE /ws/v2']))
  await stop()
})
