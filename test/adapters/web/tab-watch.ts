// Tabs as a person has them: one in front, the others hidden. And when a tab's dot changed, by its own clock, beside what the machine was late by.
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
