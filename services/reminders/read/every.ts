// What comes again within a day: every two hours, every 30 minutes, hourly, 每两小时, 每半小时. Only steps that the hour, or the day, has a whole number of
// times: others would begin anew at each of its ends.
import { enNumber, toNumber, zhNumber } from './numbers.ts'
import { end, findAt, sticky } from './piece.ts'

const english = sticky(
  String.raw`(?:every|each) (?:(\d{1,2}|${enNumber}) )?(hours?|minutes?|mins?)${end}|(?:every|each) (half)(?: an?)? hour${end}|(hourly)${end}`,
)
const chinese = sticky(`每隔?个?(?:(${zhNumber})个?)?(小时|钟头|分钟)|每隔?(半)个?(?:小时|钟头)`)

/** Five fields, and where the text goes on. */
export function findEvery(text: string, at: number): { readonly expression: string; readonly at: number } | undefined {
  const found = findAt(english, text, at) ?? findAt(chinese, text, at)
  if (!found) return undefined
  const [whole = '', count = '', unit = '', half = ''] = found
  const step = half === '' ? (count === '' ? 1 : (toNumber(count) ?? 0)) : 30
  const isMinutes = half !== '' || /^(?:m|分)/i.test(unit)
  const most = isMinutes ? 60 : 24
  if (step < 1 || most % step !== 0) return undefined
  const each = step === 1 ? '*' : `*/${step}`
  const expression = isMinutes ? `${step === 60 ? '0' : each} * * * *` : `0 ${step === 24 ? '0' : each} * * *`
  return { expression, at: at + whole.length }
}
