// The tool `time_now`: what clock and calendar show, in the zone that is asked for, else the person's, else the server's.
import { z } from 'zod'
import type { Language } from '#shared/chat/message.ts'
import type { Capability } from '#shared/feature/capability.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { Clock, Ports } from '#shared/feature/ports.ts'
import type { Tool, ToolContext } from '#shared/model/tool.ts'

export const timeNowCapability: Capability<Pick<Ports, 'clock'>> = { create: ({ clock }) => createTimeNow(clock) }

const asked = z.object({ zone: z.string().max(60).optional() })
const locales = { zh: 'zh-CN', en: 'en-GB' } as const

export function createTimeNow(clock: Clock): Feature {
  return { name: 'time-now', tools: [createTool(clock)] }
}

function createTool(clock: Clock): Tool {
  return {
    name: 'time_now',
    summary: { zh: '看你的时区或别处现在的日期和时间。', en: 'Tells the date and time now, in your zone or another.' },
    description: "The date and time now, in the person's zone or another.",
    parameters: { type: 'object', properties: { zone: { type: 'string', description: 'IANA name' } } },
    effect: 'read',
    onCrash: 'rerun',
    listing: 'always',
    run: async (input, context) => ({ text: await tell(clock, input, context), source: 'own' }),
  }
}

async function tell({ now, timeZone }: Clock, input: unknown, context: ToolContext): Promise<string> {
  const wanted = asked.parse(input).zone?.trim() ?? ''
  if (wanted !== '') return toText(now(), checkZone(wanted), context.language)
  const own = await context.zone()
  if (own !== undefined) return toText(now(), own, context.language)
  return `${toText(now(), timeZone, context.language)}\nThat is the server's zone: the zone of the person is not known.`
}

function checkZone(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    throw new Error('there is no such time zone. Give an IANA name such as "Asia/Tokyo".')
  }
}

/** `Wednesday, 2026-11-25T10:05:09+08:00 (Asia/Shanghai)` */
function toText(nowMs: number, zone: string, language: Language): string {
  const weekday = new Intl.DateTimeFormat(locales[language], { timeZone: zone, weekday: 'long' }).format(nowMs)
  return `${weekday}, ${toIso(nowMs, zone)} (${zone})`
}

/** ISO 8601 with the zone's offset from UTC at that moment. */
function toIso(nowMs: number, zone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  const local = format.format(nowMs).replace(' ', 'T')
  const name = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
    .formatToParts(nowMs)
    .find(({ type }) => type === 'timeZoneName')?.value
  const offset = name?.replace(/^GMT/, '') ?? ''
  return `${local}${offset === '' ? '+00:00' : offset}`
}
