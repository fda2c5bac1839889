// What doctor says of the hosts of http_request: whether each has an address that requests may go to. No request is sent, and no secret shown.
import { isIP } from 'node:net'
import type { Reach } from '#infra/web/fetch/reach.ts'
import { toReach } from '#infra/web/request/hosts.ts'
import type { HttpSettings } from '#infra/web/request/send-request.ts'
import type { Finding } from '#infra/checks/finding.ts'

const mostMs = 5000

/** `resolve` is what tests replace. */
export async function checkHttp(http: HttpSettings | undefined, resolve?: Reach['resolve']): Promise<Finding[]> {
  if (!http) return []
  const reach = toReach(http.hosts, resolve)
  const signal = AbortSignal.timeout(mostMs)
  return await Promise.all(
    http.hosts.map(async ({ entry, host, port = 443 }): Promise<Finding> => {
      const headers = Object.keys(http.secrets[entry] ?? {}).length
      const about = `requests to ${entry}`
      const addresses = isIP(host) === 0 ? await reach.resolve(host, signal).catch(() => undefined) : [host]
      if (!addresses || addresses.length === 0) {
        const fix = 'Look whether FLOTILLA_HTTP_HOSTS spells it right, and whether this machine can ask a name server.'
        return { level: 'warning', about, found: 'its name has no address now', fix }
      }
      const inner = addresses.filter((address) => !reach.isAllowed(address, port))
      if (inner.length > 0) {
        const fix = `If that is meant, list ${inner.length === 1 ? 'this address' : 'these addresses'} in FLOTILLA_HTTP_HOSTS too.`
        return { level: 'error', about, found: `its name leads into your own network: ${inner.join(', ')}`, fix }
      }
      return { level: 'ok', about, found: headers === 0 ? 'no secret is put in' : `${headers} header(s) put in` }
    }),
  )
}
