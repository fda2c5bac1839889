// An amount as people write it: `300000`, `300k`, `2m`, `30万`, `$20`, or `none`.

/** `most`: 0 for none. Money is in whole micro-dollars. */
export type Amount = { readonly unit: 'tokens' | 'micros' | 'none'; readonly most: number }

const form = /^(\$?)(\d{1,12})(?:\.(\d{1,6}))?(k|m|千|万|百万)?$/
const times: Readonly<Record<string, number>> = { k: 1000, m: 1_000_000, 千: 1000, 万: 10_000, 百万: 1_000_000 }
const mostTokens = 1e12
const mostMicros = 1e15

/** Undefined for what is no amount, or is nothing at all: a limit of 0 would be taken for none. */
export function readAmount(text: string): Amount | undefined {
  if (['none', 'off', 'unlimited', '不限', '无', '取消'].includes(text)) return { unit: 'none', most: 0 }
  const [, dollar, whole = '', places = '', unit = ''] = form.exec(text.replaceAll(/[,_]/g, '')) ?? []
  if (dollar === undefined) return undefined
  const isMoney = dollar !== ''
  const number = Number(`${whole}.${places || '0'}`) * (times[unit] ?? 1)
  const most = Math.round(isMoney ? number * 1_000_000 : number)
  if (most < 1 || most > (isMoney ? mostMicros : mostTokens)) return undefined
  return { unit: isMoney ? 'micros' : 'tokens', most }
}
