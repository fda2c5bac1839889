// Cards that show a growing reply letter by letter. Feishu closes such a card ten minutes after it was opened, and takes only changes whose
// number rises; whoever changes it after another process did may have a clock that is behind. What a card no longer takes goes into its
// message as a whole. https://open.feishu.cn/document/cardkit-v1/streaming-updates-openapi-overview
import { randomUUID } from 'node:crypto'
import type { Limit } from '#adapters/calls/call-result.ts'
import { textElement, toRowElement, type Card } from './card.ts'
import { createdCard } from './payloads.ts'
import { done, type CallResult } from './answers.ts'
import type { RestApi } from './rest-api.ts'
import { isBeingPressed } from './trouble.ts'

export type StreamCards = {
  /** Makes a card that a message can show. */
  create(card: Card, limit: Limit): Promise<CallResult<string>>
  /** The whole text so far. `refused` where the card is closed. */
  grow(card: string, markdown: string, limit: Limit): Promise<CallResult<unknown>>
  /** Ends the growing, and shows another card in its place. */
  finish(card: string, last: Card, limit: Limit): Promise<CallResult<unknown>>
  /** Takes the rows of buttons away; undefined where there are none. */
  strip(card: string, limit: Limit): Promise<CallResult<unknown> | undefined>
  /** Whether the card still takes text, as far as is known here. */
  isOpen(card: string): boolean
}

/** Feishu gives ten minutes. */
const openForMs = 8 * 60_000
const tooLow = 300_317
/** The vendor's list has one for a change and another for a removal; live tenants were seen to give either. */
const noElement = new Set([300_313, 300_314])
const mostKnown = 1000
const mostRows = 30
/** Numbers count tenths of a second from here on, up to 2^31: seven years. */
const firstMs = Date.UTC(2026, 0)
/** What is added to a number that is too low: a minute for clocks that differ a little, two hours for one that is wrong by a time zone. */
const jumps = [0, 600, 72_600]

export function createStreamCards(api: RestApi, now: () => number): StreamCards {
  const known = new Map<string, { sequence: number; readonly untilMs: number; isClosed: boolean }>()
  const find = (card: string) => {
    const found = known.get(card) ?? { sequence: 0, untilMs: performance.now() + openForMs, isClosed: false }
    known.delete(card)
    known.set(card, found)
    const [oldest] = known.keys()
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest)
    return found
  }
  async function change(card: string, to: Change, limit: Limit): Promise<CallResult<unknown>> {
    const state = find(card)
    for (let tries = 1; ; tries++) {
      const tick = Math.floor((now() - firstMs) / 100) % 2 ** 31
      state.sequence = Math.max(tick, state.sequence + 1) + (jumps[tries - 1] ?? 0)
      const body = { ...to.body, uuid: randomUUID(), sequence: state.sequence }
      const path = `/cardkit/v1/cards/${card}${to.path}` as const
      const result = await api.call({ method: to.method, path, body, shape: done }, limit)
      if (result.kind !== 'refused' || result.code !== tooLow || tries >= jumps.length) {
        if (result.kind === 'refused' && !isBeingPressed(result)) state.isClosed = true
        return result
      }
    }
  }
  return {
    async create(card, limit) {
      const body = { type: 'card_json', data: JSON.stringify(card) }
      const made = await api.call({ method: 'POST', path: '/cardkit/v1/cards', body, shape: createdCard }, limit)
      if (made.kind !== 'ok') return made
      find(made.value.card_id)
      return { kind: 'ok', value: made.value.card_id }
    },
    grow: (card, markdown, limit) =>
      change(card, { method: 'PUT', path: `/elements/${textElement}/content`, body: { content: markdown } }, limit),
    async finish(card, last, limit) {
      const settings = JSON.stringify({ config: { streaming_mode: false } })
      const closed = await change(card, { method: 'PATCH', path: '/settings', body: { settings } }, limit)
      if (closed.kind !== 'ok' && closed.kind !== 'refused') return closed
      const data = { type: 'card_json', data: JSON.stringify(last) }
      return await change(card, { method: 'PUT', path: '', body: { card: data } }, limit)
    },
    async strip(card, limit) {
      // Nobody can ask how many there are; an answer that is always good must not be asked for without end.
      for (let row = 1; row <= mostRows; row++) {
        const gone = await change(card, { method: 'DELETE', path: `/elements/${toRowElement(row)}`, body: {} }, limit)
        if (gone.kind === 'ok') continue
        if (gone.kind !== 'refused' || !noElement.has(gone.code)) return gone
        return row === 1 ? undefined : { kind: 'ok', value: undefined }
      }
      return { kind: 'ok', value: undefined }
    },
    isOpen(card) {
      const { isClosed, untilMs } = find(card)
      return !isClosed && performance.now() < untilMs
    },
  }
}

type Change = {
  readonly method: 'PUT' | 'PATCH' | 'DELETE'
  readonly path: '' | `/${string}`
  readonly body: Readonly<Record<string, unknown>>
}
