// What doctor says of the fleet as a whole: which processes live, which roles nobody has, who was started with other settings, what waits.
import { describeExposure } from '#infra/config/exposure.ts'
import type { Settings } from '#infra/config/settings.ts'
import { findDifferences } from '#infra/processes/agreement.ts'
import { findMissingRoles, type Fleet } from '#queues/fleet/missing-roles.ts'
import { isTask } from '#shared/chat/address.ts'
import type { Due } from '#queues/kernel/kernel.ts'
import type { ProcessFacts } from '#queues/fleet/process-key.ts'
import type { Budget } from '#services/budget/budget.ts'
import { finding, type Finding } from '#infra/checks/finding.ts'

const staleWorkMs = 60_000
/** People come first: a task may wait for its place. */
const staleTaskMs = 600_000

export function checkProcesses(living: readonly ProcessFacts[]): Finding[] {
  if (living.length === 0)
    return [{ level: 'error', about: 'processes', found: 'none runs, so nothing is read or answered', fix: startAll }]
  const byRole = [...Map.groupBy(living, ({ role }) => role || 'without a role')].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  )
  const counts = byRole.map(([role, all]) => `${all.length} ${role}`)
  const slow = living.filter(({ lifeMs, usualMs }) => lifeMs > usualMs)
  return [
    { level: 'ok', about: 'processes', found: `${living.length} live: ${counts.join(', ')}` },
    ...slow.map(({ role, host, pid, usualMs, lifeMs }): Finding => ({
      level: 'warning',
      about: `process ${pid} (${role}) on ${host}`,
      found: `others took its work twice within a minute, so it counts as living for ${lifeMs / 1000} s now instead of ${usualMs / 1000} s`,
      fix: 'There is too much to do for that machine: run fewer processes there, or set FLOTILLA_EXECUTOR_CONCURRENCY lower.',
    })),
  ]
}

const startAll = 'Run "npm start", or start the roles one by one as infra/docs/running.md says.'

export function checkListen(settings: Pick<Settings, 'listen' | 'port'>): Finding[] {
  const found = describeExposure(settings)
  return found === undefined ? [] : [{ level: 'warning', about: 'page', found }]
}

/** Where nobody runs, that is said once. */
export function checkRoles(fleet: Fleet): Finding[] {
  if (fleet.living.length === 0) return []
  return findMissingRoles(fleet).map(({ role, found }) => ({
    level: 'error',
    about: role,
    found,
    fix: `Start one with "npm run flotilla -- ${role}", or the whole fleet with "npm start".`,
  }))
}

/** Only where an owner changed one: the others stand in the settings. */
export function checkBudgets(budgets: Readonly<Record<string, Budget>>): Finding[] {
  const set = Object.entries(budgets).filter(([, { isSet }]) => isSet)
  if (set.length === 0) return []
  const toText = ({ tokens, micros }: Budget): string =>
    [...(tokens > 0 ? [`${tokens} tokens`] : []), ...(micros > 0 ? [`$${micros / 1_000_000}`] : [])].join(', ') ||
    'no limit'
  const found = set.map(([scope, budget]) => `${scope} ${toText(budget)}`).join('; ')
  return [{ level: 'ok', about: 'budgets set with /budget', found }]
}

export function checkAgreed(living: readonly ProcessFacts[]): Finding[] {
  return findDifferences(living).map(({ name, found }) => ({
    level: 'error',
    about: name,
    found,
    fix: 'Give all processes the same .env, and start those again that have another value.',
  }))
}

export function checkWaiting(due: readonly Pick<Due, 'conversation' | 'sinceMs'>[]): Finding {
  const oldestMs = due.reduce((oldest, { sinceMs }) => Math.max(oldest, sinceMs), 0)
  const tasks = due.filter(({ conversation }) => isTask(conversation)).length
  const whose = tasks === 0 ? '' : `, of tasks ${tasks}`
  return finding(
    'work',
    due.length === 0
      ? 'nothing waits'
      : `${due.length} waiting${whose}, the oldest for ${Math.round(oldestMs / 1000)} s`,
    due.every(({ conversation, sinceMs }) => sinceMs < (isTask(conversation) ? staleTaskMs : staleWorkMs)),
    'Nobody takes this work in time: start more of the roles it waits for, and see what their logs say.',
  )
}
