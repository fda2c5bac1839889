// What doctor says of the hosts of http_request, and of variables for it that cannot be.
import { expect, test } from 'vitest'
import { loadSettings } from '#infra/config/settings.ts'
import { checkHttp } from '#infra/doctor/http-checks.ts'

const check = async (hosts: string, names: Readonly<Record<string, readonly string[]>>, secrets = '') =>
  await checkHttp(
    loadSettings({ FLOTILLA_HTTP_HOSTS: hosts, FLOTILLA_HTTP_SECRETS: secrets }, '/').http,
    async (name) => names[name] ?? [],
  )

test('a host in the public internet is fine, with the number of its headers and nothing of what they hold', async () => {
  const findings = await check('a.example', { 'a.example': ['93.184.215.14'] }, '{"a.example":{"x-key":"CANARY-12"}}')
  expect(findings).toEqual([{ level: 'ok', about: 'requests to a.example', found: '1 header(s) put in' }])
})

test('a name that leads into the own network is named with its address, until that is listed too', async () => {
  const names = { 'a.example': ['10.0.0.7'] }
  expect(await check('a.example', names)).toMatchObject([
    { level: 'error', found: expect.stringContaining('10.0.0.7'), fix: expect.stringContaining('list this address') },
  ])
  expect(await check('a.example,10.0.0.7', names)).toMatchObject([{ level: 'ok' }, { level: 'ok' }])
})

test('a name without an address is told', async () => {
  expect(await check('a.example', {})).toMatchObject([{ level: 'warning', found: 'its name has no address now' }])
})

test('without hosts nothing is said', async () => expect(await checkHttp(undefined)).toEqual([]))
