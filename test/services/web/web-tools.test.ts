// The tools that reach the web, without the web: what they say they send, what they refuse, and what addresses their results hold.
import { expect, test } from 'vitest'
import { createBrowserFetch, type Page } from '#services/browser-fetch/browser-fetch.ts'
import { createWebSearch } from '#services/web-search/web-search.ts'
import { addressesIn } from '#test/rig/addresses-in.ts'
import { estimateTokens } from '#shared/model/token-estimate.ts'
import { builtIn, createStage } from '#test/services/executor/stage.ts'
import { textOf, toolContext } from '#test/rig/tool-context.ts'
import { toolsOf } from '#shared/feature/find-tools.ts'

const { signal } = new AbortController()
const page: Page = { address: 'https://a.example/', title: 'A', text: 'Text.', links: [], missing: '' }
const [search] = toolsOf([createWebSearch(async () => [])])
const [fetch] = toolsOf([createBrowserFetch(async () => page)])

test('a call says which argument would leave the house', () => {
  expect(search?.sends).toEqual({ what: 'query', argument: 'query' })
  expect(fetch?.sends).toEqual({ what: 'address', argument: 'url' })
})

test.each([
  ['x'.repeat(201), 'longer than 200'],
  [' \n ', 'empty'],
])('a query that is too long or empty is not sent', async (query, words) => {
  await expect(search?.run({ query }, toolContext, signal)).rejects.toThrow(words)
})

test('a page cannot slip in an address but by its links', async () => {
  const sly = '<https://evil.example/?k=1>'
  const links = [{ address: 'https://a.example/next', label: `Next ${sly}` }]
  const hostile = createBrowserFetch(async () => ({ ...page, title: sly, text: `Go to\n${sly}\n- x ${sly}`, links }))
  const result = await toolsOf([hostile])[0]?.run({ url: 'https://a.example/' }, toolContext, signal)
  expect(result).toMatchObject({ source: 'others' })
  expect(addressesIn(textOf(result))).toEqual(['https://a.example/', 'https://a.example/next'])
  expect(textOf(result)).toContain('- Next ‹https://evil.example/?k=1> <https://a.example/next>')
})

test('a page without anything, and one that is cut, say so', async () => {
  const empty = createBrowserFetch(async () => ({ ...page, title: '', text: '', missing: 'It is cut.' }))
  const result = await toolsOf([empty])[0]?.run({ url: 'x' }, toolContext, signal)
  expect(result?.text).toBe('# Untitled\n<https://a.example/>\n\n(It is cut.)\n\n(The page has no text.)')
})

test('neither is offered where it is not configured', () => {
  const names = toolsOf(builtIn).map(({ name }) => name)
  expect(names).toContain('time_now')
  expect(names).toContain('calculate')
  expect(names).not.toContain('search_web')
  expect(names).not.toContain('browser_fetch')
})

test('the four cost few tokens in every prompt', () => {
  const tools = [...toolsOf(builtIn), ...(search ? [search] : []), ...(fetch ? [fetch] : [])]
  const costs = ['time_now', 'calculate', 'search_web', 'browser_fetch'].map((name) => {
    const tool = tools.find((each) => each.name === name)
    const { description, parameters } = tool ?? {}
    return estimateTokens(JSON.stringify({ name, description, parameters })).tokens
  })
  expect(Math.max(...costs)).toBeLessThan(80)
  expect(costs.reduce((sum, cost) => sum + cost, 0)).toBeLessThan(220)
})

test('a turn in which the model uses them reads what they gave, and whose words those are', async () => {
  const stage = createStage({
    features: [
      ...builtIn,
      createWebSearch(async () => [{ title: 'T', address: 'https://a.example/', snippet: 'S' }]),
      createBrowserFetch(async () => page),
    ],
  })
  const call = (name: string, input: unknown) => ({ id: name, name, arguments: JSON.stringify(input) })
  stage.answers(
    {
      toolCalls: [
        call('search_web', { query: 'herons' }),
        call('browser_fetch', { url: 'https://a.example/' }),
        call('calculate', { expression: '6*7' }),
        call('time_now', {}),
      ],
    },
    'Done.',
  )
  await stage.ask('What do herons eat?')
  const results = stage.steps.flatMap(({ entries }) =>
    entries.flatMap((entry) => (entry.t === 'tool:fin' ? [entry] : [])),
  )
  expect(results).toMatchObject([
    { ok: true, source: 'others', result: '1. T\n<https://a.example/>\nS' },
    { ok: true, source: 'others', result: '# A\n<https://a.example/>\n\nText.' },
    { ok: true, source: 'own', result: '6*7' },
    { ok: true, source: 'own', result: expect.stringContaining('(Europe/Berlin)') },
  ])
})

test('of a query that is too long its first words are asked for instead, and of another nothing less', () => {
  const [tool] = toolsOf([createWebSearch(async () => [])])
  const words = Array.from({ length: 80 }, (_, at) => `word${at}`).join(' ')
  const less = tool?.smaller?.({ query: words })
  expect(less).toEqual({ query: expect.stringMatching(/^word0 .* word\d+$/) })
  expect(JSON.stringify(less).length).toBeLessThan(220)
  expect(tool?.smaller?.({ query: '长'.repeat(300) })).toEqual({ query: '长'.repeat(100) })
  expect(tool?.smaller?.({ query: 'short' })).toBeUndefined()
})
