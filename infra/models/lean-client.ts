// The SDK's client for one kind of call. Every call to one path has the same address and headers; the SDK works them out anew each
// time, which costs more than all that our side does for the request. So headers, query and time limit of a single call are not read.
import { OpenAI } from 'openai'

type Request = Awaited<ReturnType<OpenAI['buildRequest']>>
type Frame = { readonly headers: Headers; readonly url: string; readonly timeoutMs: number }

export class LeanClient extends OpenAI {
  private readonly frames = new Map<string, Frame>()

  override async buildRequest(...[options, retry]: Parameters<OpenAI['buildRequest']>): Promise<Request> {
    const { method, path, body, signal } = options
    const known = this.frames.get(`${method} ${path}`)
    if (!known) {
      const { req, url, timeout } = await super.buildRequest(options, retry)
      this.frames.set(`${method} ${path}`, { headers: req.headers, url, timeoutMs: timeout })
      return { req, url, timeout }
    }
    const { headers, url, timeoutMs } = known
    const req = { method, headers, body: toText(body), ...(signal ? { signal } : {}) }
    return { req, url, timeout: timeoutMs }
  }
}

const toolsTexts = new WeakMap<readonly unknown[], string>()

/** As JSON. The tools are most of a request and the same in each, so that they are written once and stand last. */
function toText(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('tools' in body) || !Array.isArray(body.tools))
    return JSON.stringify(body)
  const { tools, ...others } = body
  const text = toolsTexts.get(tools) ?? JSON.stringify(tools)
  toolsTexts.set(tools, text)
  return `${JSON.stringify({ ...others, tools: [] }).slice(0, -'[]}'.length)}${text}}`
}
