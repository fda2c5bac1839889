// Where the login page says that the token lies.
import path from 'node:path'
import { expect, test } from 'vitest'
import { toTokenPlace } from '#adapters/web/token-place.ts'
import { startWebRig } from './web-rig.ts'

test.each([
  ['/srv/bot/.flotilla/web-token', undefined, '.flotilla/web-token'],
  ['/srv/bot/.flotilla/web-token', 'https://chat.example.org', '.flotilla/web-token'],
  ['/srv/bot/..data/web-token', undefined, '..data/web-token'],
  ['/var/lib/bot/web-token', undefined, '/var/lib/bot/web-token'],
  ['/srv/web-token', undefined, '/srv/web-token'],
  ['/var/lib/bot/web-token', 'https://chat.example.org', '$FLOTILLA_DATA/web-token'],
])('%s with the public address %s is told as %s', (file, publicUrl, told) => {
  expect(toTokenPlace(file, '/srv/bot', publicUrl)).toBe(told)
})

test('the page and the interface name the real place', async () => {
  await using rig = await startWebRig()
  const server = await rig.start()
  const form = await (await fetch(`${server.origin}/login`)).text()
  expect(form).toContain(`<code id="place">${rig.tokenFile}</code>`)
  const refused = await (await fetch(`${server.origin}/api/conversations`)).text()
  expect(refused).toContain(`the token of ${rig.tokenFile} as`)
  const outside = await rig.start({ publicUrl: 'https://chat.example.org' })
  const told = await (await fetch(`${outside.origin}/login`)).text()
  expect(told).toContain('<code id="place">$FLOTILLA_DATA/web-token</code>')
  expect(told).not.toContain(path.dirname(rig.tokenFile))
})
