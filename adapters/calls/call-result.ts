// What one request to a platform came to, as data: what was granted, what was refused, what never arrived, what nobody can know.
// A platform's own interface makes these of its SDK's answers and errors, and never throws.

/** `More`: what else a platform says with a refusal. */
export type CallResult<T, More = object> = { readonly kind: 'ok'; readonly value: T } | Failed<More>

/**
 * `refused`: nothing happened; `code` is the platform's own. `slow-down`: not now, in this chat or for the whole bot. `not-sent`: no
 * connection. `unclear`: 5xx, a lost answer, one that does not fit, an abort or a time-out; it may have happened, so nobody may take it
 * for failed.
 */
export type Failed<More = object> =
  | Refused<More>
  | { readonly kind: 'slow-down'; readonly retryAfterMs: number; readonly scope: 'chat' | 'bot' }
  | { readonly kind: 'not-sent'; readonly reason: string }
  | { readonly kind: 'unclear'; readonly reason: string }

export type Refused<More = object> = { readonly kind: 'refused'; readonly code: number; readonly reason: string } & More

export type Limit = { readonly timeoutMs: number; readonly signal: AbortSignal }

/**
 * Codes that no connection which stood can bring: nobody there, no such name, no tunnel, a certificate that is refused. Others, such as
 * EPROTO or EHOSTUNREACH, may come after the request has been read.
 */
export const neverSent =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ERR_PROXY_TUNNEL|ERR_TLS_CERT_ALTNAME_INVALID|CERT_|UNABLE_TO_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UND_ERR_CONNECT_TIMEOUT)/
