// What may be reached and what may not: every spelling, every hop, every address (threats T9). Nothing here leaves this machine.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { checkUrl } from '#infra/web/fetch/check-url.ts'
import { fetchPage } from '#infra/web/fetch/fetch-page.ts'
import { openPinned } from '#infra/web/fetch/open-pinned.ts'
import { PageError } from '#infra/web/fetch/page-error.ts'
import { isPublicAddress } from '#infra/web/fetch/public-address.ts'
import { publicReach } from '#infra/web/fetch/reach.ts'
import { openSite, page, publicAddress } from '#test/rig/page-site.ts'
import { hostileUrls, names } from './hostile-urls.ts'

const { signal } = new AbortController()

test('there are more than sixty hostile spellings, each another', () => {
  expect(new Set(hostileUrls).size).toBe(hostileUrls.length)
  expect(hostileUrls.length).toBeGreaterThan(100)
})

test.each(hostileUrls.map((url) => [JSON.stringify(url.slice(0, 80)), url]))('opens nothing for %s', async (_, url) => {
  const site = await openSite({ handler: page('secret'), resolve: (name) => names[name] ?? [] })
  await expect(site.fetch(url)).rejects.toThrow(PageError)
  expect(site.opened).toEqual([])
})

test.each(hostileUrls.filter((url) => url !== '' && !/^[^:]*$/.test(url)))('follows no redirect to %j', async (url) => {
  const site = await openSite({
    handler: (req, res) => page('secret', req.url === '/' ? { location: encodeURI(url) } : {}, 302)(req, res),
    resolve: (name) => names[name] ?? [],
  })
  await expect(site.fetch('http://public.example.com/')).rejects.toThrow(PageError)
  expect(site.opened.filter((address) => !isPublicAddress(address))).toEqual([])
})

test.each([
  'http://93.184.215.14/',
  'http://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
  'https://public.example.com:443/',
  'http://münchen.example.com./x?y#z',
])('opens %s', async (url) => {
  const site = await openSite({ handler: page('hello') })
  expect(Buffer.from((await site.fetch(url)).bytes).toString()).toBe('hello')
})

test('the public reach knows no port but those of the web, and no address that is not public', () => {
  for (const port of [21, 22, 25, 6379, 8080, 8787]) expect(publicReach.isAllowedPort(port)).toBe(false)
  expect(publicReach.isAllowed).toBe(isPublicAddress)
  expect(() => checkUrl('http://127.0.0.1/', publicReach)).toThrow(PageError)
  for (const odd of ['', 'x', '1', '127.1', '::ffff:1.2.3.4', '1.1.1.1%x', '2606:4700::1%eth0', '256.1.1.1'])
    expect(isPublicAddress(odd)).toBe(false)
  for (const fine of ['1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'])
    expect(isPublicAddress(fine)).toBe(true)
})

test('a name that is rebound is opened at the address that was checked, and asked for once', async () => {
  const site = await openSite({
    handler: page('fine'),
    resolve: (_, n) => (n === 0 ? [publicAddress] : ['127.0.0.1']),
  })
  await site.fetch('http://rebind.example.com/')
  expect(site.resolved).toEqual(['rebind.example.com'])
  expect(site.opened).toEqual([publicAddress])
})

test('a name that is rebound between two hops is refused at the second', async () => {
  const site = await openSite({
    handler: page('', { location: '/again' }, 302),
    resolve: (_, n) => (n === 0 ? [publicAddress] : ['169.254.169.254']),
  })
  await expect(site.fetch('http://rebind.example.com/')).rejects.toThrow('not on the public internet')
  expect(site.opened).toEqual([publicAddress])
})

test('three redirects are followed, a fourth is not', async () => {
  const hops = (last: number) =>
    openSite({
      handler: (req, res) => {
        const n = Number(req.url?.slice(1))
        if (n === last) page('there')(req, res)
        else page('', { location: `/${n + 1}` }, 307)(req, res)
      },
    })
  const three = await hops(3)
  expect(await three.fetch('https://a.example.com/0')).toMatchObject({ address: 'https://a.example.com/3' })
  const four = await hops(4)
  await expect(four.fetch('https://a.example.com/0')).rejects.toThrow('more than 3 times')
  expect(four.opened).toHaveLength(4)
})

test('no proxy of the environment is asked, and no cookie, referrer or credential goes out', async () => {
  let asked = 0
  const proxy = createServer((socket) => {
    asked++
    socket.destroy()
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const bound = proxy.address()
  const url = `http://127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}`
  for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']) {
    const before = process.env[name]
    process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : url
    onTestFinished(() => {
      if (before === undefined) delete process.env[name]
      else process.env[name] = before
    })
  }
  onTestFinished(() => void proxy.close())
  const sent: string[] = []
  const site = await openSite({
    handler: (req, res) => {
      sent.push(...Object.keys(req.headers))
      const headers = { 'set-cookie': 'a=1', ...(req.url === '/' ? { location: '/two' } : {}) }
      page('x', headers, req.url === '/' ? 301 : 200)(req, res)
    },
  })
  await site.fetch('http://a.example.com/')
  expect(asked).toBe(0)
  expect([...new Set(sent)].toSorted()).toEqual([
    'accept',
    'accept-encoding',
    'accept-language',
    'connection',
    'host',
    'user-agent',
  ])
})

test('without any stand-in it reaches loopback only where what is passed in allows it', async () => {
  const site = await openSite({ handler: page('here') })
  const reach = {
    resolve: async () => ['127.0.0.1'],
    isAllowed: (address: string) => address === '127.0.0.1',
    isAllowedPort: () => true,
  }
  const deps = { reach, open: openPinned, timeoutMs: 5000 }
  const found = await fetchPage(deps, `http://test.example.com:${site.port}/`, signal)
  expect(Buffer.from(found.bytes).toString()).toBe('here')
  await expect(
    fetchPage(
      { ...deps, reach: { ...reach, isAllowed: isPublicAddress } },
      `http://test.example.com:${site.port}/`,
      signal,
    ),
  ).rejects.toThrow('not on the public internet')
  // A name that the certificate is not of, or no certificate at all.
  await expect(fetchPage(deps, `https://test.example.com:${site.port}/`, signal)).rejects.toThrow(
    'the connection failed',
  )
})

test('an address that does not answer gives way to the next of the same name', async () => {
  const site = await openSite({ handler: page('second'), resolve: () => ['93.184.215.99', publicAddress] })
  const open: typeof openPinned = async (url, address, within) => {
    if (address !== publicAddress) throw Object.assign(new Error('down'), { code: 'ENETUNREACH' })
    return await site.deps.open(url, address, within)
  }
  const found = await fetchPage({ ...site.deps, open }, 'http://a.example.com/', signal)
  expect(Buffer.from(found.bytes).toString()).toBe('second')
})
