// A feature's own page on the web, as data: its title, its files for the browser, and its routes. The feature knows no server; the web channel serves
// what stands here, behind its guard and its login, and loads none of it before somebody opens the page.
import type { z } from 'zod'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Localised } from '#shared/chat/message.ts'

/** `W`: the ports that its routes work with, by their names. They are those of a process without a model. */
export type Page<W> = PageFace & {
  /** Called at the first request to one of its routes: what the routes need is imported here. It is called again after it has thrown. */
  open(ports: W): Promise<readonly PageRoute[]>
}

/** What is known of a page before it is opened. */
export type PageFace = {
  /** 1–30 characters of `a-z 0-9 -`, a letter first. No two pages share one, nor has the web channel a route of this name. */
  readonly name: string
  readonly title: Localised
  /**
   * A folder, ending in a slash. Its files of `.js`, `.css` and `.svg` are served below `/page/<name>/`, and nothing below them. `page.js` exports
   * `open(element, { language, get, post, signal })`; `page.css` is loaded with it, where there is one.
   */
  readonly files: URL
}

/** `S`: the fields that it takes. */
export type PageRoute<S extends z.ZodRawShape = z.ZodRawShape> = {
  readonly method: 'GET' | 'POST'
  /** Below `/api/<page>/`: words of `a-z 0-9 -`, divided by slashes. No two routes of a page share method and path. */
  readonly path: string
  /** Of GET the query, whose values are texts; of POST the body, a JSON object. Each schema bounds its field; a field that is not listed is refused. */
  readonly input: S
  /** How long the body may be: 64 KB when left out, 1 MB at most. */
  readonly maxBytes?: number
  /**
   * Returns what the answer says, as a value that JSON can hold. To refuse it throws a BotError `bad-input`, `forbidden` or `not-found`, whose message the
   * caller reads. Whatever else it throws is told to the operator alone.
   */
  handle(request: PageRequest<z.infer<z.ZodObject<S>>>): Promise<unknown>
}

export type PageRequest<I> = {
  readonly input: I
  /** Who opened the page. */
  readonly principal: PrincipalId
  /** Aborted after ten seconds, when the caller has got an answer without it, and when the caller goes. */
  readonly signal: AbortSignal
}

/** A route whose `handle` knows the fields of its `input`. */
export const toPageRoute = <S extends z.ZodRawShape>(route: PageRoute<S>): PageRoute => route
