// How much of the month's calls of Feishu is left.
import { describeCalls, isNearlyUsedUp } from '#adapters/feishu/call-count.ts'
import type { Finding } from '#infra/checks/finding.ts'
import type { FeishuFacts } from './feishu-facts.ts'

export function checkCalls({ api, calls }: FeishuFacts): Finding[] {
  const about = 'Feishu calls'
  if (api.kind === 'used-up') {
    const fix =
      'Wait for the next month, or take a plan with more calls; in FEISHU_CALLS set fewer changes of an answer.'
    return [{ level: 'error', about, found: api.reason, fix }]
  }
  if (!calls) return []
  const { made, monthly } = calls
  if (monthly === 0) return [{ level: 'ok', about, found: `${made} in this month, without a limit` }]
  const { found, fix } = describeCalls(made, monthly)
  return [isNearlyUsedUp(made, monthly) ? { level: 'warning', about, found, fix } : { level: 'ok', about, found }]
}
