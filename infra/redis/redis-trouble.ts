// Why Redis cannot be worked with, in an operator's words: what the client last said of its connection, and what to do about it.
// Neither a password nor a user's name is repeated.
import type { RedisClient } from '#queues/connection.ts'

export type RedisTrouble = { readonly reason: string; readonly fix: string }

/** Listens from now on. `last` gives what the connection failed with last, or that it has said nothing. */
export function listenForTrouble(redis: RedisClient): { last(): Error } {
  let last: Error | undefined
  let closes = 0
  const note = (error: unknown): void => {
    if (error instanceof Error) last = toInner(error)
  }
  redis.on('error', note)
  redis.on('node error', note)
  redis.on('close', () => (closes += 1))
  return { last: () => last ?? new Error(closes > 0 ? closedAtOnce : neverReady) }
}

const closedAtOnce = 'The server closed the connection and gave no reason.'
const neverReady = 'The server was silent.'

/** A cluster's client wraps what its last node said. */
function toInner(error: Error): Error {
  return 'lastNodeError' in error && error.lastNodeError instanceof Error ? error.lastNodeError : error
}

const startIt = 'Start that Redis, or correct host and port in REDIS_URL.'
const password =
  'Put the right password into REDIS_URL: redis://:password@host:port, or redis://user:password@host:port.'

/** What is found in code or message of an error, the first that fits. */
const known: readonly (readonly [pattern: RegExp, trouble: RedisTrouble])[] = [
  [/WRONGPASS|invalid password/, { reason: 'it refuses the password (WRONGPASS)', fix: password }],
  [/NOAUTH/, { reason: 'it wants a password and none is given (NOAUTH)', fix: password }],
  [
    /NOPERM/,
    {
      reason: 'the user may not run a command that is needed (NOPERM)',
      fix: 'Give that user all commands on keys fl:*.',
    },
  ],
  [
    /DENIED/,
    {
      reason: 'it is in protected mode and takes connections of its own machine alone',
      fix: 'Set a password there ("requirepass") and write it into REDIS_URL.',
    },
  ],
  [
    /cluster support disabled/,
    { reason: 'it is no cluster', fix: 'Write redis:// instead of cluster:// into REDIS_URL, with one host and port.' },
  ],
  [
    /^MOVED|CROSSSLOT/,
    {
      reason: 'it is a node of a cluster',
      fix: 'Write REDIS_URL as cluster://host:port,host:port, and set FLOTILLA_QUEUE_SHARDS.',
    },
  ],
  [
    /sentinels? (?:is|are) unreachable/,
    { reason: 'no sentinel answers', fix: 'Correct hosts and ports in REDIS_URL.' },
  ],
  [/ENOTFOUND|EAI_AGAIN/, { reason: 'there is no host of that name', fix: 'Correct the host in REDIS_URL.' }],
  [/ECONNREFUSED/, { reason: 'the connection is refused: nothing listens there', fix: startIt }],
  [/ENOENT/, { reason: 'there is no socket of that name', fix: 'Correct the path in REDIS_URL.' }],
  [/EACCES/, { reason: 'this account may not use that socket', fix: 'Give this account the right to it.' }],
  [
    /ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|connect timed out|was silent/,
    {
      reason: 'nothing answers in time',
      fix: 'Look at the network and firewall between this machine and Redis; where REDIS_URL begins with rediss://, see whether TLS is on there.',
    },
  ],
  [
    /wrong version number|EPROTO|packet length too long/,
    {
      reason: 'it does not speak TLS',
      fix: 'Write redis:// instead of rediss:// into REDIS_URL, or turn TLS on there.',
    },
  ],
  [
    /certificate|SELF_SIGNED|CERT_|ALTNAME/i,
    {
      reason: 'its TLS certificate is not trusted',
      fix: 'Use a certificate for that host name, and name its authority in NODE_EXTRA_CA_CERTS.',
    },
  ],
  [
    /closed the connection|ECONNRESET|EPIPE|Protocol error/,
    {
      reason: 'it closes the connection at once',
      fix: 'If it wants TLS, write rediss:// into REDIS_URL. Else see whether it is a Redis that listens there.',
    },
  ],
  [/max number of clients/, { reason: 'it has too many clients', fix: 'Raise "maxclients" there.' }],
  [/LOADING/, { reason: 'it is still reading its files', fix: 'Wait until it is done.' }],
]

/** Undefined for what the words do not explain. */
export function explainTrouble(error: Error): RedisTrouble | undefined {
  const code = 'code' in error ? `${String(error.code)} ` : ''
  return known.find(([pattern]) => pattern.test(code + error.message) || pattern.test(error.message))?.[1]
}
