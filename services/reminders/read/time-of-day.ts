// Times of day: 9am, at 9, 9:30, half past nine, noon, 上午九点半, 晚上8点.
import { enNumber, toNumber, zhNumber } from './numbers.ts'
import { end, sticky, type Clock, type Draft, type Part, type Piece } from './piece.ts'

const parts: Readonly<Record<string, Part>> = {
  morning: 'morning',
  afternoon: 'afternoon',
  evening: 'evening',
  night: 'night',
  凌晨: 'dawn',
  清晨: 'morning',
  清早: 'morning',
  早上: 'morning',
  早晨: 'morning',
  早: 'morning',
  上午: 'morning',
  中午: 'noon',
  正午: 'noon',
  下午: 'afternoon',
  午后: 'afternoon',
  傍晚: 'evening',
  晚上: 'evening',
  晚间: 'evening',
  晚: 'evening',
  夜里: 'night',
  夜晚: 'night',
  深夜: 'night',
  半夜: 'night',
}

/** The minute of the day where only its part is said; of a night or the hours before dawn nobody knows it. */
const usual: Readonly<Partial<Record<Part, number>>> = { morning: 540, noon: 720, afternoon: 900, evening: 1200 }
const usualMinute = 540

const toClock = (hour: string, minute = '0', more: Partial<Clock> = {}): Draft | undefined => {
  const found = { hour: toNumber(hour), minute: minute === '' ? 0 : toNumber(minute) }
  return found.hour === undefined || found.minute === undefined
    ? undefined
    : { clock: { isWhole: false, ...found, hour: found.hour, minute: found.minute, ...more } }
}
const toHalf = (letter: string): Partial<Clock> =>
  letter === '' ? {} : { half: letter.toLowerCase() === 'a' ? 'am' : 'pm' }

const isWhole = true
const half = String.raw`(?: ?([ap])\.?m\.?(?![a-z0-9]))`
const named: Readonly<Record<string, Draft>> = {
  noon: { clock: { hour: 12, minute: 0, isWhole } },
  midday: { clock: { hour: 12, minute: 0, isWhole } },
  midnight: { clock: { hour: 24, minute: 0, isWhole } },
}

export const clockPieces: readonly Piece[] = [
  {
    pattern: sticky(String.raw`(?:at |@ ?)?(noon|midday|midnight)${end}`),
    read: ([, name = '']) => named[name.toLowerCase()],
  },
  {
    pattern: sticky(String.raw`(?:at |@ ?)?(\d{1,2})[:.](\d\d)${half}`),
    read: ([, hour = '', minute, letter = '']) => toClock(hour, minute, toHalf(letter)),
  },
  {
    pattern: sticky(String.raw`(?:at |@ ?)?(\d{1,2})${half}`),
    read: ([, hour = '', letter = '']) => toClock(hour, '0', toHalf(letter)),
  },
  {
    pattern: sticky(String.raw`(?:at |@ ?)?(\d{1,2}):(\d\d)(?![\d:])(?:分(?!钟))?`),
    read: ([, hour = '', minute]) => toClock(hour, minute, { isWhole }),
  },
  {
    pattern: sticky(String.raw`(?:at )?(half|quarter) (past|to) (${enNumber}|\d{1,2})${end}`),
    read: ([, much = '', side = '', hour = '']) => toSpoken(much.toLowerCase(), side.toLowerCase(), hour),
  },
  {
    pattern: sticky(
      String.raw`(?:at )?(${enNumber}|\d{1,2}) o['’]?clock${end}|(?:at |@ ?)(${enNumber}|\d{1,2})(?![a-z0-9_'’.:%/-])`,
    ),
    read: ([, hour = '', other = '']) => toClock(hour || other),
  },
  {
    // A number of people or things after the hour is no minute: 九点三个人开会.
    pattern: sticky(
      String.raw`(${zhNumber})[点时](?:钟|整|(半|一刻|三刻)|(${zhNumber})分(?!钟)|(\d\d|[二三四五]?十[一二三四五六七八九]?|[零〇][一二三四五六七八九])(?![\d个位名件条份杯次人块元]))?`,
    ),
    read: ([, hour = '', fraction = '', minute = '', bare = '']) =>
      toClock(hour, fractions[fraction] ?? (minute || bare)),
  },
]
const fractions: Readonly<Record<string, string>> = { 半: '30', 一刻: '15', 三刻: '45' }

function toSpoken(much: string, side: string, spoken: string): Draft | undefined {
  const hour = toNumber(spoken)
  if (hour === undefined || hour < 1 || hour > 12) return undefined
  if (side === 'past') return { clock: { hour, minute: much === 'half' ? 30 : 15, isWhole: false } }
  return much === 'half' ? undefined : { clock: { hour: hour === 1 ? 12 : hour - 1, minute: 45, isWhole: false } }
}

export const partPieces: readonly Piece[] = [
  {
    pattern: sticky(String.raw`(?:in the |this )?(morning|afternoon|evening|night)${end}`),
    read: ([, part = '']) => toPart(part),
  },
  {
    pattern: sticky('凌晨|清晨|清早|早上|早晨|上午|中午|正午|下午|午后|傍晚|晚上|晚间|夜里|夜晚|深夜|半夜'),
    read: ([part = '']) => toPart(part),
  },
]
/** Behind a time of day, which a part may follow in English only so. */
export const trailingPart: Piece = {
  pattern: sticky(String.raw`(?:in the (morning|afternoon|evening)|at (night))${end}`),
  read: ([, part = '', night = '']) => toPart(part || night),
}
const toPart = (word: string): Draft | undefined => {
  const part = parts[word.toLowerCase()]
  return part && { part }
}

export type Minute = number | 'ambiguous-hour' | 'no-such-time'

/** The minute of the day, from 1440 on of the day after. What is said of neither half of the day is ambiguous from one to six. */
export function toMinute({ clock, part }: Draft): Minute {
  if (!clock) return part === undefined ? usualMinute : (usual[part] ?? 'ambiguous-hour')
  const { hour, minute } = clock
  if (hour > 24 || minute > 59 || (hour === 24 && minute > 0)) return 'no-such-time'
  if (clock.half !== undefined && (hour < 1 || hour > 12)) return 'no-such-time'
  if (clock.half !== undefined) return ((hour % 12) + (clock.half === 'pm' ? 12 : 0)) * 60 + minute
  if (part === undefined) return !clock.isWhole && hour >= 1 && hour <= 6 ? 'ambiguous-hour' : hour * 60 + minute
  const read = inPart[part](hour)
  return read === undefined ? 'no-such-time' : read * 60 + minute
}

/** The hour on a clock of 24, as that part of the day has it. */
const inPart: Readonly<Record<Part, (hour: number) => number | undefined>> = {
  dawn: (hour) => (hour === 12 ? 0 : hour <= 6 ? hour : undefined),
  morning: (hour) => (hour <= 12 ? hour : undefined),
  noon: (hour) => (hour >= 10 && hour <= 14 ? hour : hour === 1 || hour === 2 ? hour + 12 : undefined),
  afternoon: (hour) => (hour >= 12 && hour <= 18 ? hour : hour >= 1 && hour <= 7 ? hour + 12 : undefined),
  evening: (hour) => (hour >= 17 ? hour : hour >= 4 && hour <= 12 ? hour + 12 : undefined),
  night: (hour) => (hour >= 18 ? hour : hour >= 6 && hour <= 12 ? hour + 12 : undefined),
}
