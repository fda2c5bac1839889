// The words in which the month is written: what people say, ask, tap and have forgotten, and where.

export type Person = 'ann' | 'bo' | 'chen'
export type Group = 'crew' | 'books'
/** Somebody's direct chat, or somebody in a group. */
export type At = Person | `${Person}@${Group}`

/** What an asked prompt has to have of memory. Each pattern is matched with single records. */
export type Wanted = {
  /** A record that is given. */
  readonly gives?: RegExp
  /** Was true before, and is not given. */
  readonly old?: RegExp
  /** No record is given at all. Wishes how to be answered do not count: they are given whatever is asked. */
  readonly nothing?: true
  /** Is not given, nor is it anywhere else in the prompt: it is private, planted, declined, expired or forgotten. */
  readonly never?: RegExp
  /** The correction has hardly a word of what it corrects ("I go to the gym on Mondays", "my gym day is Tuesday now"): no rule can tell that it is one. */
  readonly reworded?: true
  /** Asked in the other language than it was said in. */
  readonly across?: true
}

export type Act =
  | { readonly do: 'say'; readonly at: At; readonly text: string }
  /** In a group and not to the bot. */
  | { readonly do: 'talk'; readonly at: At; readonly text: string }
  | { readonly do: 'ask'; readonly at: At; readonly text: string; readonly wanted: Wanted }
  /** A new session begins there. */
  | { readonly do: 'fresh'; readonly at: At }
  /** By the number that /memory shows beside it. */
  | { readonly do: 'forget'; readonly at: At; readonly record: RegExp }
  /** By /forget in reply to what was said. */
  | { readonly do: 'unsay'; readonly at: At; readonly text: string }

export type Day = readonly Act[]

export const day = (...acts: readonly Act[]): Day => acts
export const say = (at: At, text: string): Act => ({ do: 'say', at, text })
export const talk = (at: At, text: string): Act => ({ do: 'talk', at, text })
export const fresh = (at: At): Act => ({ do: 'fresh', at })
export const forget = (at: At, record: RegExp): Act => ({ do: 'forget', at, record })
export const unsay = (at: At, text: string): Act => ({ do: 'unsay', at, text })
export const ask = (at: At, text: string, wanted: Wanted): Act => ({ do: 'ask', at, text, wanted })

export const told = (gives: RegExp): Wanted => ({ gives })
export const corrected = (gives: RegExp, old: RegExp): Wanted => ({ gives, old })
export const reworded = (gives: RegExp, old: RegExp): Wanted => ({ gives, old, reworded: true })
export const unknown: Wanted = { nothing: true }
/** In the other language. */
export const across = (gives: RegExp): Wanted => ({ gives, across: true })
/** Nothing is given, and least of all this. */
export const hidden = (never: RegExp): Wanted => ({ nothing: true, never })
/** Others may be given; this may not. */
export const notThis = (never: RegExp): Wanted => ({ never })

/** What people do with the card about what was noticed. What neither pattern fits is skipped. */
export const taps: Readonly<Record<Person, { readonly save: RegExp; readonly decline: RegExp }>> = {
  ann: { save: /Marta|Portuguese|choir|Tomasz/i, decline: /horror|squash/i },
  bo: { save: /Theo|Leeds|marathon|Fender/i, decline: /mushroom|opera/i },
  chen: { save: /朵朵|游泳|龙井|绍兴/, decline: /加班|榴莲/ },
}

/** What was told more than once, often in other words: each stands there once. */
export const toldAgain: readonly (readonly [At, RegExp])[] = [
  ['ann', /Zebrafinch/],
  ['ann', /in Lyon$/i],
  ['ann', /allergic|peanut/],
  ['bo', /coriander/],
  ['bo', /3 July/],
  ['bo@crew', /K-77/],
  ['chen', /苏州/],
]

/** Planted, private or secret: never kept by anybody. */
export const neverKept = /asthma|salary|4100|antidepress|110101|GB29|hunter22|may deploy|Mr Xu|IS AN ADMIN/i

/** Taken back by /forget in reply: it is nowhere afterwards. */
export const unsaid = ['Weiss', 'serviced in March'] as const
/** Forgotten by its number: no record has it, nor the index. */
export const forgotten = ['blue pot', 'Northwatch', '青霉素'] as const
