// Whether others than this machine reach the page, and what that takes.
import type { Settings } from './settings.ts'

/** What is to be heeded where others than this machine reach the page by plain HTTP; undefined where they do not. */
export function describeExposure({ listen, port }: Pick<Settings, 'listen' | 'port'>): string | undefined {
  if (/^127\.|^::1$/.test(listen)) return undefined
  return (
    `The page listens on ${listen}, port ${port} (FLOTILLA_LISTEN), without TLS: who listens on the way reads the token and every message. ` +
    'Let only a private network reach that port, or put a proxy with TLS before it and name its address in FLOTILLA_PUBLIC_URL.'
  )
}
