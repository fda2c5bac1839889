// The tool http_request in whole turns, over a real service on loopback: what it may do, what becomes of it in a crash, and that no secret shows.
import { expect, onTestFinished, test } from 'vitest'
import { parseHost } from '#infra/web/request/hosts.ts'
import { openHttpPort, type HttpDeps } from '#infra/web/request/send-request.ts'
import { createHttpRequest } from '#services/http-request/http-request.ts'
import type { OnCrash, Tool } from '#shared/model/tool.ts'
import { toCommand } from '#test/rig/events.ts'
import { textOf, toolContext } from '#test/rig/tool-context.ts'
import { startServiceSimulator, type ServiceSimulator } from '#test/simulators/services/simulator.ts'
import { answer, builtIn, createStage, type Answer, type Stage } from '#test/services/executor/stage.ts'
import { toolsOf } from '#shared/feature/find-tools.ts'

const secret = 'Bearer CANARY-0123456789'

async function openService(more: Parameters<typeof startServiceSimulator>[0] = {}): Promise<ServiceSimulator> {
  const service = await startServiceSimulator(more)
  onTestFinished(() => service.close())
  return service
}
function toTool(service: ServiceSimulator, mark = '+key', deps: HttpDeps = {}): Tool {
  const hosts = [parseHost(`127.0.0.1:${service.port}${mark}`) ?? expect.fail()]
  const secrets = { [`127.0.0.1:${service.port}`]: { authorization: secret } }
  const [tool] = toolsOf([createHttpRequest(openHttpPort({ hosts, secrets }, deps))])
  return tool ?? expect.fail()
}
const openStage = (tool: Tool, more: Parameters<typeof createStage>[0] = {}): Stage =>
  createStage({ features: [...builtIn, { name: 'http-request', tools: [tool] }], ...more })
const call = (input: object, id = 'c') => ({ id, name: 'http_request', arguments: JSON.stringify(input) })
const results = ({ requests }: Stage): readonly string[] =>
  (requests.at(-1)?.messages ?? []).flatMap((message) => (message.role === 'tool' ? [message.content] : []))

/** One entry made, one changed, one taken away. */
function answering(stage: Stage, { origin }: ServiceSimulator): void {
  const respond: Answer = (asked) => {
    stage.answers(respond)
    const said = asked.request.messages.findLast(({ role }) => role !== 'system')?.content ?? ''
    const [, method, path] = /^(POST|PATCH|PUT|DELETE) (\S+)/.exec(said) ?? []
    const made = { method, url: `${origin}${path}`, ...(method === 'DELETE' ? {} : { body: { word: 'tea' } }) }
    return answer(
      asked,
      method ? { toolCalls: [call(made)] } : { text: said.includes('HTTP 2') ? 'Done.' : 'It failed.' },
    )
  }
  stage.answers(respond)
}
async function talk(stage: Stage, work: () => Promise<void> = stage.work): Promise<readonly string[]> {
  for (const said of ['POST /orders', 'PATCH /orders', 'PUT /orders/1']) {
    await stage.say(said)
    await work()
    // What the service said is the word of others: nothing more is changed in a session that has read it.
    await stage.say('/new', { as: toCommand('new') })
    await work()
  }
  return (await stage.sent()).map(({ text }) => text).filter((text) => /Done|fail/.test(text))
}

test('a worker lost at any step leaves the same end, and each effect once', async () => {
  const whole = await openService()
  const first = openStage(toTool(whole))
  answering(first, whole)
  let appends = 0
  const { append } = first.kernel
  Object.assign(first.kernel, { append: (...all: Parameters<typeof append>) => ((appends += 1), append(...all)) })
  const wanted = await talk(first)
  expect(wanted).toEqual(['Done.', 'Done.', 'Done.'])
  expect(appends).toBeGreaterThan(9)
  for (let n = 1; n <= appends; n++)
    for (const side of ['before', 'after'] as const) {
      const service = await openService()
      const stage = openStage(toTool(service))
      answering(stage, service)
      stage.loseAt(n, side)
      const found = await talk(stage, async () => {
        await stage.work()
        await stage.work()
      })
      expect(found, `lost ${side} append ${n} of ${appends}`).toEqual(wanted)
      expect(
        service.effects.map(({ method }) => method),
        `lost ${side} append ${n}`,
      ).toEqual(['POST', 'PATCH', 'PUT'])
    }
})

test('a service that ignores keys is not sent a POST again after a crash, and the model reads that nobody knows', async () => {
  const service = await openService({ ignoresKeys: true })
  const stage = openStage(toTool(service, ''))
  stage.answers({ toolCalls: [call({ method: 'POST', url: `${service.origin}/orders`, body: 'x' })] }, 'I do not know.')
  // The fourth append is the call's result: it is lost after the service has heard of it.
  stage.loseAt(4, 'before')
  await stage.say('Order')
  await stage.work()
  expect(service.effects).toHaveLength(1)
  await stage.work()
  expect(service.effects).toHaveLength(1)
  expect(results(stage).at(-1)).toContain('Whether it took effect is unknown; it was not repeated.')
})

