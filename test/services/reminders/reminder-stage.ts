// One conversation in memory with reminders, on Tuesday 24 November 2026 at 11:00 in Berlin, or whenever a test says.
import { findNextMoment } from '#infra/processes/next-moment.ts'
import { createReminders } from '#services/reminders/reminders.ts'
import type { Reminder, Reminders } from '#services/reminders/slice.ts'
import { sliceOf } from '#services/executor/state/slices.ts'
import type { MessageEvent } from '#shared/chat/event.ts'
import { ann, toCommand } from '#test/rig/events.ts'
import { createStage, type Stage } from '#test/services/executor/stage.ts'

export const secondMs = 1000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
export const tuesday = Date.UTC(2026, 10, 24, 10)

type Plain = Omit<Reminder, 'said'> & { readonly text: string; readonly about: readonly string[] }

export type ReminderStage = {
  readonly stage: Stage
  readonly zones: Map<string, string>
  /** Says `/remind …`, and gives what was sent. */
  remind(typed: string, more?: Partial<MessageEvent>): Promise<string>
  list(args?: string, more?: Partial<MessageEvent>): Promise<string>
  /** As they are stored, each with its text and the messages that it goes with. */
  reminders(): Promise<{ readonly last: number; readonly reminders: readonly Plain[] }>
  texts(): Promise<readonly string[]>
  /** From now on the process is so far behind the clock of Redis. */
  fallBehind(ms: number): void
}

type Given = { readonly zone?: string | undefined; readonly nowMs?: number; readonly owner?: boolean }

export function openReminders({ zone = 'Europe/Berlin', nowMs = tuesday, owner = false }: Given = {}): ReminderStage {
  const zones = new Map<string, string>(zone === '' ? [] : [[ann, zone]])
  const aheadMs = nowMs - Date.now()
  // The stage's clock goes on with what is waited for; Redis' twin has its own.
  const clock = { now: () => nowMs }
  const feature = createReminders({
    now: () => clock.now(),
    next: findNextMoment,
    setZone: async (principal, set) => void (set === undefined ? zones.delete(principal) : zones.set(principal, set)),
  })
  const stage = createStage({
    features: [feature],
    findZone: async (principal) => zones.get(principal),
    isOwner: async () => owner,
  })
  const waited = stage.deps.now
  let behindMs = 0
  clock.now = () => waited() + aheadMs - behindMs
  const remind: ReminderStage['remind'] = async (typed, more = {}) =>
    await stage.ask(`/remind ${typed}`, { language: 'en', ...more, as: toCommand('remind', typed) })
  return {
    stage,
    zones,
    remind,
    list: async (args = '', more = {}) =>
      await stage.ask('/reminders', { language: 'en', ...more, as: toCommand('reminders', args) }),
    reminders: async () => {
      // The slice is what its schema reads.
      const { last, reminders } = sliceOf(await stage.state(), feature) as Reminders
      return {
        last,
        reminders: reminders.map(({ said, ...more }) => {
          const { value, ...from } = said.toJSON()
          return { ...more, ...value, ...from }
        }),
      }
    },
    fallBehind: (ms) => void (behindMs = ms),
    texts: async () => (await stage.sent()).map(({ text }) => text),
  }
}
