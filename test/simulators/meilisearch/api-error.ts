// A refusal as Meilisearch words it: `{message, code, type, link}`. Thrown by routes, and kept as the error of a task that fails.

export type ErrorBody = {
  readonly message: string
  readonly code: string
  readonly type: 'invalid_request' | 'auth' | 'internal' | 'system'
  readonly link: string
}

export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly type: ErrorBody['type']
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.type = status === 401 || status === 403 ? 'auth' : status >= 500 ? 'system' : 'invalid_request'
    this.headers = headers
  }

  toBody(): ErrorBody {
    return {
      message: this.message,
      code: this.code,
      type: this.type,
      link: `https://docs.meilisearch.com/errors#${this.code}`,
    }
  }

  /** In a multi-search the message names the query, and a missing index is a bad request. */
  inQuery(at: number): ApiError {
    const status = this.code === 'index_not_found' ? 400 : this.status
    return new ApiError(status, this.code, `Inside \`.queries[${at}]\`: ${this.message}`)
  }
}

export const badRequest = (message: string): ApiError => new ApiError(400, 'bad_request', message)

export const indexNotFound = (uid: string): ApiError =>
  new ApiError(404, 'index_not_found', `Index \`${uid}\` not found.`)

export const refusedKey = (): ApiError => new ApiError(403, 'invalid_api_key', 'The provided API key is invalid.')

export const noHeader = (): ApiError =>
  new ApiError(
    401,
    'missing_authorization_header',
    'The Authorization header is missing. It must use the bearer authorization method.',
  )
