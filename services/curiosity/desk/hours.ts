// When a person is not to be disturbed.

/** `22_8`: from ten in the evening to eight in the morning; `none`: never. */
export const quietHours = ['22_8', '21_9', '20_10', 'none'] as const
export type QuietHours = (typeof quietHours)[number]

/** `timeZone` as `Intl` knows it. */
export function isQuietHour(ms: number, timeZone: string, hours: QuietHours = '22_8'): boolean {
  if (hours === 'none') return false
  const [from = 0, to = 0] = hours.split('_').map(Number)
  const hour = Number(new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(ms))
  return hour >= from || hour < to
}
