// Tabs as a person has them: one in front, the others hidden. And when a tab's dot changed, by its own clock, beside what the machine was late by.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'

/** Of a browser without windows all tabs count as looked at. This one is hidden from now on, until what is returned is called. */
export async function lookAway(page: Page): Promise<() => Promise<unknown>> {
  await page.evaluate(`{
    Object.defineProperty(document, 'hidden', { value: true, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }`)
  return async () =>
    await page.evaluate(`{
      delete document.hidden
      document.dispatchEvent(new Event('visibilitychange'))
    }`)
}

/**
 * From now on the page notes when its dot changes and when a reply is shown, by the machine's clock, and how late its timers are at most: a busy machine
 * is no fault of the page.
 */
export async function watchTab(page: Page): Promise<TabWatch> {
  await page.evaluate(`{
    const [dot, messages] = [document.getElementById('state'), document.getElementById('messages')]
    const now = () => performance.timeOrigin + performance.now()
    const seen = (window.seen = { states: [], texts: [], lateMs: 0 })
    new MutationObserver(() => seen.states.push({ what: dot.dataset.state, atMs: now() })).observe(dot, { attributes: true })
    new MutationObserver(() => {
      const last = messages.querySelector('.bot:last-of-type .body')?.textContent ?? ''
      if (last !== seen.texts.at(-1)?.what) seen.texts.push({ what: last, atMs: now() })
    }).observe(messages, { childList: true, subtree: true })
    let last = now()
    setInterval(() => {
      seen.lateMs = Math.max(seen.lateMs, now() - last - 50)
      last = now()
    }, 50)
  }`)
  const find = async (list: 'states' | 'texts', what: string, sinceMs: number): Promise<number | undefined> =>
    await page.evaluate(
      `window.seen.${list}.find(({ what, atMs }) => what === ${JSON.stringify(what)} && atMs >= ${sinceMs})?.atMs`,
    )
  return {
    async tells(state, sinceMs) {
      await page.waitForSelector(`#state[data-state=${state}]`, { timeout: 60_000 })
      return (await find('states', state, sinceMs)) ?? sinceMs
    },
    async shows(text, sinceMs) {
      await page.waitForSelector(`#messages .bot >> text="${text}"`, { timeout: 60_000 })
      return (await find('texts', text, sinceMs)) ?? sinceMs
    },
    async lateMs() {
      const lateMs: number = await page.evaluate('window.seen.lateMs')
      await page.evaluate('window.seen.lateMs = 0')
      return lateMs
    },
  }
}

export type TabWatch = {
  /** When its dot said so first, since then; that very moment if it still did. */
  tells(state: 'connected' | 'offline', sinceMs: number): Promise<number>
  shows(text: string, sinceMs: number): Promise<number>
  /** By how much its timers were late at most since this was asked last. */
  lateMs(): Promise<number>
}

export type Keys = { readonly count: number; readonly p50Ms: number; readonly p95Ms: number; readonly mostMs: number }

/** Types until it is told to end, and tells how long keys took until they were shown. */
export async function typeInto(page: Page, signal: AbortSignal): Promise<Keys> {
  await page.evaluate(`{
    window.keys = []
    const note = ({ timeStamp }) => requestAnimationFrame(() => setTimeout(() => keys.push(performance.now() - timeStamp)))
    addEventListener('keydown', note, true)
  }`)
  await page.focus('textarea')
  while (!signal.aborted) {
    await page.keyboard.press('a')
    await sleep(150)
  }
  const keys = (await page.evaluate<number[]>('keys')).toSorted((one, other) => one - other)
  const at = (part: number): number => Math.round(keys[Math.floor((keys.length - 1) * part)] ?? 0)
  return { count: keys.length, p50Ms: at(0.5), p95Ms: at(0.95), mostMs: at(1) }
}
