// REDIS_URL beyond one server: the addresses of a cluster's nodes, or of the sentinels that know where a primary is.
//   cluster://[user:password@]host:port,host:port          clusters:// over TLS
//   sentinel://[user:password@]host:port,host:port/name    sentinels:// over TLS; the password is that of servers and sentinels
// A user or password is percent-encoded, as in any URL.

export type RedisGroup = {
  readonly kind: 'cluster' | 'sentinel'
  readonly nodes: readonly { readonly host: string; readonly port: number }[]
  readonly tls: boolean
  readonly username?: string
  readonly password?: string
  /** The primary's name at the sentinels; empty for a cluster. */
  readonly name: string
}

const form =
  /^(cluster|sentinel)(s?):\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([\w.-]+:\d{1,5}(?:,[\w.-]+:\d{1,5})*)(?:\/([\w.-]{1,100}))?\/?$/

/** Undefined when it names no group, or not in this form. */
export function findRedisGroup(url: string): RedisGroup | undefined {
  const [, kind, secure, user, password, nodes = '', name = ''] = form.exec(url) ?? []
  if ((kind !== 'cluster' && kind !== 'sentinel') || (kind === 'sentinel') !== (name !== '')) return undefined
  const decoded = [user, password].map((part) => decode(part ?? ''))
  const [username, secret] = decoded
  if (username === undefined || secret === undefined) return undefined
  return {
    kind,
    nodes: nodes.split(',').map((node) => ({
      host: node.slice(0, node.lastIndexOf(':')),
      port: Number(node.slice(node.lastIndexOf(':') + 1)),
    })),
    tls: secure === 's',
    ...(username ? { username } : {}),
    ...(secret ? { password: secret } : {}),
    name,
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
