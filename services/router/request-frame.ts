// The words that frame a request, taken off its head: 请帮我, "can you please", "then", "tomorrow at nine". A strong frame makes
// what follows a request even in the form of a question; a mild one only in a statement ("我想…", "we need to…"). Pure.
import { anyOf } from './pattern-source.ts'
import type { RoutingConfig } from './patterns.ts'
import { formsOf } from './grammar.ts'

const grammar = formsOf('frame')
const lead = formsOf('lead', 'uy')

/** `rest`: what follows the frame. `gives`: a thing is asked for. `from`: where 给/为/跟 + someone began, if it was taken. */
export type Frame = {
  readonly rest: string
  readonly strong: boolean
  readonly gives: boolean
  readonly from: string | undefined
}

const maxFrameWords = 12

/** Builds the reader that takes the frame off a clause. */
export function createUnframe(config: RoutingConfig): (text: string, question: boolean) => Frame {
  const asks = new RegExp(`${anyOf(config.askFrames)}(?:个?问题|,|:)?`, 'uy')
  const orders = new RegExp(anyOf(config.orderFrames), 'uy')
  const wishes = new RegExp(anyOf(config.wishFrames), 'uy')
  const leadIns = new RegExp(anyOf(config.leadIns), 'uy')
  return (text, question) => {
    let at = 0
    let strong = false
    let gives = false
    let asking = question
    let from: string | undefined
    const take = (pattern: RegExp): string | undefined => {
      pattern.lastIndex = at
      const match = pattern.exec(text)?.[0]
      if (match === undefined) return undefined
      at += match.length
      while (text[at] === ' ') at += 1
      return match
    }
    for (let turn = 0; turn < maxFrameWords; turn += 1) {
      if (take(asks) !== undefined) {
        asking = true
        continue
      }
      if (take(orders) !== undefined) {
        strong = true
        continue
      }
      if (/^想(?:出|[个几些一两二三四五六七八九十\d])/u.test(text.slice(at))) break
      const wish = take(wishes)
      if (wish !== undefined) {
        strong ||= !asking
        gives ||= /需要|想要|^要|我要/u.test(wish)
        continue
      }
      if (take(lead.giving) !== undefined) {
        gives = true
        break
      }
      if (take(lead.time) !== undefined) continue
      const start = at
      const leadIn = take(leadIns)
      if (leadIn === undefined) break
      if (/^(?:[给为跟和]|start|begin|continue)/u.test(leadIn)) from = text.slice(start)
      gives ||= /^给我|来/u.test(leadIn)
    }
    return { rest: text.slice(at), strong, gives, from }
  }
}

/** The clause from a strong frame in its middle on ("服务器又挂了你帮我看看"), if there is one. */
export function innerRequest(text: string): string | undefined {
  const found = grammar.inner.exec(text)
  return found === null || found.index === 0 ? undefined : text.slice(found.index)
}
