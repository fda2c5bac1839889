// A Redis that nobody asked for: Debian's package starts one on its usual port, without a password.
import { findConfigFile } from '#infra/redis/redis-probe.ts'
import type { Finding } from '#infra/checks/finding.ts'

/** Where Debian and Ubuntu keep what the service is started with. */
const packageFolder = '/etc/redis/'

/** For a fleet with a Redis of its own. Empty unless the package's service answers without a password. */
export async function checkIdleRedis(port = 6379, folder = packageFolder): Promise<Finding[]> {
  const file = await findConfigFile({ kind: 'port', port, password: '' })
  if (!file?.startsWith(folder)) return []
  return [
    {
      level: 'warning',
      about: 'a second Redis',
      found: `the service of the package redis-server answers on 127.0.0.1:${port} without a password; this fleet does not use it`,
      fix: 'If nothing else on this machine needs it: "sudo systemctl disable --now redis-server".',
    },
  ]
}
