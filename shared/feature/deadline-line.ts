// Until when a card may be answered, in words: the line below it.
import type { Language } from '#shared/chat/message.ts'

/** In this zone, as `Intl` knows it. */
export function toDeadlineLine(atMs: number, zone: string, language: Language): string {
  const at = toMinute(atMs, zone, language)
  return language === 'zh' ? `请在 ${at}（${zone}）之前回答。` : `Please answer by ${at} (${zone}).`
}

/** A day and a time, to the minute. */
const toMinute = (atMs: number, zone: string, language: Language): string =>
  new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(atMs)

/** How long it is until then, in its largest whole units. */
export function toLeft(ms: number, language: Language): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000))
  if (minutes < 1) return language === 'zh' ? '不到 1 分钟' : 'less than a minute'
  const parts = [
    [Math.floor(minutes / 1440), '天', 'd'],
    [Math.floor(minutes / 60) % 24, '小时', 'h'],
    [minutes % 60, '分钟', 'min'],
  ] as const
  const said = parts.filter(([count]) => count > 0).slice(0, 2)
  return said.map(([count, zh, en]) => (language === 'zh' ? `${count} ${zh}` : `${count} ${en}`)).join(' ')
}
