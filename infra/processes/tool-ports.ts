// What tools of a process work with outside of the fleet: threads that compute and read pages, and the services that are configured. Nothing
// of it is started before it is used.
import type { Settings } from '#infra/config/settings.ts'
import { openCalculator } from '#infra/arithmetic/open-calculator.ts'
import { fetchDeps } from '#infra/web/fetch/fetch-page.ts'
import { openPageReader } from '#infra/web/open-page-reader.ts'
import { createSearch } from '#infra/web/search/services.ts'
import type { ReadPage } from '#services/browser-fetch/browser-fetch.ts'
import type { Calculate } from '#services/calculate/calculate.ts'
import { openHttpPort } from '#infra/web/request/send-request.ts'
import type { HttpPort } from '#services/http-request/http-request.ts'
import type { SearchWeb } from '#services/web-search/web-search.ts'

export type ToolPorts = {
  readonly calculate: Calculate
  /** Undefined where it is not configured, as are `readPage` and `http`. */
  readonly searchWeb: SearchWeb | undefined
  readonly readPage: ReadPage | undefined
  readonly http: HttpPort | undefined
  close(): Promise<void>
}

export function openToolPorts(
  { search, browserFetch, http }: Pick<Settings, 'search' | 'browserFetch' | 'http'>,
  onTrouble: (what: string, error: unknown) => void,
): ToolPorts {
  const calculator = openCalculator(new URL('calculate-thread.ts', import.meta.url), (error) =>
    onTrouble('The thread that calculates ended. Another one takes its place.', error),
  )
  const reader = openPageReader({
    deps: fetchDeps,
    script: new URL('page-thread.ts', import.meta.url),
    onEnd: (error) => onTrouble('A thread that reads pages ended. Another one takes its place.', error),
  })
  return {
    calculate: calculator.calculate,
    searchWeb: search && createSearch(search),
    readPage: browserFetch ? reader.read : undefined,
    http: http && openHttpPort(http),
    async close() {
      await Promise.all([calculator.close(), reader.close()])
    },
  }
}