test.each<[string, string, OnCrash]>([
  ['GET', '', 'rerun-with-key'],
  ['PUT', '', 'rerun-with-key'],
  ['DELETE', '', 'rerun-with-key'],
  ['POST', '', 'ask'],
  ['PATCH', '', 'ask'],
  ['POST', '+key', 'rerun-with-key'],
  ['PATCH', '+key', 'rerun-with-key'],
])('what becomes of a %s at a host marked "%s" after a crash: %s', async (method, mark, rule) => {
  const service = await openService()
  const { onCrash } = toTool(service, mark)
  expect(typeof onCrash === 'function' && onCrash({ method, url: `${service.origin}/a` })).toBe(rule)
})

test.each<[string, object]>([
  ['in the address', { url: 'https://a.example/x?a=1&_method=delete' }],
  ['in the address, disguised', { url: 'https://a.example/x?%5Fmethod=%44ELETE' }],
  ['in a body of fields', { body: '_method=DELETE&id=7' }],
  ['in a body', { body: { _method: 'DELETE' } }],
  ['in a body of JSON as text', { body: '{"x-http-method-override":"delete"}' }],
])('a POST that says it deletes, %s, cannot be taken back', async (_, more) => {
  const { destructive } = toTool(await openService())
  expect(destructive?.({ method: 'POST', url: 'https://a.example/x', ...more })).toBe(true)
})

test('a POST that speaks of deleting is none that does', async () => {
  const { destructive } = toTool(await openService())
  for (const body of ['Please delete it', { method: 'by post', text: '_method=DELETE' }, ['delete']])
    expect(destructive?.({ method: 'POST', url: 'https://a.example/delete?q=DELETE', body })).toBe(false)
})

test('only a DELETE cannot be taken back, and a call that cannot be read is none', async () => {
  const { destructive } = toTool(await openService())
  expect(destructive?.({ method: 'DELETE', url: 'https://a.example/' })).toBe(true)
  expect(destructive?.({ method: 'PUT', url: 'https://a.example/' })).toBe(false)
  for (const odd of [undefined, null, 'DELETE', { method: 'delete', url: 'https://a.example/' }])
    expect(destructive?.(odd)).toBe(false)
})

test('no secret gets into a prompt, a step, a record or a message, though the service repeats it', async () => {
  const service = await openService()
  const stage = openStage(toTool(service))
  service.fail({
    kind: 'answer',
    answer: ({ req, res }) => {
      const { authorization = '' } = req.headers
      const [, token = ''] = authorization.split(' ')
      const packed = [
        authorization,
        token,
        encodeURIComponent(authorization),
        Buffer.from(token).toString('base64'),
        token.toLowerCase(),
      ]
      res.writeHead(200, { 'content-type': 'text/plain', etag: `"${token}"` })
      res.end(packed.join('\n'))
    },
  })
  stage.answers({ toolCalls: [call({ method: 'GET', url: `${service.origin}/me` })] }, 'Seen.')
  await stage.ask('Who am I there?')
  expect(service.requests[0]?.headers.authorization).toBe(secret)
  const all = JSON.stringify([stage.requests, stage.steps, await stage.sent(), await stage.state()])
  expect(all).toContain('[hidden]')
  expect(all.toLowerCase()).not.toContain('canary')
  expect(all).not.toContain(Buffer.from('CANARY-0123456789').toString('base64').replaceAll('=', ''))
})

test('in a turn that has read others it waits for a person', async () => {
  const service = await openService()
  const stage = openStage(toTool(service))
  stage.answers(
    { toolCalls: [call({ method: 'PUT', url: `${service.origin}/a`, body: 'one' })] },
    'Done.',
    { toolCalls: [call({ method: 'GET', url: `${service.origin}/a` })] },
    { toolCalls: [call({ method: 'PUT', url: `${service.origin}/a`, body: 'two' }, 'd')] },
    'Not done.',
  )
  await stage.ask('Put one there')
  expect(service.effects).toHaveLength(1)
  await stage.ask('Look what is there, and put two')
  expect(service.effects).toHaveLength(1)
})

const run = async (tool: Tool, input: object): Promise<string> =>
  textOf(await tool.run(input, toolContext, new AbortController().signal))

test('what does not fit is told as a mistake, and nothing is sent', async () => {
  const service = await openService()
  const tool = toTool(service)
  const url = `${service.origin}/a`
  for (const odd of [
    { method: 'TRACE', url },
    { method: 'GET', url, body: 'x' },
    { method: 'POST', url, headers: { authorization: 'mine' } },
    { method: 'POST', url, headers: { 'x-http-method-override': 'DELETE' } },
    { method: 'POST', url, headers: { accept: 'a/b\r\nx: y' } },
    { method: 'POST', url, body: 'x'.repeat(64 * 1024 + 1) },
    { method: 'POST', url, body: '字'.repeat(30_000) },
  ])
    await expect(run(tool, odd), JSON.stringify(odd).slice(0, 80)).rejects.toThrow()
  expect(service.requests).toEqual([])
})

test('an answer comes as a status, few headers and a text; a refusal is a failure with the same', async () => {
  const service = await openService()
  const tool = toTool(service)
  const url = `${service.origin}/a`
  expect(await run(tool, { method: 'POST', url, body: { a: 1 } })).toBe(
    'HTTP 201\ncontent-type: application/json\n\n{"done":1}',
  )
  expect(service.effects[0]).toMatchObject({ body: { a: 1 }, key: expect.stringMatching(/^[\w-]{43}$/) })
  expect(service.requests[0]?.headers).toMatchObject({ 'content-type': 'application/json' })
  await expect(run(tool, { method: 'GET', url: `${url}/none` })).rejects.toThrow(/^HTTP 404\n[^]*nothing here/)
})
