// `browser_fetch` of the fleet, for which every name stands for a public address, and every address is opened at the world of the scenarios.
import { openPinned } from '#infra/web/fetch/open-pinned.ts'
import { isPublicAddress } from '#infra/web/fetch/public-address.ts'
import { publicReach } from '#infra/web/fetch/reach.ts'
import { openPageReader } from '#infra/web/open-page-reader.ts'
import { createBrowserFetch } from '#services/browser-fetch/browser-fetch.ts'
import type { Feature } from '#shared/feature/feature.ts'

const somewhere = '93.184.215.14'

export function createPages(worldPort: number): Feature {
  const reader = openPageReader({
    deps: {
      reach: {
        isAllowed: isPublicAddress,
        isAllowedPort: publicReach.isAllowedPort,
        resolve: async () => [somewhere],
      },
      open(url, _, signal) {
        const here = new URL(url)
        here.protocol = 'http:'
        here.port = String(worldPort)
        return openPinned(here, '127.0.0.1', signal)
      },
      timeoutMs: 10_000,
    },
    script: new URL('../../../infra/processes/page-thread.ts', import.meta.url),
    onEnd: () => {},
  })
  return createBrowserFetch(reader.read)
}
