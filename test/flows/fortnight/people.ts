// The five people of the fortnight, where they live, and the two groups that all of them are in.

/** What somebody does with the cards: answers eight of ten questions, none, a half of them, or presses whatever sends them away. */
export type Habit = 'answers' | 'ignores' | 'refuses' | 'some'

export type Person = {
  readonly id: number
  readonly name: string
  /** Of their app. */
  readonly language: 'en' | 'zh-hans'
  readonly zone: string
  /** When they tell the bot their zone, in days from the beginning. */
  readonly zoneOnDay: number
  readonly habit: Habit
}

const person = (id: number, name: string, rest: Omit<Person, 'id' | 'name'>): Person => ({ id, name, ...rest })

export const people: readonly Person[] = [
  person(1001, 'Ann', { language: 'en', zone: 'Europe/Berlin', zoneOnDay: 0, habit: 'answers' }),
  person(1002, 'Boris', { language: 'en', zone: 'America/New_York', zoneOnDay: 0, habit: 'ignores' }),
  person(1003, 'Clara', { language: 'en', zone: 'Europe/Berlin', zoneOnDay: 0, habit: 'refuses' }),
  person(1004, '陈晨', { language: 'zh-hans', zone: 'Asia/Shanghai', zoneOnDay: 0, habit: 'some' }),
  person(1005, '林雨', { language: 'zh-hans', zone: 'Asia/Shanghai', zoneOnDay: 5, habit: 'some' }),
]

export const groups = [-100_001, -100_002] as const

/** How long the night is in which nobody is asked, in hours of their own day. */
export const night = { from: 22, to: 8 } as const

/** The hour of somebody's day, with its minutes as a part. */
export function hourAt(ms: number, zone: string): number {
  const [hour = 0, minute = 0] = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
    .format(ms)
    .split(':')
    .map(Number)
  return hour + minute / 60
}

export const wallAt = (ms: number, zone: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    day: '2-digit',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(ms)
