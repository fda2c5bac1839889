// When somebody wants to be reminded, as it was said: not yet a moment, since that depends on now and on their zone.

/** Sunday is 0. */
export type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6

export type Day =
  /** The next moment of that time of day, today or tomorrow. */
  | { readonly kind: 'any' }
  | { readonly kind: 'offset'; readonly days: number }
  /** `any`: the next moment on such a day; else of this week, or so many weeks later. Weeks begin on Monday. */
  | { readonly kind: 'weekday'; readonly weekday: Weekday; readonly week: 'any' | number }
  /** Without a year the next time that it comes; on no other weekday, where one was said with it. */
  | {
      readonly kind: 'date'
      readonly year?: number
      readonly month: number
      readonly day: number
      readonly weekday?: Weekday
    }
  /** Without `months` the next month that still has it; else of this month, or so many later. */
  | { readonly kind: 'day-of-month'; readonly day: number; readonly months?: number }

export type When = (
  | { readonly kind: 'in'; readonly afterMs: number }
  /** `minute` of the day; from 1440 on of the day after. */
  | { readonly kind: 'once'; readonly day: Day; readonly minute: number }
  | {
      readonly kind: 'daily' | 'weekdays' | 'weekly'
      readonly weekdays: readonly Weekday[]
      readonly minute: number
    }
  /** Five fields. */
  | { readonly kind: 'cron'; readonly expression: string }
) & {
  /** Where it was said with the time; else it is that of whoever said it. */
  readonly zone?: string
}

export const needsZone = ({ kind, zone }: When): boolean => kind !== 'in' && zone === undefined

/** Why no time was read. */
export type Unread =
  /** It begins with none. */
  | 'no-time'
  /** Morning or afternoon may be meant, or no hour at all. */
  | 'ambiguous-hour'
  /** There is none such on a clock. */
  | 'no-such-time'
  /** A day in figures, which people read in two ways, or one that was not understood. */
  | 'unclear-day'
  /** It comes again in a way that only cron can say. */
  | 'interval'
  /** It has an end or an exception. */
  | 'condition'
  | 'bad-cron'
  /** A zone that may mean several. */
  | 'unclear-zone'

export type Reading =
  | { readonly kind: 'read'; readonly when: When; /** What follows it. */ readonly rest: string }
  | { readonly kind: 'unread'; readonly why: Unread }
