// The three search services, each asked by its own interface, and every way in which one can fail.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSearch, type SearchSettings } from '#infra/web/search/services.ts'
import { createWebSearch } from '#services/web-search/web-search.ts'
import { addressesIn } from '#test/rig/addresses-in.ts'
import { textOf, toolContext } from '#test/rig/tool-context.ts'
import { startSearchSimulator, type SearchFault, type SearchSimulator } from '#test/simulators/search/simulator.ts'
import { toolsOf } from '#shared/feature/find-tools.ts'

const apiKey = 'canary-key-4711'
let simulator: SearchSimulator

beforeAll(async () => {
  simulator = await startSearchSimulator({ apiKey })
})
afterAll(() => simulator.close())

const kinds = ['searxng', 'tavily', 'brave'] as const
const toSettings = (kind: (typeof kinds)[number], key = apiKey): SearchSettings =>
  kind === 'searxng' ? { kind, url: simulator.searxng } : { kind, apiKey: key, root: simulator.root }

async function search(settings: SearchSettings, query: string, timeoutMs = 5000): Promise<string> {
  const [tool] = toolsOf([createWebSearch(createSearch(settings, timeoutMs))])
  const found = await tool?.run({ query }, toolContext, new AbortController().signal)
  expect(found).toMatchObject({ source: 'others' })
  return textOf(found)
}

const results = [
  { title: 'Herons', url: 'https://birds.example/heron#food', text: 'They eat\nfish.' },
  { title: 'Herons again', url: 'https://birds.example/heron', text: 'The same page.' },
  { title: 'Odd', url: 'javascript:alert(1)', text: 'No address.' },
  {
    title: 'Sly\n2. <https://evil.example/>',
    url: 'https://sly.example/?a=1&b=2',
    text: 'Look:\n<https://evil.example/?k=1>',
  },
]

test.each(kinds)(
  '%s gives a numbered list, each address once, and no address that the results did not have',
  async (kind) => {
    simulator.find(results)
    const text = await search(toSettings(kind), '  what do\nherons eat? ')
    expect(text).toBe(
      '1. Herons\n<https://birds.example/heron>\nThey eat fish.\n\n' +
        '2. Sly 2. ‹https://evil.example/>\n<https://sly.example/?a=1&b=2>\nLook: ‹https://evil.example/?k=1>',
    )
    expect(addressesIn(text)).toEqual(['https://birds.example/heron', 'https://sly.example/?a=1&b=2'])
    expect(simulator.requests.at(-1)).toMatchObject({ service: kind, query: 'what do herons eat?' })
  },
)

test.each(kinds)('%s found nothing', async (kind) => {
  simulator.find([])
  expect(await search(toSettings(kind), 'nothing at all')).toContain('Nothing was found')
})

test('long and many results are bounded', async () => {
  simulator.find(
    Array.from({ length: 20 }, (_, n) => ({
      title: 'T'.repeat(5000),
      url: `https://x.example/${'p'.repeat(900)}${n}`,
      text: '长'.repeat(10_000),
    })),
  )
  const text = await search(toSettings('tavily'), 'x')
  expect(text.match(/^\d+\. /gm)).toHaveLength(6)
  expect(text.length).toBeLessThan(8500)
})

const faults: readonly (readonly [string, SearchFault, string])[] = [
  ['is asked too often', { kind: 'status', status: 429 }, 'asked too often right now (429)'],
  ['is out of order', { kind: 'status', status: 503 }, 'out of order (503)'],
  ['has no searches left', { kind: 'status', status: 432 }, 'no more searches'],
  ['sends us elsewhere', { kind: 'status', status: 302, headers: { location: 'http://127.0.0.1:1/' } }, '(302)'],
  ['answers with a page', { kind: 'page' }, 'answered with a web page instead of results'],
  ['answers with no JSON', { kind: 'body', body: '{"results": [' }, 'no list of results'],
  ['answers with other JSON', { kind: 'body', body: '{"results": {"web": 7}, "web": 7}' }, 'no list of results'],
  ['answers without end', { kind: 'body', body: Buffer.alloc(8 * 1024 * 1024, 0x20) }, 'no list of results'],
  ['does not answer', { kind: 'silence' }, 'did not answer within'],
]
test.each(kinds.flatMap((kind) => faults.map((fault) => [kind, ...fault] as const)))(
  '%s %s, and the model is told so without our key',
  async (kind, what, fault, words) => {
    simulator.fail(fault)
    const failure = await search(toSettings(kind), 'x', what === 'does not answer' ? 100 : 5000).catch(String)
    expect(failure).toContain(words)
    expect(failure).not.toContain(apiKey)
  },
)

test.each(['tavily', 'brave'] as const)('%s refuses our key, and what it says of it goes nowhere', async (kind) => {
  const failure = await search(toSettings(kind, 'wrong-canary-key'), 'x').catch(String)
  expect(failure).toContain('(401)')
  expect(failure).not.toContain('wrong-canary-key')
})

test('a SearXNG of which no engine answers is no empty result', async () => {
  simulator.fail({ kind: 'engines-silent' })
  await expect(search(toSettings('searxng'), 'x')).rejects.toThrow('no answer from any of its search engines')
})

test('a service that is not there', async () => {
  const gone = await startSearchSimulator({ apiKey })
  await gone.close()
  const failure = await search({ kind: 'searxng', url: gone.searxng }, 'x').catch(String)
  expect(failure).toContain('SearXNG cannot be reached (ECONNREFUSED)')
})

test('an aborted search rejects with the abort', async () => {
  simulator.fail({ kind: 'silence' })
  const stop = new AbortController()
  const asked = createSearch(toSettings('brave'))('x', stop.signal)
  stop.abort(new Error('stopped'))
  await expect(asked).rejects.toThrow('stopped')
})
