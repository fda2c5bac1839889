// When a person is not to be disturbed.

/** `22_8`: from ten in the evening to eight in the morning; `13_15`: from one to three in the afternoon; `none`: never. */
export type QuietHours = `${number}_${number}` | 'none'

/** The setting of a person that says so, by its id. */
export const quietHoursId = 'curiosity_hours'

const hoursOfDay: readonly number[] = Array.from({ length: 24 }, (_, hour) => hour)

/** All that a person may choose: any two different whole hours, and `none`. */
export const quietHours: readonly QuietHours[] = [
  ...hoursOfDay.flatMap((from) => hoursOfDay.flatMap((to) => (from === to ? [] : [`${from}_${to}` as const]))),
  'none',
]

const pair = /^(\d{1,2})(?::00)?(?:[-–—~至]|到)(\d{1,2})(?::00)?$/u

/** Reads quiet hours as people write them: `19-7`, `19:00-07:00`, `none`. Other words give the reason why they are none. */
export function readHours(written: string): QuietHours | { readonly wrong: 'form' | 'range' | 'same' } {
  if (/^(?:none|off|no|无|没有|关)$/iu.test(written)) return 'none'
  const [, ...found] = pair.exec(written) ?? []
  const [from, to] = found.map(Number)
  if (from === undefined || to === undefined) return { wrong: 'form' }
  if (from > 23 || to > 23) return { wrong: 'range' }
  return from === to ? { wrong: 'same' } : `${from}_${to}`
}

const [hourMs, stepMs, dayMs] = [3_600_000, 900_000, 86_400_000]

/** How long until the last of the quiet hours has begun, ms, a day at most: what is made of a day waits for its person when they get up. */
export function findNight(nowMs: number, timeZone: string, hours: QuietHours): number {
  const quiet = hours === 'none' ? undefined : hours
  for (let inMs = 0; inMs < dayMs; inMs += stepMs) {
    const isLast = !isQuietHour(nowMs + inMs + hourMs, timeZone, quiet)
    if (isLast && isQuietHour(nowMs + inMs, timeZone, quiet)) return inMs
  }
  return dayMs
}

/** `timeZone` as `Intl` knows it. */
export function isQuietHour(ms: number, timeZone: string, hours: QuietHours = '22_8'): boolean {
  if (hours === 'none') return false
  const [from = 0, to = 0] = hours.split('_').map(Number)
  const hour = Number(new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(ms))
  return from < to ? hour >= from && hour < to : hour >= from || hour < to
}
