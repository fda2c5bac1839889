// The literal stop: `/stop`, or one of these words alone. It acts from ingest, past every queue.
import type { SlashCommand } from './event.ts'

const words = new Set(['停', '停止', 'stop', 'cancel', '停下', '取消'])

export function isLiteralStop(text: string, command: SlashCommand | undefined): boolean {
  if (command) return command.name === 'stop'
  if (text.length > 12) return false
  return words.has(text.toLowerCase().replaceAll(/[\s。！!.,，~]/g, ''))
}
