// `context`: how long it takes to put a prompt together in a conversation of 2,000 messages. `gateway`: what the way to a tool costs beside the tool
// itself, in turns that have read what others wrote, so that what is sent out is judged by all that stands in the prompt; alone, and with the two
// steps in Redis that announce the call and keep its result.
import { performance } from 'node:perf_hooks'
import { connectKernel } from '#queues/connection.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { createUnits } from '#queues/units.ts'
import { remembering } from '#infra/processes/remembering.ts'
import { createBrowserFetch } from '#services/browser-fetch/browser-fetch.ts'
import type { HistoryItem } from '#services/executor/state/history-item.ts'
import { assemblePrompt } from '#services/executor/context/prompt.ts'
import { preparePrompt } from '#services/executor/model/prepare-prompt.ts'
import { chooseOffer } from '#services/executor/context/offer.ts'
import { indexFeatures } from '#services/executor/state/features.ts'
import { parseState } from '#services/executor/state/stored.ts'
import { estimateTokens } from '#shared/model/token-estimate.ts'
import { standard } from '#test/rig/events.ts'
import { builtIn, createStage } from '#test/services/executor/stage.ts'
import { percentile, round } from './figures.ts'
import { prose } from './prose.ts'

const messages = 2000
const prompts = 500
const windowTokens = 128_000

export function measureContext() {
  const estimate = remembering((text) => estimateTokens(text).upperBound)
  const features = indexFeatures(builtIn)
  const { model } = createStage().deps
  const { tools } = chooseOffer(features.tools.now(), windowTokens, estimate)
  const engine = { offered: () => tools, assemble: assemblePrompt }
  const said = (n: number): HistoryItem => ({
    ...(n % 2 === 0 ? { role: 'user', source: 'person' } : { role: 'assistant', source: 'own' }),
    text: prose(n, 120 + (n % 7) * 40),
  })
  const history = Array.from({ length: messages }, (_, n) => said(n))
  const state = parseState(features, { parts: {} }, 0)
  const times = Array.from({ length: prompts }, (_, n) => {
    const items = [{ role: 'user', source: 'person', text: `Question ${n}: ${prose(n + 7000, 100)}` } as const]
    const asked = { principal: 'web:owner', class: standard, items, clock: 'now', turn: `t${n}`, role: 'main' } as const
    const begun = performance.now()
    preparePrompt({ model, estimate }, engine, { ...asked, state: { ...state, history } })
    const took = performance.now() - begun
    history.push(said(messages + 2 * n), said(messages + 2 * n + 1))
    history.splice(0, 2)
    return took
  })
  return {
    messages,
    firstMs: round(times[0] ?? 0),
    p50Ms: percentile(times, 50),
    p99Ms: percentile(times.slice(1), 99),
  }
}

const turns = 300

export async function measureGateway(url: string) {
  const connection = connectKernel(url)
  const kernel = createRedisKernel(connection, createUnits(connection, { patienceMs: 5000 }))
  try {
    const watch = watchCalls(kernel)
    const pages = createBrowserFetch(async (address) => {
      watch.began()
      const links = Array.from({ length: 30 }, (_, i) => ({ address: `https://page.example/${i}`, label: `link ${i}` }))
      return { address, title: 'A page', text: prose(address.length, 2000), links, missing: '' }
    })
    const stage = createStage({ features: [...builtIn, pages], historyTokens: 64_000 }, windowTokens, watch.kernel)
    for (let n = 0; n < turns; n++) {
      const address = n === 0 ? 'https://page.example/' : `https://page.example/${n % 30}`
      stage.answers(
        { toolCalls: [{ id: 'c', name: 'browser_fetch', arguments: JSON.stringify({ url: address }) }] },
        prose(n, 200),
      )
      await stage.ask(n === 0 ? `Read ${address}` : `And the next one, about ${prose(n, 60)}`)
    }
    if (watch.alone.length < turns) throw new Error(`Only ${watch.alone.length} of ${turns} pages were opened.`)
    return {
      calls: watch.alone.length,
      p50Ms: percentile(watch.alone, 50),
      p99Ms: percentile(watch.alone, 99),
      journaledP50Ms: percentile(watch.journaled, 50),
      journaledP99Ms: percentile(watch.journaled, 99),
    }
  } finally {
    connection.disconnect()
  }
}

/** From a call's announcement to its result: with both steps, and between them until the tool begins. */
function watchCalls(kernel: Kernel) {
  const alone: number[] = []
  const journaled: number[] = []
  let [asked, announced] = [0, 0]
  const append: Kernel['append'] = async (...all) => {
    const [, , { key }] = all
    if (key.includes('/tool/') && key.endsWith('/req')) asked = performance.now()
    const result = await kernel.append(...all)
    if (key.includes('/tool/') && key.endsWith('/req')) announced = performance.now()
    if (key.includes('/tool/') && key.endsWith('/fin')) journaled.push(performance.now() - asked)
    return result
  }
  return {
    kernel: { ...kernel, append },
    alone,
    journaled,
    began: () => void alone.push(performance.now() - announced),
  }
}
