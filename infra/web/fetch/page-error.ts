// Why a page is not read.
import { BotError, type Retry } from '#shared/errors.ts'

/** For the model: in our own words, with nothing that a server said. */
export class PageError extends BotError {
  constructor(message: string, retry: Retry = 'never') {
    super('platform', message, { retry })
  }
}
