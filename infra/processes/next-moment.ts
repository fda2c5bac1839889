// When a cron expression fits next, by croner: the port of the reminders. It takes the first moment after a gap of the clock, and the first
// of two that look alike.
import { Cron } from 'croner'

/** Undefined for what is no expression, and where no moment comes. */
export function findNextMoment(expression: string, zone: string, afterMs: number): number | undefined {
  try {
    // Five parts are asked for, so that nobody is reminded each second.
    return new Cron(expression, { timezone: zone, paused: true, mode: '5-part' }).nextRun(new Date(afterMs))?.getTime()
  } catch {
    return undefined
  }
}
