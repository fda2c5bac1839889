// A refusal as the Bot API words it. Thrown by methods, answered as `{ok: false, error_code, description, parameters?}`.

export type ApiErrorParameters = { readonly retry_after?: number; readonly migrate_to_chat_id?: number }

export class ApiError extends Error {
  readonly code: number
  readonly parameters: ApiErrorParameters | undefined

  constructor(code: number, description: string, parameters?: ApiErrorParameters) {
    super(description)
    this.name = 'ApiError'
    this.code = code
    this.parameters = parameters
  }
}

export function badRequest(what: string): ApiError {
  return new ApiError(400, `Bad Request: ${what}`)
}

export function tooManyRequests(retryAfterS: number): ApiError {
  return new ApiError(429, `Too Many Requests: retry after ${retryAfterS}`, { retry_after: retryAfterS })
}
