// Pages are read in threads: what one page does to its thread changes nothing for the process, and the next page is read.
import { expect, onTestFinished, test } from 'vitest'
import { openPageReader } from '#infra/web/open-page-reader.ts'
import { createBrowserFetch, type ReadPage } from '#services/browser-fetch/browser-fetch.ts'
import { addressesIn } from '#test/rig/addresses-in.ts'
import { openSite, page, type Handler } from '#test/rig/page-site.ts'
import { textOf, toolContext } from '#test/rig/tool-context.ts'
import { toolsOf } from '#shared/feature/find-tools.ts'

const { signal } = new AbortController()
const ownThread = new URL('../../../infra/processes/page-thread.ts', import.meta.url)
const dyingThread = new URL('dying-thread.ts', import.meta.url)

async function open(
  handler: Handler,
  script: URL,
  mostMs = 5000,
): Promise<{ readonly read: ReadPage; readonly ends: unknown[] }> {
  const { deps } = await openSite({ handler })
  const ends: unknown[] = []
  const reader = openPageReader({ deps, script, mostMs, onEnd: (error) => ends.push(error) })
  onTestFinished(() => reader.close())
  return { read: reader.read, ends }
}

test('the tool reads a page in a thread, and its links can be read back', async () => {
  const { read, ends } = await open(page('<title>T</title><p>Text with a <a href="/next">link</a>.'), ownThread)
  const result = await toolsOf([createBrowserFetch(read)])[0]?.run(
    { url: ' https://a.example.com/x#y ' },
    toolContext,
    signal,
  )
  expect(result).toEqual({
    text: '# T\n<https://a.example.com/x>\n\nText with a link.\n\nLinks:\n- link <https://a.example.com/next>',
    source: 'others',
  })
  expect(addressesIn(textOf(result))).toEqual(['https://a.example.com/x', 'https://a.example.com/next'])
  expect(ends).toEqual([])
})

test.each([
  ['ends', 'it cannot be read', 1000],
  ['hangs', 'longer than 0.4 s', 400],
  ['grows', 'too much memory', 20_000],
  ['throws', 'it cannot be read', 1000],
])('a page by which its thread %s fails alone', async (what, words, mostMs) => {
  const { read } = await open(page('x'), dyingThread, mostMs)
  const asked = ['one', what, 'two', 'three'].map((name) => read(`https://a.example.com/${name}`, signal))
  const ended = await Promise.allSettled(asked)
  expect(ended).toMatchObject([
    { value: { title: '/one' } },
    { reason: { message: expect.stringContaining(words) } },
    { value: { title: '/two' } },
    { value: { title: '/three' } },
  ])
  expect(JSON.stringify(ended.map(String))).not.toContain('CANARY')
  expect(await read('https://a.example.com/four', signal)).toMatchObject({ title: '/four' })
})

test('both readings of a page that hangs share its time', async () => {
  const { read } = await open(page('x'), dyingThread, 2000)
  await read('https://a.example.com/one', signal)
  const beganMs = Date.now()
  await expect(read('https://a.example.com/hangs', signal)).rejects.toThrow('longer than 2 s')
  expect(Date.now() - beganMs).toBeLessThan(3800)
})

test('a page in which the main part takes too long to find is read as it is', async () => {
  const { read } = await open(page('x'), dyingThread, 600)
  expect(await read('https://a.example.com/hangs-at-first', signal)).toMatchObject({ title: '/hangs-at-first' })
})

test('this process goes on while a thread is held up', async () => {
  const { read } = await open(page('x'), dyingThread, 600)
  await read('https://a.example.com/warm', signal)
  let ticks = 0
  const ticking = setInterval(() => ticks++, 10)
  await read('https://a.example.com/hangs', signal).catch(() => {})
  clearInterval(ticking)
  expect(ticks).toBeGreaterThan(30)
})

test('of very many at once some are told to come later', async () => {
  const waiting: (() => void)[] = []
  const { read } = await open((req, res) => void waiting.push(() => page('x')(req, res)), dyingThread)
  const asked = Array.from({ length: 60 }, (_, n) => read(`https://a.example.com/${n}`, signal))
  const refused = await Promise.allSettled(asked.slice(50))
  expect(refused.every((one) => one.status === 'rejected' && String(one.reason).includes('too many pages'))).toBe(true)
  const answering = setInterval(() => waiting.splice(0).forEach((go) => go()), 5)
  const read50 = await Promise.allSettled(asked.slice(0, 50))
  clearInterval(answering)
  expect(read50.every(({ status }) => status === 'fulfilled')).toBe(true)
})
