// Calls of Feishu's HTTP interface through the SDK, one request each and no retry but for an outdated token, answered as data: what Feishu
// refused, what never reached it, and what nobody can know.
import type { Client as SdkClient } from '@larksuiteoapi/node-sdk'
import type { z } from 'zod'
import type { Limit } from '#adapters/calls/call-result.ts'
import { Client, defaultHttpInstance, withTenantToken } from './sdk.ts'
import { quiet } from './sdk-log.ts'
import { maxContentLength, toFailed, toResult, type CallResult } from './answers.ts'
import { refusesItsOwn, type AppSettings, type AppToken } from './app-token.ts'

export type Call<T = unknown> = {
  /** What `data` of a good answer looks like. */
  readonly shape: z.ZodType<T>
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Below `/open-apis`, e.g. `/im/v1/messages`. */
  readonly path: `/${string}`
  readonly query?: Readonly<Record<string, string>>
  /** A form where it holds a file. */
  readonly body?: Readonly<Record<string, unknown>> | FormData
  /** The answer stands beside `code`, not in `data`. */
  readonly isFlat?: true
}

export type RestApi = {
  readonly appId: string
  /** One request; never throws. */
  call<T>(call: Call<T>, limit: Limit): Promise<CallResult<T>>
  /** The card that a message was given a moment ago, as far as is known here: Feishu may still have the one before. */
  newCard?(message: string): string | undefined
}

export type RestApiDeps = {
  readonly token: AppToken
  /** One more request was made, which counts towards the month's. */
  readonly count: () => void
}

const outdated = new Set([99_991_661, 99_991_663, 99_991_664, 99_991_665, 99_991_668, 99_991_671, 20_005])

export function createRestApi({ appId, appSecret, domain }: AppSettings, deps: RestApiDeps): RestApi {
  const client = new Client({ appId, appSecret, domain, disableTokenCache: true, logger: quiet })
  const ask = async <T>(call: Call<T>, token: string, signal: AbortSignal): Promise<CallResult<T>> => {
    deps.count()
    try {
      return toResult(call, await request(client, domain, { ...call, token, signal }))
    } catch (error) {
      return toFailed(error, signal.aborted)
    }
  }
  return {
    appId,
    async call(call, limit) {
      const signal = AbortSignal.any([limit.signal, AbortSignal.timeout(limit.timeoutMs)])
      const token = await deps.token.find(signal)
      if (token.kind !== 'ok') return token
      const first = await ask(call, token.value, signal)
      if (first.kind !== 'refused' || !outdated.has(first.code)) return first
      // Nothing was done under it. Whoever meets it first has another one made.
      const next = await deps.token.renew(token.value, signal)
      if (next.kind !== 'ok') return next
      const second = await ask(call, next.value, signal)
      return second.kind === 'refused' && outdated.has(second.code) ? refusesItsOwn : second
    },
  }
}

type Request = Call & { readonly token: string; readonly signal: AbortSignal }

/** Gives the answer with its headers. */
async function request(client: SdkClient, domain: string, { token, signal, ...call }: Request): Promise<unknown> {
  const { method, path, query, body } = call
  const how = {
    method,
    signal,
    maxRedirects: 0,
    maxContentLength,
    validateStatus: (status: number) => status < 500,
    $return_headers: true,
    ...(query ? { params: query } : {}),
  }
  const authorised = withTenantToken(token)
  if (body instanceof FormData) {
    // The SDK's client copies a body's fields, which a form does not have.
    return await defaultHttpInstance.request({ ...how, ...authorised, url: `${domain}/open-apis${path}`, data: body })
  }
  return await client.request({ ...how, url: `/open-apis${path}`, ...(body ? { data: body } : {}) }, authorised)
}
