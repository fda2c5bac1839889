// Reads a slash command where the platform marks none itself: web, console.
import type { SlashCommand } from './event.ts'

const pattern = /^\/([a-z][a-z0-9_]{0,31})(?:@[\w-]{1,64})?(?:\s+(?!\s)([\s\S]*))?$/i

/** `/Stop@bot now` is name `stop`, args `now`; undefined for a text that is no command, such as a path. */
export function parseCommand(text: string): SlashCommand | undefined {
  const [, name, args = ''] = pattern.exec(text.trim()) ?? []
  return name === undefined ? undefined : { name: name.toLowerCase(), args: args.trim() }
}
