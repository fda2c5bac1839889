// The words that frame a request, taken off its head: 请帮我, "can you please", "then", "tomorrow at nine". A strong frame makes
// what follows a request even in the form of a question; a mild one only in a statement ("我想…", "we need to…"). Pure.
import { formsOf } from './grammar.ts'
import { anyOf } from './pattern-source.ts'
import type { RoutingConfig } from './patterns.ts'

/** `rest`: what follows the frame. `gives`: a thing is asked for. `from`: where 给/为/跟 + someone began, if it was taken. */
export type Frame = {
  readonly rest: string
  readonly strong: boolean
  readonly gives: boolean
  readonly from: string | undefined
}

const grammar = formsOf('frame')
const lead = formsOf('lead', 'uy')
const maxFrameWords = 12

/** Builds the reader that takes the frame off a clause. */
export function createUnframe(config: RoutingConfig): (text: string, question: boolean) => Frame {
  const sticky = (words: readonly string[], tail = ''): RegExp => new RegExp(anyOf(words) + tail, 'uy')
  const asks = sticky(config.askFrames, '(?:个?问题|,|:)?')
  const orders = sticky(config.orderFrames)
  const wishes = sticky(config.wishFrames)
  const leadIns = sticky(config.leadIns)
  return (text, question) => {
    const frame: { strong: boolean; gives: boolean; from: string | undefined } = {
      strong: false,
      gives: false,
      from: undefined,
    }
    let asking = question
    let at = 0
    const take = (pattern: RegExp): string => {
      pattern.lastIndex = at
      const match = pattern.exec(text)?.[0] ?? ''
      if (match !== '') at += match.length + (/^ */u.exec(text.slice(at + match.length))?.[0].length ?? 0)
      return match
    }
    for (let turn = 0; turn < maxFrameWords; turn += 1) {
      const start = at
      if (take(asks) !== '') asking = true
      else if (take(orders) !== '') frame.strong = true
      else if (/^想(?:出|[个几些一两二三四五六七八九十\d])/u.test(text.slice(at))) break
      else if (take(wishes) !== '') {
        frame.strong ||= !asking
        frame.gives ||= /^(?:我|我们)?(?:需要|想要|要)/u.test(text.slice(start))
      } else if (take(lead.giving) !== '') return { rest: text.slice(at), ...frame, gives: true }
      else if (take(lead.time) === '') {
        const leadIn = take(leadIns)
        if (leadIn === '') break
        if (/^(?:[给为跟和]|start|begin|continue)/u.test(leadIn)) frame.from = text.slice(start)
        frame.gives ||= /^给我|来/u.test(leadIn)
      }
    }
    return { rest: text.slice(at), ...frame }
  }
}

/** The clause from a strong frame in its middle on ("服务器又挂了你帮我看看"), if there is one. */
export function innerRequest(text: string): string | undefined {
  const at = text.search(grammar.inner)
  return at > 0 ? text.slice(at) : undefined
}
